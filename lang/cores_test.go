package lang_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"dicescript/lang"
)

// Calls are made side by side where there are several processors. What comes out,
// what it costs and where it fails is the same with any number of them.

// sideBySide are recipes with very many calls, and what each has to come to.
var sideBySide = []struct{ name, recipe, want string }{
	{"numbers", "output('r', map(lambda a, b: max(a - b, 0), d(190), d(180)))", "r"},
	{"labels", `
def f(a, b, c):
    if a == b: return "same"
    return ("far", c % 3) if a - b > 10 else "near %d" % (c % 5)
output('r', map(f, d(40), d(40), d(30)))
`, "r"},
	{"chances", "output('r', map(lambda a, b: a > b, 3d100, 2d70))", "r"},
	{"scale", `
s = scale().step("low").step("high")
output('r', joint_classify(d(190), d(180), s, lambda a, b: "high" if a > b else "low"))
`, "r"},
	{"loops", `
def f(a, b):
    n = 0
    for i in range(a % 9):
        n += i % b
    return n
output('r', map(f, d(190), d(180)))
`, "r"},
	{"states", `
words = {3: "three", 5: "five"}
def f(a, b):
    return (words.get(a % 7, "none"), [1, 2, 3][b % 3])
output('r', map(f, d(190), d(180)))
`, "r"},
	{"dice in one call", "output('r', map(lambda a, b: d(6) if a == 150 and b == 77 else a + b, d(190), d(180)))", "r"},
	{"dice in all calls", "output('r', map(lambda a, b: d(6) + (a + b) % 2, d(190), d(180)))", "r"},
	{"a list that grows", `
seen = []
def f(a, b):
    if a == 100 and b % 50 == 0:
        seen.append(b)
    return len(seen)
output('r', map(f, d(190), d(180)))
`, "r"},
	{"a failure", `
def f(a, b):
    if a * b == 12543: fail("at %d, %d" % (a, b))
    return a
output('r', map(f, d(190), d(180)))
`, "at 111, 113"},
	{"another kind", "output('r', map(lambda a, b: 'x' if a == 181 and b > 13 else a, d(190), d(180)))", "181 and 14"},
	{"beyond a word", "output('r', map(lambda a, b: a * 9000000000000000000 if b == 9 else a, d(190), d(180)))", "want a whole number"},
	{"too many steps", `
def f(a, b):
    n = 0
    for i in range(a * b):
        n += 1
    return n
output('r', map(f, d(190), d(180)))
`, "steps"},
	{"too many answers", "output('r', map(lambda a, b, c: a * 1000000 + b * 1000 + c, d(50), d(50), d(40)))", "bytes"},
}

func TestSideBySide(t *testing.T) {
	host, err := lang.New(lang.WithLimits(lang.Limits{Steps: 4_000_000, Bytes: 1 << 23}))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range sideBySide {
		run := func(cores int) string {
			runtime.GOMAXPROCS(cores)
			p, err := host.Compile(context.Background(), c.name, []byte(c.recipe))
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(context.Background())
			text := fmt.Sprintf("%+v\n", r.Usage)
			if err != nil {
				text += fmt.Sprintf("%+v", err)
			}
			for _, o := range r.Outputs {
				text += fmt.Sprintf("%s %T", o.Title, o.Data)
				switch data := o.Data.(type) {
				case lang.Roll:
					for x, w := range data.Dist.All() {
						text += fmt.Sprint(" ", x, ":", w)
					}
				case lang.Outcomes:
					for _, e := range data.Entries {
						text += fmt.Sprint(" ", e.Label, ":", e.Value)
					}
				}
			}
			return text
		}
		alone := run(1)
		if !strings.Contains(alone, c.want) {
			t.Errorf("%s: got %s, want %s in it", c.name, alone, c.want)
		}
		for _, cores := range []int{3} {
			if got := run(cores); got != alone {
				t.Errorf("%s: on %d processors got\n%.2000s\non one\n%.2000s", c.name, cores, got, alone)
			}
		}
	}
}
