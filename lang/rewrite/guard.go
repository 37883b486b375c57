package rewrite

import (
	"fmt"

	"go.starlark.net/syntax"
)

// This file rewrites what can make big values: arithmetic and its augmented
// forms, slices, and the methods that make new texts or lists. Left alone are
// operations of two written-out operands.
// Displays, functions, keys and spread arguments are charged steps.

func guarded(op syntax.Token) bool {
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT, syntax.LTLT,
		syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX:
		return true
	}
	return false
}

// arithmetic rewrites a binary operation whose operands are rewritten.
func (r *rewriter) arithmetic(x *syntax.BinaryExpr) syntax.Expr {
	left, right := constant(x.X), constant(x.Y)
	if !r.options.Guard || !guarded(x.Op) || left != nil && right != nil && x.Op != syntax.STAR {
		return x
	}
	op := operator{kind: arithmetic, token: x.Op}
	switch {
	case r.worthwhile(right):
		op.right = right
		return r.apply(op, x.OpPos, x.X)
	case r.worthwhile(left):
		op.left = left
		return r.apply(op, x.OpPos, x.Y)
	}
	return r.apply(op, x.OpPos, x.X, x.Y)
}

// unary rewrites -x and ~x, whose operand is rewritten. The operand of -x may be
// a roll, of which another is made.
func (r *rewriter) unary(x *syntax.UnaryExpr) syntax.Expr {
	if !r.options.Guard || x.Op != syntax.MINUS && x.Op != syntax.TILDE || constant(x.X) != nil {
		return x
	}
	return r.apply(operator{kind: negate, token: x.Op}, x.OpPos, x.X)
}

// sliced rewrites a slice, whose operands are rewritten.
func (r *rewriter) sliced(x *syntax.SliceExpr) syntax.Expr {
	if !r.options.Guard {
		return x
	}
	return r.apply(operator{kind: chargeMade}, x.Lbrack, x)
}

// augmented rewrites x op= y, whose left side is rewritten.
//
// For a name it becomes name = (OP | name) | y: reads and evaluates in the
// order of the original. For an element a[i] or a field a.f, a and i must be
// evaluated once, so they are put into variables first:
//
//	A = a; I = i; A[I] = (OP | A[I]) | y
//
// The operator extends a list in place when it is +=, and a dict when it is |=,
// as Starlark does.
func (r *rewriter) augmented(s *syntax.AssignStmt) []syntax.Stmt {
	s.RHS = r.expr(s.RHS)
	token := s.Op - syntax.PLUS_EQ + syntax.PLUS
	if !r.options.Guard || !guarded(token) {
		return []syntax.Stmt{s}
	}
	switch lhs := unparen(s.LHS).(type) {
	case *syntax.Ident:
		return []syntax.Stmt{r.combine(s, token, lhs, &syntax.Ident{NamePos: lhs.NamePos, Name: lhs.Name})}
	case *syntax.IndexExpr:
		a, setA := variable("a", lhs.X)
		i, setI := variable("i", lhs.Y)
		element := func() syntax.Expr {
			return &syntax.IndexExpr{X: a(), Lbrack: lhs.Lbrack, Y: i(), Rbrack: lhs.Rbrack}
		}
		return []syntax.Stmt{setA, setI, r.combine(s, token, element(), element())}
	case *syntax.DotExpr:
		a, setA := variable("a", lhs.X)
		field := func() syntax.Expr {
			return &syntax.DotExpr{X: a(), Dot: lhs.Dot, NamePos: lhs.NamePos, Name: lhs.Name}
		}
		return []syntax.Stmt{setA, r.combine(s, token, field(), field())}
	}
	return []syntax.Stmt{s} // no place to assign to: the resolver says so
}

// combine makes to = read op y of an augmented assignment.
func (r *rewriter) combine(s *syntax.AssignStmt, token syntax.Token, to, read syntax.Expr) syntax.Stmt {
	op := operator{kind: augment, token: token}
	operands := []syntax.Expr{read, s.RHS}
	if c := constant(s.RHS); r.worthwhile(c) {
		op.right = c
		operands = operands[:1]
	}
	return &syntax.AssignStmt{OpPos: s.OpPos, Op: syntax.EQ, LHS: to, RHS: r.apply(op, s.OpPos, operands...)}
}

// variable makes an internal variable, local where the statement is, and the
// statement that sets it. An expression holds no statements, so nothing can
// set it again before it has been used.
func variable(name string, x syntax.Expr) (use func() syntax.Expr, set syntax.Stmt) {
	pos := syntax.Start(x)
	ident := func() *syntax.Ident { return &syntax.Ident{NamePos: pos, Name: internal + "variable " + name} }
	return func() syntax.Expr { return ident() }, assignment(ident(), x)
}

// method rewrites the selection of a method or another attribute.
func (r *rewriter) method(x *syntax.DotExpr) syntax.Expr {
	if !r.options.Guard {
		return x
	}
	return r.apply(operator{kind: guardMethod}, x.Dot, x)
}

// fresh charges a display, a comprehension or a lambda.
func (r *rewriter) fresh(x syntax.Expr) syntax.Expr {
	if !r.options.Guard {
		return x
	}
	return r.apply(operator{kind: chargeFresh}, ownPos(x), x)
}

// growing charges what gets an element.
func (r *rewriter) growing(x syntax.Expr, pos syntax.Position) syntax.Expr {
	if !r.options.Guard {
		return x
	}
	return r.apply(operator{kind: chargeGrowth}, pos, x)
}

// collected charges a comprehension, which is rewritten. One of a dict becomes
// one of pairs, which are then put into a dict: while a dict is being
// comprehended, nobody sees it grow.
func (r *rewriter) collected(x *syntax.Comprehension) syntax.Expr {
	if !r.options.Guard {
		return x
	}
	entry, ok := x.Body.(*syntax.DictEntry)
	if !x.Curly || !ok {
		return r.fresh(r.counted(x))
	}
	x.Curly = false
	x.Body = r.apply(operator{kind: checkPair}, entry.Colon, &syntax.TupleExpr{List: []syntax.Expr{entry.Key, entry.Value}})
	return r.apply(operator{kind: collectPairs}, entry.Colon, r.counted(x))
}

// counted bounds the list that a comprehension makes. With one clause it is as
// long as what it goes through; with more, its elements are counted.
func (r *rewriter) counted(x *syntax.Comprehension) syntax.Expr {
	first, ok := x.Clauses[0].(*syntax.ForClause)
	if !ok {
		return x
	}
	pos := first.In
	if len(x.Clauses) == 1 {
		first.X = r.apply(operator{kind: chargeSized}, pos, first.X)
		return x
	}
	first.X = r.apply(operator{kind: beginList}, pos, first.X)
	x.Body = r.apply(operator{kind: countElement}, pos, x.Body)
	return r.apply(operator{kind: endList}, pos, x)
}

// key rewrites a key and charges its hash.
func (r *rewriter) key(x syntax.Expr, pos syntax.Position, kind operatorKind) syntax.Expr {
	written := constant(x) != nil
	x = r.expr(x)
	if !r.options.Guard || written {
		return x
	}
	return r.apply(operator{kind: kind}, pos, x)
}

func (r *rewriter) spread(x syntax.Expr, pos syntax.Position) syntax.Expr {
	if !r.options.Guard {
		return x
	}
	return r.apply(operator{kind: chargeSpread}, pos, x)
}

// gathered are the parameters *args and **kwargs of a function, whose tuple and
// dict every call makes anew.
func gathered(params []syntax.Expr) []*syntax.Ident {
	var out []*syntax.Ident
	for _, p := range params {
		if u, ok := p.(*syntax.UnaryExpr); ok {
			if id, ok := u.X.(*syntax.Ident); ok {
				out = append(out, id)
			}
		}
	}
	return out
}

// lambdaParams charges what each call of a lambda gathers.
func (r *rewriter) lambdaParams(x *syntax.LambdaExpr) {
	if !r.options.Guard {
		return
	}
	for _, id := range gathered(x.Params) {
		use := &syntax.Ident{NamePos: id.NamePos, Name: id.Name}
		x.Body = r.apply(operator{kind: chargeSecond}, id.NamePos, use, x.Body)
	}
	if n := len(x.Params); n > fewNames {
		x.Body = r.frame(n, x.Lambda, x.Body)
	}
}

// A call makes room for all variables of a function, however few it gets to. For
// few names that is a part of what the call takes anyway; each of the others is
// charged a step.
const fewNames = 16

// frame charges a call of a function with n names, and gives x.
func (r *rewriter) frame(n int, pos syntax.Position, x syntax.Expr) syntax.Expr {
	steps := &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: fmt.Sprint(n - fewNames), Value: int64(n - fewNames)}
	return r.apply(operator{kind: chargeFrame}, pos, steps, x)
}

// namesOf is how many parameters and variables a function has, at most.
func namesOf(s *syntax.DefStmt) int {
	names := map[string]bool{}
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			if n != s {
				names[n.Name.Name] = true
				return false
			}
		case *syntax.LambdaExpr:
			return false
		case *syntax.Ident:
			if !Internal(n.Name) {
				names[n.Name] = true
			}
		}
		return true
	})
	return len(names)
}

// function charges what each call of a function gathers, and the function
// itself where it may be made many times.
func (r *rewriter) function(s *syntax.DefStmt) []syntax.Stmt {
	if !r.options.Guard {
		return []syntax.Stmt{s}
	}
	charge := func(id *syntax.Ident) syntax.Stmt {
		use := &syntax.Ident{NamePos: id.NamePos, Name: id.Name}
		return &syntax.ExprStmt{X: r.fresh(use)}
	}
	for _, id := range gathered(s.Params) {
		s.Body = append([]syntax.Stmt{charge(id)}, s.Body...)
	}
	if n := namesOf(s); n > fewNames {
		nothing := &syntax.Literal{Token: syntax.INT, TokenPos: s.Def, Raw: "0", Value: int64(0)}
		s.Body = append([]syntax.Stmt{&syntax.ExprStmt{X: r.frame(n, s.Def, nothing)}}, s.Body...)
	}
	if r.nesting == 1 {
		return []syntax.Stmt{s}
	}
	return []syntax.Stmt{s, charge(s.Name)}
}
