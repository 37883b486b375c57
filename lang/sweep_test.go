package lang_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"dicescript/lang"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"pgregory.net/rapid"
)

// A sweep gives what single runs give, whatever the recipe does to its values: statements
// assign and assign again, lists and dicts are shared and changed, functions use globals
// that come later, loops and conditions leave things as they were.

// sweepLines are statements of a recipe; A, B, C are inputs, V and W variables that hold
// numbers, L and M variables that hold lists, R and S rolls, F a function.
var sweepLines = []string{
	"V = INPUT", "V = W + 1", "V = 2", "V += INPUT", "V = len(L)", "V = F(W)", "V = sum([x for x in L if type(x) == 'int'])",
	"L = []", "L = M", "L = [V, INPUT]", "L = [V]", "L = L + [W]", "L.append(V)", "L.append(INPUT)", "M.append(L[0] if L else 0)", "L.extend(M[:3])", "L += [V]",
	"L = [1, 2]", "L = sorted([V, W])", "L = list(M)",
	"R = 2d6", "R = S + V", "R = d(6) + INPUT", "R = 4d6kh3", "R = max_of(R, S) if V > 2 else S", "R = explode(d(6), 2)",
	"if V > INPUT:\n    W = V\nelse:\n    M = [W]", "if INPUT > 1:\n    V = W", "if W > 1:\n    R = S",
	"for i in 0..2:\n    V += i", "for i in 0..INPUT:\n    output('i', i)", "for i in range(2):\n    L.append(i + V)",
	"def F(x):\n    return x + V", "def F(x):\n    return x + INPUT_BY_GLOBAL", "def F(x):\n    L.append(x)\n    return len(L)", "def F(x):\n    m = [x]\n    m.append(V)\n    return m[-1]",
	"def F(x, of=L):\n    of.append(V)\n    return len(of)",
	"g = [lambda x: x + V]", "V = g[0](W)", "h = L.append", "h(V)", "V = getattr(L, 'append')(V) or 3", "t = (V, L)", "t[1].append(W)", "L = t[1]", "e = {'k': L}", "e['k'].append(V)", "e['x'] = V", "V = len(e)",
	"output(R >= V)", "output('L', L)", "output('V', V)", "output(R)", "output('R', R.mean())", "output('t', str(t))", "print(V)", "print('L', L)",
	"V, W = W, V", "V = L if INPUT > 2 else V", "V = [W] if INPUT > 1 else 4", "if type(V) == 'list':\n    V.append(W)", "R = V if INPUT == 3 else R", "[V, L] = [W, M]", "V = V // INPUT", "V = M[5] if len(M) > 5 else W", "V = host(V)", "L = shared", "V = counter()",
	"V = add(L, W)", "L = give(L)", "V = two(W)", "e = {'k': give(L)}", "R = outcome(map(lambda x: x % 3 + V % 2, d(6)))",
}

// drawSweep draws a recipe.
func drawSweep(t *rapid.T) string {
	var b strings.Builder
	if rapid.Bool().Draw(t, "loads") {
		b.WriteString("load('./m.star', 'add', 'give', 'two')\n")
	} else {
		b.WriteString("def add(to, x):\n    return x\ndef give(of):\n    return of\ndef two(x):\n    return x\n")
	}
	b.WriteString("a = param('a', 1)\nb = param('b', 2)\nc = param('c', 'x')\n")
	b.WriteString("def max_of(r, s):\n    return r + s\ndef outcome(o):\n    return o + 0\n")
	b.WriteString("v0 = 1\nv1 = a\nv2 = 3\nl0 = []\nl1 = [1]\nl2 = l1\nr0 = 1d6\nr1 = r0 + 2\nt = (1, l0)\ne = {'k': l1}\ng = [lambda x: x]\nh = l2.append\ndef f0(x):\n    return x * 2\n")
	text := func(line string) string {
		pick := func(names ...string) string { return rapid.SampledFrom(names).Draw(t, "name") }
		var out strings.Builder
		for i := 0; i < len(line); {
			rest := line[i:]
			switch {
			case strings.HasPrefix(rest, "INPUT_BY_GLOBAL"):
				out.WriteString(pick("a", "b"))
				i += len("INPUT_BY_GLOBAL")
			case strings.HasPrefix(rest, "INPUT"):
				out.WriteString(pick("a", "b", "len(c)"))
				i += len("INPUT")
			case strings.ContainsRune("VW", rune(line[i])) && alone(line, i):
				out.WriteString(pick("v0", "v1", "v2"))
				i++
			case strings.ContainsRune("LM", rune(line[i])) && alone(line, i):
				out.WriteString(pick("l0", "l1", "l2"))
				i++
			case strings.ContainsRune("RS", rune(line[i])) && alone(line, i):
				out.WriteString(pick("r0", "r1"))
				i++
			case line[i] == 'F' && alone(line, i):
				out.WriteString("f0")
				i++
			default:
				out.WriteByte(line[i])
				i++
			}
		}
		return out.String()
	}
	for range rapid.IntRange(3, 14).Draw(t, "lines") {
		b.WriteString(text(rapid.SampledFrom(sweepLines).Draw(t, "line")) + "\n")
	}
	b.WriteString("output('end', str([v0, v1, v2, l0, l1, l2, r0, r1, t, e]))\n")
	return b.String()
}

// alone reports whether a letter is a word.
func alone(line string, i int) bool {
	letter := func(j int) bool {
		if j < 0 || j >= len(line) {
			return false
		}
		c := line[j]
		return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '\''
	}
	return !letter(i-1) && !letter(i+1)
}

func TestSweepIsSingleRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := drawSweep(t)
		host, err := lang.New(
			lang.WithBuiltins(starlark.StringDict{"host": starlark.NewBuiltin("host", oneMore), "counter": starlark.NewBuiltin("counter", oneMore)}),
			lang.WithNames("shared"), lang.SweepBlocks(rapid.SampledFrom([]int{2, 20}).Draw(t, "block")),
			lang.WithModules("./", fstest.MapFS{"m.star": {Data: []byte("own = [1]\ndef add(to, x):\n    to.append(x)\n    return len(to)\ndef give(of):\n    return of\ndef two(x):\n    return x + own[0]\n")}}))
		if err != nil {
			t.Fatal(err)
		}
		program, err := host.Compile(context.Background(), "recipe.star", []byte(source))
		if err != nil {
			t.Skip(err)
		}
		ints := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 5)
		axes := lang.Axes{
			{Name: "b", Values: anys(ints.Draw(t, "b"))},
			{Name: "a", Values: anys(ints.Draw(t, "a"))},
			{Name: "c", Values: anys(rapid.SliceOfN(rapid.SampledFrom([]string{"", "x", "yyy"}), 1, 3).Draw(t, "c"))},
		}
		axes = axes[rapid.IntRange(0, 2).Draw(t, "axes"):]
		sameAsSingleRuns(t, program, axes, lang.WithValue("shared", []int{4, 5}))
	})
}

// oneMore is a function of the host.
func oneMore(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return starlark.MakeInt(7), nil
	}
	return starlark.Binary(syntax.PLUS, args[0], starlark.MakeInt(1))
}

func anys[T any](from []T) []any {
	out := make([]any, len(from))
	for i, v := range from {
		out[i] = v
	}
	return out
}

// sameAsSingleRuns compares a sweep with runs one by one: results, errors and what is printed.
func sameAsSingleRuns(t rapid.TB, program *lang.Program, axes lang.Axes, opts ...lang.RunOption) {
	t.Helper()
	var prints []string
	collect := lang.WithRunPrint(func(_ context.Context, text string) { prints = append(prints, text) })
	opts = append(slices.Clone(opts), collect)
	var swept []string
	n := 0
	for setting, result := range program.Sweep(context.Background(), axes, opts...) {
		swept = append(swept, story(setting.Inputs, result, setting.Err, prints))
		prints = nil
		n++
	}
	if n != axes.Len() {
		t.Fatalf("got %d settings, want %d", n, axes.Len())
	}
	at := make([]int, len(axes))
	for i := range n {
		var inputs []lang.Input
		run := slices.Clone(opts)
		for j, a := range axes {
			inputs = append(inputs, lang.Input{Name: a.Name, Value: a.Values[at[j]]})
			run = append(run, lang.WithInput(a.Name, a.Values[at[j]]))
		}
		result, err := program.Run(context.Background(), run...)
		if want := story(inputs, result, err, prints); swept[i] != want {
			t.Fatalf("setting %d: got\n%s\nwant\n%s", i, swept[i], want)
		}
		prints = nil
		for j := len(at) - 1; j >= 0; j-- {
			if at[j]++; at[j] < len(axes[j].Values) {
				break
			}
			at[j] = 0
		}
	}
}

// story is all that can be seen of a run, but for its usage.
func story(inputs []lang.Input, result *lang.Result, err error, prints []string) string {
	seen := *result
	seen.Usage = lang.Usage{}
	data, failed := json.Marshal(&seen)
	if failed != nil {
		data = []byte(failed.Error())
	}
	text := fmt.Sprintf("%v\n%s\n%q\n", inputs, data, prints)
	for _, o := range result.Outputs {
		text += fmt.Sprintln(o.Title, o.Line)
	}
	var e *lang.Error
	if errors.As(err, &e) {
		text += fmt.Sprintf("%s %s %v %v", e.Kind, e, e.Frames, e.Fixes)
	}
	return text
}

func sweptProgram(t *testing.T, source string, opts ...lang.Option) *lang.Program {
	t.Helper()
	host, err := lang.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	program, err := host.Compile(context.Background(), "recipe.star", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// What no input on an axis reaches is run once, and what only one reaches once for each of
// its values.
func TestSweepRunsAgainWhatIsReached(t *testing.T) {
	program := sweptProgram(t, `
a = param("a", 0)
b = param("b", 0)
def slow(x):
    n = 0
    for i in range(2000 + x):
        n += i
    return n
constant = slow(0)
of_a = slow(a)
table = tuple([slow(i) for i in range(3)])
of_b = of_a + b + constant + table[1]
output(constant)
output("b", of_b)
output(of_a)
`)
	usage := func(axes lang.Axes) (steps []int64) {
		for setting, result := range program.Sweep(context.Background(), axes) {
			if setting.Err != nil {
				t.Fatal(setting.Err)
			}
			steps = append(steps, result.Usage.Steps)
		}
		return steps
	}
	axes := lang.Axes{span("a", 0, 1), span("b", 0, 31)}
	first := usage(axes)
	for i, steps := range first {
		switch once := first[0] / 5; {
		case i == 0:
		case i == 32 || i%2 == 1: // blocks of two settings begin here; each has to find what a reaches
			if steps > 2*once {
				t.Errorf("setting %d takes %d steps, and the first one %d", i, steps, first[0])
			}
		case steps > once/2:
			t.Errorf("setting %d takes %d steps, and the first one %d", i, steps, first[0])
		}
	}
	for range 3 {
		if again := usage(axes); !slices.Equal(again, first) {
			t.Errorf("the usage differs: %v and %v", again, first)
		}
	}
	sameAsSingleRuns(t, program, axes)
}

// A setting that fails has the error of a run, and others go on.
func TestSweepGoesOnAfterAFailure(t *testing.T) {
	program := sweptProgram(t, "n = param('n', 1)\nprint(n)\noutput('x', 6 // n)")
	for _, values := range [][]any{{0, 1, 2}, {1, 0, 2}, {0, 0}} {
		sameAsSingleRuns(t, program, lang.Axes{{Name: "n", Values: values}})
	}
}

// What a function of the host returns is asked for in each run.
func TestSweepAsksTheHostAgain(t *testing.T) {
	n := 0
	count := starlark.NewBuiltin("count", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		n++
		return starlark.MakeInt(n), nil
	})
	program := sweptProgram(t, "a = param('a', 1)\nx = count()\ny = x * 10\noutput('y', y)", lang.WithBuiltins(starlark.StringDict{"count": count}), lang.SweepBlocks(100))
	want := 0
	for _, result := range program.Sweep(context.Background(), lang.Axes{span("a", 1, 5)}) {
		want += 10
		if got, err := lang.Get[int](result, "y"); err != nil || got != want {
			t.Errorf("got %v, %v, want %d", got, err, want)
		}
	}
}

// The limits hold for all settings together, and the same setting meets them each time.
func TestSweepLimits(t *testing.T) {
	program := sweptProgram(t, "n = param('n', 1)\nx = 0\nfor i in range(3000 + n):\n    x += i\noutput('x', x)")
	single, err := program.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	limit := single.Usage.Steps * 20
	last := -1
	for range 5 {
		n := 0
		var ended error
		for setting := range program.Sweep(context.Background(), lang.Axes{span("n", 0, 199)}, lang.WithRunLimits(lang.Limits{Steps: limit})) {
			n++
			ended = setting.Err
		}
		var e *lang.Error
		if !errors.As(ended, &e) || e.Kind != lang.KindLimit || n > 25 || n < 10 {
			t.Fatalf("%d settings, %v", n, ended)
		}
		if last >= 0 && n != last {
			t.Errorf("%d settings, and %d before", n, last)
		}
		last = n
	}
	for setting := range program.Sweep(context.Background(), lang.Axes{span("n", 0, 9999)}, lang.WithRunLimits(lang.Limits{Steps: 1000})) {
		if want := "the sweep has 10 000 settings, which take at least 500 000 steps; the limit is 1 000: give the inputs fewer values"; setting.Err == nil || setting.Err.Error() != want {
			t.Errorf("got %v, want %s", setting.Err, want)
		}
	}
}

// What can't be swept is one setting with an error that says so.
func TestSweepMisuse(t *testing.T) {
	program := sweptProgram(t, "n = param('n', 1, max=5)\noutput('x', n)")
	for want, axes := range map[string]lang.Axes{
		`the recipe has no input "m"`:                      {span("m", 1, 2)},
		"n: the sweep gives it no values":                  {{Name: "n"}},
		"n: it is on two axes; give all its values to one": {span("n", 1, 2), span("n", 3, 4)},
		"param: n: got 6, want at most 5":                  {span("n", 1, 6)},
		`param: n: got "two", want a whole number`:         {{Name: "n", Values: []any{"two"}}},
	} {
		n := 0
		for setting := range program.Sweep(context.Background(), axes) {
			if n++; setting.Err == nil || !strings.HasPrefix(setting.Err.Error(), strings.TrimPrefix(want, "param: ")) {
				t.Errorf("got %v, want %s", setting.Err, want)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d settings", want, n)
		}
	}
}

// A sweep can be left, and ends when its context does.
func TestSweepEnds(t *testing.T) {
	program := sweptProgram(t, "n = param('n', 1)\nx = 0\nfor i in range(n * 1000):\n    x += i\noutput('x', x)")
	n := 0
	for range program.Sweep(context.Background(), lang.Axes{span("n", 0, 99)}) {
		if n++; n == 7 {
			break
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n = 0
	var last error
	for setting := range program.Sweep(ctx, lang.Axes{span("n", 0, 9999)}) {
		if n++; n == 3 {
			cancel()
		}
		last = setting.Err
	}
	var e *lang.Error
	if !errors.As(last, &e) || e.Kind != lang.KindCancelled || n > 9999 {
		t.Errorf("%d settings, the last one with %v", n, last)
	}
}
