package eval

import (
	"encoding/binary"
	"math"
	"reflect"

	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
)

// Two plays are at the same place when nobody could tell them apart from there on: the same
// calls wait at the same places, and what they still read has the same types, contents and
// order, and is the same object in the same places. The key of a play says that: it goes
// through the variables that are alive, and numbers lists, dicts, sets and shared variables
// by its first visit to them.

// names gives numbers to what is told apart by what it is: functions, what is outside of
// the play, and values of dice, by their type and contents.
type names struct {
	things numbering[any]
	values map[string]*equals     // by type
	known  map[starlark.Value]int // of the first among equals, by what it is
}

// equals are the values of a type that differ, with their numbers.
type equals struct {
	numbers starlark.Dict
	first   []starlark.Value
}

func (n *names) thing(v any) int {
	i, ok := n.things.find(v)
	if !ok {
		i = n.things.add(v)
	}
	return i
}

// value returns the number of a value among those of its type that are equal.
func (n *names) value(v starlark.Value) int {
	isPointer := reflect.TypeOf(v).Kind() == reflect.Pointer
	if isPointer {
		if i, ok := n.known[v]; ok {
			return i
		}
	}
	if n.values == nil {
		n.values, n.known = map[string]*equals{}, map[starlark.Value]int{}
	}
	all := n.values[v.Type()]
	if all == nil {
		all = &equals{}
		n.values[v.Type()] = all
	}
	if i, ok, err := all.numbers.Get(v); err == nil && ok {
		at, _ := starlark.AsInt32(i)
		return at
	}
	at := len(all.first)
	if all.numbers.SetKey(v, starlark.MakeInt(at)) == nil {
		all.first = append(all.first, v)
		if isPointer {
			n.known[v] = at
		}
		return at
	}
	if reflect.TypeOf(v).Comparable() {
		return -1 - n.thing(v) // it has no contents to be compared by
	}
	return -1 - n.thing(new(byte))
}

// first returns the first value of dice that is equal to v, so that the states of a play
// hold one of them only.
func (n *names) first(v starlark.Value) starlark.Value {
	switch v.(type) {
	case nil, *starlark.List, *starlark.Dict, *starlark.Set, *Function, *starlark.Builtin, *cell:
		return v
	}
	if reflect.TypeOf(v).Kind() != reflect.Pointer {
		return v
	}
	if i := n.value(v); i >= 0 {
		return n.values[v.Type()].first[i]
	}
	return v
}

// Key returns what tells the play as it waits from others of the same player. It is
// overwritten by the next one.
func (p *Player) Key() []byte {
	w := &p.key
	w.p, w.out = p, w.out[:0]
	w.visited.clear()
	for _, fr := range p.frames {
		w.function(fr.fn)
		w.int(fr.pc)
		for _, at := range fr.code.alive[fr.pc] {
			if int(at) != fr.into {
				w.slot(fr.slots[at])
			}
		}
		w.int(len(fr.locks))
		for _, l := range fr.locks {
			w.value(l.of.(starlark.Value))
		}
	}
	w.int(p.names.thing(p.request.word))
	w.int(len(p.request.args))
	for i, v := range p.request.args {
		v.V = p.names.first(v.V)
		p.request.args[i] = v
		w.slot(v)
	}
	for _, a := range p.request.kwargs {
		w.text(a.name)
		w.slot(a.value)
	}
	return w.out
}

// A keyWriter writes a key.
type keyWriter struct {
	p       *Player
	out     []byte
	visited numbering[starlark.Value]
}

func (w *keyWriter) int(n int) { w.out = binary.AppendVarint(w.out, int64(n)) }

func (w *keyWriter) kind(k byte) { w.out = append(w.out, k) }

func (w *keyWriter) text(s string) {
	w.int(len(s))
	w.out = append(w.out, s...)
}

func (w *keyWriter) slot(v slot.Value) {
	if v.V == nil {
		w.kind('i')
		w.out = binary.AppendVarint(w.out, v.N)
		return
	}
	w.value(v.V)
	if v.N != 0 { // how far a loop has come in it
		w.kind('@')
		w.int(int(v.N))
	}
}

// visit reports whether a thing was come to before, and writes which one it is.
func (w *keyWriter) visit(v starlark.Value) bool {
	if w.p.outside.has(v) {
		w.kind('o')
		w.int(w.p.names.thing(v))
		return true
	}
	if i, ok := w.visited.find(v); ok {
		w.kind('r')
		w.int(i)
		return true
	}
	w.visited.add(v)
	return false
}

func (w *keyWriter) value(v starlark.Value) {
	switch v := v.(type) {
	case starlark.NoneType:
		w.kind('n')
	case starlark.Bool:
		w.kind('f')
		if v {
			w.out[len(w.out)-1] = 't'
		}
	case starlark.Int:
		w.slotOfInt(v)
	case starlark.Float:
		w.kind('d')
		w.out = binary.BigEndian.AppendUint64(w.out, math.Float64bits(float64(v)))
	case starlark.String:
		w.kind('s')
		w.text(string(v))
	case starlark.Bytes:
		w.kind('b')
		w.text(string(v))
	case starlark.Tuple:
		w.kind('(')
		w.int(len(v))
		for _, x := range v {
			w.value(x)
		}
	case *starlark.List:
		if w.visit(v) {
			return
		}
		w.kind('[')
		w.int(v.Len())
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case *starlark.Dict:
		if w.visit(v) {
			return
		}
		w.kind('{')
		w.int(v.Len())
		for key, x := range v.Entries() {
			w.value(key)
			w.value(x)
		}
	case *starlark.Set:
		if w.visit(v) {
			return
		}
		w.kind('<')
		w.int(v.Len())
		for x := range starlark.Elements(v) {
			w.value(x)
		}
	case *cell:
		if !w.visit(v) {
			w.kind('c')
			w.slot(v.value)
		}
	case unset:
		w.kind('u')
	case *Function:
		w.kind('F')
		w.function(v)
	case *starlark.Builtin:
		w.builtin(v)
	default:
		w.kind('v')
		w.text(v.Type())
		w.int(w.p.names.value(v))
	}
}

// slotOfInt writes a whole number in one way, whether a slot or a list holds it.
func (w *keyWriter) slotOfInt(v starlark.Int) {
	if n, ok := v.Int64(); ok {
		w.slot(slot.Int(n))
		return
	}
	w.kind('I')
	w.text(v.String())
}

func (w *keyWriter) function(f *Function) {
	if len(f.free) > 0 || len(f.defaults) > 0 {
		if w.visit(f) {
			return
		}
	}
	w.kind('f')
	w.int(w.p.names.thing(f.def))
	w.int(w.p.names.thing(f.module))
	for _, v := range f.defaults {
		if v == nil {
			w.kind('u')
		} else {
			w.value(v)
		}
	}
	for _, c := range f.free {
		w.value(c)
	}
}

// builtin writes a method of what the play has made, or another builtin.
func (w *keyWriter) builtin(b *starlark.Builtin) {
	recv := b.Receiver()
	if recv == nil {
		w.kind('B')
		w.int(w.p.names.thing(b))
		return
	}
	w.kind('m')
	w.text(b.Name())
	w.value(recv)
}
