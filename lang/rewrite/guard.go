package rewrite

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file rewrites what can make big values: + * % << and their augmented
// forms, and the methods that make new texts or lists. Operations that grow a
// number by a bit, as adding a written-out number does, are left alone.

func guarded(op syntax.Token) bool {
	return op == syntax.PLUS || op == syntax.STAR || op == syntax.PERCENT || op == syntax.LTLT
}

// harmless reports whether an operation with a written-out operand cannot
// make its other operand grow by more than a few bits or digits.
func harmless(op syntax.Token, x, y syntax.Expr) bool {
	left, right := constant(x), constant(y)
	number := func(v starlark.Value) bool {
		_, text := v.(starlark.String)
		return v != nil && !text
	}
	switch op {
	case syntax.PLUS:
		return number(left) || number(right) || left != nil && right != nil
	case syntax.PERCENT:
		return number(left) || number(right)
	}
	return false
}

// arithmetic rewrites a binary operation whose operands are rewritten.
func (r *rewriter) arithmetic(x *syntax.BinaryExpr) syntax.Expr {
	if !r.options.Guard || !guarded(x.Op) || harmless(x.Op, x.X, x.Y) {
		return x
	}
	return r.apply(operator{kind: arithmetic, token: x.Op}, x.OpPos, x.X, x.Y)
}

// augmented rewrites x op= y, whose left side is rewritten.
//
// For a name it becomes name = (OP | name) | y: reads and evaluates in the
// order of the original. For an element a[i] or a field a.f, a and i must be
// evaluated once, so they are put into variables first:
//
//	A = a; I = i; A[I] = (OP | A[I]) | y
//
// The operator extends a list in place when it is +=, as Starlark does.
func (r *rewriter) augmented(s *syntax.AssignStmt) []syntax.Stmt {
	s.RHS = r.expr(s.RHS)
	token := s.Op - syntax.PLUS_EQ + syntax.PLUS
	if !r.options.Guard || !guarded(token) || harmless(token, s.LHS, s.RHS) {
		return []syntax.Stmt{s}
	}
	combine := func(to, read syntax.Expr) syntax.Stmt {
		x := r.apply(operator{kind: augment, token: token}, s.OpPos, read, s.RHS)
		return &syntax.AssignStmt{OpPos: s.OpPos, Op: syntax.EQ, LHS: to, RHS: x}
	}
	switch lhs := unparen(s.LHS).(type) {
	case *syntax.Ident:
		return []syntax.Stmt{combine(lhs, &syntax.Ident{NamePos: lhs.NamePos, Name: lhs.Name})}
	case *syntax.IndexExpr:
		a, setA := variable("a", lhs.X)
		i, setI := variable("i", lhs.Y)
		element := func() syntax.Expr {
			return &syntax.IndexExpr{X: a(), Lbrack: lhs.Lbrack, Y: i(), Rbrack: lhs.Rbrack}
		}
		return []syntax.Stmt{setA, setI, combine(element(), element())}
	case *syntax.DotExpr:
		a, setA := variable("a", lhs.X)
		field := func() syntax.Expr {
			return &syntax.DotExpr{X: a(), Dot: lhs.Dot, NamePos: lhs.NamePos, Name: lhs.Name}
		}
		return []syntax.Stmt{setA, combine(field(), field())}
	}
	return []syntax.Stmt{s} // no place to assign to: the resolver says so
}

// variable makes an internal variable, local where the statement is, and the
// statement that sets it. An expression holds no statements, so nothing can
// set it again before it has been used.
func variable(name string, x syntax.Expr) (use func() syntax.Expr, set syntax.Stmt) {
	pos := syntax.Start(x)
	ident := func() *syntax.Ident { return &syntax.Ident{NamePos: pos, Name: internal + "variable " + name} }
	return func() syntax.Expr { return ident() }, assignment(ident(), x)
}

// growing are the methods of Starlark's own values that make a text or list
// of any size, or make one grow.
var growing = map[string]bool{
	"join": true, "replace": true, "format": true, "split": true, "rsplit": true, "splitlines": true,
	"append": true, "extend": true, "insert": true, "update": true, "union": true,
}

// method rewrites the selection of a method, called or not.
func (r *rewriter) method(x *syntax.DotExpr) syntax.Expr {
	if !r.options.Guard || !growing[x.Name.Name] {
		return x
	}
	return r.apply(operator{kind: guardMethod}, x.Dot, x)
}
