package lang_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dicescript/lang"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// States that are tuples are told apart by number. They come to the same as those of the
// interpreter, whatever is in them: 1, 1.0 and True are one state, and so are tuples of
// them.

// stateWords are the items of states, given the state s, the face f and the count n.
var stateWords = []string{
	"n", "f", "min(n, 2)", "max(s[0], n) % 3", "s[0]", "s[-1]", "n > 1", "n == 1", "1.0", "1", "None",
	`"x"`, `"%d" % (n % 2)`, "(n % 2, f % 3)", "(s[0],)", "s[:1]", "s[-1:]", "()", "n // 2", "n * 1.0", "str(n)",
	"9223372036854775807 * min(n, 2)", "len(s)",
}

func randomStates(t *rapid.T) string {
	tuple := func(label string) string {
		words := rapid.SliceOfN(rapid.SampledFrom(stateWords), 1, 3).Draw(t, label)
		return "(" + strings.Join(words, ", ") + ",)"
	}
	plain := `rank = {"None": 0}
def number(v):
    if type(v) == "tuple":
        return len(v) + sum([number(x) for x in v])
    if type(v) in ("int", "float", "bool"):
        return 1 if v else 0
    return 7
`
	step := fmt.Sprintf("def step(s, f, n):\n    if %s:\n        return %s\n    if n == %d:\n        return %s\n    return %s\n",
		rapid.SampledFrom([]string{"n == 0", "number(s[0]) > 0", "f > 3", "len(s) > 2"}).Draw(t, "when"),
		rapid.SampledFrom([]string{"s", tuple("first")}).Draw(t, "kept"),
		rapid.IntRange(0, 3).Draw(t, "count"), tuple("second"), tuple("third"))
	start := rapid.SampledFrom([]string{"(0,)", "(1.0, 2)", "(True,)", `("x", (1, 2))`, "(1, ())"}).Draw(t, "start")
	finish := rapid.SampledFrom([]string{"", ", finish = str", ", finish = lambda s: s[0]", ", finish = number", ", finish = lambda s: number(s) > 3", ", finish = lambda s: d(6) + number(s)"}).Draw(t, "finish")
	call := rapid.SampledFrom([]string{
		"dice_pool(4, 5).evaluate(step, %s%s)",
		"evaluate(lambda s, f, n, m: step(s, f, n) if m == 0 else (n, m), %s, dice_pool(3, 4), dice_pool(2, 5)%s)",
	}).Draw(t, "call")
	return plain + step + "output('r', " + fmt.Sprintf(call, start, finish) + ")\n"
}

func TestRandomStatesCompiledAsInterpreted(t *testing.T) {
	compiled, oneByOne := bothHosts(t)
	good := 0
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(randomStates(t))
		want := outcomeOf(oneByOne, "states.dice", src, time.Minute)
		if got := outcomeOf(compiled, "states.dice", src, time.Minute); got.text != want.text {
			t.Fatalf("got\n%s\nwant\n%s\nof\n%s", got.text, want.text, src)
		}
		if !strings.Contains(want.text, "states.dice:") {
			good++
		}
	})
	t.Logf("%d have a result", good)
}

// A state stays the value that it was first, whatever equal values come later.
func TestStateStaysItsFirstValue(t *testing.T) {
	src := []byte("output('r', dice_pool(2, 3).evaluate(lambda s, f, n: (n,) if n == 1 else s, (1.0,), finish = str))\n")
	compiled, oneByOne := bothHosts(t)
	for _, host := range []*lang.Host{compiled, oneByOne} {
		if got := outcomeOf(host, "states.dice", src, time.Minute); !strings.Contains(got.text, `"(1.0,)"`) || strings.Contains(got.text, `"(1,)"`) {
			t.Errorf("got %s", got.text)
		}
	}
}

// More states than a machine remembers as tuples.
func TestVeryManyStates(t *testing.T) {
	src := []byte(`
def step(s, f, n):
    return (s[0] * 9 + n, f)
p = dice_pool(8, 10).evaluate(step, (0, 0), lambda s: s[0] % 7)
output("p", p.mean())
`)
	compiled, oneByOne := bothHosts(t, lang.WithLimits(lang.Limits{Steps: 1 << 32, Work: 1 << 40, Cells: 1 << 32, Bytes: 1 << 34}))
	want := outcomeOf(oneByOne, "states.dice", src, time.Minute)
	if got := outcomeOf(compiled, "states.dice", src, time.Minute); got.text != want.text || !strings.Contains(want.text, `"exact"`) {
		t.Errorf("got %s\nwant %s", got.text, want.text)
	}
}
