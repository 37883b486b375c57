package eval

import (
	"math"
	"math/big"

	"dicescript/builtins/slot"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Names, what is written out, signs, conditions.

func literal(x *syntax.Literal) node {
	switch v := x.Value.(type) {
	case int64:
		return fixed(slot.Int(v))
	case *big.Int:
		return fixed(slot.Of(starlark.MakeBigInt(v)))
	case float64:
		return fixed(slot.Value{V: starlark.Float(v)})
	case string:
		if x.Token == syntax.BYTES {
			return fixed(slot.Value{V: starlark.Bytes(v)})
		}
		return fixed(slot.Value{V: starlark.String(v)})
	}
	panic("eval: unknown literal")
}

// name compiles the use of a name.
func (c *compiler) name(id *syntax.Ident) node {
	b := id.Binding.(*resolve.Binding)
	i, at, name := b.Index, placeOf(id.NamePos), id.Name
	switch b.Scope {
	case resolve.Local:
		c.reads(i)
		if c.assigned[i] {
			return node{local: i, eval: func(fr *frame) slot.Value { return fr.slots[i] }}
		}
		c.unset[i] = true
		return computed(func(fr *frame) slot.Value { return fr.assigned(fr.slots[i], name, at) })
	case resolve.Cell:
		c.reads(i)
		return computed(func(fr *frame) slot.Value { return fr.assigned(fr.slots[i].V.(*cell).value, name, at) })
	case resolve.Free:
		return computed(func(fr *frame) slot.Value { return fr.assigned(fr.fn.free[i].value, name, at) })
	case resolve.Global:
		return computed(func(fr *frame) slot.Value {
			v := *fr.fn.module.globals[i]
			if v.V == nil {
				return v
			}
			if _, none := v.V.(unset); none {
				return fr.failf(at, "%s has no value yet", name)
			}
			return v
		})
	case resolve.Universal:
		return fixed(slot.Of(starlark.Universe[name]))
	}
	if l := c.file.literals[name]; l != nil {
		return computed(func(fr *frame) slot.Value {
			v, err := fr.m.hooks.Literal(l)
			if err != nil {
				return fr.fail(at, err)
			}
			return slot.Of(v)
		})
	}
	n := c.file.given[name]
	return computed(func(fr *frame) slot.Value { return fr.fn.module.given[n] })
}

// assigned is a value that a variable has, or the error that it has none.
func (fr *frame) assigned(v slot.Value, name string, at place) slot.Value {
	if v.V != nil {
		if _, none := v.V.(unset); none {
			return fr.failf(at, "%s has no value yet in this function; a name that a function assigns is its own, also where the recipe has one of that name: give the value to the function, and return the new one", name)
		}
	}
	return v
}

// isStandard reports whether an expression is the name of a builtin that means what it
// does in every recipe.
func (c *compiler) isStandard(x syntax.Expr, name string) bool {
	id, ok := x.(*syntax.Ident)
	return ok && id.Name == name && c.file.isStandard(id)
}

// unary compiles + - ~ and not.
func (c *compiler) unary(x *syntax.UnaryExpr) node {
	at := placeOf(x.OpPos)
	if x.Op == syntax.NOT {
		t := c.condition(x.X)
		return decided(func(fr *frame) verdict {
			switch t(fr) {
			case yes:
				return no
			case no:
				return yes
			}
			return wrong
		})
	}
	operand := c.expr(x.X)
	eval, op := operand.eval, x.Op
	if n, ok := operand.number(); ok {
		switch {
		case op == syntax.MINUS && n != math.MinInt64:
			return fixed(slot.Int(-n))
		case op == syntax.PLUS:
			return operand
		}
	}
	if op == syntax.MINUS {
		return computed(func(fr *frame) slot.Value {
			v := eval(fr)
			if v.V == nil && v.N != math.MinInt64 {
				return slot.Int(-v.N)
			}
			return fr.negate(op, v, at)
		})
	}
	return computed(func(fr *frame) slot.Value {
		v := eval(fr)
		switch {
		case v.V == nil && op == syntax.PLUS:
			return v
		case v.V == nil && op == syntax.TILDE:
			return slot.Int(^v.N)
		}
		return fr.negate(op, v, at)
	})
}

// decided is the node of a condition, whose value is a truth value.
func decided(t test) node {
	return node{test: t, local: -1, eval: func(fr *frame) slot.Value {
		switch t(fr) {
		case yes:
			return slot.Bool(true)
		case no:
			return slot.Bool(false)
		}
		return failed
	}}
}

// condition compiles an expression of which only the truth is wanted.
func (c *compiler) condition(x syntax.Expr) test {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.condition(x.X)
	case *syntax.BinaryExpr:
		switch x.Op {
		case syntax.AND, syntax.OR:
			return c.logicTest(x)
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
			c.cost++
			return c.comparison(x).test
		}
	case *syntax.CondExpr:
		if chain, last := ternaries(x); len(chain) == 1 {
			c.cost++
			cond, then := c.condition(chain[0].Cond), c.condition(chain[0].True)
			otherwise := c.condition(last)
			return func(fr *frame) verdict {
				switch cond(fr) {
				case yes:
					return then(fr)
				case no:
					return otherwise(fr)
				}
				return wrong
			}
		}
	}
	n := c.expr(x)
	if n.test != nil {
		return n.test
	}
	at := placeIn(x)
	if i := n.local; i >= 0 {
		return func(fr *frame) verdict { return fr.truth(fr.slots[i], at) }
	}
	eval := n.eval
	return func(fr *frame) verdict {
		v := eval(fr)
		if b, ok := v.V.(starlark.Bool); ok {
			return verdictOf(bool(b))
		}
		return fr.truth(v, at)
	}
}

// logicParts are the operands of a chain of and, or of or.
func logicParts(x *syntax.BinaryExpr) []syntax.Expr {
	var parts []syntax.Expr
	op := x.Op
	for {
		parts = append(parts, x.Y)
		left, ok := unparen(x.X).(*syntax.BinaryExpr)
		if !ok || left.Op != op {
			parts = append(parts, x.X)
			break
		}
		x = left
	}
	for i, n := 0, len(parts)-1; i < n-i; i++ {
		parts[i], parts[n-i] = parts[n-i], parts[i]
	}
	return parts
}

// logicTest compiles and, or as a condition.
func (c *compiler) logicTest(x *syntax.BinaryExpr) test {
	parts := logicParts(x)
	c.cost += int64(len(parts) - 1)
	tests := make([]test, len(parts))
	for i, p := range parts {
		tests[i] = c.condition(p)
	}
	goesOn := verdictOf(x.Op == syntax.AND) // what leads to the next operand
	if len(tests) == 2 {
		a, b := tests[0], tests[1]
		return func(fr *frame) verdict {
			if v := a(fr); v != goesOn {
				return v
			}
			return b(fr)
		}
	}
	last := tests[len(tests)-1]
	tests = tests[:len(tests)-1]
	return func(fr *frame) verdict {
		for _, t := range tests {
			if v := t(fr); v != goesOn {
				return v
			}
		}
		return last(fr)
	}
}

// logic compiles and, or: the value is that of the operand that decides.
func (c *compiler) logic(x *syntax.BinaryExpr) node {
	parts := logicParts(x)
	c.cost += int64(len(parts) - 2)
	goesOn := verdictOf(x.Op == syntax.AND)
	evals, places := make([]expr, len(parts)), make([]place, len(parts))
	for i, p := range parts {
		evals[i], places[i] = c.expr(p).eval, placeIn(p)
	}
	last := len(evals) - 1
	return computed(func(fr *frame) slot.Value {
		for i, eval := range evals[:last] {
			v := eval(fr)
			switch fr.truth(v, places[i]) {
			case goesOn:
			case wrong:
				return failed
			default:
				return v
			}
		}
		return evals[last](fr)
	})
}

// ternaries are the conditions of a if c else b if d else ..., and the last branch.
func ternaries(x *syntax.CondExpr) (chain []*syntax.CondExpr, last syntax.Expr) {
	for {
		chain = append(chain, x)
		more, ok := unparen(x.False).(*syntax.CondExpr)
		if !ok {
			return chain, x.False
		}
		x = more
	}
}

// choice compiles a if cond else b.
func (c *compiler) choice(x *syntax.CondExpr) node {
	chain, last := ternaries(x)
	if len(chain) == 1 {
		cond, then, otherwise := c.condition(x.Cond), c.expr(x.True).eval, c.expr(last).eval
		return computed(func(fr *frame) slot.Value {
			switch cond(fr) {
			case yes:
				return then(fr)
			case no:
				return otherwise(fr)
			}
			return failed
		})
	}
	c.cost += int64(len(chain) - 1)
	conds, thens := make([]test, len(chain)), make([]expr, len(chain))
	for i, x := range chain {
		conds[i], thens[i] = c.condition(x.Cond), c.expr(x.True).eval
	}
	otherwise := c.expr(last).eval
	return computed(func(fr *frame) slot.Value {
		for i, cond := range conds {
			switch cond(fr) {
			case yes:
				return thens[i](fr)
			case wrong:
				return failed
			}
		}
		return otherwise(fr)
	})
}

// isStandard reports whether a name is a builtin that means what it does in every recipe.
func (f *File) isStandard(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	return ok && b.Scope == resolve.Predeclared && f.options.Standard(id.Name)
}
