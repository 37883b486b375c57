package eval

import (
	"math"

	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The builtins that recipes call most are nodes where their arguments are plain numbers
// or lists. With any others the builtin itself is called.

// intrinsic compiles a call of such a builtin; ok is false where x is none.
func (c *compiler) intrinsic(x *syntax.CallExpr) (n node, ok bool) {
	id, isName := x.Fn.(*syntax.Ident)
	if !isName {
		return n, false
	}
	switch id.Name {
	case "len", "abs":
		if len(x.Args) != 1 || !c.isStandard(id, id.Name) {
			return n, false
		}
		of := length
		if id.Name == "abs" {
			of = absolute
		}
		fn, arg, at := c.expr(x.Fn).eval, c.expr(x.Args[0]).eval, placeOf(x.Lparen)
		return computed(func(fr *frame) slot.Value {
			v := arg(fr)
			if n := of(v); n >= 0 {
				return slot.Int(n)
			}
			if isFailed(v) {
				return v
			}
			return fr.call(at, fn(fr), []slot.Value{v}, nil)
		}), true
	case "min", "max":
		if len(x.Args) != 2 || !c.isStandard(id, id.Name) {
			return n, false
		}
		fn, args, at := c.expr(x.Fn).eval, c.exprs(x.Args), placeOf(x.Lparen)
		a, b, largest := args[0], args[1], id.Name == "max"
		return computed(func(fr *frame) slot.Value {
			v := a(fr)
			if v.V != nil && isFailed(v) {
				return v
			}
			w := b(fr)
			if v.V == nil && w.V == nil {
				if (v.N < w.N) == largest {
					return w
				}
				return v
			}
			if isFailed(w) {
				return w
			}
			return fr.call(at, fn(fr), []slot.Value{v, w}, nil)
		}), true
	}
	return n, false
}

// length is how many elements a plain collection has, -1 for anything else.
func length(v slot.Value) int64 {
	switch v := v.V.(type) {
	case *starlark.List:
		return int64(v.Len())
	case starlark.Tuple:
		return int64(len(v))
	case starlark.String:
		return int64(len(v))
	case *starlark.Dict:
		return int64(v.Len())
	case *starlark.Set:
		return int64(v.Len())
	}
	return -1
}

// absolute is the absolute value of a whole number, -1 for anything else.
func absolute(v slot.Value) int64 {
	switch {
	case v.V != nil || v.N == math.MinInt64:
		return -1
	case v.N < 0:
		return -v.N
	}
	return v.N
}
