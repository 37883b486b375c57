package lang_test

import (
	"context"
	"testing"

	"dicescript/lang"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// BenchmarkGuard runs what recipes do most, and has go.starlark.net do the same without
// any limits. It may take a fifth longer with them; half as long again with tuples as
// keys, and where nearly all is comparisons of what might be rolls.
func BenchmarkGuard(b *testing.B) {
	for _, bench := range []struct{ name, src string }{
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
`},
		{"calls", `
def level(roll, skill):
    if roll == 1 or roll <= skill // 20:
        return 3
    if roll <= skill // 5:
        return 2
    if roll <= skill and roll < 96:
        return 1
    return 0
def won(x, y, a, b):
    left, right = level(x, a), level(y, b)
    if left != right:
        return left > right
    return x + 0 >= y
def run():
    wins = 0
    for a in range(10, 101, 30):
        for b in range(10, 101, 30):
            for x in range(1, 51):
                for y in range(1, 51):
                    if won(x, y, a, b):
                        wins += 1
    return wins
run()
`},
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
`},
		{"tuples", `
def run():
    table = {}
    for i in range(60000):
        table[(i, 0)] = i
    for i in range(60000):
        if table[(i, 0)] != i:
            fail("lost")
run()
`},
	} {
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
		b.Run(bench.name+"/guarded", func(b *testing.B) {
			h, err := lang.New()
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
