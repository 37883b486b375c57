package eval

import (
	"errors"

	"dicescript/builtins/meter"
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
)

// A fork of a callback makes calls beside the run, on a machine of its own. Lists, dicts
// and sets that the function has captured are copied and frozen: iterating over a list
// that is not frozen counts. Where a function might change one there is no fork. So nothing
// that a fork does can be noticed.

// A ForkingHooks gives the hooks for a thread of another goroutine.
type ForkingHooks interface {
	Hooks
	Beside(thread *starlark.Thread, m *Machine) Hooks
}

// A forked callback has the steps of its thread beside its own nodes.
type forked struct {
	callback
	thread *starlark.Thread
}

// mostCopied is how many elements a fork copies at most.
const mostCopied = 1 << 16

// Fork returns the callback for a thread of another goroutine, nil where there is none.
func (cb *callback) Fork(thread *starlark.Thread) slot.Forked {
	hooks, ok := cb.m.hooks.(ForkingHooks)
	if !ok {
		return nil
	}
	c := &copier{functions: map[*Function]*Function{}, modules: map[*Module]*Module{}, values: map[starlark.Value]starlark.Value{}, left: mostCopied}
	f, ok := c.function(cb.f)
	if !ok || c.changes && len(c.values) > 0 {
		return nil
	}
	m := &Machine{}
	m.hooks = hooks.Beside(thread, m)
	if m.hooks == nil {
		return nil
	}
	m.thread, m.maxDepth, m.stack = thread, cb.m.maxDepth, cb.m.stack
	m.base = cb.m.base + cb.m.thread.CallStackDepth()
	return &forked{callback: callback{m: m, f: f, keeps: wrong}, thread: thread}
}

// Begin opens a fresh account.
func (f *forked) Begin() {
	m := f.m
	m.meter = meter.Of(f.thread)
	m.fuel, m.granted, m.rest, m.flushed = 0, 0, 0, 0
	m.err, m.halted, m.deepest = nil, false, 0
	f.thread.SetLocal(machineKey, m)
}

// Spent returns how many nodes have been gone through, and how many steps those are of the
// thread's.
func (f *forked) Spent() (nodes, steps int64, depth int) {
	f.m.Flush()
	return f.m.flushed*nodesPerStep + f.m.rest, f.m.flushed, f.m.deepest
}

// A copier copies what functions have captured.
type copier struct {
	functions map[*Function]*Function
	modules   map[*Module]*Module
	values    map[starlark.Value]starlark.Value // lists, dicts and sets
	left      int
	changes   bool // whether a function may change a list, a dict or a set
}

// function copies a function; ok is false for one that can't be called beside the run.
func (c *copier) function(f *Function) (copied *Function, ok bool) {
	if copied, ok = c.functions[f]; ok {
		return copied, copied != nil
	}
	e := f.def.effects()
	if e.speaks {
		c.functions[f] = nil
		return nil, false
	}
	c.changes = c.changes || e.changes || e.extends
	copied = &Function{def: f.def, frozen: true}
	c.functions[f] = copied
	copied.module = c.module(f.module)
	for i := range e.globals {
		v, ok := c.slot(*f.module.globals[i])
		if !ok {
			return nil, false
		}
		*copied.module.globals[i] = v
	}
	for _, v := range f.defaults {
		if v == nil {
			copied.defaults = append(copied.defaults, nil)
			continue
		}
		d, ok := c.value(v)
		if !ok {
			return nil, false
		}
		copied.defaults = append(copied.defaults, d)
	}
	for _, at := range f.free {
		v, ok := c.slot(at.value)
		if !ok {
			return nil, false
		}
		copied.free = append(copied.free, &cell{value: v})
	}
	return copied, true
}

// module is the copy of a module, whose globals are copied when a function uses them.
func (c *copier) module(m *Module) *Module {
	if copied := c.modules[m]; copied != nil {
		return copied
	}
	copied := &Module{file: m.file, given: m.given, globals: make([]*slot.Value, len(m.globals))}
	room := make([]slot.Value, len(m.globals))
	for i := range room {
		room[i] = unsetValue
		copied.globals[i] = &room[i]
	}
	c.modules[m] = copied
	return copied
}

func (c *copier) slot(v slot.Value) (slot.Value, bool) {
	if v.V == nil {
		return v, true
	}
	copied, ok := c.value(v.V)
	return slot.Value{V: copied}, ok
}

// value copies a value with all that can change in it, frozen.
func (c *copier) value(v starlark.Value) (starlark.Value, bool) {
	if c.left--; c.left < 0 {
		return nil, false
	}
	switch v := v.(type) {
	case *Function:
		return c.function(v)
	case starlark.Tuple:
		return c.tuple(v)
	case *starlark.Builtin:
		if v.Receiver() == nil {
			return v, true // one that is predeclared: others are not spoken of
		}
		return nil, false
	case *starlark.List, *starlark.Dict, *starlark.Set:
		if copied := c.values[v]; copied != nil {
			return copied, true
		}
		copied, ok := c.collection(v)
		if ok {
			c.values[v] = copied
		}
		return copied, ok
	}
	return v, isLasting(v)
}

func (c *copier) tuple(t starlark.Tuple) (starlark.Value, bool) {
	copied := make(starlark.Tuple, len(t))
	for i, v := range t {
		var ok bool
		if copied[i], ok = c.value(v); !ok {
			return nil, false
		}
	}
	return copied, true
}

func (c *copier) collection(v starlark.Value) (starlark.Value, bool) {
	switch v := v.(type) {
	case *starlark.List:
		items := make([]starlark.Value, v.Len())
		for i := range items {
			var ok bool
			if items[i], ok = c.value(v.Index(i)); !ok {
				return nil, false
			}
		}
		copied := starlark.NewList(items)
		copied.Freeze()
		return copied, true
	case *starlark.Dict:
		copied := starlark.NewDict(v.Len())
		for key, value := range v.Entries() {
			k, ok := c.value(key)
			w, also := c.value(value)
			if !ok || !also || copied.SetKey(k, w) != nil {
				return nil, false
			}
		}
		copied.Freeze()
		return copied, true
	case *starlark.Set:
		copied := starlark.NewSet(v.Len())
		for e := range v.Elements() {
			k, ok := c.value(e)
			if !ok || copied.Insert(k) != nil {
				return nil, false
			}
		}
		copied.Freeze()
		return copied, true
	}
	return nil, false
}

// ErrBeside is the error of what only the run itself can do.
var ErrBeside = errors.New("this can't be done beside the run")
