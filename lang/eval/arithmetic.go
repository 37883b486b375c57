package eval

import (
	"dicescript/builtins/slot"

	"go.starlark.net/syntax"
)

// Arithmetic on whole numbers of a machine word is done in the node; all else is in
// operate.go.

func (c *compiler) binary(x *syntax.BinaryExpr) node {
	switch x.Op {
	case syntax.AND, syntax.OR:
		return c.logic(x)
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return c.comparison(x)
	case syntax.IN, syntax.NOT_IN:
		return c.membership(x)
	}
	if n := chainLength(x); n > longChain {
		return c.chain(x, n)
	}
	return arithmetic(x.Op, c.expr(x.X), c.expr(x.Y), placeOf(x.OpPos))
}

// longChain is how many operands of a + b - c + ... are nested; a longer chain is one node.
const longChain = 16

// isArithmetic reports whether an operator can be one of a chain.
func isArithmetic(op syntax.Token) bool {
	switch op {
	case syntax.AND, syntax.OR, syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.IN, syntax.NOT_IN:
		return false
	}
	return true
}

// chainLength is how many operators stand to the left of each other.
func chainLength(x *syntax.BinaryExpr) int {
	n := 1
	for {
		left, ok := unparen(x.X).(*syntax.BinaryExpr)
		if !ok || !isArithmetic(left.Op) {
			return n
		}
		n++
		x = left
	}
}

// chain compiles so many operators that stand to the left of each other as one node, which
// needs no stack for them.
func (c *compiler) chain(x *syntax.BinaryExpr, n int) node {
	type link struct {
		op    syntax.Token
		at    place
		right expr
	}
	links := make([]link, n)
	operands := make([]syntax.Expr, n)
	for i := n - 1; ; i-- {
		links[i] = link{op: x.Op, at: placeOf(x.OpPos)}
		operands[i] = x.Y
		if i == 0 {
			break
		}
		x = unparen(x.X).(*syntax.BinaryExpr)
	}
	c.cost += int64(n - 1)
	first := c.expr(x.X).eval
	for i, y := range operands {
		links[i].right = c.expr(y).eval
	}
	return computed(func(fr *frame) slot.Value {
		v := first(fr)
		for i := range links {
			if v.V != nil && isFailed(v) {
				return v
			}
			l := &links[i]
			v = fr.operate(l.op, v, l.right(fr), l.at)
		}
		return v
	})
}

// arithmetic compiles x op y.
func arithmetic(op syntax.Token, x, y node, at place) node {
	a, b := x.eval, y.eval
	n, numbered := y.number()
	switch op {
	case syntax.PLUS:
		if i := x.local; i >= 0 && numbered {
			return computed(func(fr *frame) slot.Value {
				v := &fr.slots[i]
				if sum := v.N + n; v.V == nil && (sum > v.N) == (n > 0) {
					return slot.Int(sum)
				}
				return fr.operate(op, *v, slot.Int(n), at)
			})
		}
		if numbered {
			return computed(func(fr *frame) slot.Value {
				v := a(fr)
				if sum := v.N + n; v.V == nil && (sum > v.N) == (n > 0) {
					return slot.Int(sum)
				}
				return fr.operate(op, v, slot.Int(n), at)
			})
		}
		if i := y.local; i >= 0 {
			return computed(func(fr *frame) slot.Value {
				v := a(fr)
				w := &fr.slots[i]
				if sum := v.N + w.N; v.V == nil && w.V == nil && (sum > v.N) == (w.N > 0) {
					return slot.Int(sum)
				}
				return fr.operate(op, v, *w, at)
			})
		}
		return computed(func(fr *frame) slot.Value {
			v := a(fr)
			if v.V != nil && isFailed(v) {
				return v
			}
			w := b(fr)
			if sum := v.N + w.N; v.V == nil && w.V == nil && (sum > v.N) == (w.N > 0) {
				return slot.Int(sum)
			}
			return fr.operate(op, v, w, at)
		})
	case syntax.MINUS:
		if i := y.local; i >= 0 {
			return computed(func(fr *frame) slot.Value {
				v := a(fr)
				w := &fr.slots[i]
				if diff := v.N - w.N; v.V == nil && w.V == nil && (diff < v.N) == (w.N > 0) {
					return slot.Int(diff)
				}
				return fr.operate(op, v, *w, at)
			})
		}
		if numbered {
			return computed(func(fr *frame) slot.Value {
				v := a(fr)
				if diff := v.N - n; v.V == nil && (diff < v.N) == (n > 0) {
					return slot.Int(diff)
				}
				return fr.operate(op, v, slot.Int(n), at)
			})
		}
	case syntax.SLASHSLASH:
		if numbered && n > 0 {
			return computed(func(fr *frame) slot.Value {
				v := a(fr)
				if v.V == nil {
					q := v.N / n
					if v.N%n < 0 {
						q--
					}
					return slot.Int(q)
				}
				return fr.operate(op, v, slot.Int(n), at)
			})
		}
	case syntax.PERCENT:
		if numbered && n > 0 {
			return computed(func(fr *frame) slot.Value {
				v := a(fr)
				if v.V == nil {
					r := v.N % n
					if r < 0 {
						r += n
					}
					return slot.Int(r)
				}
				return fr.operate(op, v, slot.Int(n), at)
			})
		}
	case syntax.STAR:
		if numbered && n > 0 && n < 1<<31 {
			return computed(func(fr *frame) slot.Value {
				v := a(fr)
				if v.V == nil && v.N == int64(int32(v.N)) {
					return slot.Int(v.N * n)
				}
				return fr.operate(op, v, slot.Int(n), at)
			})
		}
	}
	return computed(func(fr *frame) slot.Value {
		v := a(fr)
		if v.V != nil && isFailed(v) {
			return v
		}
		w := b(fr)
		if v.V == nil && w.V == nil {
			if out, ok := intArithmetic(op, v.N, w.N); ok {
				return slot.Int(out)
			}
		}
		return fr.operate(op, v, w, at)
	})
}
