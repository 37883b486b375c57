package compiled

import (
	"math"
	"slices"
	"strings"

	"dicescript/builtins/small"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Comparisons of numbers, texts and tuples are truth values; those of dice are
// chances, which the host knows, and which are no conditions.

// comparison compiles x op y.
func (c *compiler) comparison(op syntax.Token, x, y code) code {
	a, b := x.eval, y.eval
	eval := func(m *Machine) small.Value { return m.compare(op, a(m), b(m)) }
	if t := sameTest(op, x, y); t != nil {
		return code{eval: eval, test: t, slot: -1}
	}
	return code{eval: eval, test: intTest(op, x, y), slot: -1}
}

// sameTest is whether x is a text that is written out, or None, or whether it is not; nil
// for other comparisons.
func sameTest(op syntax.Token, x, y code) test {
	w := y.value
	if op != syntax.EQL && op != syntax.NEQ || !y.fixed || w.Kind() != small.Text && w.Kind() != small.None {
		return nil
	}
	a, same, other := x.eval, verdictOf(op == syntax.EQL), verdictOf(op == syntax.NEQ)
	return func(m *Machine) verdict {
		v := a(m)
		switch {
		case v.R == w.R:
			return same
		case v.R == nil:
			return other
		case v.R.Kind == small.Text && w.R.Kind == small.Text:
			if v.R.Text == w.R.Text {
				return same
			}
			return other
		}
		return truthOf(m.compare(op, v, w))
	}
}

// intTest is the truth of x op y, fast for whole numbers.
func intTest(op syntax.Token, x, y code) test {
	a, b := x.eval, y.eval
	if n, ok := y.number(); ok {
		// x < n is x <= n-1, and x > n is x >= n+1.
		w := y.value
		switch {
		case op == syntax.LT && n > math.MinInt64:
			return testWith(op, syntax.LE, x, n-1, w)
		case op == syntax.GT && n < math.MaxInt64:
			return testWith(op, syntax.GE, x, n+1, w)
		case op == syntax.EQL || op == syntax.NEQ || op == syntax.LE || op == syntax.GE:
			return testWith(op, op, x, n, w)
		}
	}
	if x.slot >= 0 && y.slot >= 0 {
		if t := slotTest(op, x.slot, y.slot); t != nil {
			return t
		}
	}
	switch op {
	case syntax.EQL:
		return func(m *Machine) verdict {
			v, w := a(m), b(m)
			if v.R == nil && w.R == nil {
				return verdictOf(v.N == w.N)
			}
			return truthOf(m.compare(op, v, w))
		}
	case syntax.LT:
		return func(m *Machine) verdict {
			v, w := a(m), b(m)
			if v.R == nil && w.R == nil {
				return verdictOf(v.N < w.N)
			}
			return truthOf(m.compare(op, v, w))
		}
	case syntax.LE:
		return func(m *Machine) verdict {
			v, w := a(m), b(m)
			if v.R == nil && w.R == nil {
				return verdictOf(v.N <= w.N)
			}
			return truthOf(m.compare(op, v, w))
		}
	case syntax.GT:
		return func(m *Machine) verdict {
			v, w := a(m), b(m)
			if v.R == nil && w.R == nil {
				return verdictOf(v.N > w.N)
			}
			return truthOf(m.compare(op, v, w))
		}
	case syntax.GE:
		return func(m *Machine) verdict {
			v, w := a(m), b(m)
			if v.R == nil && w.R == nil {
				return verdictOf(v.N >= w.N)
			}
			return truthOf(m.compare(op, v, w))
		}
	}
	return func(m *Machine) verdict { return truthOf(m.compare(op, a(m), b(m))) }
}

// slotTest is the truth of a comparison of two variables.
func slotTest(op syntax.Token, i, j int) test {
	switch op {
	case syntax.EQL:
		return func(m *Machine) verdict {
			if v, w := &m.local[i], &m.local[j]; v.R == nil && w.R == nil {
				return verdictOf(v.N == w.N)
			}
			return truthOf(m.compare(op, m.local[i], m.local[j]))
		}
	case syntax.GT:
		i, j = j, i
		fallthrough
	case syntax.LT:
		return func(m *Machine) verdict {
			if v, w := &m.local[i], &m.local[j]; v.R == nil && w.R == nil {
				return verdictOf(v.N < w.N)
			}
			return truthOf(m.compare(syntax.LT, m.local[i], m.local[j]))
		}
	case syntax.GE:
		i, j = j, i
		fallthrough
	case syntax.LE:
		return func(m *Machine) verdict {
			if v, w := &m.local[i], &m.local[j]; v.R == nil && w.R == nil {
				return verdictOf(v.N <= w.N)
			}
			return truthOf(m.compare(syntax.LE, m.local[i], m.local[j]))
		}
	}
	return nil
}

// testWith is the truth of x op w for whole numbers, which is that of x as n; for
// others it is that of x op w.
func testWith(op, as syntax.Token, x code, n int64, w small.Value) test {
	a := x.eval
	if slot := x.slot; slot >= 0 {
		switch as {
		case syntax.EQL:
			return func(m *Machine) verdict {
				if v := m.local[slot]; v.R == nil {
					return verdictOf(v.N == n)
				}
				return truthOf(m.compare(op, m.local[slot], w))
			}
		case syntax.LE:
			return func(m *Machine) verdict {
				if v := m.local[slot]; v.R == nil {
					return verdictOf(v.N <= n)
				}
				return truthOf(m.compare(op, m.local[slot], w))
			}
		case syntax.GE:
			return func(m *Machine) verdict {
				if v := m.local[slot]; v.R == nil {
					return verdictOf(v.N >= n)
				}
				return truthOf(m.compare(op, m.local[slot], w))
			}
		}
	}
	switch as {
	case syntax.EQL:
		return func(m *Machine) verdict {
			v := a(m)
			if v.R == nil {
				return verdictOf(v.N == n)
			}
			return truthOf(m.compare(op, v, w))
		}
	case syntax.NEQ:
		return func(m *Machine) verdict {
			v := a(m)
			if v.R == nil {
				return verdictOf(v.N != n)
			}
			return truthOf(m.compare(op, v, w))
		}
	case syntax.LE:
		return func(m *Machine) verdict {
			v := a(m)
			if v.R == nil {
				return verdictOf(v.N <= n)
			}
			return truthOf(m.compare(op, v, w))
		}
	}
	return func(m *Machine) verdict {
		v := a(m)
		if v.R == nil {
			return verdictOf(v.N >= n)
		}
		return truthOf(m.compare(op, v, w))
	}
}

// compare is x op y: a truth value, or a chance.
func (m *Machine) compare(op syntax.Token, x, y small.Value) small.Value {
	if x.IsStuck() || y.IsStuck() {
		return small.Nothing
	}
	if x.Kind() == small.Other || y.Kind() == small.Other {
		if m.host == nil {
			return small.Nothing
		}
		return m.hosted(m.host.Compare(op, x.Starlark(), y.Starlark()))
	}
	if x.R != nil && x.R.Size > 0 && !m.spend(int64(x.R.Size)) {
		return small.Nothing
	}
	if op == syntax.EQL || op == syntax.NEQ {
		equal, known := small.Equal(x, y)
		if !known {
			return small.Nothing
		}
		return small.MakeBool(equal == (op == syntax.EQL))
	}
	order, known := small.Order(x, y)
	if !known {
		return small.Nothing
	}
	switch op {
	case syntax.LT:
		return small.MakeBool(order < 0)
	case syntax.LE:
		return small.MakeBool(order <= 0)
	case syntax.GT:
		return small.MakeBool(order > 0)
	}
	return small.MakeBool(order >= 0)
}

// membership compiles in and not in.
func (c *compiler) membership(x *syntax.BinaryExpr) code {
	element := c.expr(x.X)
	want := x.Op == syntax.IN
	if t := c.amongNumbers(element, x.Y, want); t != nil {
		return decided(t)
	}
	collection := c.iterated(x.Y)
	a, b, op := element.eval, collection.eval, x.Op
	eval := func(m *Machine) small.Value { return m.contains(op, a(m), b(m)) }
	return code{eval: eval, slot: -1, test: func(m *Machine) verdict { return truthOf(eval(m)) }}
}

// amongNumbers is whether an element is among written-out numbers or in a range,
// nil when the collection is neither.
func (c *compiler) amongNumbers(element code, collection syntax.Expr, want bool) test {
	eval := element.eval
	var in func(n int64) bool
	var values []small.Value
	switch x := unparen(collection).(type) {
	case *syntax.Ident:
		if m, _ := c.meaningOf(x.Name); m != predefined {
			return nil
		}
		lo, hi, ok := c.options.Range(x.Name)
		if !ok {
			return nil
		}
		least, most := int64(math.MinInt64), int64(math.MaxInt64)
		if lo != nil {
			least = int64(*lo)
		}
		if hi != nil {
			most = int64(*hi)
		}
		c.cost++
		return func(m *Machine) verdict {
			v := eval(m)
			if v.R != nil {
				return unclear // a roll, or no number
			}
			return verdictOf((least <= v.N && v.N <= most) == want)
		}
	case *syntax.ListExpr:
		values = numbersOf(x.List)
	case *syntax.TupleExpr:
		values = numbersOf(x.List)
	}
	if values == nil {
		return nil
	}
	c.cost += int64(len(values))
	in = func(n int64) bool { return slices.Contains(values, small.MakeInt(n)) }
	return func(m *Machine) verdict {
		v := eval(m)
		switch v.Kind() {
		case small.Int:
			return verdictOf(in(v.N) == want)
		case small.Stuck, small.Other:
			return unclear
		}
		return verdictOf(!want)
	}
}

// numbersOf are written-out whole numbers, nil when there is anything else.
func numbersOf(list []syntax.Expr) []small.Value {
	var values []small.Value
	for _, x := range list {
		sign := int64(1)
		if u, ok := unparen(x).(*syntax.UnaryExpr); ok && u.Op == syntax.MINUS {
			sign, x = -1, u.X
		}
		l, ok := unparen(x).(*syntax.Literal)
		if !ok {
			return nil
		}
		n, ok := l.Value.(int64)
		if !ok {
			return nil
		}
		values = append(values, small.MakeInt(sign*n))
	}
	return values
}

func unparen(x syntax.Expr) syntax.Expr {
	for {
		p, ok := x.(*syntax.ParenExpr)
		if !ok {
			return x
		}
		x = p.X
	}
}

// contains is x in y or x not in y.
func (m *Machine) contains(op syntax.Token, x, y small.Value) small.Value {
	want := op == syntax.IN
	if x.IsStuck() || y.IsStuck() {
		return small.Nothing
	}
	switch y.Kind() {
	case small.Text:
		if x.Kind() != small.Text || !m.spend(int64(len(y.R.Text))/8) {
			return small.Nothing
		}
		return small.MakeBool(strings.Contains(y.R.Text, x.R.Text) == want)
	case small.Tuple, small.List:
		if !m.spend(int64(y.R.Size)) {
			return small.Nothing
		}
		found := false
		for _, item := range y.R.Items {
			equal, known := small.Equal(x, item)
			if !known {
				return small.Nothing
			}
			found = found || equal
		}
		return small.MakeBool(found == want)
	case small.Other:
		if band, ok := value.AsBand(y.R.Other); ok && x.R == nil {
			return small.MakeBool(band.Contains(int(x.N)) == want)
		}
		if d, ok := y.R.Other.(*starlark.Dict); ok && small.Solid(x) {
			_, found, err := d.Get(x.Starlark())
			if err != nil {
				return small.Nothing
			}
			return small.MakeBool(found == want)
		}
	}
	if m.host == nil || x.Kind() != small.Other {
		return small.Nothing
	}
	return m.hosted(m.host.Compare(op, x.Starlark(), y.Starlark()))
}

// bandOf is a range as a value; ok is false for one of no results.
func bandOf(lo, hi *int) (starlark.Value, bool) {
	switch {
	case lo == nil:
		return value.AtMost(*hi), true
	case hi == nil:
		return value.AtLeast(*lo), true
	}
	v, err := value.Through(*lo, *hi)
	return v, err == nil
}
