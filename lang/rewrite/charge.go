package rewrite

import (
	"slices"

	"dicescript/builtins/meter"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file rewrites what has to be paid for: arithmetic and its augmented forms,
// displays, slices, comprehensions, functions that are made at run time,
// attributes, keys and spread arguments. Left alone is arithmetic of numbers that
// stay short, see ints.go, and of two written-out operands for which it has a meaning.

// pay charges for x, by a name of [meter.Charges].
func (r *rewriter) pay(charge string, pos syntax.Position, x syntax.Expr) syntax.Expr {
	return r.apply(operator{kind: pay, name: charge}, pos, x)
}

// made pays for what x makes.
func (r *rewriter) made(x syntax.Expr) syntax.Expr { return r.pay("made", dicesyntax.Position(x), x) }

// arithmetic rewrites a binary operation.
func (r *rewriter) arithmetic(x *syntax.BinaryExpr) syntax.Expr {
	short := r.ints.bits(x) <= shortBits
	left, right := constant(x.X), constant(x.Y)
	x.X, x.Y = r.expr(x.X), r.expr(x.Y)
	if short || x.Op != syntax.STAR && hasMeaning(x.Op, left, right) {
		return x
	}
	return r.dispatch(operator{kind: arithmetic, token: x.Op}, x.OpPos, x.X, x.Y, left, right)
}

// dispatch applies an operator to two operands, of which one may be written out.
func (r *rewriter) dispatch(op operator, pos syntax.Position, x, y syntax.Expr, left, right starlark.Value) syntax.Expr {
	switch {
	case r.worthwhile(right):
		op.right = right
		return r.apply(op, pos, x)
	case r.worthwhile(left):
		op.left = left
		return r.apply(op, pos, y)
	}
	return r.apply(op, pos, x, y)
}

// unary rewrites -x, +x and ~x. The operand of -x may be a roll, of which another is
// made.
func (r *rewriter) unary(x *syntax.UnaryExpr) syntax.Expr {
	short := r.ints.bits(x) <= shortBits
	x.X = r.expr(x.X)
	if short || constant(x) != nil {
		return x
	}
	return r.apply(operator{kind: negate, token: x.Op}, x.OpPos, x.X)
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
	token := s.Op - syntax.PLUS_EQ + syntax.PLUS
	right := constant(s.RHS)
	name, isName := unparen(s.LHS).(*syntax.Ident)
	short := isName && binaryBits(token, r.ints.bits(name), r.ints.bits(s.RHS)) < notInt && r.ints.bits(name) <= shortBits
	s.RHS = r.expr(s.RHS)
	if short {
		return []syntax.Stmt{s}
	}
	combine := func(to, read syntax.Expr) syntax.Stmt {
		value := r.dispatch(operator{kind: augment, token: token}, s.OpPos, read, s.RHS, nil, right)
		return &syntax.AssignStmt{OpPos: s.OpPos, Op: syntax.EQ, LHS: to, RHS: value}
	}
	switch lhs := unparen(s.LHS).(type) {
	case *syntax.Ident:
		return []syntax.Stmt{combine(lhs, &syntax.Ident{NamePos: lhs.NamePos, Name: lhs.Name})}
	case *syntax.IndexExpr:
		a, setA := variable("a", lhs.X)
		i, setI := variable("i", lhs.Y)
		element := func(x syntax.Expr) syntax.Expr {
			return &syntax.IndexExpr{X: x, Lbrack: lhs.Lbrack, Y: i(), Rbrack: lhs.Rbrack}
		}
		return []syntax.Stmt{setA, setI, combine(element(r.element(lhs.Lbrack, a())), element(a()))}
	case *syntax.DotExpr:
		a, setA := variable("a", lhs.X)
		field := func() *syntax.DotExpr {
			return &syntax.DotExpr{X: a(), Dot: lhs.Dot, NamePos: lhs.NamePos, Name: lhs.Name}
		}
		return []syntax.Stmt{setA, combine(field(), r.attribute(field()))}
	}
	return []syntax.Stmt{s} // no place to assign to: the resolver says so
}

// element rewrites x as that of which an element is assigned to.
func (r *rewriter) element(pos syntax.Position, x syntax.Expr) syntax.Expr {
	return r.apply(operator{kind: setElement}, pos, x)
}

// variable makes an internal variable, local where the statement is, and the
// statement that sets it. An expression holds no statements, so nothing can
// set it again before it has been used.
func variable(name string, x syntax.Expr) (use func() syntax.Expr, set syntax.Stmt) {
	pos := syntax.Start(x)
	ident := func() *syntax.Ident { return &syntax.Ident{NamePos: pos, Name: internal + "variable " + name} }
	return func() syntax.Expr { return ident() }, assignment(ident(), x)
}

// attribute rewrites x.name, of which x is rewritten.
func (r *rewriter) attribute(x *syntax.DotExpr) syntax.Expr {
	return r.apply(operator{kind: attribute, name: x.Name.Name}, x.Dot, x.X)
}

// appends reports whether a call is x.append(y), which is made more often than any
// other of a method: an operator does it without making the method first.
func appends(x *syntax.CallExpr, method *syntax.DotExpr) bool {
	if method.Name.Name != "append" || len(x.Args) != 1 {
		return false
	}
	switch arg := x.Args[0].(type) {
	case *syntax.BinaryExpr:
		return arg.Op != syntax.EQ // name=value
	case *syntax.UnaryExpr:
		return arg.Op != syntax.STAR && arg.Op != syntax.STARSTAR
	}
	return true
}

// collected rewrites a comprehension, whose parts are. One of a dict becomes one
// of pairs, which are then put into a dict: while a dict is being comprehended,
// nobody sees it grow.
func (r *rewriter) collected(x *syntax.Comprehension) syntax.Expr {
	entry, ok := x.Body.(*syntax.DictEntry)
	if !x.Curly || !ok {
		return r.made(r.counted(x))
	}
	x.Curly = false
	x.Body = r.made(&syntax.TupleExpr{Lparen: entry.Colon, List: []syntax.Expr{entry.Key, entry.Value}})
	return r.apply(operator{kind: collectPairs}, entry.Colon, r.counted(x))
}

// counted bounds the list that a comprehension makes. With nothing but one loop it
// is as long as what that goes through; otherwise its elements are counted.
func (r *rewriter) counted(x *syntax.Comprehension) syntax.Expr {
	first, ok := x.Clauses[0].(*syntax.ForClause)
	if ok && len(x.Clauses) == 1 {
		first.X = r.pay("source", first.In, first.X)
	} else {
		x.Body = r.pay("element", first.In, x.Body)
	}
	return x
}

// key rewrites a key that is looked up.
func (r *rewriter) key(x syntax.Expr, pos syntax.Position) syntax.Expr {
	free := constant(x) != nil || r.ints.isInt(x)
	x = r.passing(x)
	if free {
		return x
	}
	return r.pay("key", pos, x)
}

// newKey rewrites the key of an entry that is written out.
func (r *rewriter) newKey(x *syntax.DictEntry) syntax.Expr {
	if constant(x.Key) != nil || r.ints.isInt(x.Key) {
		return r.expr(x.Key)
	}
	return r.pay("new key", x.Colon, r.expr(x.Key))
}

// passing rewrites an expression whose value is not kept: a list or tuple that is
// written out need not be paid for.
func (r *rewriter) passing(x syntax.Expr) syntax.Expr {
	switch d := unparen(x).(type) {
	case *syntax.TupleExpr:
		r.exprs(d.List)
		return x
	case *syntax.ListExpr:
		r.exprs(d.List)
		return x
	}
	return r.expr(x)
}

// function pays for a function that is made at run time.
func (r *rewriter) function(out []syntax.Stmt, s *syntax.DefStmt) []syntax.Stmt {
	if r.nesting == 1 {
		return append(out, s)
	}
	use := &syntax.Ident{NamePos: s.Name.NamePos, Name: s.Name.Name}
	return append(out, s, &syntax.ExprStmt{X: r.made(use)})
}

// entered is the body of a function, which pays when it is called: for what gathers
// the rest of its arguments, and for room for many variables. What documents it stays
// first.
func (r *rewriter) entered(s *syntax.DefStmt) []syntax.Stmt {
	room := needsRoom(s)
	body := r.stmts(s.Body)
	var paid []syntax.Stmt
	if room {
		pos := s.Name.NamePos
		nothing := &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: "0", Value: int64(0)}
		paid = append(paid, &syntax.ExprStmt{X: r.pay("room", pos, nothing)})
	}
	for _, rest := range gathering(s.Params) {
		paid = append(paid, &syntax.ExprStmt{X: r.made(rest)})
	}
	at := 0
	if doc, ok := body[0].(*syntax.ExprStmt); ok && constant(doc.X) != nil {
		at = 1
	}
	return slices.Insert(body, at, paid...)
}

// answer is the body of a lambda, which pays likewise.
func (r *rewriter) answer(x *syntax.LambdaExpr) syntax.Expr {
	room := needsRoom(x)
	body := r.expr(x.Body)
	if room {
		body = r.pay("room", x.Lambda, body)
	}
	for _, rest := range gathering(x.Params) { // (rest, body)[1]
		pos := x.Lambda
		both := &syntax.TupleExpr{Lparen: pos, List: []syntax.Expr{r.made(rest), body}, Rparen: pos}
		last := &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: "1", Value: int64(1)}
		body = &syntax.IndexExpr{X: both, Lbrack: pos, Y: last, Rbrack: pos}
	}
	return body
}

// gathering are the parameters that take the rest of the arguments: *args and **named.
func gathering(params []syntax.Expr) (rest []*syntax.Ident) {
	for _, p := range params {
		if star, ok := p.(*syntax.UnaryExpr); ok && star.X != nil {
			id := star.X.(*syntax.Ident)
			rest = append(rest, &syntax.Ident{NamePos: id.NamePos, Name: id.Name})
		}
	}
	return rest
}

// needsRoom reports whether a function has about so many parameters and variables,
// without those of functions in it, that a call of it pays for them.
func needsRoom(function syntax.Node) bool {
	count := 0
	var targets []syntax.Node
	syntax.Walk(function, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			if n != function {
				return false
			}
			count += len(n.Params)
		case *syntax.LambdaExpr:
			if n != function {
				return false
			}
			count += len(n.Params)
		case *syntax.AssignStmt:
			targets = append(targets, n.LHS)
		case *syntax.ForStmt:
			targets = append(targets, n.Vars)
		case *syntax.ForClause:
			targets = append(targets, n.Vars)
		}
		return true
	})
	var names []string
	for _, target := range targets {
		syntax.Walk(target, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok {
				names = append(names, id.Name)
			}
			return true
		})
	}
	if count+len(names) <= meter.FewVariables {
		return false
	}
	slices.Sort(names)
	return count+len(slices.Compact(names)) > meter.FewVariables
}
