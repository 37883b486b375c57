package eval

import (
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
)

// Builtins call functions of the recipe very often: with slots, and for the faces of a die
// one after the other in one frame, which is pushed once.

// A callback is a function as a builtin calls it.
type callback struct {
	m     *Machine
	f     *Function
	row   row
	keeps verdict
}

var (
	_ slot.Computation = (*callback)(nil)
	_ slot.Payer       = (*callback)(nil)
)

// Computation returns a function for a builtin that calls it in the run of a thread, nil
// when fn is none of a recipe.
func Computation(thread *starlark.Thread, fn starlark.Value) slot.Computation {
	f, ok := fn.(*Function)
	m := machineOf(thread)
	if !ok || m == nil {
		return nil
	}
	return &callback{m: m, f: f, keeps: wrong}
}

// Call calls the function.
func (cb *callback) Call(args []slot.Value) (slot.Value, error) {
	m := cb.m
	if m.fuel -= callNodes; m.fuel < 0 {
		if err := m.refuel(); err != nil {
			return failed, err
		}
	}
	v := m.call(cb.f, args, nil)
	if v.V != nil && isFailed(v) {
		return v, m.takeError()
	}
	return v, nil
}

// takeError is the error that is on its way.
func (m *Machine) takeError() error {
	err := m.err
	m.err = nil
	return err
}

// Pay pays for so many nodes that another machine has gone through.
func (cb *callback) Pay(nodes int64, depth int) error {
	cb.m.deepest = max(cb.m.deepest, depth)
	if cb.m.fuel -= nodes; cb.m.fuel < 0 {
		return cb.m.refuel()
	}
	return nil
}

// A row is calls of a function with one face after the other as the last argument.
type row struct {
	args  []slot.Value
	faces []int
	out   []slot.Value
	done  int
}

// Row calls the function for one face after the other.
func (cb *callback) Row(args []slot.Value, faces []int, out []slot.Value) (n int, err error) {
	d := cb.f.def
	faces = faces[:min(len(faces), len(out))]
	if len(args) != len(d.params) || d.keywords > 0 || d.varargs || d.kwargs {
		for i, face := range faces {
			args[len(args)-1] = slot.Int(int64(face))
			if out[i], err = cb.Call(args); err != nil {
				return i, err
			}
		}
		return len(faces), nil
	}
	m := cb.m
	fr := m.enter(cb.f)
	cb.row = row{args: args, faces: faces, out: out}
	fr.row = &cb.row
	v := m.run(fr)
	n = cb.row.done
	cb.row = row{}
	if v.V != nil && isFailed(v) {
		return n, m.takeError()
	}
	return n, nil
}

// runRow makes the calls of a row.
func (fr *frame) runRow() int {
	r := fr.row
	body := fr.code.body
	last := len(r.args) - 1
	for i, face := range r.faces {
		copy(fr.slots, r.args[:last])
		fr.slots[last] = slot.Int(int64(face))
		fr.begin()
		if !fr.spend(callNodes) {
			return aborted
		}
		pc := 0
		for pc >= 0 {
			pc = body[pc](fr)
		}
		if pc != returned {
			return aborted
		}
		r.out[i] = fr.result
		r.done++
		if len(fr.locks) > 0 {
			fr.release(0)
		}
	}
	return returned
}

// IsPure reports whether the function does nothing but compute its value.
func (cb *callback) IsPure() bool { return cb.f.isPure(map[*Function]bool{}) }

// Keeps reports whether the function may keep or change a list that it is given.
func (cb *callback) Keeps() bool {
	if cb.keeps == wrong {
		cb.keeps = verdictOf(cb.f.keeps())
	}
	return cb.keeps == yes
}
