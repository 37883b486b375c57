package compiled

import (
	"math/big"

	"dicescript/builtins/small"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A code is a compiled expression. What is known about it before it runs makes
// better code of what is around it.
type code struct {
	eval  expr
	test  test        // its truth, where that is better than by its value
	fixed bool        // whether it is always value
	value small.Value // if fixed
	slot  int         // of the variable that it is, or -1
	truth bool        // whether it is always a truth value
}

func constant(v small.Value) code {
	return code{eval: func(*Machine) small.Value { return v }, fixed: true, value: v, slot: -1}
}

func evaluated(f expr) code { return code{eval: f, slot: -1} }

// number returns the whole number that a code always is.
func (x code) number() (int64, bool) { return x.value.N, x.fixed && x.value.R == nil }

// condition returns the truth of an expression.
func (x code) condition() test {
	if x.test != nil {
		return x.test
	}
	eval := x.eval
	return func(m *Machine) verdict {
		v := eval(m)
		if v.R == nil || v.R == small.True.R {
			return verdictOf(v.N != 0)
		}
		return truthOf(v)
	}
}

func truthOf(v small.Value) verdict {
	b, known := v.Truth()
	if !known {
		return unclear
	}
	return verdictOf(b)
}

// decided is the code of a condition, whose value is a truth value.
func decided(t test) code {
	return code{eval: func(m *Machine) small.Value { return t(m).value() }, test: t, slot: -1, truth: true}
}

// expr compiles an expression and counts its nodes.
func (c *compiler) expr(x syntax.Expr) code {
	c.cost++
	switch x := x.(type) {
	case *syntax.ParenExpr:
		c.cost--
		return c.expr(x.X)
	case *syntax.Literal:
		return c.literal(x)
	case *syntax.Ident:
		return c.name(x)
	case *syntax.UnaryExpr:
		return c.unary(x)
	case *syntax.BinaryExpr:
		return c.binary(x)
	case *syntax.CondExpr:
		return c.choice(x)
	case *syntax.TupleExpr:
		return c.tuple(x)
	case *syntax.ListExpr:
		return c.list(x)
	case *syntax.IndexExpr:
		return c.element(x)
	case *syntax.SliceExpr:
		return c.slice(x)
	case *syntax.Comprehension:
		return c.comprehension(x)
	case *syntax.CallExpr:
		return c.call(x)
	case *syntax.DotExpr:
		return c.attribute(x)
	case *syntax.LambdaExpr:
		return c.stuckExpr(x, "it makes a function")
	case *syntax.DictExpr:
		return c.dict(x)
	}
	return c.stuckExpr(x, "it is of no kind that is compiled")
}

func (c *compiler) literal(x *syntax.Literal) code {
	switch v := x.Value.(type) {
	case int64:
		return constant(small.MakeInt(v))
	case string:
		if x.Token == syntax.STRING {
			return constant(small.Of(starlark.String(v)))
		}
	case float64:
		return constant(small.MakeOther(starlark.Float(v)))
	case *big.Int:
		return constant(small.MakeOther(starlark.MakeBigInt(v)))
	}
	return c.stuckExpr(x, "it is of no kind that is compiled")
}

func (c *compiler) name(x *syntax.Ident) code {
	m, slot := c.meaningOf(x.Name)
	if m == variable {
		return code{slot: slot, eval: func(m *Machine) small.Value { return m.local[slot] }}
	}
	if m == predefined {
		switch x.Name {
		case "True":
			return constant(small.True)
		case "False":
			return constant(small.False)
		case "None":
			return constant(small.NoneValue)
		}
		if lo, hi, ok := c.options.Range(x.Name); ok {
			if band, ok := bandOf(lo, hi); ok {
				return constant(small.MakeOther(band))
			}
			return c.stuckExpr(x, "the range has no results")
		}
		if literal, ok := c.options.Dice(x.Name); ok {
			return evaluated(func(m *Machine) small.Value {
				if m.host == nil {
					return small.Nothing
				}
				return m.hosted(m.host.Dice(literal))
			})
		}
		if !c.options.Standard(x.Name) {
			return c.stuckExpr(x, "%s is left to the interpreter", x.Name)
		}
	}
	i := c.capture(x.Name)
	return evaluated(func(m *Machine) small.Value { return m.bound.captured[i] })
}

func (c *compiler) choice(x *syntax.CondExpr) code {
	cond := c.expr(x.Cond).condition()
	var a, b code
	c.within(func() { a, b = c.expr(x.True), c.expr(x.False) })
	then, otherwise := a.eval, b.eval
	out := evaluated(func(m *Machine) small.Value {
		switch cond(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return small.Nothing
	})
	if a.test != nil || b.test != nil {
		then, otherwise := a.condition(), b.condition()
		out.test = func(m *Machine) verdict {
			switch cond(m) {
			case yes:
				return then(m)
			case no:
				return otherwise(m)
			}
			return unclear
		}
	}
	out.truth = a.truth && b.truth
	return out
}

// items compiles the items of a tuple or list.
func (c *compiler) items(list []syntax.Expr) (items []expr, values []small.Value, fixed bool) {
	fixed = true
	for _, x := range list {
		item := c.expr(x)
		items = append(items, item.eval)
		values = append(values, item.value)
		fixed = fixed && item.fixed && small.Solid(item.value)
	}
	return items, values, fixed
}

func (c *compiler) tuple(x *syntax.TupleExpr) code {
	items, values, fixed := c.items(x.List)
	if fixed {
		v := small.MakeTuple(values)
		if v.IsStuck() {
			return c.stuckExpr(x, "the tuple is too large")
		}
		v.R.Other = v.Starlark()
		return constant(v)
	}
	if len(items) == 2 {
		first, second := items[0], items[1]
		return evaluated(func(m *Machine) small.Value {
			var room [2]small.Value
			if room[0] = first(m); room[0].IsStuck() {
				return room[0]
			}
			if room[1] = second(m); room[1].IsStuck() {
				return room[1]
			}
			return m.tuple(room[:])
		})
	}
	return evaluated(func(m *Machine) small.Value {
		var room [8]small.Value
		values := room[:0]
		for _, item := range items {
			v := item(m)
			if v.IsStuck() {
				return v
			}
			values = append(values, v)
		}
		return m.tuple(values)
	})
}

func (c *compiler) list(x *syntax.ListExpr) code {
	items, values, fixed := c.items(x.List)
	if fixed {
		return constant(small.MakeList(values))
	}
	return evaluated(func(m *Machine) small.Value {
		values := make([]small.Value, len(items))
		for i, item := range items {
			if values[i] = item(m); values[i].IsStuck() {
				return values[i]
			}
		}
		return small.MakeList(values)
	})
}

// dict compiles a written-out dict, such as the moves of a game. It is a value that
// is not looked into, and a fresh one each time.
func (c *compiler) dict(x *syntax.DictExpr) code {
	var items []expr // keys and values in turn
	for _, entry := range x.List {
		e := entry.(*syntax.DictEntry)
		items = append(items, c.expr(e.Key).eval, c.expr(e.Value).eval)
	}
	c.cost += dictSteps * int64(1+len(x.List))
	return evaluated(func(m *Machine) small.Value {
		d := starlark.NewDict(len(items) / 2)
		for i := 0; i < len(items); i += 2 {
			key, v := items[i](m), items[i+1](m)
			if !small.Solid(key) || v.IsStuck() {
				return small.Nothing
			}
			at := key.Starlark()
			if _, twice, err := d.Get(at); twice || err != nil {
				return small.Nothing
			}
			if err := d.SetKey(at, v.Starlark()); err != nil {
				return small.Nothing
			}
		}
		return small.MakeOther(d)
	})
}

// dictSteps is what an entry of a dict takes besides its key and value.
const dictSteps = 8

// unary compiles + - ~ and not.
func (c *compiler) unary(x *syntax.UnaryExpr) code {
	if x.X == nil {
		return c.stuckExpr(x, "it is of no kind that is compiled")
	}
	operand := c.expr(x.X)
	switch x.Op {
	case syntax.NOT:
		t := operand.condition()
		return decided(func(m *Machine) verdict {
			switch t(m) {
			case yes:
				return no
			case no:
				return yes
			}
			return unclear
		})
	case syntax.MINUS:
		if n, ok := operand.number(); ok && n != minInt {
			return constant(small.MakeInt(-n))
		}
		if operand.fixed && operand.value.Kind() == small.Other {
			if n, ok := operand.value.R.Other.(starlark.Int); ok {
				return constant(small.Of(starlark.MakeInt(0).Sub(n)))
			}
		}
		eval := operand.eval
		return evaluated(func(m *Machine) small.Value {
			v := eval(m)
			if v.R == nil && v.N != minInt {
				return small.MakeInt(-v.N)
			}
			return m.unary(syntax.MINUS, v)
		})
	}
	eval, op := operand.eval, x.Op
	return evaluated(func(m *Machine) small.Value {
		v := eval(m)
		switch {
		case v.R == nil && op == syntax.PLUS:
			return v
		case v.R == nil && op == syntax.TILDE:
			return small.MakeInt(^v.N)
		}
		return m.unary(op, v)
	})
}

// logic compiles and, or.
func (c *compiler) logic(x *syntax.BinaryExpr) code {
	left := c.expr(x.X)
	var right code
	c.within(func() { right = c.expr(x.Y) })
	settles := yes // what the left must be for the right to be left out
	if x.Op == syntax.AND {
		settles = no
	}
	a, b := left.condition(), right.condition()
	t := func(m *Machine) verdict {
		if v := a(m); v == settles || v == unclear {
			return v
		}
		return b(m)
	}
	if x.Op == syntax.AND {
		t = func(m *Machine) verdict {
			if v := a(m); v != yes {
				return v
			}
			return b(m)
		}
	}
	if left.truth && right.truth {
		return decided(t)
	}
	first, second := left.eval, right.eval
	return code{test: t, slot: -1, eval: func(m *Machine) small.Value {
		v := first(m)
		switch truth, known := v.Truth(); {
		case !known:
			return small.Nothing
		case verdictOf(truth) == settles:
			return v
		}
		return second(m)
	}}
}
