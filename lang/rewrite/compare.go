package rewrite

import (
	"math/big"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file rewrites comparisons. Left as they are: those of two whole
// numbers, of two written-out numbers or two texts, and == None, since nothing but None
// equals it.

// compare rewrites a comparison; strict if it is a condition.
func (r *rewriter) compare(x *syntax.BinaryExpr, strict bool) syntax.Expr {
	left, right := constant(x.X), constant(x.Y)
	numbers := r.ints.isInt(x.X) && r.ints.isInt(x.Y) && x.Op != syntax.IN && x.Op != syntax.NOT_IN
	x.X, x.Y = r.passing(x.X), r.passing(x.Y)
	if numbers || hasMeaning(x.Op, left, right) || r.isNone(x.X, x.Op) || r.isNone(x.Y, x.Op) {
		return x
	}
	return r.dispatch(operator{kind: compareValues, token: x.Op, strict: strict}, x.OpPos, x.X, x.Y, left, right)
}

// worthwhile reports whether a written-out operand gets an operator.
func (r *rewriter) worthwhile(v starlark.Value) bool {
	return v != nil && len(r.code.byName) < maxConstants && isShort(v)
}

// hasMeaning reports whether both operands are written out, and Starlark has a meaning for
// the operator between them: where it has none, an operator of ours says so.
func hasMeaning(op syntax.Token, x, y starlark.Value) bool {
	if x == nil || y == nil {
		return false
	}
	_, text := x.(starlark.String)
	_, otherText := y.(starlark.String)
	switch op {
	case syntax.EQL, syntax.NEQ:
		return true
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.PLUS:
		return text == otherText
	case syntax.IN, syntax.NOT_IN:
		return text && otherText
	case syntax.PERCENT:
		return text || !otherText
	case syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH:
		return !text && !otherText
	}
	_, whole := x.(starlark.Int)
	_, otherWhole := y.(starlark.Int)
	return whole && otherWhole
}

// isShort reports whether the text of a number or a text is not too long.
func isShort(v starlark.Value) bool {
	const mostPerByte = 5 // of a text in quotes
	switch v := v.(type) {
	case starlark.Int:
		if _, small := smallInt(v); small {
			return true
		}
	case starlark.String:
		if len(v) < maxConstantText/mostPerByte {
			return true
		}
	}
	return len(v.String()) <= maxConstantText
}

// isNone reports whether x is None and op an equality.
func (r *rewriter) isNone(x syntax.Expr, op syntax.Token) bool {
	id, ok := unparen(x).(*syntax.Ident)
	return ok && id.Name == "None" && r.universal("None") && (op == syntax.EQL || op == syntax.NEQ)
}

// universal reports whether a name has the meaning that Starlark gives it.
func (r *rewriter) universal(name string) bool {
	return !r.bound[name] && !r.options.Predeclared.Has(name)
}

// constant is the value of a written-out number or text, or nil.
func constant(x syntax.Expr) starlark.Value {
	switch x := unparen(x).(type) {
	case *syntax.Literal:
		switch v := x.Value.(type) {
		case int64:
			return starlark.MakeInt64(v)
		case *big.Int:
			return starlark.MakeBigInt(v)
		case float64:
			return starlark.Float(v)
		case string:
			if x.Token == syntax.STRING {
				return starlark.String(v)
			}
		}
	case *syntax.UnaryExpr:
		if x.Op != syntax.MINUS {
			return nil
		}
		switch v := constant(x.X).(type) {
		case starlark.Int:
			return starlark.MakeInt(0).Sub(v)
		case starlark.Float:
			return -v
		}
	}
	return nil
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
