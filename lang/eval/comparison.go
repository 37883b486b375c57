package eval

import (
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Comparisons of numbers, texts and lists are truth values; those of dice are chances,
// which the run knows, and which are no conditions.

// comparison compiles x op y. Its value may be a chance; its test is refused then.
func (c *compiler) comparison(x *syntax.BinaryExpr) node {
	left, right := c.passing(x.X), c.passing(x.Y)
	a, b, op, at := left.eval, right.eval, x.Op, placeOf(x.OpPos)
	eval := func(fr *frame) slot.Value {
		v := a(fr)
		if v.V != nil && isFailed(v) {
			return v
		}
		return fr.compare(op, v, b(fr), at)
	}
	return node{eval: eval, test: comparisonTest(op, left, right, at), local: -1}
}

// compareTest is x op y as a condition, for values that are not both short numbers.
func (fr *frame) compareTest(op syntax.Token, x, y slot.Value, at place) verdict {
	v := fr.compare(op, x, y, at)
	if b, ok := v.V.(starlark.Bool); ok {
		return verdictOf(bool(b))
	}
	return fr.truth(v, at)
}

func comparisonTest(op syntax.Token, x, y node, at place) test {
	a, b := x.eval, y.eval
	if n, ok := y.number(); ok {
		return numberTest(op, x, n, at)
	}
	if i := y.local; i >= 0 {
		switch op {
		case syntax.LT:
			return func(fr *frame) verdict {
				v := a(fr)
				if w := &fr.slots[i]; v.V == nil && w.V == nil {
					return verdictOf(v.N < w.N)
				}
				return fr.compareTest(op, v, fr.slots[i], at)
			}
		case syntax.LE:
			return func(fr *frame) verdict {
				v := a(fr)
				if w := &fr.slots[i]; v.V == nil && w.V == nil {
					return verdictOf(v.N <= w.N)
				}
				return fr.compareTest(op, v, fr.slots[i], at)
			}
		case syntax.GT:
			return func(fr *frame) verdict {
				v := a(fr)
				if w := &fr.slots[i]; v.V == nil && w.V == nil {
					return verdictOf(v.N > w.N)
				}
				return fr.compareTest(op, v, fr.slots[i], at)
			}
		case syntax.GE:
			return func(fr *frame) verdict {
				v := a(fr)
				if w := &fr.slots[i]; v.V == nil && w.V == nil {
					return verdictOf(v.N >= w.N)
				}
				return fr.compareTest(op, v, fr.slots[i], at)
			}
		}
	}
	return func(fr *frame) verdict {
		v := a(fr)
		if v.V != nil && isFailed(v) {
			return wrong
		}
		w := b(fr)
		if v.V == nil && w.V == nil {
			return verdictOf(compareInts(op, v.N, w.N))
		}
		return fr.compareTest(op, v, w, at)
	}
}

// numberTest is x op n.
func numberTest(op syntax.Token, x node, n int64, at place) test {
	w := slot.Int(n)
	if i := x.local; i >= 0 {
		switch op {
		case syntax.EQL:
			return func(fr *frame) verdict {
				if v := &fr.slots[i]; v.V == nil {
					return verdictOf(v.N == n)
				}
				return fr.compareTest(op, fr.slots[i], w, at)
			}
		case syntax.LE:
			return func(fr *frame) verdict {
				if v := &fr.slots[i]; v.V == nil {
					return verdictOf(v.N <= n)
				}
				return fr.compareTest(op, fr.slots[i], w, at)
			}
		case syntax.GE:
			return func(fr *frame) verdict {
				if v := &fr.slots[i]; v.V == nil {
					return verdictOf(v.N >= n)
				}
				return fr.compareTest(op, fr.slots[i], w, at)
			}
		}
	}
	eval := x.eval
	switch op {
	case syntax.EQL:
		return func(fr *frame) verdict {
			v := eval(fr)
			if v.V == nil {
				return verdictOf(v.N == n)
			}
			return fr.compareTest(op, v, w, at)
		}
	case syntax.NEQ:
		return func(fr *frame) verdict {
			v := eval(fr)
			if v.V == nil {
				return verdictOf(v.N != n)
			}
			return fr.compareTest(op, v, w, at)
		}
	case syntax.LT:
		return func(fr *frame) verdict {
			v := eval(fr)
			if v.V == nil {
				return verdictOf(v.N < n)
			}
			return fr.compareTest(op, v, w, at)
		}
	case syntax.LE:
		return func(fr *frame) verdict {
			v := eval(fr)
			if v.V == nil {
				return verdictOf(v.N <= n)
			}
			return fr.compareTest(op, v, w, at)
		}
	case syntax.GT:
		return func(fr *frame) verdict {
			v := eval(fr)
			if v.V == nil {
				return verdictOf(v.N > n)
			}
			return fr.compareTest(op, v, w, at)
		}
	}
	return func(fr *frame) verdict {
		v := eval(fr)
		if v.V == nil {
			return verdictOf(v.N >= n)
		}
		return fr.compareTest(op, v, w, at)
	}
}

// membership compiles in and not in.
func (c *compiler) membership(x *syntax.BinaryExpr) node {
	element := c.passing(x.X)
	at, op := placeOf(x.OpPos), x.Op
	if numbers := writtenNumbers(displayed(x.Y)); numbers != nil {
		return c.amongNumbers(element, numbers, c.passing(x.Y), op, at)
	}
	of := c.passing(x.Y)
	a, b := element.eval, of.eval
	return computed(func(fr *frame) slot.Value {
		v := a(fr)
		if v.V != nil && isFailed(v) {
			return v
		}
		return fr.contains(op, v, b(fr), at)
	})
}

// amongNumbers is whether an element is among numbers that are written out.
func (c *compiler) amongNumbers(element node, numbers []int64, of node, op syntax.Token, at place) node {
	a, b := element.eval, of.eval
	in := op == syntax.IN
	among := func(n int64) bool {
		for _, m := range numbers {
			if m == n {
				return true
			}
		}
		return false
	}
	eval := func(fr *frame) slot.Value {
		v := a(fr)
		if v.V == nil {
			return slot.Bool(among(v.N) == in)
		}
		if isFailed(v) {
			return v
		}
		return fr.contains(op, v, b(fr), at)
	}
	t := func(fr *frame) verdict {
		v := a(fr)
		if v.V == nil {
			return verdictOf(among(v.N) == in)
		}
		if isFailed(v) {
			return wrong
		}
		return fr.truth(fr.contains(op, v, b(fr), at), at)
	}
	return node{eval: eval, test: t, local: -1}
}

// writtenNumbers are whole numbers that are written out, nil when there is anything else.
func writtenNumbers(list []syntax.Expr) []int64 {
	var numbers []int64
	for _, x := range list {
		n, ok := writtenNumber(x)
		if !ok {
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}

func writtenNumber(x syntax.Expr) (int64, bool) {
	sign := int64(1)
	x = unparen(x)
	if u, ok := x.(*syntax.UnaryExpr); ok && u.Op == syntax.MINUS {
		sign, x = -1, unparen(u.X)
	}
	l, ok := x.(*syntax.Literal)
	if !ok {
		return 0, false
	}
	n, ok := l.Value.(int64)
	return sign * n, ok
}
