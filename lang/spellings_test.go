package lang_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

// Two ways to ask one question cost alike: otherwise one of them has an algorithm
// that the other should have too, and an author who happens to write the other is
// refused. And a little more of anything costs a little more: where one die more
// costs many times as much, an algorithm has been left for a worse one.

// What the efforts of two ways, and of two neighbouring sizes, may differ by.
const (
	mostTimesApart = 10
	mostTimesAStep = 5
)

// freeEffort is added to every effort, so that what takes no time is not compared: about
// a tenth of a millisecond.
const freeEffort = 100_000

// A pair is two expressions in which {n} stands for each of the sizes: two ways to ask for
// one value, or, where they are only near each other, two questions that should cost alike.
type pair struct {
	name  string
	a, b  string
	sizes []int
	near  bool
}

var pairs = []pair{
	{name: "unlike dice: run", sizes: []int{2, 4, 6, 8, 12},
		a: "pool({n}d4, {n}d6, {n}d8).longest_run()",
		b: "evaluate(lambda s, f, n: (s[0] + 1 if n else 0, max(s[1], s[0] + 1) if n else s[1]), (0, 0), pool({n}d4, {n}d6, {n}d8), finish=lambda s: s[1])"},
	{name: "unlike dice: largest set", sizes: []int{2, 4, 6, 8, 12},
		a: "pool({n}d4, {n}d6, {n}d8).largest_set()",
		b: "evaluate(lambda s, f, n: max(s, n), 0, pool({n}d4, {n}d6, {n}d8))"},
	{name: "unlike dice: evaluate", sizes: []int{2, 4, 8, 12},
		a: "pool({n}d4, {n}d6, {n}d10).evaluate(lambda s, f, n: s + n // 2, 0)",
		b: "pool({n}d4, {n}d6, {n}d10).pairs()"},
	{name: "equal dice: evaluate", sizes: []int{2, 5, 10, 20, 40, 80},
		a: "({n}d6).evaluate(lambda s, f, n: s + n // 2, 0)",
		b: "({n}d6).pairs()"},
	{name: "equal dice: joint evaluate", sizes: []int{2, 5, 10, 20, 40, 80},
		a: "evaluate(lambda s, f, n: s + n // 2, 0, {n}d6)",
		b: "({n}d6).pairs()"},
	{name: "a fight that ends: mean", sizes: []int{3, 6, 12, 25, 40},
		a: "iterate(({n}, {n}), lambda s: s if 0 in s else map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), d(4), d(6)), None).steps",
		b: "first_time(({n}, {n}), lambda s: map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), d(4), d(6)), lambda s: 0 in s).mean()"},
	{name: "a fight with misses: mean", sizes: []int{3, 6, 12, 25, 40},
		a: "iterate(({n}, {n}), lambda s: s if 0 in s else map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), die_faces([0, 0, 3, 4]), die_faces([0, 5])), None).steps",
		b: "first_time(({n}, {n}), lambda s: map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), die_faces([0, 0, 3, 4]), die_faces([0, 5])), lambda s: 0 in s).mean()"},
	{name: "best play of one plan", sizes: []int{3, 6, 12, 25},
		a: "best_play(({n}, {n}), lambda s: s[0] if 0 in s else {\"on\": map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), d(4), d(6))}).value",
		b: "iterate(({n}, {n}), lambda s: s if 0 in s else map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), d(4), d(6)), None).item(0).mean()"},
	{name: "one die that differs", sizes: []int{2, 5, 20, 60}, near: true,
		a: "pool({n}d6, d(5)).pairs()",
		b: "({n}d6).pairs()"},
	{name: "the best two", sizes: []int{2, 4, 6, 8},
		a: "pool({n}d4, {n}d6, {n}d8).map_sorted(lambda a: a[-1] + a[-2])",
		b: "pool({n}d4, {n}d6, {n}d8).highest(2)"},
	{name: "each die against each", sizes: []int{3, 4, 5, 6, 7},
		a: "map_sorted(lambda a, b: sum([1 for x, y in zip(a, b) if x > y]), {n}d10, {n}d10)",
		b: "evaluate(lambda s, f, n, m: (s[0] + n - m, s[1] + max(0, min(s[0], m))), (0, 0), {n}d10, {n}d10, finish=lambda s: s[1], order=\"descending\")"},
	{name: "equal faces", sizes: []int{4, 5, 6, 8},
		a: "({n}d6).map_sorted(lambda a: a[0] == a[-1])",
		b: "({n}d6).evaluate(lambda s, f, n: max(s, n), 0, finish=lambda s: s == {n})"},
	{name: "cards: the range", sizes: []int{3, 4, 5},
		a: "deck(range(30)).deal({n}).map_sorted(lambda a: a[-1] - a[0])",
		b: "evaluate(lambda s, f, n: (f if s[0] < 0 and n else s[0], f if n else s[1]), (-1, -1), deck(range(30)).deal({n}), finish=lambda s: s[1] - s[0])"},
}

// A sweep is an expression whose effort makes no leap while {n} goes from one size to
// another in single steps.
type sweep struct {
	name     string
	what     string
	from, to int
}

var sweeps = []sweep{
	{"pairs of equal dice", "({n}d6).pairs()", 2, 70},
	{"largest set of unlike dice", "pool({n}d4, 5d6, 5d8).largest_set()", 2, 30},
	{"longest run of unlike dice", "pool(5d4, 5d6, 3d{n}).longest_run()", 2, 40},
	{"unique of two kinds", "pool(5d{n}, 5d6).unique()", 2, 40},
	{"a fight to the death", "iterate(({n}, {n}), lambda s: s if 0 in s else map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), d(4), d(6)), None).steps", 2, 30},
	{"the time of a fight", "first_time(({n}, {n}), lambda s: map(lambda x, y: (max(0, s[0] - x), max(0, s[1] - y)), d(4), d(6)), lambda s: 0 in s)", 2, 30},
	{"ruin", "iterate({n} // 2, lambda s: s if s in (0, {n}) else either(\"1/2\", s - 1, s + 1), None)", 4, 40},
	{"kinds of dice", "pool(*[d(4 + i) for i in range({n})]).pairs()", 1, 20},
	{"the best two of unlike dice", "pool({n}d4, 3d6, 3d8).map_sorted(lambda a: a[-1] + a[-2])", 2, 16},
	{"each die against each", "map_sorted(lambda a, b: sum([1 for x, y in zip(a, b) if x > y]), {n}d6, {n}d6)", 2, 8},
	{"the range of a hand", "deck(range(30)).deal({n}).map_sorted(lambda a: a[-1] - a[0])", 2, 8},
}

func TestTwoWaysToAskOneQuestionCostAlike(t *testing.T) {
	for _, x := range pairs {
		t.Run(x.name, func(t *testing.T) {
			for _, n := range x.sizes {
				a, b := ask(t, x.a, n), ask(t, x.b, n)
				if !x.near && a.data != nil && b.data != nil && !sameData(t, a.data, b.data) {
					t.Errorf("n = %d: two values", n)
				}
				if apart := max(a.effort, b.effort) / min(a.effort, b.effort); apart > mostTimesApart {
					t.Errorf("n = %d: %s takes %.0f, %s takes %.0f, which is %.1f times apart", n, x.a, a.effort, x.b, b.effort, apart)
				}
			}
		})
	}
}

func TestALittleMoreCostsALittleMore(t *testing.T) {
	for _, x := range sweeps {
		t.Run(x.name, func(t *testing.T) {
			before := ask(t, x.what, x.from).effort
			for n := x.from + 1; n <= x.to; n++ {
				now := ask(t, x.what, n)
				if times := now.effort / before; times > mostTimesAStep {
					t.Errorf("%s takes %.0f for %d and %.0f for %d, %.1f times as much", x.what, before, n-1, now.effort, n, times)
				}
				if now.data == nil {
					t.Errorf("%s is refused for %d", x.what, n)
				}
				before = now.effort
			}
		})
	}
}

// An asked is what an expression has cost, and its value, nil where it was refused.
type asked struct {
	data   lang.Data
	effort float64
}

// What is refused under these limits counts as what it would have needed.
var spellingsLimits = lang.Limits{Steps: 1 << 24, Work: 1 << 30}

func ask(t *testing.T, what string, n int) asked {
	t.Helper()
	text := strings.ReplaceAll(what, "{n}", strconv.Itoa(n))
	host, err := lang.New(lang.WithLimits(spellingsLimits))
	if err != nil {
		t.Fatal(err)
	}
	program, err := host.Compile(context.Background(), "spelling.star", []byte("output(\"x\", "+text+")"))
	if err != nil {
		t.Fatal(text, err)
	}
	result, err := program.Run(context.Background())
	limit := (*dist.LimitError)(nil)
	switch {
	case errors.As(err, &limit):
		return asked{effort: float64(max(limit.Need, spellingsLimits.Work)) + freeEffort}
	case err != nil:
		t.Fatal(text, err)
	}
	return asked{result.Outputs[0].Data, effort(result.Usage)}
}

// effort is about how many basic operations a run has taken.
func effort(u lang.Usage) float64 {
	const ofAStep = 16
	return float64(u.Work) + ofAStep*float64(u.Steps) + freeEffort
}

func sameData(t *testing.T, a, b lang.Data) bool {
	switch a := a.(type) {
	case lang.Roll:
		b, ok := b.(lang.Roll)
		return ok && dist.Must(dist.Same(context.Background(), a.Dist, b.Dist))
	case lang.Number:
		b, ok := b.(lang.Number)
		return ok && a.Value.Cmp(b.Value) == 0
	case lang.Prob:
		b, ok := b.(lang.Prob)
		return ok && a.Value.Cmp(b.Value) == 0
	case lang.Outcomes:
		b, ok := b.(lang.Outcomes)
		return ok && slices.EqualFunc(a.Entries, b.Entries, func(x, y lang.Outcome) bool {
			return x.Label.String() == y.Label.String() && x.Value.Cmp(y.Value) == 0
		})
	}
	t.Fatalf("%T can't be compared", a)
	return false
}
