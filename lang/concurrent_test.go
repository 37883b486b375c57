package lang_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"dicescript/builtins"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"

	"go.starlark.net/starlark"
)

// These tests are for the race detector as much as for their assertions: one
// host is shared by all goroutines, and every answer depends on who asked.

// atOnce calls f in n goroutines that begin together, so that what a host does
// only once is asked of it by all at the same time.
func atOnce(n int, f func(i int)) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-begin
			f(i)
		})
	}
	close(begin)
	all.Wait()
}

// whose is the key of the context under which a run knows its goroutine.
type whose struct{}

// sharedHost has modules that load each other, a builtin, and a print that
// collects what each run has printed.
func sharedHost(t *testing.T) (h *lang.Host, printed func(i int) string) {
	var mu sync.Mutex
	texts := map[any]string{}
	better := func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		d, ok, err := value.AsRoll(thread, args[0])
		if err != nil || !ok {
			return nil, fmt.Errorf("better: roll: got %s, want a roll (%v)", args[0], err)
		}
		d, err = dist.Max(runenv.Of(thread).Context, d, d)
		if err != nil {
			return nil, err
		}
		return builtins.NewRoll(d), nil
	}
	h = newHost(t,
		lang.WithModules("house/", fstest.MapFS{
			"dice.star":   {Data: []byte("load('house/bonus.star', 'bonus')\ndef top(n):\n    return d(n) + bonus >= n + bonus\n")},
			"bonus.star":  {Data: []byte("seen = []\nbonus = 3\n")},
			"broken.star": {Data: []byte("def f(:\n    pass\n")},
		}),
		lang.WithBuiltins(starlark.StringDict{"better": starlark.NewBuiltin("better", better)}),
		lang.WithPrint(func(ctx context.Context, text string) {
			mu.Lock()
			defer mu.Unlock()
			texts[ctx.Value(whose{})] += text
		}),
	)
	return h, func(i int) string { return texts[i] }
}

// everything uses all that a host shares among recipes.
const everything = `
load("house/dice.star", "top")
load("rolemaster.star", "beats")
n = param("n", 6, min=2)
pool = d(n) + d(n)
output("one", top(n))
output("two", better(d(n)) >= n)
output("least", pool.min() + n)
output("mapped", map(lambda x: x == n, 1d20))
output("open", beats(100, bonus=n))
output("kept", 4d6kh3 >= 15)
print(n)
`

// wrong says what of the answers for a die of n sides is not so.
func wrong(r *lang.Result, n int) string {
	for title, want := range map[string]*big.Rat{
		"one":    big.NewRat(1, int64(n)),
		"two":    big.NewRat(int64(2*n-1), int64(n*n)),
		"least":  big.NewRat(int64(2+n), 1),
		"mapped": big.NewRat(1, 20),
		"kept":   big.NewRat(25, 108),
	} {
		if got, err := lang.Get[*big.Rat](r, title); err != nil || got.Cmp(want) != 0 {
			return fmt.Sprintf("%s with %d sides: got %v (%v), want %v", title, n, got, err, want)
		}
	}
	return ""
}

// Every goroutine compiles a recipe of its own, which loads the same modules,
// and runs it: the first to come compile the bundled modules.
func TestConcurrentCompiling(t *testing.T) {
	h, printed := sharedHost(t)
	src := append(make([]byte, 0, 2*len(everything)), everything...)
	atOnce(16, func(i int) {
		n := 2 + i
		ctx := context.WithValue(context.Background(), whose{}, i)
		p, err := h.Compile(ctx, fmt.Sprintf("r%d.star", i), src)
		if err != nil {
			t.Error(err)
			return
		}
		r, err := p.Run(ctx, lang.WithInput("n", n))
		if err != nil {
			t.Error(err)
			return
		}
		if text := wrong(r, n); text != "" {
			t.Error(text)
		}
		_, err = h.Compile(ctx, "b.star", []byte("load('house/broken.star', 'f')"))
		if err == nil || !strings.HasPrefix(err.Error(), "house/broken.star:1:7: ") {
			t.Errorf("a broken module: %v", err)
		}
		if m, err := h.ModuleDoc(ctx, "rolemaster.star"); err != nil || len(m.Functions) == 0 {
			t.Errorf("the documentation of a module: %v, %v", m, err)
		}
	})
	for i := range 16 {
		if got, want := printed(i), fmt.Sprint(2+i); got != want {
			t.Errorf("run %d printed %q, want %q", i, got, want)
		}
	}
}

// Runs that succeed, fail, exceed a limit and are stopped go on side by side on
// one program; none is another's business, and each has the usage that it has
// alone.
func TestConcurrentRuns(t *testing.T) {
	h, _ := sharedHost(t)
	ctx := context.Background()
	p, err := h.Compile(ctx, "all.star", []byte(everything+`
def many(n):
    return many(n + 1)
if n == 3:
    fail("three sides")
if n == 4:
    many(0)
if n == 5:
    output("too many", d(1000000000))
`))
	if err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	outcome := func(n int) (lang.Usage, error) {
		ctx := ctx
		if n == 6 {
			ctx = stopped
		}
		r, err := p.Run(ctx, lang.WithInput("n", n))
		if text := wrong(r, n); text != "" && n != 6 {
			t.Error(text)
		}
		return r.Usage, err
	}
	kinds := map[int]lang.Kind{3: lang.KindRuntime, 4: lang.KindLimit, 5: lang.KindLimit, 6: lang.KindCancelled}
	var alone [10]lang.Usage
	for n := 2; n < len(alone); n++ {
		alone[n], _ = outcome(n)
	}
	atOnce(16, func(i int) {
		n := 2 + i%(len(alone)-2)
		usage, err := outcome(n)
		var e *lang.Error
		errors.As(err, &e)
		if kind := kinds[n]; (err != nil) != (kind != "") || e != nil && e.Kind != kind {
			t.Errorf("with %d sides: %v, want an error of kind %q", n, err, kind)
		}
		if usage != alone[n] {
			t.Errorf("with %d sides: used %+v, alone %+v", n, usage, alone[n])
		}
	})
}

// Every session has names of its own, on modules that all of them share.
func TestConcurrentSessions(t *testing.T) {
	h, printed := sharedHost(t)
	atOnce(12, func(i int) {
		n := 2 + i
		ctx := context.WithValue(context.Background(), whose{}, i)
		s := h.NewSession(lang.WithInput("n", n))
		_, err := s.Eval(ctx, fmt.Sprintf("own%d = 1", i))
		if err != nil {
			t.Error(err)
		}
		r, err := s.EvalFile(ctx, "all.star", []byte(everything))
		if err != nil {
			t.Error(err)
		} else if text := wrong(r, n); text != "" {
			t.Error(text)
		}
		_, err = s.Eval(ctx, fmt.Sprintf("own%d", (i+1)%12))
		if err == nil {
			t.Errorf("session %d knows a name of another", i)
		}
		if err := s.Prompt().Refresh(ctx); err != nil {
			t.Error(err)
		}
		if r, err = s.Eval(ctx, "top(n)"); err != nil {
			t.Error(err)
		}
		if top, err := lang.Get[*big.Rat](r, "top(n)"); err != nil || top.Cmp(big.NewRat(1, int64(n))) != 0 {
			t.Errorf("session %d, after modules were read again: %v, %v", i, top, err)
		}
		if words, _ := s.Complete("own"); len(words) != 1 {
			t.Errorf("session %d completes %v", i, words)
		}
		if docs := s.Doc("beats"); len(docs) != 1 {
			t.Errorf("session %d: %v", i, docs)
		}
	})
	for i := range 12 {
		if got, want := printed(i), fmt.Sprint(2+i); got != want {
			t.Errorf("session %d printed %q, want %q", i, got, want)
		}
	}
}

// A result is rendered in all formats at once, and its rolls are asked while
// that goes on.
func TestConcurrentRendering(t *testing.T) {
	h, _ := sharedHost(t)
	recipe := everything + `
output("roll", explode(d(n)))
output("endless", explode(d(n), None))
output("pool", 4d6)
output("moves", map(lambda x: "hit" if x >= n else "miss", 1d20))
`
	render := func(r *lang.Result, format string) string {
		var b bytes.Buffer
		if err := report.Render(context.Background(), &b, format, r, report.Options{}); err != nil {
			t.Error(err)
		}
		return b.String()
	}
	result := func() *lang.Result { return mustRun(t, h, recipe, lang.WithInput("n", 7)) }
	formats := report.Formats()
	alone := map[string]string{}
	for _, f := range formats {
		alone[f] = render(result(), f)
	}
	shared := result() // not rendered yet: what is computed late is computed by all
	atOnce(2*len(formats), func(i int) {
		f := formats[i%len(formats)]
		if render(shared, f) != alone[f] {
			t.Errorf("%s beside other formats is another text", f)
		}
		d, err := lang.Get[*dist.Dist](shared, "roll")
		if err != nil {
			t.Error(err)
			return
		}
		// The dice explode twice at most: 4 + 4/7 + 4/49.
		if mean := d.Mean().RatString(); mean != "228/49" {
			t.Errorf("mean %s", mean)
		}
	})
}
