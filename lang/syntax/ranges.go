package syntax

import (
	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// This file puts calls in the place of ranges whose ends are computed, as in 1..n. Starlark's
// parser reads such dots as an operator of theirs: lo..hi as lo<<hi, lo.. as lo(), ..hi as
// +~hi. Which of them are dots is known by their places.

// The functions that computed ranges call, which no recipe can name.
const (
	RangeThrough = "·through"
	RangeFrom    = "·from"
	RangeTo      = "·to"
)

// IsRange reports whether a name is that of a function that a computed range calls.
func IsRange(name string) bool {
	return name == RangeThrough || name == RangeFrom || name == RangeTo
}

// withRanges puts calls in the place of the computed ranges of a file, whose dots are given.
func withRanges(f *syntax.File, dots []notation.Token) *notation.Error {
	if len(dots) == 0 {
		return nil
	}
	r := &ranges{at: map[place]bool{}}
	for _, t := range dots {
		r.at[place{t.Line, t.Col}] = true
	}
	// From the leaves up, without recursion: a tree may be deep.
	nodes := []syntax.Node{f}
	for i := 0; i < len(nodes); i++ {
		Each(nodes[i], func(n syntax.Node) { nodes = append(nodes, n) })
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		replaceParts(nodes[i], r.replaced)
	}
	return r.wrong
}

type ranges struct {
	at    map[place]bool
	wrong *notation.Error
}

func (r *ranges) isDots(pos syntax.Position) bool { return r.at[place{int(pos.Line), int(pos.Col)}] }

// replaced is x, or the call that a range is.
func (r *ranges) replaced(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		if x.Op == syntax.LTLT && r.isDots(x.OpPos) {
			r.bound(x.X, x.OpPos)
			r.bound(x.Y, x.OpPos)
			return rangeCall(RangeThrough, x, x.X, x.Y)
		}
	case *syntax.CallExpr:
		if len(x.Args) == 0 && r.isDots(x.Lparen) {
			return rangeCall(RangeFrom, x, x.Fn)
		}
	case *syntax.UnaryExpr:
		if x.Op == syntax.PLUS && r.isDots(x.OpPos) {
			if high, ok := x.X.(*syntax.UnaryExpr); ok && high.Op == syntax.TILDE {
				return rangeCall(RangeTo, x, high.X)
			}
		}
	}
	return x
}

// bound refuses an end that is no single thing: in n + 1..6 the dots would take the whole sum.
func (r *ranges) bound(x syntax.Expr, dots syntax.Position) {
	switch y := x.(type) {
	case *syntax.UnaryExpr:
		if _, ok := y.X.(*syntax.Literal); ok && y.Op == syntax.MINUS {
			return
		}
	case *syntax.CallExpr:
		if id, ok := y.Fn.(*syntax.Ident); ok && IsRange(id.Name) {
			r.refuse(dots, "a range has two ends, as in 5..6")
		}
		return
	case *syntax.BinaryExpr, *syntax.CondExpr, *syntax.LambdaExpr:
	default:
		return
	}
	r.refuse(dots, "an end of a range is a number, a name, or an expression in parentheses, as in (n + 1)..20")
}

func (r *ranges) refuse(dots syntax.Position, message string) {
	if r.wrong == nil {
		r.wrong = &notation.Error{Line: int(dots.Line), Col: int(dots.Col), Msg: message}
	}
}

func rangeCall(name string, whole syntax.Expr, ends ...syntax.Expr) syntax.Expr {
	start, end := whole.Span()
	end.Col--
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: start, Name: name}, Lparen: start, Args: ends, Rparen: end}
}

// replaceParts puts what by makes of the expressions right below n in their places.
func replaceParts(n syntax.Node, by func(syntax.Expr) syntax.Expr) {
	one := func(x *syntax.Expr) {
		if *x != nil {
			*x = by(*x)
		}
	}
	all := func(xs []syntax.Expr) {
		for i := range xs {
			one(&xs[i])
		}
	}
	switch n := n.(type) {
	case *syntax.AssignStmt:
		one(&n.LHS)
		one(&n.RHS)
	case *syntax.DefStmt:
		all(n.Params)
	case *syntax.ExprStmt:
		one(&n.X)
	case *syntax.ForStmt:
		one(&n.Vars)
		one(&n.X)
	case *syntax.IfStmt:
		one(&n.Cond)
	case *syntax.ReturnStmt:
		one(&n.Result)
	case *syntax.WhileStmt:
		one(&n.Cond)
	case *syntax.BinaryExpr:
		one(&n.X)
		one(&n.Y)
	case *syntax.CallExpr:
		one(&n.Fn)
		all(n.Args)
	case *syntax.Comprehension:
		one(&n.Body)
	case *syntax.CondExpr:
		one(&n.True)
		one(&n.Cond)
		one(&n.False)
	case *syntax.DictEntry:
		one(&n.Key)
		one(&n.Value)
	case *syntax.DictExpr:
		all(n.List)
	case *syntax.DotExpr:
		one(&n.X)
	case *syntax.ForClause:
		one(&n.Vars)
		one(&n.X)
	case *syntax.IfClause:
		one(&n.Cond)
	case *syntax.IndexExpr:
		one(&n.X)
		one(&n.Y)
	case *syntax.LambdaExpr:
		all(n.Params)
		one(&n.Body)
	case *syntax.ListExpr:
		all(n.List)
	case *syntax.ParenExpr:
		one(&n.X)
	case *syntax.SliceExpr:
		one(&n.X)
		one(&n.Lo)
		one(&n.Hi)
		one(&n.Step)
	case *syntax.TupleExpr:
		all(n.List)
	case *syntax.UnaryExpr:
		one(&n.X)
	}
}
