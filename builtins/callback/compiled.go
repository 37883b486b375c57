package callback

import (
	"dicescript/builtins/runenv"
	"dicescript/builtins/small"

	"go.starlark.net/starlark"
)

// A callback that only computes can be run without the interpreter. The builtin
// that calls it asks the callback, and does not see which of the two has answered;
// the answer is the same.

// A reply is what a callback answers: a small value where it has computed, or one
// of the interpreter's.
type reply struct {
	small small.Value
	value starlark.Value // nil for a small one
}

// starlark returns the reply as the interpreter has it.
func (r reply) starlark() starlark.Value {
	if r.value != nil {
		return r.value
	}
	return r.small.Starlark()
}

// compute makes cb run its function without the interpreter, if that is possible.
func (cb *Func) compute(fn *starlark.Function) {
	env := runenv.Of(cb.thread)
	if env == nil || env.Host == nil {
		return
	}
	cb.computed = env.Host.Compute(cb.thread, fn)
	if cb.computed != nil {
		cb.small = make([]small.Value, len(cb.args))
	}
}

// maxMisses is how many calls in a row may come to nothing before a callback is
// left to the interpreter.
const maxMisses = 16

// setInt sets argument i of the next call.
func (cb *Func) setInt(i, n int) {
	if cb.computed == nil {
		cb.setArg(i, n)
		return
	}
	cb.small[i].Set(small.MakeInt(int64(n)))
}

// setArg sets argument i of a call of the interpreter.
func (cb *Func) setArg(i, n int) { cb.args[i] = starlark.MakeInt(n) }

// set sets argument i of the next call.
func (cb *Func) set(i int, v starlark.Value) {
	if cb.computed != nil {
		cb.small[i] = small.Of(v)
	}
	cb.args[i] = v
}

// setSmall sets all arguments of the next call to small values that were set before, for
// the interpreter too when that makes the calls by now.
func (cb *Func) setSmall(args []small.Value) {
	copy(cb.small, args)
	if cb.computed == nil {
		cb.fill()
	}
}

// setFaces sets argument i of the next call to the list of faces. list makes it
// for the interpreter.
func (cb *Func) setFaces(i int, faces []int, list func([]int) *starlark.List) {
	if cb.computed == nil {
		cb.args[i] = list(faces)
		return
	}
	if cb.faces == nil {
		cb.faces = make([]*small.Ref, len(cb.args))
	}
	// The function has given back the list by the time of the next call.
	ref := cb.faces[i]
	if ref == nil {
		ref = &small.Ref{Kind: small.List}
		cb.faces[i] = ref
	}
	ref.Items = ref.Items[:0]
	for _, x := range faces {
		ref.Items = append(ref.Items, small.MakeInt(int64(x)))
	}
	ref.Size = len(faces)
	cb.small[i].Set(small.Value{R: ref})
}

// ask calls the function with the arguments that are set.
func (cb *Func) ask() (reply, error) {
	if cb.computed == nil {
		v, err := cb.interpret()
		return reply{value: v}, err
	}
	v, nodes, ok := cb.computed.Call(cb.small)
	if err := cb.meter.Computed(1, nodes); err != nil {
		return reply{}, err
	}
	if ok {
		cb.misses, cb.filled = 0, false
		return reply{small: v}, nil
	}
	return cb.leave()
}

// leave leaves a call that came to nothing to the interpreter.
func (cb *Func) leave() (reply, error) {
	cb.left = true
	cb.fill()
	out, err := cb.interpret()
	if cb.misses++; cb.misses > maxMisses || !cb.computed.Renew() {
		cb.computed = nil
	}
	return reply{value: out}, err
}

// fill sets the arguments for the interpreter.
func (cb *Func) fill() {
	cb.filled = true
	for i, v := range cb.small {
		cb.args[i] = v.Starlark()
	}
}
