package compiled

import (
	"math"
	"math/bits"

	"dicescript/builtins/small"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Arithmetic on whole numbers of a machine word. What overflows, and what has no
// result, does not fit.

const minInt = math.MinInt64

func (c *compiler) binary(x *syntax.BinaryExpr) code {
	switch x.Op {
	case syntax.AND, syntax.OR:
		return c.logic(x)
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return c.comparison(x.Op, c.expr(x.X), c.expr(x.Y))
	case syntax.IN, syntax.NOT_IN:
		return c.membership(x)
	}
	return c.arithmetic(x.Op, c.expr(x.X), c.expr(x.Y))
}

func (c *compiler) arithmetic(op syntax.Token, x, y code) code {
	a, b := x.eval, y.eval
	n, fixed := y.number()
	switch op {
	case syntax.PLUS:
		if fixed {
			return evaluated(func(m *Machine) small.Value {
				v := a(m)
				if sum := v.N + n; v.R == nil && (sum > v.N) == (n > 0) {
					return small.MakeInt(sum)
				}
				return m.arithmetic(op, v, small.MakeInt(n))
			})
		}
		return evaluated(func(m *Machine) small.Value {
			v, w := a(m), b(m)
			if sum := v.N + w.N; v.R == nil && w.R == nil && (sum > v.N) == (w.N > 0) {
				return small.MakeInt(sum)
			}
			return m.arithmetic(op, v, w)
		})
	case syntax.MINUS:
		if i, j := x.slot, y.slot; i >= 0 && j >= 0 {
			return evaluated(func(m *Machine) small.Value {
				v, w := &m.local[i], &m.local[j]
				if diff := v.N - w.N; v.R == nil && w.R == nil && (diff < v.N) == (w.N > 0) {
					return small.MakeInt(diff)
				}
				return m.arithmetic(op, *v, *w)
			})
		}
		return evaluated(func(m *Machine) small.Value {
			v, w := a(m), b(m)
			if diff := v.N - w.N; v.R == nil && w.R == nil && (diff < v.N) == (w.N > 0) {
				return small.MakeInt(diff)
			}
			return m.arithmetic(op, v, w)
		})
	case syntax.SLASHSLASH:
		if fixed && n > 0 {
			return evaluated(func(m *Machine) small.Value {
				v := a(m)
				if v.R == nil {
					q := v.N / n
					if v.N%n < 0 {
						q--
					}
					return small.MakeInt(q)
				}
				return m.arithmetic(op, v, small.MakeInt(n))
			})
		}
	}
	return evaluated(func(m *Machine) small.Value { return m.arithmetic(op, a(m), b(m)) })
}

// arithmetic is x op y.
func (m *Machine) arithmetic(op syntax.Token, x, y small.Value) small.Value {
	if x.R == nil && y.R == nil {
		return intArithmetic(op, x.N, y.N)
	}
	if x.IsStuck() || y.IsStuck() {
		return small.Nothing
	}
	if x.Kind() == small.Other || y.Kind() == small.Other {
		if m.host == nil || op == syntax.PERCENT && x.Kind() == small.Text {
			return small.Nothing
		}
		return m.hosted(m.host.Binary(op, x.Starlark(), y.Starlark()))
	}
	return m.textArithmetic(op, x, y)
}

// hosted is what a host answers.
func (m *Machine) hosted(v starlark.Value, err error) small.Value {
	if err != nil || v == nil {
		return small.Nothing
	}
	return small.Of(v)
}

func intArithmetic(op syntax.Token, a, b int64) small.Value {
	switch op {
	case syntax.PLUS:
		if sum := a + b; (sum > a) == (b > 0) {
			return small.MakeInt(sum)
		}
	case syntax.MINUS:
		if diff := a - b; (diff < a) == (b > 0) {
			return small.MakeInt(diff)
		}
	case syntax.STAR:
		hi, lo := bits.Mul64(size(a), size(b))
		if hi == 0 && lo < 1<<63 {
			return small.MakeInt(a * b)
		}
	case syntax.SLASHSLASH:
		if b != 0 && (a != minInt || b != -1) {
			q := a / b
			if a%b != 0 && (a < 0) != (b < 0) {
				q--
			}
			return small.MakeInt(q)
		}
	case syntax.PERCENT:
		if b != 0 && (a != minInt || b != -1) {
			r := a % b
			if r != 0 && (r < 0) != (b < 0) {
				r += b
			}
			return small.MakeInt(r)
		}
	case syntax.AMP:
		return small.MakeInt(a & b)
	case syntax.PIPE:
		return small.MakeInt(a | b)
	case syntax.CIRCUMFLEX:
		return small.MakeInt(a ^ b)
	case syntax.GTGT:
		if b >= 0 && b < 63 {
			return small.MakeInt(a >> b)
		}
	case syntax.LTLT:
		if b >= 0 && b < 62 && size(a) < 1<<(62-b) {
			return small.MakeInt(a << b)
		}
	}
	return small.Nothing
}

// size is the absolute value of n.
func size(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func (m *Machine) unary(op syntax.Token, v small.Value) small.Value {
	if v.Kind() != small.Other || m.host == nil {
		return small.Nothing
	}
	return m.hosted(m.host.Unary(op, v.R.Other))
}

// textArithmetic joins and repeats texts, tuples and lists, and fills in texts.
func (m *Machine) textArithmetic(op syntax.Token, x, y small.Value) small.Value {
	a, b := x.Kind(), y.Kind()
	switch {
	case op == syntax.PLUS && a == small.Text && b == small.Text:
		return m.text(len(x.R.Text)+len(y.R.Text), func() string { return x.R.Text + y.R.Text })
	case op == syntax.PLUS && a == b && (a == small.Tuple || a == small.List):
		n := len(x.R.Items) + len(y.R.Items)
		if n > maxItems || !m.spend(int64(n)) {
			return small.Nothing
		}
		items := append(append(make([]small.Value, 0, n), x.R.Items...), y.R.Items...)
		if a == small.List {
			return small.MakeList(items)
		}
		return m.tuple(items)
	case op == syntax.PERCENT && a == small.Text:
		return m.filled(x.R.Text, y)
	}
	return small.Nothing
}

// text returns a text of so many bytes, which make makes.
func (m *Machine) text(n int, make func() string) small.Value {
	if n > maxText || !m.spend(4+int64(n)/8) {
		return small.Nothing
	}
	return small.MakeText(make())
}
