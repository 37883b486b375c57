package lang_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
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
	{"text in all calls", "output('r', map(lambda a, b: 'x' * 2 + str(a % 7), d(190), d(180)))", "xx3:"},
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
	for _, c := range sideBySide {
		alone, usage := outcomeOn(t, host, c.name, c.recipe, 1)
		if !strings.Contains(alone, c.want) {
			t.Errorf("%s: got %s, want %s in it", c.name, alone, c.want)
		}
		if got, spent := outcomeOn(t, host, c.name, c.recipe, 3); got != alone || spent != usage {
			t.Errorf("%s: on three processors got\n%.2000s\n%+v\non one\n%.2000s\n%+v", c.name, got, spent, alone, usage)
		}
	}
}

// What a function answers, and for which results: some of it is left to the interpreter.
var (
	answers = []string{
		"a * 7 + b", "(a % 7, b % 5)", "(str(a % 9), a > b)", "'x' * 3 + str(a % 11)", "'%03d' % (a % 13)", "d(6) + a % 3", "2d6 >= a % 12",
		"a > b", "{1: a % 4}[1]", "len({x: 1 for x in [a % 3, b % 3]})", "seen.append(a) or len(seen) % 5", "a * 9000000000000000000 // (b + 9000000000000000000)",
		"('y' * (a % 3 + 1), (a % 4, b % 2))", "sorted([a % 9, b % 7])[0]", "fail('no')", "None", "'label %d' % (b % 3)",
	}
	places = []string{
		"True", "a == 1", "a == 150", "a > 100", "b > 90", "b % 20 == 0", "(a * 7 + b) % 97 == 0", "a % 50 == 49", "a == 77 and b == 120", "False",
	}
)

// Whatever a function answers, and wherever it has to be left to the interpreter, it comes
// to what the interpreter comes to alone.
func TestSideBySideAsInterpreted(t *testing.T) {
	free, oneByOne := bothHosts(t)
	random := rand.New(rand.NewPCG(3, 7))
	draws := 40
	if os.Getenv("DICESCRIPT_TESTS") == "all" {
		draws = 300
	}
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	for range draws {
		recipe := fmt.Sprintf("seen = []\ndef f(a, b):\n    if %s:\n        return %s\n    return %s\noutput('r', map(f, d(190), d(180)))\n", pick(places), pick(answers), pick(answers))
		want, _ := outcomeOn(t, oneByOne, "random", recipe, 1)
		alone, usage := outcomeOn(t, free, "random", recipe, 1)
		got, spent := outcomeOn(t, free, "random", recipe, 3)
		if alone != want || got != want || spent != usage {
			t.Errorf("%s\ninterpreted %.500s\non one processor %.500s\n%+v\non three %.500s\n%+v", recipe, want, alone, usage, got, spent)
		}
	}
}

// outcomeOn is what a recipe comes to with so many processors, and what it uses.
func outcomeOn(t *testing.T, host *lang.Host, name, recipe string, cores int) (text string, usage lang.Usage) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	p, err := host.Compile(context.Background(), name, []byte(recipe))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(context.Background())
	if err != nil {
		text = fmt.Sprintf("%v\n", err)
		var e *lang.Error
		if errors.As(err, &e) {
			text += fmt.Sprintln(e.Kind, e.Frames)
		}
	}
	for _, o := range r.Outputs {
		text += fmt.Sprintf("%s %T", o.Title, o.Data)
		switch data := o.Data.(type) {
		case lang.Prob:
			text += fmt.Sprint(" ", data.Value.RatString(), " ", data.Bound)
		case lang.Number:
			text += fmt.Sprint(" ", data.Value.RatString(), " ", data.Bound)
		case lang.Roll:
			for x, w := range data.Dist.All() {
				text += fmt.Sprint(" ", x, ":", w)
			}
		case lang.Outcomes:
			for _, e := range data.Entries {
				text += fmt.Sprint(" ", e.Label, ":", e.Value)
			}
		case lang.Grid:
			for _, row := range data.Cells {
				for _, cell := range row {
					text += fmt.Sprint(" ", cell.Value.RatString())
				}
			}
		}
	}
	return text, r.Usage
}
