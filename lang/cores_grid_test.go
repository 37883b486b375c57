package lang_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"dicescript/lang"
)

// Rows of a grid are filled side by side where there are several processors. What comes
// out, what it costs and where it fails is the same with any number of them.

// grids are recipes with grids, and what is in what each comes to.
var grids = []struct{ name, recipe, want string }{
	{"chances", "output('g', grid(range(1, 9), range(1, 30), lambda n, bonus: (dice_pool(n, 6) + bonus).p_ge(20)))", "lang.Grid "},
	{"numbers", `
def f(a, b):
    n = 0
    for i in range(a * 10):
        n += i % (b + 1)
    return n
output('g', grid(range(20), range(30), f))
`, "lang.Grid "},
	{"text", `
sides = {"d6": 6, "d8": 8, "d10": 10, "d12": 12}
output('g', grid(["d6", "d8", "d10", "d12"], range(2, 30), lambda name, n: dice_pool(n, sides[name]).mean()))
`, "lang.Grid "},
	{"a pool that all rows share", `
p = dice_pool(40, 6)
output('g', grid(range(12), range(20), lambda a, b: (p + a).p_ge(140 + b)))
`, "lang.Grid "},
	{"pools that some rows share", `
pools = [dice_pool(n, 10) for n in range(30, 36)]
output('g', grid(range(24), range(20), lambda a, b: pools[a // 4].p_ge(140 + b)))
`, "lang.Grid "},
	{"a pool that a later row comes to", `
p = dice_pool(60, 6)
def f(a, b):
    if a > 3 and b > 10:
        return (p + a).p_ge(200 + b)
    return dice_pool(a + 20, 6).p_ge(60 + b)
output('g', grid(range(12), range(20), f))
`, "lang.Grid "},
	{"literals", `
def f(a, b):
    if a == 5:
        return (20d6 + b).p_ge(60 + a)
    if a % 3 == 2:
        return 30d8.p_ge(100 + b)
    return (30d6kh10 + a).p_ge(40 + b)
output('g', grid(range(12), range(20), f))
`, "lang.Grid "},
	{"notation", `output('g', grid(range(1, 12), range(20), lambda a, b: roll("%dd6" % (10 + a)).p_ge(40 + b)))`, "lang.Grid "},
	{"labels", `
def f(a, b):
    return classify(dice_pool(a + 10, 6), {"low": ..40, "high": 41..})["high"] if False else dice_pool(a + 10, 6).p_ge(40 + b)
output('g', grid(range(12), range(20), f))
`, ""},
	{"lists are handed over", `
faces = [[1, 2, 3, x] for x in range(20)]
output('g', grid(range(12), range(20), lambda a, b: die_faces(faces[b]).times(10 + a).p_ge(40 + b)))
`, ""},
	{"tuples with lists are handed over", `
parts = [((1, d(6)), (x, d(8))) for x in range(20)]
output('g', grid(range(12), range(20), lambda a, b: mixture(parts[b]).times(10 + a).p_ge(40 + b)))
`, ""},
	{"a list that grows", `
seen = []
def f(a, b):
    if a == 5 and b == 7:
        seen.append(b)
    return (dice_pool(20 + a, 6) + len(seen)).p_ge(60 + b)
output('g', grid(range(12), range(20), f))
`, "lang.Grid "},
	{"a callback in the callback", `
output('g', grid(range(12), range(20), lambda a, b: map(lambda x: x > b, dice_pool(10 + a, 6))))
`, "lang.Grid "},
	{"a failure", `
def f(a, b):
    if a * b == 77: fail("at %d, %d" % (a, b))
    return dice_pool(20 + a, 6).p_ge(60 + b)
output('g', grid(range(12), range(20), f))
`, "at 7, 11"},
	{"an error of dice", `
def f(a, b):
    return dice_pool(20 + a, 6 if a < 8 else 6 - b).p_ge(60 + b)
output('g', grid(range(12), range(20), f))
`, "dice_pool"},
	{"no cell", `output('g', grid(range(12), range(20), lambda a, b: "x" if a == 9 and b == 3 else dice_pool(20 + a, 6).p_ge(60 + b)))`, "9 and 3"},
	{"a roll is no cell", `output('g', grid(range(12), range(20), lambda a, b: dice_pool(20 + a, 6) if a == 9 and b == 3 else dice_pool(20 + a, 6).p_ge(60 + b)))`, "mean()"},
	{"beyond a word", `output('g', grid(range(12), range(20), lambda a, b: a * 9000000000000000000 + dice_pool(20, 6).p_ge(60 + b)))`, "lang.Grid "},
	{"opposed", `
load("brp.star", "opposed_table")
output("table", opposed_table())
`, "lang.Grid "},
}

func TestGridSideBySide(t *testing.T) {
	free, oneByOne := bothHosts(t)
	for _, c := range grids {
		alone, usage := outcomeOn(t, free, c.name, c.recipe, 1)
		if !strings.Contains(alone, c.want) {
			t.Errorf("%s: got %s, want %s in it", c.name, alone, c.want)
		}
		if want, _ := outcomeOn(t, oneByOne, c.name, c.recipe, 3); want != alone {
			t.Errorf("%s: got\n%.2000s\ninterpreted\n%.2000s", c.name, alone, want)
		}
		for range 3 {
			got, spent := outcomeOn(t, free, c.name, c.recipe, 3)
			if got != alone || spent != usage {
				t.Errorf("%s: on three processors got\n%.2000s\n%+v\non one\n%.2000s\n%+v", c.name, got, spent, alone, usage)
			}
		}
	}
}

// What an input before has worked out is paid for once, by the run of a grid too.
func TestGridSideBySideInSessions(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	inputs := []string{
		"p = dice_pool(40, 6)\nq = dice_pool(41, 6)\noutput('p', p.p_ge(140) * q.p_ge(140))",
		"f = lambda a, b: ((p if a % 4 == 3 else q) + a).p_ge(140 + b) if a > 1 else 0",
		"grid(range(24), range(30), f)",
		"grid(range(24), range(30), lambda a, b: f(23 - a, b))",
		"grid(range(24), range(30), f)",
	}
	run := func(cores int) (text string) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		s := host.NewSession()
		for _, input := range inputs {
			r, err := s.Eval(context.Background(), input)
			text += fmt.Sprintf("%v %+v\n", err, r.Usage)
			for _, o := range r.Outputs {
				if g, ok := o.Data.(lang.Grid); ok {
					text += fmt.Sprintln(g.Cells[23][29].Value, g.Cells[0][0].Value)
				}
			}
		}
		return text
	}
	alone := run(1)
	if strings.Count(alone, "\n") != len(inputs)+3 || strings.Count(alone, "<nil>") != len(inputs) {
		t.Errorf("got %s", alone)
	}
	for range 3 {
		if got := run(3); got != alone {
			t.Errorf("on three processors got\n%s\non one\n%s", got, alone)
		}
	}
}

// A limit strikes at the same place, however little it leaves.
func TestGridSideBySideUnderLimits(t *testing.T) {
	free, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range grids {
		_, usage := outcomeOn(t, free, c.name, c.recipe, 1)
		for part := int64(1); part <= 9; part += 2 {
			for _, limits := range []lang.Limits{
				{Steps: 1 + usage.Steps*part/9}, {Work: 1 + usage.Work*part/9},
				{Cells: 1 + usage.Cells*part/9}, {Bytes: 1 + usage.Bytes*part/9},
			} {
				host, err := lang.New(lang.WithLimits(limits))
				if err != nil {
					t.Fatal(err)
				}
				alone, usage := outcomeOn(t, host, c.name, c.recipe, 1)
				got, spent := outcomeOn(t, host, c.name, c.recipe, 3)
				if got != alone || spent != usage {
					t.Errorf("%s with %+v: on three processors got\n%.2000s\n%+v\non one\n%.2000s\n%+v", c.name, limits, got, spent, alone, usage)
				}
			}
		}
	}
}
