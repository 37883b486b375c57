package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/lang/eval"
	"dicescript/lang/internal/wording"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The oracle is plain go.starlark.net: where there are no dice, a program does in the
// evaluator what it does there.

// plain are hooks under which nothing has a meaning but Starlark's own.
type plain struct {
	thread *starlark.Thread
	steps  int
}

func (plain) Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.IN, syntax.NOT_IN:
		v, err := starlark.Binary(syntax.IN, x, y)
		if err != nil {
			return nil, err
		}
		return starlark.Bool((v == starlark.True) == (op == syntax.IN)), nil
	}
	ok, err := starlark.Compare(op, x, y)
	return starlark.Bool(ok), err
}
func (plain) Truth(starlark.Value) error { return nil }
func (plain) Literal(*notation.Literal) (starlark.Value, error) {
	return nil, errors.New("no literals")
}
func (plain) Range(lo, hi starlark.Value) (starlark.Value, error) {
	return nil, errors.New("no ranges")
}
func (plain) Unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	return starlark.Unary(op, x)
}
func (plain) Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return starlark.Binary(op, x, y)
}
func (p plain) Attribute(x starlark.Value, name string) (starlark.Value, error) {
	of, ok := x.(starlark.HasAttrs)
	if ok {
		if v, err := of.Attr(name); v != nil || err != nil {
			return v, err
		}
	}
	return nil, fmt.Errorf("%s has no .%s field or method", x.Type(), name)
}
func (p plain) Load(module string) (starlark.StringDict, error) {
	return p.thread.Load(p.thread, module)
}
func (plain) TooDeep(int64) error { return errors.New("too deep") }
func (p *plain) Look() (int64, error) {
	if p.steps++; p.steps > 2000 {
		return 0, errEndless
	}
	return 1000, nil
}

var errEndless = errors.New("it does not end")

// An outcome is what a program has come to.
type outcome struct {
	globals string
	err     error
	calls   []string // of the error, outermost first
}

func (o outcome) String() string {
	if o.err != nil {
		return fmt.Sprintf("%v at %s", o.err, strings.Join(o.calls, ", "))
	}
	return o.globals
}

// callsOf are the calls of a recipe in the trace of an error.
func callsOf(err error, file string) []string {
	var trace *starlark.EvalError
	if !errors.As(err, &trace) {
		return nil
	}
	stack := trace.CallStack
	if n := len(stack); n > 1 && wording.WrongArguments(trace.Msg) {
		stack = stack[:n-1] // a mistake of the call
	}
	var calls []string
	for _, fr := range stack {
		if fr.Pos.Filename() == file {
			calls = append(calls, fmt.Sprintf("%s:%d:%d", fr.Name, fr.Pos.Line, fr.Pos.Col))
		}
	}
	return calls
}

func outcomeOf(globals starlark.StringDict, err error, file string) outcome {
	var b strings.Builder
	for _, name := range globals.Keys() {
		if _, ok := globals[name].(starlark.Callable); !ok {
			fmt.Fprintf(&b, "%s=%s ", name, globals[name])
		}
	}
	return outcome{b.String(), err, callsOf(err, file)}
}

// byStarlark has go.starlark.net execute a program.
func byStarlark(thread *starlark.Thread, file, src string, predeclared starlark.StringDict) outcome {
	thread.SetMaxExecutionSteps(8_000_000)
	globals, err := starlark.ExecFileOptions(dicesyntax.FileOptions(), thread, file, src, predeclared)
	return outcomeOf(globals, err, file)
}

// byEvaluator has the evaluator execute a program; static reports that it was not begun.
func byEvaluator(thread *starlark.Thread, file, src string, predeclared starlark.StringDict) (o outcome, static bool) {
	f, err := dicesyntax.FileOptions().Parse(file, src, 0)
	if err != nil {
		return outcome{err: err}, true
	}
	code, ds := eval.Compile(&dicesyntax.Tree{File: f}, eval.Options{
		Predeclared: predeclared, Standard: func(name string) bool { return starlark.Universe.Has(name) },
	})
	if len(ds) > 0 {
		return outcome{err: errors.New(ds[0].Msg)}, true
	}
	account := meter.NewTable().NewMeter(meter.Limits{
		Steps: -1, Work: -1, Cells: -1, Outcomes: -1, IntBits: -1, Bytes: -1, TextBytes: -1, Elements: -1, Entries: -1, NameBytes: -1,
	}.Filled())
	account.Begin(testContext, thread)
	m := eval.NewMachine(&plain{thread: thread})
	m.Begin(thread, account, 500)
	module := code.Module(func(name string) starlark.Value {
		if v := predeclared[name]; v != nil {
			return v
		}
		return starlark.Universe[name]
	}, nil)
	err = m.Execute(module)
	return outcomeOf(module.Globals(), err, file), false
}

// inWords is an error of Starlark in the words that the evaluator has for it.
func inWords(err error) string {
	var trace *starlark.EvalError
	if !errors.As(err, &trace) {
		return err.Error()
	}
	parameters := func(string) []string { return nil }
	return wording.Of(trace.Msg, nil, wording.Place{Parameters: parameters})
}

// same reports how two outcomes differ.
func same(t *testing.T, what string, got, want outcome) bool {
	t.Helper()
	if (got.err == nil) != (want.err == nil) {
		t.Errorf("%s\ngot  %v\nwant %v", what, got, want)
		return false
	}
	if got.err != nil && strings.Join(got.calls, " ") != strings.Join(want.calls, " ") {
		t.Errorf("%s\ngot  %v\nwant %v", what, got, want)
		return false
	}
	if got.err == nil && got.globals != want.globals {
		t.Errorf("%s\ngot  %v\nwant %v", what, got, want)
		return false
	}
	return true
}
