package define

import (
	"context"
	"fmt"
	"slices"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A call reads its arguments by their places among the parameters, and says in an error
// which of them is wrong.

// A Call is one use of a builtin.
type Call struct {
	Thread   *starlark.Thread
	Receiver starlark.Value // what a method belongs to; nil for other functions

	def  *Builtin
	args []starlark.Value // by parameter; nil or past the end where left out
}

// invoke binds the arguments, runs the builtin and puts its name before an error.
func (def *Builtin) invoke(thread *starlark.Thread, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	bound, err := def.bound(args, kwargs)
	if err != nil {
		return nil, value.InFunction(def.Name, def.slipped(recv, args, err))
	}
	m := meter.Of(thread)
	if err := m.Call(recv, bound); err != nil {
		return nil, value.InFunction(def.Name, err)
	}
	c := Call{thread, recv, def, bound}
	held := c.held()
	v, err := def.Run(c)
	if err != nil {
		return nil, value.InFunction(def.Name, err)
	}
	v = held.noted(v)
	return v, value.InFunction(def.Name, m.Made(v))
}

// Context returns the context of the run, which carries its budget.
func (c Call) Context() context.Context { return runenv.Of(c.Thread).Engine() }

// Meter is what the run pays with, nil when there is no run.
func (c Call) Meter() *meter.Meter { return meter.Of(c.Thread) }

// Value returns argument i, nil when it was left out.
func (c Call) Value(i int) starlark.Value {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

// Given reports whether argument i is there and not None.
func (c Call) Given(i int) bool {
	v := c.Value(i)
	return v != nil && v != starlark.None
}

// Omitted reports whether argument i was left out or is None, which it may be.
func (c Call) Omitted(i int) bool { return !c.def.Params[i].required() && !c.Given(i) }

// Rest returns the arguments of a variadic parameter, which is number i.
func (c Call) Rest(i int) []starlark.Value {
	if i >= len(c.args) {
		return nil
	}
	if i < len(c.def.Params)-1 {
		return c.args[i].(starlark.Tuple)
	}
	return c.args[i:]
}

// Param returns the name of argument i.
func (c Call) Param(i int) string {
	return c.def.Params[min(i, len(c.def.Params)-1)].Name
}

// Wrong says what is wrong with argument i.
func (c Call) Wrong(i int, format string, args ...any) error {
	return ArgError(c.Param(i), format, args...)
}

// WrongReceiver says what is wrong with what the method belongs to.
func (c Call) WrongReceiver(format string, args ...any) error {
	return ArgError(c.def.Self.Name, format, args...)
}

// Usage writes how the builtin is called.
func (c Call) Usage() string { return c.def.usage() }

// Label says what is wrong with argument i, a label. An end of the run that is met
// while it is looked at stays one.
func (c Call) Label(i int, err error) error {
	switch {
	case err == nil:
		return nil
	case meter.Ends(err):
		return fmt.Errorf("%s: %w", c.Param(i), err)
	}
	return c.Wrong(i, "%v", err)
}

// Want says that argument i is not what is wanted.
func (c Call) Want(i int, what string) error {
	return ArgError(c.Param(i), "got %s, want %s", value.Describe(c.Value(i)), what)
}

// ArgError says what is wrong with one argument.
func ArgError(param, format string, args ...any) error {
	return &dist.ArgError{Param: param, Problem: fmt.Sprintf(format, args...)}
}

// IsGlobal reports whether b is a global of the table that the builtin called is in.
func (c Call) IsGlobal(b *starlark.Builtin) bool { return slices.Contains(c.def.table.globals, b) }
