package lang_test

import "testing"

// Keys that collide by chance are no attack: all numbers from 0 to 1 have one
// hash, and there may be many of the same.
func TestKeysThatCollide(t *testing.T) {
	for name, body := range map[string]string{
		"floats":     "d = {}\n  for i in range(1000):\n    d[i / 1000] = i\n  for _ in range(20):\n    for i in range(1000):\n      d[i / 1000]",
		"duplicates": "set([(i % 100) / 100 for i in range(20000)])",
		"tuples":     "d = {(i % 211, i // 211, 'x'): i for i in range(50000)}\n  for i in range(50000):\n    d[(i % 211, i // 211, 'x')] += 1",
		"dicts":      "dicts = [{j: j for j in range(100)} for i in range(2000)]\n  for d in dicts:\n    for j in range(10):\n      d[j] = 0",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := run(t, newHost(t), "def f():\n  "+body+"\nf()\n"); err != nil {
				t.Error(err)
			}
		})
	}
}
