// Package slot holds the values that a recipe computes with: a whole number of a machine
// word lies open, without an allocation, and everything else is the value that Starlark
// has. Variables of functions, arguments and answers of callbacks are slots.
package slot

import "go.starlark.net/starlark"

// A Value is a value of a recipe. The zero Value is the whole number 0.
type Value struct {
	N int64          // the whole number, when V is nil
	V starlark.Value // any other value; also a whole number beyond a machine word
}

// Int returns a whole number.
func Int(n int64) Value { return Value{N: n} }

// Bool returns a truth value.
func Bool(b bool) Value {
	if b {
		return Value{V: starlark.True}
	}
	return Value{V: starlark.False}
}

// Of returns a value of Starlark as one of a slot.
func Of(v starlark.Value) Value {
	if i, ok := v.(starlark.Int); ok {
		if n, ok := i.Int64(); ok {
			return Value{N: n}
		}
	}
	return Value{V: v}
}

// Starlark returns v as Starlark has it.
func (v Value) Starlark() starlark.Value {
	if v.V == nil {
		return starlark.MakeInt64(v.N)
	}
	return v.V
}

// Set makes v the value w. What v held before is mostly of the same kind, and a pointer
// takes longer to write than to read.
func (v *Value) Set(w Value) {
	if v.V != nil || w.V != nil {
		v.V = w.V
	}
	v.N = w.N
}
