package eval

import (
	"fmt"

	"go.starlark.net/starlark"
)

// What was there before a play is only read in it: a play goes all ways at once, and what
// one of them changed would be seen by the others. While the play runs the lists, dicts
// and sets outside of it are locked as by a loop.

// An outside is what was there before a play.
type outside struct {
	seen  map[starlark.Value]bool // lists, dicts, sets, functions, variables
	locks []starlark.Iterator
}

func (o *outside) has(v starlark.Value) bool { return o.seen[v] }

// take finds what a function can reach and locks it.
func (o *outside) take(p *Player, fn *Function) error {
	if o.seen == nil {
		o.seen = map[starlark.Value]bool{}
	}
	todo := []starlark.Value{fn}
	for n := 0; len(todo) > 0; n++ {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n%outsideAtOnce == 0 {
			if err := p.m.meter.Spend(outsideAtOnce / nodesPerStep); err != nil {
				return err
			}
		}
		switch v := v.(type) {
		case *starlark.List:
			if o.is(v) {
				continue
			}
			for i := range v.Len() {
				todo = append(todo, v.Index(i))
			}
			o.locks = append(o.locks, v.Iterate())
		case *starlark.Dict:
			if o.is(v) {
				continue
			}
			for _, item := range v.Items() {
				todo = append(todo, item[0], item[1])
			}
			o.locks = append(o.locks, v.Iterate())
		case *starlark.Set:
			if o.is(v) {
				continue
			}
			o.locks = append(o.locks, v.Iterate())
		case starlark.Tuple:
			todo = append(todo, v...)
		case *cell:
			if !o.is(v) && v.value.V != nil {
				todo = append(todo, v.value.V)
			}
		case *starlark.Builtin:
			if recv := v.Receiver(); recv != nil {
				todo = append(todo, recv)
			}
		case *Function:
			if !o.is(v) {
				todo = v.reaches(todo)
			}
		}
	}
	return nil
}

// outsideAtOnce is how many values are looked at between two charges.
const outsideAtOnce = 256

// is reports whether v has been found before, and notes it.
func (o *outside) is(v starlark.Value) bool {
	if o.seen[v] {
		return true
	}
	o.seen[v] = true
	return false
}

// reaches adds what a function can come to.
func (f *Function) reaches(todo []starlark.Value) []starlark.Value {
	for _, v := range f.defaults {
		if v != nil {
			todo = append(todo, v)
		}
	}
	for _, c := range f.free {
		todo = append(todo, c)
	}
	for _, g := range f.module.globals {
		if g.V != nil {
			todo = append(todo, g.V)
		}
	}
	for _, v := range f.module.given {
		if v.V != nil {
			todo = append(todo, v.V)
		}
	}
	return todo
}

// release gives the locks back.
func (o *outside) release() {
	for _, it := range o.locks {
		it.Done()
	}
	o.locks = nil
}

// ownedByPlay refuses a change of what was there before the play that runs.
func (m *Machine) ownedByPlay(v starlark.Value) error {
	if m.player == nil || !isCollection(v) || !m.player.outside.has(v) {
		return nil
	}
	return fmt.Errorf("a play goes all ways at once, so what was made outside of it is only read: change a copy, as in own = %s(...), or give it to play as an argument", v.Type())
}

func isCollection(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set:
		return true
	}
	return false
}
