package builtins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/slot"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// recipe runs lines of Starlark and returns the value of the last one, an
// expression, under a run with limits.
func recipe(t testing.TB, source string) (starlark.Value, error) {
	t.Helper()
	return recipeIn(t, source, &runenv.Env{
		Context: context.Background(),
		Host:    &host{},
	})
}

// A host records what is put out, sets parameters, and reads XdY.
type host struct {
	shown  []string
	params map[string]starlark.Value
}

func (h *host) Output(title string, titled bool, v starlark.Value) error {
	h.shown = append(h.shown, fmt.Sprintf("%q %v %s", title, titled, v))
	return nil
}

func (h *host) Param(name string) (starlark.Value, bool) {
	v, ok := h.params[name]
	return v, ok
}

func (*host) Snapshot(v starlark.Value) starlark.Value { return v }

func (*host) Compute(*starlark.Thread, meter.Function) slot.Computation { return nil }
func (*host) Play(*starlark.Thread, func(starlark.Value) bool) (runenv.Player, error) {
	return nil, errors.New("nothing is played here")
}

func (*host) Notation(thread *starlark.Thread, text string) (starlark.Value, error) {
	return someNotation(thread, text)
}

func (*host) Table(string, string, map[string]int) (starlark.Value, error) {
	return nil, errors.New("there are no tabletops here")
}

// someNotation reads XdY, which is all that these tests need of a host.
func someNotation(_ *starlark.Thread, text string) (starlark.Value, error) {
	var count, sides int
	if _, err := fmt.Sscanf(text, "%dd%d", &count, &sides); err != nil {
		return nil, fmt.Errorf("%q is no dice notation", text)
	}
	return NewPool(dist.Must(dist.Repeat(dist.Must(dist.Die(sides)), count))), nil
}

var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

func recipeIn(t testing.TB, source string, env *runenv.Env) (starlark.Value, error) {
	t.Helper()
	thread := &starlark.Thread{Name: t.Name()}
	if env.Meter != nil {
		env.Meter.Begin(env.Context, thread)
	}
	runenv.Set(thread, env)
	globals := Globals()
	lines := strings.Split(strings.TrimRight(source, "\n"), "\n")
	last := len(lines) - 1
	defined, err := starlark.ExecFileOptions(dialect, thread, "test.star", strings.Join(lines[:last], "\n"), globals)
	if err != nil {
		return nil, err
	}
	for name, v := range defined {
		globals[name] = v
	}
	return starlark.EvalOptions(dialect, thread, "test.star", lines[last], globals)
}

// printed is what print shows of a value.
func printed(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

func TestExamplesPrintTheirResults(t *testing.T) {
	played := []string{"play", "evidence", "throw", "given", "choose", "earn", "draw"} // in a run of package lang
	for _, e := range Table() {
		if e.Receiver == "" && slices.Contains(played, e.Name) {
			continue
		}
		v, err := recipe(t, e.Example)
		if err != nil {
			t.Errorf("%s %s: %v", e.Receiver, e.Name, err)
			continue
		}
		if got := printed(v); got != e.Result {
			t.Errorf("%s %s: %s\n got %s\nwant %s", e.Receiver, e.Name, e.Example, got, e.Result)
		}
	}
}

func TestEveryEntryIsDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Table() {
		key := e.Receiver + "." + e.Name
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
		if e.Doc == "" || !strings.HasSuffix(e.Doc, ".") || e.Example == "" || e.Result == "" {
			t.Errorf("%s: doc %q, example %q, result %q", key, e.Doc, e.Example, e.Result)
		}
		for _, p := range e.Params {
			if p.Name == "" || p.Doc == "" {
				t.Errorf("%s: parameter %q has doc %q", key, p.Name, p.Doc)
			}
		}
	}
}

// A test of recipes lists expressions and what they print or, after "!", a part
// of the error.
func checkRecipes(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		source, want := c[0], c[1]
		v, err := recipe(t, source)
		problem, wantError := strings.CutPrefix(want, "!")
		switch {
		case wantError && err == nil:
			t.Errorf("%s\n got %s\nwant the error %s", source, v, problem)
		case wantError && !strings.Contains(err.Error(), problem):
			t.Errorf("%s\n got the error %s\nwant %s", source, err, problem)
		case !wantError && err != nil:
			t.Errorf("%s: %v", source, err)
		case !wantError && printed(v) != want:
			t.Errorf("%s\n got %s\nwant %s", source, printed(v), want)
		}
	}
}

func TestArgumentErrors(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`d("six")`, `!d: sides: got "six", want a whole number`},
		{`d(2.5)`, `!d: sides: got 2.5, want a whole number; int(x) drops the fraction`},
		{`d(0)`, `!d: sides: got 0, want at least 1`},
		{`d()`, `!d: sides: missing; write d(sides)`},
		{`d(1, 2)`, `!d: got two numbers, want the sides of one die; so many dice are written d2, or dice_pool(1, 2)`},
		{`d(side=6)`, `!d: side: no such parameter; did you mean sides?`},
		{`d(6, sides=6)`, `!d: sides: given twice`},
		{`d(sides=6)`, `DieRoll 1..6, mean 3.500`},
		{`d(1 << 70)`, `!want a whole number from -2^63 to 2^63-1`},
		{`pmf(d, 3)`, `!pmf: roll: got the function d, want a roll; to call the function, write d(...)`},
		{`pmf(roll=d(6), x=3)`, `0.16666666666666666`},
		{`pmf()`, `!pmf: roll: missing; write pmf(roll, x)`},
	})
}

func TestLimitsReachTheHost(t *testing.T) {
	ctx := dist.WithBudget(context.Background(), dist.NewBudget(dist.Limits{Outcomes: 100}))
	_, err := recipeIn(t, "d(1000)", &runenv.Env{Context: ctx})
	var limit *dist.LimitError
	if !errors.As(err, &limit) || limit.Need != 1000 || limit.Limit != 100 {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = recipeIn(t, "dice_pool(1000, 6).sum()", &runenv.Env{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
