package eval

import (
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
)

// A play that is put aside is a copy of all that it has made: lists, dicts and sets, the
// variables that functions share, the functions that hold such, and tuples of them. What
// is one object stays one. What was there before the play is shared: it is only read.

// A saved play waits for an answer.
type saved struct {
	frames  []savedFrame
	request request
	plain   bool // whether there is nothing in it to be copied
}

type savedFrame struct {
	fn       *Function
	code     *code
	alive    []slot.Value // the variables that are read later, in the order of code.alive
	locks    []starlark.Iterable
	at       place
	pc, into int
}

// Save returns the play as it waits, without variables that are not read any more. The
// player gives it up. Its key has been asked for before.
func (p *Player) Save() any {
	s := &saved{request: p.request, plain: p.key.visited.len() == 0, frames: make([]savedFrame, len(p.frames))}
	for i, fr := range p.frames {
		f := &s.frames[i]
		alive := fr.code.alive[fr.pc]
		*f = savedFrame{fn: fr.fn, code: fr.code, at: fr.at, pc: fr.pc, into: fr.into, alive: make([]slot.Value, len(alive))}
		for k, at := range alive {
			if int(at) != fr.into {
				f.alive[k] = fr.slots[at]
			}
		}
		for _, l := range fr.locks {
			f.locks = append(f.locks, l.of)
		}
	}
	p.close()
	return s
}

// Load makes the player go on from where a play was saved. What it changes is a copy,
// unless it is the last time that the play is loaded.
func (p *Player) Load(play any, last bool) {
	s := play.(*saved)
	p.close()
	c := p.branch()
	c.none = s.plain || last
	for i := range s.frames {
		f := &s.frames[i]
		fr := p.m.enterCode(c.function(f.fn), f.code)
		for k, at := range f.code.alive[f.pc] {
			fr.slots[at] = c.slot(f.alive[k])
		}
		fr.at, fr.pc, fr.into = f.at, f.pc, f.into
		for _, of := range f.locks {
			of = c.value(of.(starlark.Value)).(starlark.Iterable)
			fr.locks = append(fr.locks, lock{of, of.Iterate()})
		}
		p.frames = append(p.frames, fr)
	}
	p.request = s.request
	if c.none {
		return
	}
	p.request.args = make([]slot.Value, len(s.request.args))
	for i, v := range s.request.args {
		p.request.args[i] = c.slot(v)
	}
	p.request.kwargs = append([]namedArg(nil), s.request.kwargs...)
	for i := range p.request.kwargs {
		p.request.kwargs[i].value = c.slot(p.request.kwargs[i].value)
	}
}

// A branching copies what a play has made, each thing once.
type branching struct {
	p       *Player                   // nil outside of a play
	none    bool                      // nothing is copied
	done    numbering[starlark.Value] // what has been copied, by identity
	made    []starlark.Value          // the copies
	modules map[*Module]*Module       // that are copied too, nil where they are shared
}

func (p *Player) branch() *branching {
	c := &p.copies
	c.p, c.none = p, false
	c.done.clear()
	clear(c.made)
	c.made = c.made[:0]
	return c
}

// A fixed slot needs no look: most variables of a play are whole numbers.
func (c *branching) slot(v slot.Value) slot.Value {
	if v.V == nil {
		return v
	}
	return slot.Value{N: v.N, V: c.value(v.V)}
}

func (c *branching) known(v starlark.Value) (starlark.Value, bool) {
	if c.p != nil && c.p.outside.has(v) {
		return v, true
	}
	if i, ok := c.done.find(v); ok {
		return c.made[i], true
	}
	return nil, false
}

func (c *branching) note(v, w starlark.Value) {
	c.done.add(v)
	c.made = append(c.made, w)
}

// value returns a copy of v, or v where it cannot change.
func (c *branching) value(v starlark.Value) starlark.Value {
	if c.none {
		return v
	}
	switch v := v.(type) {
	case *starlark.List:
		if w, ok := c.known(v); ok {
			return w
		}
		list := starlark.NewList(make([]starlark.Value, 0, v.Len()))
		c.note(v, list)
		for i := range v.Len() {
			list.Append(c.value(v.Index(i)))
		}
		return list
	case *starlark.Dict:
		if w, ok := c.known(v); ok {
			return w
		}
		dict := starlark.NewDict(v.Len())
		c.note(v, dict)
		for key, x := range v.Entries() {
			dict.SetKey(c.value(key), c.value(x))
		}
		return dict
	case *starlark.Set:
		if w, ok := c.known(v); ok {
			return w
		}
		set := starlark.NewSet(v.Len())
		c.note(v, set)
		for x := range starlark.Elements(v) {
			set.Insert(c.value(x))
		}
		return set
	case starlark.Tuple:
		return c.tuple(v)
	case *cell:
		return c.cell(v)
	case *Function:
		return c.function(v)
	case *starlark.Builtin:
		recv := v.Receiver()
		if recv == nil {
			return v
		}
		if own := c.value(recv); own != recv {
			return v.BindReceiver(own)
		}
	}
	return v
}

// tuple returns a tuple itself where nothing in it is copied.
func (c *branching) tuple(v starlark.Tuple) starlark.Value {
	var copied starlark.Tuple
	for i, x := range v {
		w := c.value(x)
		if copied == nil && !same(x, w) {
			copied = append(make(starlark.Tuple, 0, len(v)), v[:i]...)
		}
		if copied != nil {
			copied = append(copied, w)
		}
	}
	if copied == nil {
		return v
	}
	return copied
}

// same reports whether a copy is what it was made of.
func same(v, w starlark.Value) bool {
	if t, ok := v.(starlark.Tuple); ok {
		u := w.(starlark.Tuple)
		return len(t) == 0 || &t[0] == &u[0]
	}
	return v == w
}

func (c *branching) cell(v *cell) *cell {
	if w, ok := c.known(v); ok {
		return w.(*cell)
	}
	copied := &cell{}
	c.note(v, copied)
	copied.value = c.slot(v.value)
	return copied
}

func (c *branching) function(f *Function) *Function {
	if c.none || c.modules == nil && len(f.free) == 0 && len(f.defaults) == 0 || c.modules != nil && f.frozen {
		return f
	}
	if w, ok := c.known(f); ok {
		return w.(*Function)
	}
	copied := &Function{def: f.def, module: f.module}
	c.note(f, copied)
	if c.modules != nil {
		copied.module = c.module(f)
	}
	for _, v := range f.defaults {
		if v != nil {
			v = c.value(v)
		}
		copied.defaults = append(copied.defaults, v)
	}
	for _, free := range f.free {
		copied.free = append(copied.free, c.cell(free))
	}
	return copied
}
