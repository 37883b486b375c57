package compiled

import (
	"dicescript/builtins/small"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A callable is a function of the recipe as a builtin calls it, many times with
// other arguments.
type callable struct {
	machine *Machine
	bound   *Bound
	fn      *starlark.Function
}

var _ small.Computation = (*callable)(nil)

// Computation returns fn as a builtin calls it, nil when it has no compiled form.
func (m *Machine) Computation(fn *starlark.Function) small.Computation {
	b := m.Bind(fn)
	if b == nil {
		return nil
	}
	return &callable{m, b, fn}
}

func (c *callable) Call(args []small.Value) (v small.Value, steps int64, ok bool) {
	v, ok = c.machine.Call(c.bound, args)
	return v, c.machine.steps, ok
}

func (c *callable) Row(args []small.Value, faces []int, out []small.Value) (n int, steps int64, ok bool) {
	return c.machine.Row(c.bound, args, faces, out)
}

func (c *callable) Fork(thread *starlark.Thread) small.Computation {
	var host Host
	if thread != nil && c.machine.host != nil {
		host = c.machine.host.Beside(thread)
	}
	m := NewMachine(c.machine.find, host)
	m.beside = true
	m.SetDepth(c.machine.depths)
	m.SetLive(c.machine.live, c.machine.given)
	m.SetFinished(c.machine.finished)
	return m.Computation(c.fn)
}

func (c *callable) Views() []*dist.View { return c.bound.Views(c.machine) }

func (c *callable) Renew() bool {
	if c.bound.HoldsLists() {
		c.bound = c.machine.Bind(c.fn)
	}
	return c.bound != nil
}
