// How the evaluator is set up for the files of a host, and what functions do beside a run
// that waits for them.

package lang

import (
	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/lang/eval"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// evalOptions say what the names mean that a file does not define; global reports those
// that earlier inputs of a session have, nil for a file that is no input.
func (h *Host) evalOptions(predeclared starlark.StringDict, global func(string) bool) eval.Options {
	return eval.Options{Predeclared: predeclared, Standard: h.standard, Global: global, Method: methodCall, Elsewhere: h.elsewhere}
}

// standard reports whether a predeclared name is what the reference says.
func (h *Host) standard(name string) bool { return !h.own[name] && h.globals.Has(name) }

// Compute returns a function of the recipe as one that a builtin calls.
func (r *run) Compute(thread *starlark.Thread, fn meter.Function) slot.Computation {
	if r.host.oneByOne {
		return nil
	}
	return eval.Computation(thread, fn)
}

// Beside returns what functions are told that are called beside the run, by another
// goroutine.
func (r *run) Beside(thread *starlark.Thread, m *eval.Machine) eval.Hooks {
	if r.thrown {
		return nil // what it makes would not remember how
	}
	return &beside{run: r, thread: thread, machine: m}
}

// beside is a part of a run. It only reads the run, which waits.
type beside struct {
	run     *run
	thread  *starlark.Thread
	machine *eval.Machine
}

func (b *beside) Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return value.Compare(b.thread, op, x, y)
}

func (b *beside) Truth(v starlark.Value) error {
	_, err := value.Truth(b.thread, v)
	return err
}

func (b *beside) Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return builtins.Binary(b.thread, op, x, y)
}

func (b *beside) Range(lo, hi starlark.Value) (starlark.Value, error) {
	return value.Range(b.thread, lo, hi)
}

func (b *beside) Unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	return value.Unary(b.thread, op, x)
}

// Literal returns a literal that the run has made before.
func (b *beside) Literal(l *notation.Literal) (starlark.Value, error) {
	if v, ok := b.run.values.of(l.Text); ok {
		return v, nil
	}
	return nil, eval.ErrBeside
}

func (b *beside) Attribute(x starlark.Value, name string) (starlark.Value, error) {
	if foreign(x) {
		return nil, eval.ErrBeside
	}
	return meter.Of(b.thread).Attribute(x, name)
}

func (b *beside) Load(string) (starlark.StringDict, error) { return nil, eval.ErrBeside }
func (b *beside) TooDeep(int64) error                      { return eval.ErrBeside }

func (b *beside) Look() (steps int64, err error) {
	account := meter.Of(b.thread)
	used := int64(b.thread.ExecutionSteps())
	if err := account.Context().Err(); err != nil {
		return 0, err
	}
	return lookEvery, meter.Check(meter.Steps, used, account.Limits.Steps)
}
