package lang_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/big"
	"strings"
	"testing"
	"testing/fstest"

	"dicescript/builtins"
	"dicescript/lang"
	"dicescript/lang/internal/prompt"

	"go.starlark.net/starlark"
)

// Inputs come from Go values of every kind, and often by way of JSON.
func TestInputsOfGoTypes(t *testing.T) {
	h := newHost(t)
	type level int
	recipe := `n = param("n", 5, min=1, max=10)
f = param("f", 0.5, min=0, max=1)
s = param("s", "a")
output("n", n)
output("f", f)
output("s", s)`
	for _, c := range []struct {
		name  string
		value any
		want  string // what the output of the name is
	}{
		{"n", uint64(7), "7"}, {"n", big.NewInt(7), "7"}, {"n", level(7), "7"},
		{"n", 7.0, "7"}, {"n", float32(7), "7"}, {"n", json.Number("7"), "7"}, {"n", json.Number("7.0"), "7"},
		{"f", json.Number("0.25"), "1/4"}, {"f", 1, "1"}, {"f", float32(0.1), "1/10"},
	} {
		if got := rat(t, mustRun(t, h, recipe, lang.WithInput(c.name, c.value)), c.name); got != c.want {
			t.Errorf("%s = %T(%v): got %s, want %s", c.name, c.value, c.value, got, c.want)
		}
	}
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"n", nil, "n: got nil, want"}, {"n", (*big.Int)(nil), "n: got a *big.Int, want"}, {"n", []int{7}, "n: got a []int, want"},
		{"n", 7.5, "n: got 7.5, want a whole number"}, {"n", 1e300, "want a whole number"},
		{"n", json.Number("much"), `n: got "much", want`}, {"n", json.Number("7.5"), "want a whole number"},
		{"n", uint64(math.MaxUint64), "want at most 10"}, {"n", "7", "want a whole number"}, {"n", true, "want a whole number"},
		{"f", math.NaN(), "want a number"}, {"f", math.Inf(1), "want a number"}, {"f", math.Inf(-1), "want a number"},
		{"s", json.Number("7"), "s: got 7, want text"},
		{"m", 7, `no input "m"`},
	} {
		r, err := run(t, h, recipe, lang.WithInput(c.name, c.value))
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindInput || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s = %T(%v): got %v, want %q", c.name, c.value, c.value, err, c.want)
		}
		if r == nil || len(r.Outputs) > 0 {
			t.Errorf("%s = %v: got %v, want a result without outputs", c.name, c.value, r)
		}
	}
}

// A session has nobody to give an error to before its first input.
func TestSessionInputs(t *testing.T) {
	h := newHost(t)
	s := h.NewSession(lang.WithInput("n", 7.0), lang.WithInput("unknown", 1))
	if r, err := s.Eval(context.Background(), "param('n', 5)"); err != nil || rat(t, r, "param('n', 5)") != "7" {
		t.Errorf("got %v, %v", r, err)
	}
	s = h.NewSession(lang.WithInput("n", []int{7}))
	for range 2 {
		r, err := s.Eval(context.Background(), "param('n', 5)")
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindInput || r == nil {
			t.Errorf("got %v, %v, want an error about n", r, err)
		}
	}
	if err := h.NewSession().Prompt().Name("x", prompt.Shown{}); err == nil {
		t.Error("a name was given to nothing")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	one := starlark.MakeInt(1)
	for _, c := range []struct {
		option lang.Option
		want   string
	}{
		{lang.WithBuiltins(starlark.StringDict{"def": one}), `"def" is not a name`},
		{lang.WithBuiltins(starlark.StringDict{"pass": one}), `"pass" is not a name`},
		{lang.WithBuiltins(starlark.StringDict{"d20": one}), `"d20" is not a name`},
		{lang.WithBuiltins(starlark.StringDict{"luck": nil}), "luck: got nil"},
		{lang.WithModules("", nil), "files: got nil"},
		{lang.WithModules("/etc", fstest.MapFS{}), `got "/etc"`},
		{lang.WithModules("./house", fstest.MapFS{}), `got "./house"`},
		{lang.WithModules("../house", fstest.MapFS{}), `got "../house"`},
		{lang.WithLimits(lang.Limits{Work: -5}), "limits: Work: got -5"},
		{lang.WithPrint(nil), "print: got nil"},
	} {
		if _, err := lang.New(c.option); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	h := newHost(t, nil, lang.WithLimits(lang.Limits{Steps: lang.Unlimited}),
		lang.WithModules(".", fstest.MapFS{}), lang.WithModules("a/b", fstest.MapFS{}))
	mustRun(t, h, "output(1)", nil)
}

// What a builtin of the host does wrong is told where the recipe called it, and
// the host's own error is left as it is.
func TestFaultsOfHostBuiltins(t *testing.T) {
	known := &lang.Error{Kind: lang.KindInput, Message: "there is no such monster"}
	builtin := func(name string, v func() (starlark.Value, error)) starlark.Value {
		return starlark.NewBuiltin(name, func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			return v()
		})
	}
	h := newHost(t, lang.WithBuiltins(starlark.StringDict{
		"nothing": builtin("nothing", func() (starlark.Value, error) { return nil, nil }),
		"empty":   builtin("empty", func() (starlark.Value, error) { return builtins.NewRoll(nil), nil }),
		"monster": builtin("monster", func() (starlark.Value, error) { return nil, known }),
		"explode": builtin("explode", func() (starlark.Value, error) { return starlark.None, nil }),
	}))
	for recipe, want := range map[string]lang.Kind{
		"x = 1\nnothing()": lang.KindInternal, "x = 1\nempty()": lang.KindInternal, "x = 1\nmonster()": lang.KindInput,
	} {
		_, err := run(t, h, recipe)
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != want || e.Position.String() != "recipe.star:2:1" {
			t.Errorf("%q: %#v", recipe, err)
		}
	}
	p, err := h.Compile(context.Background(), "recipe.star", []byte("x = 1\nmonster()"))
	if err != nil {
		t.Fatal(err)
	}
	atOnce(8, func(int) {
		if _, err := p.Run(context.Background()); !errors.Is(err, known) {
			t.Errorf("the host's error is lost: %v", err)
		}
	})
	if known.Position.Line != 0 || len(known.Frames) > 0 {
		t.Errorf("the host's error was changed: %+v", known)
	}
	for _, d := range h.NewSession().Doc("explode") {
		if d.Receiver == "" {
			t.Errorf("the host's explode is described as the language's: %+v", d)
		}
	}
}

// A program stays what it is, whatever the host does with what it has handed
// over and was given.
func TestProgramKeepsNothingOfTheHost(t *testing.T) {
	src := []byte("p = param('mode', 'easy', choices=['easy', 'hard'])\nfail(p)")
	p, err := newHost(t).Compile(context.Background(), "recipe.star", src)
	if err != nil {
		t.Fatal(err)
	}
	clear(src)
	p.Params()[0].Choices[0] = "none"
	if got := p.Params()[0].Choices[0]; got != "easy" {
		t.Errorf("a choice has become %v", got)
	}
	_, err = p.Run(context.Background())
	var e *lang.Error
	if !errors.As(err, &e) || e.Source != "fail(p)" {
		t.Errorf("the text of the line has become %q", e.Source)
	}
}

type brokenFiles struct{ fstest.MapFS }

func (brokenFiles) ReadDir(string) ([]fs.DirEntry, error) { panic("broken") }

func TestPanicWhileCompiling(t *testing.T) {
	h := newHost(t, lang.WithModules("", brokenFiles{}))
	ctx := context.Background()
	_, err := h.Compile(ctx, "recipe.star", []byte("load('x.star', 'x')"))
	_, inSession := h.NewSession().Eval(ctx, "load('x.star', 'x')")
	for _, err := range []error{err, inSession} {
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindInternal || len(e.Stack) == 0 {
			t.Errorf("got %v, want an internal error", err)
		}
	}
}

func TestGetOfNothing(t *testing.T) {
	if _, err := lang.Get[int](nil, "hit"); err == nil || err.Error() != `there is no output "hit"` {
		t.Errorf("got %v", err)
	}
}

func TestPositionWithoutAName(t *testing.T) {
	_, err := newHost(t).Compile(context.Background(), "", []byte("output("))
	if err == nil || !strings.HasPrefix(err.Error(), "1:7: ") {
		t.Errorf("got %v", err)
	}
}

// A session is for one goroutine: whoever comes second gets an error, and neither ends
// the process nor changes what the session knows.
func TestSessionOfManyGoroutines(t *testing.T) {
	inside, on := make(chan struct{}), make(chan struct{})
	s := newHost(t, lang.WithPrint(func(context.Context, string) {
		close(inside)
		<-on
	})).NewSession()
	first := make(chan error)
	go func() {
		_, err := s.Eval(context.Background(), "x = 3\nprint(x)")
		first <- err
	}()
	<-inside
	refused := func(what string, err error) {
		t.Helper()
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindInput || !strings.Contains(e.Message, "one goroutine") {
			t.Errorf("%s: got %v, want an error of kind input about goroutines", what, err)
		}
	}
	r, err := s.Eval(t.Context(), "x = 4")
	refused("Eval", err)
	if r == nil {
		t.Error("Eval gave no result")
	}
	_, err = s.EvalFile(t.Context(), "a.star", []byte("x = 5"))
	refused("EvalFile", err)
	_, err = s.EvalFile(t.Context(), "a.anydice", []byte("output d6"))
	refused("EvalFile of an AnyDice program", err)
	refused("Set", s.Set("x", 6))
	refused("SetLimits", s.SetLimits(lang.Limits{Steps: 7}))
	refused("Refresh", s.Prompt().Refresh(t.Context()))
	refused("Name", s.Prompt().Name("x", prompt.Shown{Value: starlark.None}))
	words, _ := s.Complete("outp")
	if docs := s.Doc("explode"); len(words)+len(docs) > 0 || s.Size() != 0 || s.Prompt().TypeOf("d") != "" {
		t.Errorf("a session in use was read: %v, %v", words, docs)
	}
	close(on)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if r, err := s.Eval(t.Context(), "x"); err != nil || rat(t, r, "x") != "3" {
		t.Errorf("afterwards: %v, %v", r, err)
	}
	atOnce(16, func(i int) {
		for range 20 {
			s.Set("y", i)
			s.Eval(context.Background(), "z = [y for y in range(50)]")
			s.Doc("z")
			s.Complete("z")
			s.Size()
		}
	})
	if r, err := s.Eval(t.Context(), "len(z)"); err != nil || rat(t, r, "len(z)") != "50" {
		t.Errorf("after sixteen goroutines: %v, %v", r, err)
	}
}

// A wrong number of arguments, or a wrong name, is a mistake of who calls; an error
// inside of the function is one of the recipe.
func TestCallWithWrongArguments(t *testing.T) {
	p, err := newHost(t).Compile(t.Context(), "r.star", []byte(`
def attack(bonus, armor, *, edge=0):
    return twice(bonus) + armor

def twice(x):
    return x * 2

def inner():
    return twice()

def text(x):
    return x + "a"

short = lambda a: a
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fn   string
		args []any
		kind lang.Kind
		want string
	}{
		{"attack", []any{7}, lang.KindInput, "attack: missing 1 argument (armor)"},
		{"attack", nil, lang.KindInput, "attack: missing 2 arguments (bonus, armor)"},
		{"attack", []any{1, 2, 3}, lang.KindInput, "attack: got 3 arguments, want 2"},
		{"attack", []any{1, lang.Named{Name: "armour", Value: 2}}, lang.KindInput, "attack: there is no argument armour; did you mean armor?"},
		{"attack", []any{1, 2, lang.Named{Name: "bonus", Value: 2}}, lang.KindInput, "bonus"},
		{"short", []any{1, 2}, lang.KindInput, "got 2 arguments, want 1"},
		{"inner", nil, lang.KindRuntime, "twice: missing 1 argument (x)"},
		{"text", []any{1}, lang.KindRuntime, ""},
	} {
		r, err := p.Call(t.Context(), c.fn, c.args...)
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(e.Message, c.want) || r == nil {
			t.Errorf("%s%v: got %v, want an error of kind %s with %q", c.fn, c.args, err, c.kind, c.want)
		} else if c.kind == lang.KindInput && (e.Position.Line != 0 || len(e.Frames) > 0) {
			t.Errorf("%s%v: the error is at %v, %v, want no place of the recipe", c.fn, c.args, e.Position, e.Frames)
		}
	}
}

// What a host gave as the cause is what it finds in the error: that of a context, and
// that of a loader or of files which have no such module.
func TestCausesAreKept(t *testing.T) {
	wanted := errors.New("the table was closed")
	stop := func(ctx context.Context, deadline bool) context.Context {
		if deadline {
			ctx, done := context.WithTimeoutCause(ctx, 0, wanted)
			t.Cleanup(done)
			return ctx
		}
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(wanted)
		return ctx
	}
	h := newHost(t)
	program, err := h.Compile(t.Context(), "r.star", []byte("for i in range(1000000): i + 1"))
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := h.Compile(t.Context(), "r.anydice", []byte("loop N over {1..10000} { output Nd6 }"))
	if err != nil {
		t.Fatal(err)
	}
	for _, deadline := range []bool{false, true} {
		kind, is := lang.KindCancelled, context.Canceled
		if deadline {
			kind, is = lang.KindDeadline, context.DeadlineExceeded
		}
		ctx := stop(t.Context(), deadline)
		for what, err := range map[string]error{
			"run":         second(program.Run(ctx)),
			"AnyDice":     second(foreign.Run(ctx)),
			"compilation": second(h.Compile(ctx, "r.star", []byte("1"))),
			"session":     second(h.NewSession().Eval(ctx, "1")),
		} {
			var e *lang.Error
			if !errors.As(err, &e) || e.Kind != kind || !errors.Is(err, wanted) || !errors.Is(err, is) {
				t.Errorf("%s: got %v of kind %s, want %s with its cause", what, err, e.Kind, kind)
			}
		}
	}
	for what, c := range map[string]struct {
		opt  lang.Option
		load string
	}{
		"loader": {lang.WithLoader("db/", campaign().load), "db/absent.star"},
		"files":  {lang.WithModules("db/", fstest.MapFS{}), "db/absent.star"},
		"beside": {lang.WithModules("./", fstest.MapFS{}), "./absent.star"},
	} {
		_, err := newHost(t, c.opt).Compile(t.Context(), "r.star", []byte("load('"+c.load+"', 'x')\nx"))
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindModule || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want an error of kind module that is fs.ErrNotExist", what, err)
		}
		if what == "loader" && (e == nil || e.Unwrap() == nil || !strings.Contains(e.Unwrap().Error(), "no row")) {
			t.Errorf("the loader's own error is lost: %v", err)
		}
	}
}

// A Host that nobody has made, and what belongs to it, answers with an error.
func TestZeroHost(t *testing.T) {
	var zero lang.Host
	for what, h := range map[string]*lang.Host{"zero": &zero, "nil": nil} {
		s := h.NewSession(lang.WithInput("n", 1))
		for did, err := range map[string]error{
			"Compile":         second(h.Compile(t.Context(), "r.star", []byte("d6"))),
			"Compile AnyDice": second(h.Compile(t.Context(), "r.anydice", []byte("output d6"))),
			"ModuleDoc":       second(h.ModuleDoc(t.Context(), "coc7.star")),
			"Eval":            second(s.Eval(t.Context(), "d6")),
			"EvalFile":        second(s.EvalFile(t.Context(), "r.star", []byte("d6"))),
			"Set":             s.Set("x", 1),
			"zero Session":    second(new(lang.Session).Eval(t.Context(), "d6")),
			"zero Program":    second(new(lang.Program).Run(t.Context())),
		} {
			var e *lang.Error
			if !errors.As(err, &e) || e.Kind != lang.KindInput || !strings.Contains(e.Message, "lang.New") {
				t.Errorf("%s host, %s: got %v, want an error that names lang.New", what, did, err)
			}
		}
		if words, _ := s.Complete("d"); len(h.Modules())+len(h.Loadable(""))+len(words)+len(s.Doc("d")) > 0 || s.Size() != 0 {
			t.Errorf("%s host: it knows something", what)
		}
	}
}
