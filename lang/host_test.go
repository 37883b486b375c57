package lang_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"dicescript/builtins"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

// newHost is a host with the given options.
func newHost(t testing.TB, opts ...lang.Option) *lang.Host {
	t.Helper()
	h, err := lang.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// run compiles and runs a recipe that must compile.
func run(t testing.TB, h *lang.Host, src string, opts ...lang.RunOption) (*lang.Result, error) {
	t.Helper()
	p, err := h.Compile(context.Background(), "recipe.star", []byte(src))
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	return p.Run(context.Background(), opts...)
}

// mustRun runs a recipe that must succeed.
func mustRun(t testing.TB, h *lang.Host, src string, opts ...lang.RunOption) *lang.Result {
	t.Helper()
	r, err := run(t, h, src, opts...)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return r
}

func rat(t testing.TB, r *lang.Result, title string) string {
	t.Helper()
	v, err := lang.Get[*big.Rat](r, title)
	if err != nil {
		t.Fatal(err)
	}
	return v.RatString()
}

func TestRunGivesExactResults(t *testing.T) {
	r := mustRun(t, newHost(t), `
output("total", 2d6)
output("p7", (2d6).pmf(7))
output("mean", (4d6kh3).mean())
output(d(6))
output("n", 3)
output("words", "hello")
`)
	d, err := lang.Get[*dist.Dist](r, "total")
	if err != nil || d.PMF(7).RatString() != "1/6" {
		t.Errorf("total: %v, %v", d, err)
	}
	if got := rat(t, r, "p7"); got != "1/6" {
		t.Errorf("P(7) = %s", got)
	}
	if got := rat(t, r, "mean"); got != "15869/1296" {
		t.Errorf("mean of 4d6kh3 = %s", got)
	}
	if got := r.Outputs[3].Title; got != "output_3" {
		t.Errorf("the fourth output is titled %q", got)
	}
	if n, err := lang.Get[int](r, "n"); n != 3 || err != nil {
		t.Errorf("n: %d, %v", n, err)
	}
	if s, err := lang.Get[string](r, "words"); s != "hello" || err != nil {
		t.Errorf("words: %q, %v", s, err)
	}
	if _, err := lang.Get[*big.Rat](r, "totl"); err == nil || !strings.Contains(err.Error(), "did you mean total?") {
		t.Errorf("a missing title: %v", err)
	}
	if _, err := lang.Get[*big.Rat](r, "total"); err == nil {
		t.Error("a roll was given as a fraction")
	}
	if r.Usage.Steps == 0 || r.Usage.Work == 0 || r.Usage.Outputs != 6 {
		t.Errorf("usage: %+v", r.Usage)
	}
}

func TestRepeatedTitle(t *testing.T) {
	r := mustRun(t, newHost(t), "output('x', 1)\noutput('x', 2)")
	if _, err := lang.Get[int](r, "x"); err == nil {
		t.Error("a repeated title was found")
	}
}

func TestParamsAreKnownBeforeARun(t *testing.T) {
	p, err := newHost(t).Compile(context.Background(), "recipe.star", []byte(`
bonus = param("bonus", 5, help="what is added", min=-5, max=20)
style = param("style", "plain", choices=["plain", "wild"])
luck = 1 + param("luck", 0.5)
output("bonus", bonus)
output("style", style)
output("luck", luck)
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range p.Params() {
		got = append(got, fmt.Sprint(q.Name, " ", q.Type, " ", q.Default, " ", q.Min, " ", q.Max, " ", q.Choices))
	}
	want := "bonus int 5 -5 20 []; style string plain <nil> <nil> [plain wild]; luck float 0.5 <nil> <nil> []"
	if strings.Join(got, "; ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), want)
	}
	r, err := p.Run(context.Background(), lang.WithInput("bonus", int64(7)), lang.WithInputs(map[string]any{"style": "wild", "luck": 1}))
	if err != nil {
		t.Fatal(err)
	}
	if rat(t, r, "bonus") != "7" || rat(t, r, "luck") != "2" {
		t.Errorf("outputs: %v", r.Outputs)
	}
	if fmt.Sprint(r.Params) != "[{bonus 7 what is added 2 int 5 -5 20 []} {style wild  3 string plain <nil> <nil> [plain wild]} {luck 1  4 float 0.5 <nil> <nil> []}]" {
		t.Errorf("params of the result: %v", r.Params)
	}
	for _, bad := range []lang.RunOption{
		lang.WithInput("bonus", 21), lang.WithInput("bonus", "x"), lang.WithInput("bonus", 1.5),
		lang.WithInput("style", "tame"), lang.WithInput("nothing", 1), lang.WithInput("bonus", nil), lang.WithInput("bonus", true),
	} {
		_, err := p.Run(context.Background(), bad)
		if e := new(lang.Error); !errors.As(err, &e) || e.Kind != lang.KindInput {
			t.Errorf("a wrong input: %v", err)
		}
	}
}

// Every goroutine must find what it has put in, and all of them the same
// account.
func TestRunsFromManyGoroutines(t *testing.T) {
	p, err := newHost(t).Compile(context.Background(), "recipe.star", []byte(`
load("rolemaster.star", "beats")
bonus = param("bonus", 0)
seen = []
def hit(face):
    seen.append(face)
    return 10..20 if False else face + bonus >= 15
output("hit", map(hit, 1d20))
output("kept", 4d6kh3 + bonus)
output("beats", beats(100, bonus=bonus))
`))
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		hit, kept string
		usage     lang.Usage
	}
	one := func(bonus int) answer {
		r, err := p.Run(context.Background(), lang.WithInput("bonus", bonus))
		if err != nil {
			t.Error(err)
			return answer{}
		}
		kept, _ := lang.Get[*dist.Dist](r, "kept")
		hit, _ := lang.Get[*big.Rat](r, "hit")
		return answer{hit.RatString(), kept.Mean().RatString(), r.Usage}
	}
	var want [10]answer
	for bonus := range want {
		want[bonus] = one(bonus)
		if exact := big.NewRat(int64(6+bonus), 20).RatString(); want[bonus].hit != exact {
			t.Errorf("bonus %d: hit %s, want %s", bonus, want[bonus].hit, exact)
		}
	}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for k := range 5 {
				if bonus := (i + k) % len(want); one(bonus) != want[bonus] {
					t.Errorf("bonus %d: another result beside other runs", bonus)
				}
			}
		})
	}
	wg.Wait()
}

func TestHostBuiltins(t *testing.T) {
	luck := starlark.NewBuiltin("luck", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		roll, ok := args[0].(*value.Roll)
		if !ok {
			return nil, fmt.Errorf("luck: want a roll, got %s", args[0].Type())
		}
		d, err := dist.Max(context.Background(), roll.Dist(), roll.Dist())
		if err != nil {
			return nil, err
		}
		return builtins.NewRoll(d), nil
	})
	boom := starlark.NewBuiltin("boom", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		panic("broken")
	})
	cause := errors.New("the reason")
	failing := starlark.NewBuiltin("failing", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return nil, cause
	})
	h := newHost(t, lang.WithBuiltins(starlark.StringDict{"luck": luck, "boom": boom, "failing": failing}))
	if got := rat(t, mustRun(t, h, `output("p", luck(d(6)).pmf(6))`), "p"); got != "11/36" {
		t.Errorf("got %s", got)
	}
	_, err := run(t, h, "x = 1\nboom()")
	e := new(lang.Error)
	if !errors.As(err, &e) || e.Kind != lang.KindInternal || len(e.Stack) == 0 {
		t.Errorf("a panic: %v", err)
	}
	if e.Position.String() != "recipe.star:2:1" {
		t.Errorf("a panic is placed at %s", e.Position)
	}
	if _, err := run(t, h, "failing()"); !errors.Is(err, cause) {
		t.Errorf("the cause is lost: %v", err)
	}
	if _, err := lang.New(lang.WithBuiltins(starlark.StringDict{"4d6": luck})); err == nil {
		t.Error("a builtin was named 4d6")
	}
}

func TestPrintGetsTheContextOfTheRun(t *testing.T) {
	type key struct{}
	var got []string
	h := newHost(t, lang.WithPrint(func(ctx context.Context, text string) {
		got = append(got, fmt.Sprint(ctx.Value(key{}), ": ", text))
	}))
	p, err := h.Compile(context.Background(), "recipe.star", []byte(`print("a", 1)`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(context.WithValue(context.Background(), key{}, "me")); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != "[me: a 1]" {
		t.Errorf("printed %v", got)
	}
}

func TestDeadlineAndCancel(t *testing.T) {
	h := newHost(t)
	for _, src := range []string{
		"while True:\n    pass",
		"def f(x):\n    return x\nwhile True:\n    map(f, d(100))",
		"x = 1\nwhile True:\n    x = 60d100 - 40d60",
		"while True:\n    sorted(list(range(1000)))",
	} {
		p, err := h.Compile(context.Background(), "recipe.star", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		_, err = p.Run(ctx)
		cancel()
		e := new(lang.Error)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &e) || e.Kind != lang.KindDeadline {
			t.Errorf("%q: %v", src, err)
		}
		if e.Position.Line == 0 {
			t.Errorf("%q: no position in %v", src, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, _ := h.Compile(context.Background(), "recipe.star", []byte("output(1)"))
	if r, err := p.Run(ctx); !errors.Is(err, context.Canceled) || r == nil {
		t.Errorf("a cancelled run: %v, %v", r, err)
	}
	if _, err := h.Compile(ctx, "recipe.star", []byte("output(1)")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled compilation: %v", err)
	}
}

func TestLiterateRecipes(t *testing.T) {
	doc := "# Title\n\nSome words.\n\n```\nx = 2d6\n```\n\nmore\n\n```dice\noutput(\"x\", x)\nnothing()\n```\n"
	h := newHost(t)
	_, err := h.Compile(context.Background(), "doc.md", []byte(doc))
	e := new(lang.Error)
	if !errors.As(err, &e) || e.Position.String() != "doc.md:13:1" {
		t.Fatalf("a name error in a document: %v", err)
	}
	p, err := h.Compile(context.Background(), "doc.md", []byte(strings.Replace(doc, "nothing()", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(context.Background())
	if err != nil || len(r.Outputs) != 1 {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := h.Compile(context.Background(), "doc.star", []byte(doc)); err == nil {
		t.Error("a .star file was read as a document")
	}
}

func TestModules(t *testing.T) {
	files := fstest.MapFS{
		"house.star":      {Data: []byte("count = [0]\ndef half():\n    return d(2).pmf(1)\n_own = 1\n")},
		"both.star":       {Data: []byte("load('./sub/inner.star', 'inner')\nload('house.star', 'half')\nboth = inner\n")},
		"sub/inner.star":  {Data: []byte("load('../house.star', 'half')\nload('./leaf.star', 'leaf')\ninner = leaf + 1\n")},
		"sub/leaf.star":   {Data: []byte("leaf = 41\n")},
		"loop1.star":      {Data: []byte("load('./loop2.star', 'b')\na = 1\n")},
		"loop2.star":      {Data: []byte("load('./loop1.star', 'a')\nb = 1\n")},
		"out.star":        {Data: []byte("def f():\n    output('x', 1)\n")},
		"inputs.star":     {Data: []byte("x = param('x', 1)\n")},
		"broken.star":     {Data: []byte("x = 1 +\n")},
		"fails.star":      {Data: []byte("def f():\n    return d(0)\nx = f()\n")},
		"rolemaster.star": {Data: []byte("open_ended = 'mine'\n")},
	}
	h := newHost(t, lang.WithModules("", files), lang.WithModules("camp", files), lang.WithModules("./", files))
	r := mustRun(t, h, `
load("house.star", "half")
load("camp/house.star", other = "half")
load("./both.star", "both")
load("rolemaster.star", "open_ended")
load("coc7.star", "levels")
output("half", half())
output("both", both)
output("mine", open_ended)
output("bundled", levels(50))
`)
	if rat(t, r, "half") != "1/2" || rat(t, r, "both") != "42" {
		t.Errorf("%v", r.Outputs)
	}
	if s, _ := lang.Get[string](r, "mine"); s != "mine" {
		t.Errorf("the host's module does not come first: %v", r.Outputs[2])
	}
	for _, c := range []struct{ src, want string }{
		{"load('hose.star', 'half')", "recipe.star:1:6: there is no module hose.star; did you mean house.star?"},
		{"load('./hose.star', 'half')", "recipe.star:1:6: ./hose.star: there is no such file beside this one; did you mean ./house.star?"},
		{"load('house', 'half')", "did you mean house.star?"},
		{"load('house.star', 'haf')", "recipe.star:1:21: house.star has no haf; did you mean half?"},
		{"load('house.star', '_own')", "names that begin with _ are the module's own"},
		{"load('../house.star', 'half')", "leaves the folder"},
		{"load('./sub/../../house.star', 'half')", "leaves the folder"},
		{"load('/etc/passwd', 'half')", "a module is named as in"},
		{"load('./loop1.star', 'a')", "loop1.star loads loop2.star loads loop1.star"},
		{"load('./recipe.star', 'a')", "there is no such file"},
		{"load('./sub', 'a')", "a folder, not a module"},
		{"load('out.star', 'f')", "out.star:2:5: output: only the recipe itself records results"},
		{"load('inputs.star', 'x')", "inputs.star:1:5: param: only the recipe itself has inputs"},
		{"load('broken.star', 'x')", "broken.star:1:"},
		{"load('', 'x')", "the name of the module is empty"},
	} {
		_, err := h.Compile(context.Background(), "recipe.star", []byte(c.src))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.src, err, c.want)
		}
	}
	_, err := run(t, h, "load('./fails.star', 'x')")
	e := new(lang.Error)
	if !errors.As(err, &e) || e.Position.String() != "fails.star:2:12" || len(e.Frames) != 3 {
		t.Errorf("a module that fails: %v, frames %v", err, e.Frames)
	}
	if _, err := run(t, h, "load('house.star', 'count')\ncount.append(1)"); err == nil || !strings.Contains(err.Error(), "can't be changed") {
		t.Errorf("a module was changed: %v", err)
	}
	alone := newHost(t)
	if _, err := alone.Compile(context.Background(), "recipe.star", []byte("load('./house.star', 'half')")); err == nil || !strings.Contains(err.Error(), "no folder beside this recipe") {
		t.Errorf("no root: %v", err)
	}
}

func TestAModuleRunsOncePerRun(t *testing.T) {
	files := fstest.MapFS{
		"a.star":     {Data: []byte("load('noisy.star', 'x')\na = x\n")},
		"b.star":     {Data: []byte("load('noisy.star', 'x')\nb = x\n")},
		"noisy.star": {Data: []byte("print('once')\nx = 1\n")},
	}
	printed := 0
	h := newHost(t, lang.WithModules("", files), lang.WithPrint(func(context.Context, string) { printed++ }))
	p, err := h.Compile(context.Background(), "r.star", []byte("load('a.star', 'a')\nload('b.star', 'b')\nload('noisy.star', 'x')"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := p.Run(context.Background()); err != nil || printed != i+1 {
			t.Errorf("run %d: %v, printed %d times", i, err, printed)
		}
	}
}
