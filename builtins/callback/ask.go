package callback

import (
	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
)

// A callback is called with what stands in its slots: a function of the recipe by the
// evaluator, which takes them as they are, and any other function by Starlark.

// compute has the evaluator of the run call a function of the recipe.
func (cb *Func) compute(fn meter.Function) {
	if env := runenv.Of(cb.thread); env != nil && env.Host != nil {
		cb.computed = env.Host.Compute(cb.thread, fn)
	}
}

// setInt sets argument i of the next call.
func (cb *Func) setInt(i, n int) { cb.args[i].Set(slot.Int(int64(n))) }

// set sets argument i of the next call.
func (cb *Func) set(i int, v starlark.Value) { cb.args[i] = slot.Of(v) }

// setFaces sets argument i of the next call to the list of faces.
func (cb *Func) setFaces(i int, faces []int, list *handedList) error {
	if err := cb.meter.Moved(len(faces)); err != nil {
		return err
	}
	l, err := list.next(cb, faces)
	cb.args[i] = slot.Value{V: l}
	return err
}

// ask calls the function with the arguments that are set.
func (cb *Func) ask() (slot.Value, error) {
	if cb.computed != nil {
		return cb.computed.Call(cb.args)
	}
	args := make(starlark.Tuple, len(cb.args))
	for i, v := range cb.args {
		args[i] = v.Starlark()
	}
	v, err := starlark.Call(cb.thread, cb.fn, args, nil)
	if err != nil {
		return slot.Value{}, err
	}
	return slot.Of(v), nil
}

// rowOf calls the function for faces as its last argument, as long as out has room; the
// error is that of the call after the first n.
func (cb *Func) rowOf(faces []int, out []slot.Value) (n int, err error) {
	if cb.computed != nil {
		return cb.computed.Row(cb.args, faces, out)
	}
	for n < min(len(faces), len(out)) {
		cb.setInt(len(cb.args)-1, faces[n])
		if out[n], err = cb.ask(); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
