package compiled_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/small"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang/compiled"
	"dicescript/lang/notation"
	"dicescript/lang/rewrite"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The oracle of every test is the interpreter: what a compiled function answers,
// the interpreter must answer too.

// A recipe is a text that has been run, with its functions.
type recipe struct {
	globals starlark.StringDict
	file    *compiled.File
	thread  *starlark.Thread
}

// standard reports whether a name is a builtin without effect.
func standard(name string) bool {
	switch name {
	case "output", "param", "print", "fail":
		return false
	}
	return builtins.Globals().Has(name) || starlark.Universe.Has(name)
}

func newRecipe(src string) (*recipe, error) {
	tree, ds := dicesyntax.Parse("test.dice", []byte(src))
	if ds != nil {
		return nil, fmt.Errorf("parse: %v", ds)
	}
	ranges := map[string]*notation.Band{}
	for i := range tree.Literals {
		if l := &tree.Literals[i]; l.Range != nil {
			ranges[l.Ident] = l.Range
		}
	}
	file := compiled.Compile(tree.File, compiled.Options{
		Standard: standard,
		Range: func(name string) (lo, hi *int, ok bool) {
			b := ranges[name]
			if b == nil {
				return nil, nil, false
			}
			return b.Lo, b.Hi, true
		},
		Dice: func(string) (any, bool) { return nil, false },
	})
	thread := &starlark.Thread{Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(1 << 22)
	runenv.Set(thread, &runenv.Env{Context: dist.WithBudget(context.Background(), dist.NewBudget(dist.Limits{Work: 1 << 34, Cells: 1 << 28, Outcomes: 1 << 22}))})
	code, ds := rewrite.Rewrite(tree, rewrite.Options{Predeclared: builtins.Globals()})
	if ds != nil {
		return nil, fmt.Errorf("rewrite: %v", ds)
	}
	program, ds := code.Program()
	if ds != nil {
		return nil, fmt.Errorf("names: %v", ds)
	}
	env := builtins.Globals()
	code.Predeclare(env, hooks{thread}, nil)
	globals, err := program.Init(thread, env)
	if err != nil {
		return nil, err
	}
	return &recipe{globals, file, thread}, nil
}

// hooks are those of recipes without dice literals.
type hooks struct{ thread *starlark.Thread }

func (h hooks) Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return value.Compare(h.thread, op, x, y)
}

func (h hooks) Truth(v starlark.Value) error {
	_, err := value.Truth(h.thread, v)
	return err
}

func (h hooks) Literal(l *notation.Literal) (starlark.Value, error) {
	switch {
	case l.Range == nil:
		return starlark.None, nil
	case l.Range.Lo == nil:
		return value.AtMost(*l.Range.Hi), nil
	case l.Range.Hi == nil:
		return value.AtLeast(*l.Range.Lo), nil
	}
	return value.Through(*l.Range.Lo, *l.Range.Hi)
}

func (h hooks) Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return value.Binary(h.thread, op, x, y)
}

func (h hooks) Unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	return value.Unary(h.thread, op, x)
}

func (h hooks) Attribute(x starlark.Value, name string) (starlark.Value, error) {
	return (*meter.Meter)(nil).Attribute(x, name)
}

func (h hooks) Call(fn, arg starlark.Value) (starlark.Value, error) {
	return starlark.Call(h.thread, fn, starlark.Tuple{arg}, nil)
}

func (r *recipe) machine() *compiled.Machine {
	return compiled.NewMachine(r.file.At, operations{value.Operations(r.thread)})
}

// operations are those of recipes without dice literals.
type operations struct{ *value.DiceOperations }

func (operations) Dice(any) (starlark.Value, error) { return nil, errors.New("no dice literals") }

func (operations) Beside(thread *starlark.Thread) compiled.Host {
	return operations{value.Operations(thread)}
}

// function returns a function of the recipe, also one that a global list holds.
func (r *recipe) function(name string) *starlark.Function {
	fn, _ := r.globals[name].(*starlark.Function)
	return fn
}

// agree calls fn compiled and interpreted, and reports whether it ran compiled.
// Calling it again must give the same result for the same number of steps.
func (r *recipe) agree(t failer, fn *starlark.Function, m *compiled.Machine, b *compiled.Bound, args starlark.Tuple) bool {
	values := make([]small.Value, len(args))
	for i, v := range args {
		values[i] = small.Of(v)
	}
	got, ok := m.Call(b, values)
	steps := m.Steps()
	again, okAgain := m.Call(b, values)
	if ok != okAgain || m.Steps() != steps {
		t.Fatalf("%s%v: %v in %d steps, and then %v in %d", fn.Name(), args, ok, steps, okAgain, m.Steps())
	}
	rowAgrees(t, fn, m, b, values)
	if !ok {
		return false
	}
	want, err := starlark.Call(r.thread, fn, args, nil)
	if err != nil {
		t.Fatalf("%s%v: got %v, but the interpreter says %v", fn.Name(), args, got.Starlark(), err)
	}
	if g, w := shown(got.Starlark()), shown(want); g != w {
		t.Fatalf("%s%v: got %s, but the interpreter says %s", fn.Name(), args, g, w)
	}
	if g, w := shown(again.Starlark()), shown(want); g != w {
		t.Fatalf("%s%v: got %s the second time, but the interpreter says %s", fn.Name(), args, g, w)
	}
	return true
}

// rowAgrees makes calls in a row and each by itself.
func rowAgrees(t failer, fn *starlark.Function, m *compiled.Machine, b *compiled.Bound, args []small.Value) {
	if len(args) == 0 || args[len(args)-1].R != nil {
		return
	}
	last := &args[len(args)-1]
	was := *last
	defer func() { *last = was }()
	faces := []int{int(was.N), int(was.N) + 1, int(was.N), 0, -5, 1 << 40}
	row := make([]small.Value, len(faces))
	n, steps, ok := m.Row(b, args, faces, row)
	if ok && n < len(faces) && steps < 1000 {
		t.Fatalf("%s%v: a row ends after %d calls", fn.Name(), args, n)
	}
	for i, x := range faces {
		if i > n || i == n && ok {
			break
		}
		*last = small.MakeInt(int64(x))
		v, fits := m.Call(b, args)
		if steps -= m.Steps(); fits != (i < n) {
			t.Fatalf("%s%v: in a row call %d fits: %v, by itself: %v", fn.Name(), args, i, i < n, fits)
		}
		if fits && shown(v.Starlark()) != shown(row[i].Starlark()) {
			t.Fatalf("%s%v: got %v, in a row %v", fn.Name(), args, v.Starlark(), row[i].Starlark())
		}
	}
	if steps != 0 {
		t.Fatalf("%s%v: a row takes %d more steps", fn.Name(), args, steps)
	}
}

type failer interface {
	Fatalf(format string, args ...any)
}

// shown is a value with its type, and a roll with all its chances.
func shown(v starlark.Value) string {
	if roll, ok := v.(*value.Roll); ok {
		d, _, _ := value.AsRoll(nil, roll)
		text := "roll"
		for _, x := range d.Outcomes() {
			text += fmt.Sprint(" ", x, ":", d.PMF(x))
		}
		return text
	}
	return v.Type() + " " + v.String()
}

func mustRecipe(t testing.TB, src string) *recipe {
	t.Helper()
	r, err := newRecipe(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return r
}

func ints(numbers ...int) starlark.Tuple {
	args := make(starlark.Tuple, len(numbers))
	for i, n := range numbers {
		args[i] = starlark.MakeInt(n)
	}
	return args
}
