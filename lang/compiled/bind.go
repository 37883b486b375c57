package compiled

import (
	"dicescript/builtins/small"

	"go.starlark.net/starlark"
)

// A function means something together with what it has captured: variables of
// the functions around it, globals of its file, and predeclared names. Binding
// reads them once, before the first call. Lists are read as they are then;
// whoever lets the interpreter run a function in between binds again.

// A Bound function can be called. It belongs to the machine that has bound it.
type Bound struct {
	fn       *Function
	captured []small.Value
	sites    []site // by the calls in the function
	binding  *binding
}

// A binding is a function with all those that it has called so far.
type binding struct {
	bound map[*starlark.Function]*Bound
	lists bool // whether one of them has captured what may change

	globals map[*starlark.Module]starlark.StringDict // of their files
}

// A site is a call in a function: which function it calls and where the
// arguments go. It is made out when the call is first come to.
type site struct {
	known    bool
	callee   *Bound // nil when the call does not fit
	to       []int  // for each argument its parameter
	defaults []paramDefault
}

// A paramDefault is the value of a parameter that is given no argument.
type paramDefault struct {
	param int
	value small.Value
}

// Bind returns fn ready to be called, nil when it has no compiled form.
func (m *Machine) Bind(fn *starlark.Function) *Bound {
	return m.bind(fn, &binding{})
}

func (m *Machine) bind(fn *starlark.Function, of *binding) *Bound {
	if b, ok := of.bound[fn]; ok {
		return b
	}
	f := m.find(fn)
	if f == nil || f.Declined() != "" || fn.NumParams() != f.params {
		return nil
	}
	b := &Bound{fn: f, binding: of}
	if of.bound == nil {
		of.bound = map[*starlark.Function]*Bound{}
	}
	of.bound[fn] = b
	if f.sites > 0 {
		b.sites = make([]site, f.sites)
	}
	b.capture(m, fn)
	return b
}

// capture reads what fn has captured.
func (b *Bound) capture(m *Machine, fn *starlark.Function) {
	names := b.fn.captures
	if len(names) == 0 {
		return
	}
	b.captured = make([]small.Value, len(names))
	for i, name := range names {
		v := freeVariable(fn, name)
		switch {
		case v != nil:
		case b.fn.globals[name] && b.fn.live:
			if v = m.live(name); v == nil {
				b.captured[i] = small.Nothing
				continue
			}
		case b.fn.globals[name]:
			v = b.binding.global(m, fn, name)
		case b.fn.live:
			v = m.given(name)
		}
		if v == nil {
			v = fn.Module().Predeclared()[name]
		}
		if v == nil {
			v = starlark.Universe[name]
		}
		switch v.(type) {
		case nil: // a variable without a value
			b.captured[i] = small.Nothing
			continue
		case *starlark.List, starlark.Tuple:
			b.binding.lists = true
		}
		b.captured[i] = small.Of(v)
	}
}

// global is the value of a global of the file of fn, nil while it has none. Those of a
// file that runs are all copied to read one, and so they are copied once.
func (of *binding) global(m *Machine, fn *starlark.Function, name string) starlark.Value {
	if globals := m.finished(fn); globals != nil {
		return globals[name]
	}
	file := fn.Module()
	globals, ok := of.globals[file]
	if !ok {
		if of.globals == nil {
			of.globals = map[*starlark.Module]starlark.StringDict{}
		}
		globals = file.Globals()
		of.globals[file] = globals
	}
	return globals[name]
}

// freeVariable is the value of a variable of a function around fn.
func freeVariable(fn *starlark.Function, name string) starlark.Value {
	for i := range fn.NumFreeVars() {
		if v, value := fn.FreeVar(i); v.Name == name {
			return value
		}
	}
	return nil
}

// HoldsLists reports whether the function, or one that it calls, has captured
// lists or tuples, which must be read again when the interpreter may have changed
// them.
func (b *Bound) HoldsLists() bool { return b.binding.lists }

// call calls what site i of the running function calls.
func (m *Machine) call(i, captured int, args []expr, names []string) small.Value {
	s := &m.bound.sites[i]
	if !s.known {
		s.known = true
		m.resolve(s, m.bound.captured[captured], len(args)-len(names), names)
	}
	if s.callee == nil {
		return small.Nothing
	}
	// The arguments are evaluated in the order in which they stand, straight into
	// the variables of the function. What they call in turn uses the stack above.
	top := m.top
	frame := m.frame(s.callee.fn)
	for k, arg := range args {
		v := arg(m)
		if v.IsStuck() {
			m.top = top
			return v
		}
		frame[s.to[k]].Set(v)
	}
	for _, d := range s.defaults {
		frame[d.param].Set(d.value)
	}
	v := m.enter(s.callee, frame)
	m.top = top
	return v
}

// resolve makes out what a site calls and which argument each parameter gets:
// the first so many by position, then those with names.
func (m *Machine) resolve(s *site, captured small.Value, positional int, names []string) {
	fn, ok := function(captured)
	if !ok || fn.HasVarargs() || fn.HasKwargs() || positional > fn.NumParams()-fn.NumKwonlyParams() {
		return
	}
	callee := m.bind(fn, m.bound.binding)
	if callee == nil {
		return
	}
	s.to = make([]int, positional+len(names))
	for p := range fn.NumParams() {
		given := p < positional
		if given {
			s.to[p] = p
		}
		name, _ := fn.Param(p)
		for i, n := range names {
			if n == name {
				if given {
					return // given twice
				}
				given, s.to[positional+i] = true, p
			}
		}
		if given {
			continue
		}
		v := fn.ParamDefault(p)
		if v == nil {
			return
		}
		if _, isList := v.(*starlark.List); isList {
			m.bound.binding.lists = true
		}
		s.defaults = append(s.defaults, paramDefault{p, small.Of(v)})
	}
	for _, n := range names {
		if !hasParam(fn, n) {
			return
		}
	}
	s.callee = callee
}

func hasParam(fn *starlark.Function, name string) bool {
	for p := range fn.NumParams() {
		if own, _ := fn.Param(p); own == name {
			return true
		}
	}
	return false
}

// function returns the function of a recipe that a value is.
func function(v small.Value) (*starlark.Function, bool) {
	if v.Kind() != small.Other {
		return nil, false
	}
	fn, ok := v.R.Other.(*starlark.Function)
	return fn, ok
}
