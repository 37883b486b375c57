package rewrite

import (
	"fmt"

	"dicescript/builtins/meter"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// This file rewrites expressions. An expression stands either where its value
// is wanted (expr) or where only its truth is (cond); a chance is refused as
// a truth.

// expr rewrites an expression whose value is wanted.
func (r *rewriter) expr(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		return r.binary(x)
	case *syntax.CallExpr:
		if method, ok := x.Fn.(*syntax.DotExpr); ok {
			method.X = r.expr(method.X)
			if appends(x, method) {
				return r.apply(operator{kind: appendTo}, x.Lparen, method.X, r.expr(x.Args[0]))
			}
			x.Fn = r.attribute(method)
		} else {
			x.Fn = r.expr(x.Fn)
		}
		r.args(x.Args)
	case *syntax.Comprehension:
		r.repeated++
		defer func() { r.repeated-- }()
		r.comprehension(x)
		return r.collected(x)
	case *syntax.CondExpr:
		x.Cond = r.cond(x.Cond)
		x.True = r.expr(x.True)
		x.False = r.expr(x.False)
	case *syntax.DictEntry:
		x.Key, x.Value = r.newKey(x), r.expr(x.Value)
	case *syntax.DictExpr:
		if len(x.List) > meter.MaxWritten {
			r.errorf(x.Lbrace, "this dict has more than %d entries written out; make it of several", meter.MaxWritten)
		}
		r.exprs(x.List)
		return r.made(x)
	case *syntax.DotExpr:
		x.X = r.expr(x.X)
		return r.attribute(x)
	case *syntax.Ident:
		if i, ok := r.literals[x.Name]; ok {
			return r.literal(x, i)
		}
		if r.options.Replace != nil {
			return r.options.Replace(x)
		}
	case *syntax.IndexExpr:
		x.X, x.Y = r.expr(x.X), r.key(x.Y, x.Lbrack)
	case *syntax.LambdaExpr:
		r.params(x.Params)
		r.repeated++
		x.Body = r.answer(x)
		r.repeated--
		return r.made(x)
	case *syntax.ListExpr:
		r.exprs(x.List)
		return r.made(x)
	case *syntax.Literal:
	case *syntax.ParenExpr:
		x.X = r.expr(x.X)
	case *syntax.SliceExpr:
		r.slice(x)
		return r.made(x)
	case *syntax.TupleExpr:
		r.exprs(x.List)
		return r.made(x)
	case *syntax.UnaryExpr:
		if x.Op == syntax.NOT {
			x.X = r.cond(x.X)
		} else if x.X != nil {
			return r.unary(x)
		}
	default:
		panic(fmt.Sprintf("rewrite: unknown expression %T", x))
	}
	return x
}

func (r *rewriter) exprs(list []syntax.Expr) {
	for i := range list {
		list[i] = r.expr(list[i])
	}
}

// args rewrites the arguments of a call.
func (r *rewriter) args(args []syntax.Expr) {
	for i, a := range args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ { // name=value
			r.argument(b.X.(*syntax.Ident))
			b.Y = r.expr(b.Y)
			continue
		}
		if u, ok := a.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
			u.X = r.expr(u.X)
			if u.Op == syntax.STARSTAR {
				u.X = r.pay("spread named", u.OpPos, u.X)
			} else {
				u.X = r.pay("spread", u.OpPos, u.X)
			}
			continue
		}
		args[i] = r.expr(a)
	}
}

func (r *rewriter) comprehension(x *syntax.Comprehension) {
	if first, ok := x.Clauses[0].(*syntax.ForClause); ok {
		first.X = r.passing(first.X) // stands outside
	}
	for i, c := range x.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			c.Vars = r.target(c.Vars)
			if i > 0 {
				c.X = r.passing(c.X)
			}
		case *syntax.IfClause:
			c.Cond = r.cond(c.Cond)
		default:
			panic(fmt.Sprintf("rewrite: unknown clause %T", c))
		}
	}
	x.Body = r.expr(x.Body)
}

func (r *rewriter) slice(x *syntax.SliceExpr) {
	x.X = r.expr(x.X)
	for _, p := range []*syntax.Expr{&x.Lo, &x.Hi, &x.Step} {
		if *p != nil {
			*p = r.expr(*p)
		}
	}
}

func (r *rewriter) binary(x *syntax.BinaryExpr) syntax.Expr {
	switch x.Op {
	case syntax.AND, syntax.OR:
		x.X, x.Y = r.cond(x.X), r.expr(x.Y)
		return x
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.IN, syntax.NOT_IN:
		return r.compare(x, false)
	}
	return r.arithmetic(x)
}

// cond rewrites an expression of which only the truth is wanted. What it
// evaluates to is still the value of the expression: a or b needs it.
func (r *rewriter) cond(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		x.X = r.cond(x.X)
		return x
	case *syntax.CondExpr:
		x.Cond, x.True, x.False = r.cond(x.Cond), r.cond(x.True), r.cond(x.False)
		return x
	case *syntax.UnaryExpr:
		if x.Op == syntax.NOT {
			return r.expr(x)
		}
	case *syntax.BinaryExpr:
		switch x.Op {
		case syntax.AND, syntax.OR:
			x.X, x.Y = r.cond(x.X), r.cond(x.Y)
			return x
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.IN, syntax.NOT_IN:
			return r.compare(x, true)
		}
	case *syntax.Literal, *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.Comprehension, *syntax.LambdaExpr:
		return r.expr(x)
	case *syntax.Ident:
		if (x.Name == "True" || x.Name == "False" || x.Name == "None") && r.universal(x.Name) {
			return x
		}
	}
	if r.ints.isInt(x) {
		return r.expr(x)
	}
	pos := dicesyntax.Position(x)
	return r.apply(operator{kind: checkTruth}, pos, r.expr(x))
}
