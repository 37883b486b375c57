package lang_test

import (
	"context"
	"testing"

	"dicescript/lang"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// BenchmarkGuard runs what recipes do most with the guard and without. It may take
// a fifth longer with it; with tuples as keys, half as long again as plain Starlark.
func BenchmarkGuard(b *testing.B) {
	for _, bench := range []struct {
		name, src string
		plain     bool // go.starlark.net alone, too
	}{
		{"ints", `
def run():
    total, last = 0, 1
    for i in range(200000):
        last = (last * 31 + i) % 1000003
        total += last // 7 - i
        if last > 500000:
            total -= 1
    return total
run()
`, false},
		{"grid", `
def level(roll, skill):
    if roll == 1 or roll <= skill // 20:
        return 3
    if roll <= skill // 5:
        return 2
    if roll <= skill and roll < 96:
        return 1
    return 0
def wins(a, b):
    def won(x, y):
        left, right = level(x, a), level(y, b)
        if left != right:
            return left > right
        return x + 0 >= y
    return map(won, d(50), d(50))
output("grid", grid(range(10, 101, 30), range(10, 101, 30), wins))
`, false},
		{"fill", `
def run():
    for _ in range(4):
        table, list = {}, []
        for i in range(20000):
            table[i] = i * 2
            list.append(i)
        for i in range(20000):
            list[i] = table[i]
run()
`, false},
		{"tuples", `
def run():
    table = {}
    for i in range(60000):
        table[(i, 0)] = i
    for i in range(60000):
        if table[(i, 0)] != i:
            fail("lost")
run()
`, true},
	} {
		if bench.plain {
			b.Run(bench.name+"/plain", func(b *testing.B) {
				file, err := (&syntax.FileOptions{}).Parse("bench.star", bench.src, 0)
				if err != nil {
					b.Fatal(err)
				}
				p, err := starlark.FileProgram(file, func(string) bool { return false })
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := p.Init(new(starlark.Thread), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		for name, opts := range map[string][]lang.Option{"guarded": nil, "unguarded": {lang.WithoutGuard()}} {
			b.Run(bench.name+"/"+name, func(b *testing.B) {
				h, err := lang.New(opts...)
				if err != nil {
					b.Fatal(err)
				}
				p, err := h.Compile(context.Background(), "bench.star", []byte(bench.src))
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := p.Run(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
