package eval

import (
	"slices"

	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A function that is played pauses inside of calls: the functions that it calls may throw.
// So that a pause needs no more than a place in the body and the variables, what may pause
// is lifted out of the expression that holds it: a call becomes a statement of its own
// whose value goes to a variable, in the order of evaluation,
//
//	damage += throw(d6) + bonus(x)
//
// is played as
//
//	t1 = throw(d6)
//	t2 = bonus(x)
//	damage += t1 + t2
//
// and what decides whether a call is made, and, or, the ternary, conditions of while and
// clauses of comprehensions, becomes a statement that decides.

// A lifter rewrites the statements of one function.
type lifter struct {
	c    *compiler
	memo map[syntax.Node]bool // whether a part may pause
}

// lifted returns the statements as they are played.
func (c *compiler) lifted(list []syntax.Stmt) []syntax.Stmt {
	l := &lifter{c: c, memo: map[syntax.Node]bool{}}
	return l.stmts(list)
}

// mayPause reports whether a call may pause: which function a name means is known when it
// is called only, but for the builtins.
func (c *compiler) mayPause(x *syntax.CallExpr) bool {
	switch fn := unparen(x.Fn).(type) {
	case *syntax.DotExpr:
		return false
	case *syntax.Ident:
		b, ok := fn.Binding.(*resolve.Binding)
		if !ok {
			return true
		}
		switch b.Scope {
		case resolve.Universal:
			return false
		case resolve.Predeclared:
			if dicesyntax.IsRange(fn.Name) {
				return false
			}
			return isWord(fn.Name) || !c.file.options.Standard(fn.Name)
		}
	}
	return true
}

// pauses reports whether evaluating x may pause.
func (l *lifter) pauses(x syntax.Node) bool {
	if x == nil {
		return false
	}
	if known, ok := l.memo[x]; ok {
		return known
	}
	found := false
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.LambdaExpr:
			for _, d := range defaultsOf(n.Params) {
				found = found || l.pauses(d)
			}
			return false
		case *syntax.CallExpr:
			found = found || l.c.mayPause(n)
		}
		return !found
	})
	l.memo[x] = found
	return found
}

func (l *lifter) anyPauses(list []syntax.Expr) bool {
	return slices.ContainsFunc(list, func(x syntax.Expr) bool { return x != nil && l.pauses(x) })
}

// defaultsOf are the defaults of parameters.
func defaultsOf(params []syntax.Expr) []syntax.Expr {
	var list []syntax.Expr
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			list = append(list, b.Y)
		}
	}
	return list
}

// variable returns a variable of its own for the value of x.
func (l *lifter) variable(x syntax.Node) *syntax.Ident {
	return &syntax.Ident{
		NamePos: dicesyntax.Position(x), Name: "value",
		Binding: &resolve.Binding{Scope: resolve.Local, Index: l.c.slot()},
	}
}

// again is another use of a variable.
func again(id *syntax.Ident) *syntax.Ident {
	return &syntax.Ident{NamePos: id.NamePos, Name: id.Name, Binding: id.Binding}
}

// universal is the use of a name that every program knows.
func universal(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name, Binding: &resolve.Binding{Scope: resolve.Universal}}
}

func assign(to *syntax.Ident, x syntax.Expr) *syntax.AssignStmt {
	return &syntax.AssignStmt{OpPos: dicesyntax.Position(x), Op: syntax.EQ, LHS: to, RHS: x}
}

// isSettled reports whether x has the same value after a pause as before.
func isSettled(x syntax.Expr) bool {
	switch x := unparen(x).(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		b, ok := x.Binding.(*resolve.Binding)
		return ok && (b.Scope == resolve.Local || b.Scope == resolve.Universal || b.Scope == resolve.Predeclared)
	}
	return false
}

// saved puts the value of x into a variable.
func (l *lifter) saved(x syntax.Expr, out *[]syntax.Stmt) syntax.Expr {
	to := l.variable(x)
	*out = append(*out, assign(to, x))
	return again(to)
}

// list lifts expressions that are evaluated one after the other; those before the last
// one that pauses are saved. An expression that is left out is nil.
func (l *lifter) list(xs []syntax.Expr, out *[]syntax.Stmt) []syntax.Expr {
	last := -1
	for i, x := range xs {
		if x != nil && l.pauses(x) {
			last = i
		}
	}
	if last < 0 {
		return xs
	}
	lifted := make([]syntax.Expr, len(xs))
	for i, x := range xs {
		if x == nil {
			continue
		}
		lifted[i] = l.expr(x, out)
		if i < last && !isSettled(lifted[i]) {
			lifted[i] = l.saved(lifted[i], out)
		}
	}
	return lifted
}

// expr returns x without what may pause, which comes before it.
func (l *lifter) expr(x syntax.Expr, out *[]syntax.Stmt) syntax.Expr {
	if !l.pauses(x) {
		return x
	}
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return l.expr(x.X, out)
	case *syntax.UnaryExpr:
		return &syntax.UnaryExpr{OpPos: x.OpPos, Op: x.Op, X: l.expr(x.X, out)}
	case *syntax.BinaryExpr:
		return l.binary(x, out)
	case *syntax.CondExpr:
		return l.choice(x, out)
	case *syntax.TupleExpr:
		return &syntax.TupleExpr{Lparen: x.Lparen, List: l.list(x.List, out), Rparen: x.Rparen}
	case *syntax.ListExpr:
		return &syntax.ListExpr{Lbrack: x.Lbrack, List: l.list(x.List, out), Rbrack: x.Rbrack}
	case *syntax.DictExpr:
		return l.dict(x, out)
	case *syntax.IndexExpr:
		parts := l.list([]syntax.Expr{x.X, x.Y}, out)
		return &syntax.IndexExpr{X: parts[0], Lbrack: x.Lbrack, Y: parts[1], Rbrack: x.Rbrack}
	case *syntax.SliceExpr:
		parts := l.list([]syntax.Expr{x.X, x.Lo, x.Hi, x.Step}, out)
		return &syntax.SliceExpr{X: parts[0], Lbrack: x.Lbrack, Lo: parts[1], Hi: parts[2], Step: parts[3], Rbrack: x.Rbrack}
	case *syntax.DotExpr:
		return &syntax.DotExpr{X: l.expr(x.X, out), Dot: x.Dot, NamePos: x.NamePos, Name: x.Name}
	case *syntax.CallExpr:
		return l.call(x, out)
	case *syntax.Comprehension:
		return l.comprehension(x, out)
	case *syntax.LambdaExpr:
		r := *x.Function.(*resolve.Function)
		r.Params = l.params(r.Params, out)
		return &syntax.LambdaExpr{Lambda: x.Lambda, Params: r.Params, Body: x.Body, Function: &r}
	}
	return x
}

// params lifts the defaults of parameters.
func (l *lifter) params(params []syntax.Expr, out *[]syntax.Stmt) []syntax.Expr {
	values := l.list(defaultsOf(params), out)
	lifted := make([]syntax.Expr, len(params))
	for i, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			p = &syntax.BinaryExpr{X: b.X, OpPos: b.OpPos, Op: b.Op, Y: values[0]}
			values = values[1:]
		}
		lifted[i] = p
	}
	return lifted
}

func (l *lifter) binary(x *syntax.BinaryExpr, out *[]syntax.Stmt) syntax.Expr {
	if (x.Op == syntax.AND || x.Op == syntax.OR) && l.pauses(x.Y) {
		to := l.variable(x.X)
		*out = append(*out, assign(to, l.expr(x.X, out)))
		var more []syntax.Stmt
		more = append(more, assign(again(to), l.expr(x.Y, &more)))
		s := &syntax.IfStmt{If: x.OpPos, Cond: again(to)}
		if x.Op == syntax.AND {
			s.True = more
		} else {
			s.False = more
		}
		*out = append(*out, s)
		return again(to)
	}
	parts := l.list([]syntax.Expr{x.X, x.Y}, out)
	return &syntax.BinaryExpr{X: parts[0], OpPos: x.OpPos, Op: x.Op, Y: parts[1]}
}

func (l *lifter) choice(x *syntax.CondExpr, out *[]syntax.Stmt) syntax.Expr {
	cond := l.expr(x.Cond, out)
	if !l.pauses(x.True) && !l.pauses(x.False) {
		return &syntax.CondExpr{If: x.If, Cond: cond, True: x.True, ElsePos: x.ElsePos, False: x.False}
	}
	to := l.variable(x.True)
	var then, otherwise []syntax.Stmt
	then = append(then, assign(to, l.expr(x.True, &then)))
	otherwise = append(otherwise, assign(again(to), l.expr(x.False, &otherwise)))
	*out = append(*out, &syntax.IfStmt{If: x.If, Cond: cond, True: then, False: otherwise})
	return again(to)
}

func (l *lifter) dict(x *syntax.DictExpr, out *[]syntax.Stmt) syntax.Expr {
	var parts []syntax.Expr
	for _, e := range x.List {
		entry := e.(*syntax.DictEntry)
		parts = append(parts, entry.Key, entry.Value)
	}
	parts = l.list(parts, out)
	lifted := &syntax.DictExpr{Lbrace: x.Lbrace, Rbrace: x.Rbrace}
	for i, e := range x.List {
		lifted.List = append(lifted.List, &syntax.DictEntry{Key: parts[2*i], Colon: e.(*syntax.DictEntry).Colon, Value: parts[2*i+1]})
	}
	return lifted
}

// call lifts a call: its parts, and itself where it may pause.
func (l *lifter) call(x *syntax.CallExpr, out *[]syntax.Stmt) syntax.Expr {
	lifted := l.callOf(x, out)
	if !l.c.mayPause(x) {
		return lifted
	}
	return l.saved(lifted, out)
}

// callOf lifts the parts of a call.
func (l *lifter) callOf(x *syntax.CallExpr, out *[]syntax.Stmt) *syntax.CallExpr {
	dot, isMethod := x.Fn.(*syntax.DotExpr)
	parts := []syntax.Expr{x.Fn}
	if isMethod {
		parts[0] = dot.X
	}
	for _, a := range x.Args {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				parts = append(parts, a.Y)
				continue
			}
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				parts = append(parts, a.X)
				continue
			}
		}
		parts = append(parts, a)
	}
	parts = l.list(parts, out)
	lifted := &syntax.CallExpr{Fn: parts[0], Lparen: x.Lparen, Rparen: x.Rparen}
	if isMethod {
		lifted.Fn = &syntax.DotExpr{X: parts[0], Dot: dot.Dot, NamePos: dot.NamePos, Name: dot.Name}
	}
	for i, a := range x.Args {
		arg := parts[i+1]
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				arg = &syntax.BinaryExpr{X: a.X, OpPos: a.OpPos, Op: a.Op, Y: arg}
			}
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				arg = &syntax.UnaryExpr{OpPos: a.OpPos, Op: a.Op, X: arg}
			}
		}
		lifted.Args = append(lifted.Args, arg)
	}
	return lifted
}

// comprehension lifts a comprehension to loops that fill a list or a dict.
func (l *lifter) comprehension(x *syntax.Comprehension, out *[]syntax.Stmt) syntax.Expr {
	into := l.variable(x)
	var empty syntax.Expr = &syntax.ListExpr{Lbrack: x.Lbrack, Rbrack: x.Rbrack}
	if x.Curly {
		empty = &syntax.DictExpr{Lbrace: x.Lbrack, Rbrace: x.Rbrack}
	}
	first := x.Clauses[0].(*syntax.ForClause)
	over := l.expr(first.X, out)
	if !isSettled(over) {
		over = l.saved(over, out)
	}
	*out = append(*out, assign(into, empty))
	*out = append(*out, l.clauses(x, 0, over, into)...)
	return again(into)
}

// clauses are the clauses of a comprehension from the nth on as statements.
func (l *lifter) clauses(x *syntax.Comprehension, n int, over syntax.Expr, into *syntax.Ident) []syntax.Stmt {
	var out []syntax.Stmt
	if n == len(x.Clauses) {
		if entry, ok := x.Body.(*syntax.DictEntry); ok && x.Curly {
			parts := l.list([]syntax.Expr{entry.Key, entry.Value}, &out)
			to := &syntax.IndexExpr{X: again(into), Lbrack: entry.Colon, Y: parts[0], Rbrack: entry.Colon}
			return append(out, &syntax.AssignStmt{OpPos: entry.Colon, Op: syntax.EQ, LHS: to, RHS: parts[1]})
		}
		pos := dicesyntax.Position(x.Body)
		body := l.expr(x.Body, &out)
		add := &syntax.DotExpr{X: again(into), Dot: pos, NamePos: pos, Name: &syntax.Ident{NamePos: pos, Name: "append"}}
		return append(out, &syntax.ExprStmt{X: &syntax.CallExpr{Fn: add, Lparen: pos, Args: []syntax.Expr{body}, Rparen: pos}})
	}
	switch cl := x.Clauses[n].(type) {
	case *syntax.ForClause:
		if n > 0 {
			over = l.expr(cl.X, &out)
		}
		return append(out, &syntax.ForStmt{For: cl.For, Vars: cl.Vars, X: over, Body: l.clauses(x, n+1, nil, into)})
	case *syntax.IfClause:
		cond := l.expr(cl.Cond, &out)
		return append(out, &syntax.IfStmt{If: cl.If, Cond: cond, True: l.clauses(x, n+1, nil, into)})
	}
	return out
}

func (l *lifter) stmts(list []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range list {
		l.stmt(s, &out)
	}
	return out
}

func (l *lifter) stmt(s syntax.Stmt, out *[]syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		l.assign(s, out)
	case *syntax.DefStmt:
		if l.anyPauses(defaultsOf(s.Params)) {
			r := *s.Function.(*resolve.Function)
			r.Params = l.params(r.Params, out)
			s = &syntax.DefStmt{Def: s.Def, Name: s.Name, Lparen: s.Lparen, Params: r.Params, Rparen: s.Rparen, Body: s.Body, Function: &r}
		}
		*out = append(*out, s)
	case *syntax.ExprStmt:
		x := l.expr(s.X, out)
		if !isSettled(x) || x == s.X {
			*out = append(*out, &syntax.ExprStmt{X: x})
		}
	case *syntax.ForStmt:
		lifted := *s
		lifted.X = l.expr(s.X, out)
		lifted.Body = l.stmts(s.Body)
		if l.pauses(s.Vars) {
			element := l.variable(s.Vars)
			lifted.Vars = element
			var first []syntax.Stmt
			l.assignTo(s.Vars, again(element), s.For, &first)
			lifted.Body = append(first, lifted.Body...)
		}
		*out = append(*out, &lifted)
	case *syntax.IfStmt:
		lifted := *s
		lifted.Cond = l.expr(s.Cond, out)
		lifted.True, lifted.False = l.stmts(s.True), l.stmts(s.False)
		*out = append(*out, &lifted)
	case *syntax.WhileStmt:
		*out = append(*out, l.while(s))
	case *syntax.ReturnStmt:
		*out = append(*out, &syntax.ReturnStmt{Return: s.Return, Result: l.result(s.Result, out)})
	default:
		*out = append(*out, s)
	}
}

// result lifts what is returned. A call stays where it is: its function is left before it
// is made.
func (l *lifter) result(x syntax.Expr, out *[]syntax.Stmt) syntax.Expr {
	if x == nil {
		return nil
	}
	if call, ok := unparen(x).(*syntax.CallExpr); ok && l.c.mayPause(call) {
		return l.callOf(call, out)
	}
	return l.expr(x, out)
}

// while lifts a loop: where its condition may pause it is decided inside.
func (l *lifter) while(s *syntax.WhileStmt) syntax.Stmt {
	body := l.stmts(s.Body)
	if !l.pauses(s.Cond) {
		return &syntax.WhileStmt{While: s.While, Cond: s.Cond, Body: body}
	}
	var first []syntax.Stmt
	cond := l.expr(s.Cond, &first)
	end := []syntax.Stmt{&syntax.BranchStmt{Token: syntax.BREAK, TokenPos: s.While}}
	first = append(first, &syntax.IfStmt{If: s.While, Cond: cond, False: end})
	return &syntax.WhileStmt{While: s.While, Cond: universal("True", s.While), Body: append(first, body...)}
}

func (l *lifter) assign(s *syntax.AssignStmt, out *[]syntax.Stmt) {
	if s.Op != syntax.EQ {
		l.augmented(s, out)
		return
	}
	if !l.pauses(s.LHS) {
		if call, ok := unparen(s.RHS).(*syntax.CallExpr); ok && l.c.mayPause(call) && isOwnName(s.LHS) {
			*out = append(*out, &syntax.AssignStmt{OpPos: s.OpPos, Op: s.Op, LHS: s.LHS, RHS: l.callOf(call, out)})
			return
		}
		*out = append(*out, &syntax.AssignStmt{OpPos: s.OpPos, Op: s.Op, LHS: s.LHS, RHS: l.expr(s.RHS, out)})
		return
	}
	value := l.expr(s.RHS, out)
	if !isSettled(value) {
		value = l.saved(value, out)
	}
	l.assignTo(s.LHS, value, s.OpPos, out)
}

// isOwnName reports whether x is a variable that no other function uses.
func isOwnName(x syntax.Expr) bool {
	id, ok := unparen(x).(*syntax.Ident)
	if !ok {
		return false
	}
	b, ok := id.Binding.(*resolve.Binding)
	return ok && b.Scope == resolve.Local
}

// assignTo assigns a settled value to what may pause itself.
func (l *lifter) assignTo(to, value syntax.Expr, at syntax.Position, out *[]syntax.Stmt) {
	switch x := unparen(to).(type) {
	case *syntax.IndexExpr:
		parts := l.list([]syntax.Expr{x.X, x.Y}, out)
		to = &syntax.IndexExpr{X: parts[0], Lbrack: x.Lbrack, Y: parts[1], Rbrack: x.Rbrack}
	case *syntax.DotExpr:
		to = &syntax.DotExpr{X: l.expr(x.X, out), Dot: x.Dot, NamePos: x.NamePos, Name: x.Name}
	case *syntax.TupleExpr, *syntax.ListExpr:
		list := displayed(x)
		parts := make([]syntax.Expr, len(list))
		for i := range list {
			parts[i] = l.variable(list[i])
		}
		*out = append(*out, &syntax.AssignStmt{OpPos: at, Op: syntax.EQ, LHS: &syntax.TupleExpr{List: parts}, RHS: value})
		for i, part := range list {
			l.assignTo(part, again(parts[i].(*syntax.Ident)), at, out)
		}
		return
	}
	*out = append(*out, &syntax.AssignStmt{OpPos: at, Op: syntax.EQ, LHS: to, RHS: value})
}

// augmented lifts x op= y: x is evaluated before y.
func (l *lifter) augmented(s *syntax.AssignStmt, out *[]syntax.Stmt) {
	if !l.pauses(s.LHS) && !l.pauses(s.RHS) {
		*out = append(*out, s)
		return
	}
	if isOwnName(s.LHS) {
		*out = append(*out, &syntax.AssignStmt{OpPos: s.OpPos, Op: s.Op, LHS: s.LHS, RHS: l.expr(s.RHS, out)})
		return
	}
	var to syntax.Expr
	switch x := unparen(s.LHS).(type) {
	case *syntax.Ident:
		to = x
	case *syntax.IndexExpr:
		// Both parts are evaluated once.
		of := l.saved(l.expr(x.X, out), out)
		key := l.saved(l.expr(x.Y, out), out)
		to = &syntax.IndexExpr{X: of, Lbrack: x.Lbrack, Y: key, Rbrack: x.Rbrack}
	case *syntax.DotExpr:
		of := l.saved(l.expr(x.X, out), out)
		to = &syntax.DotExpr{X: of, Dot: x.Dot, NamePos: x.NamePos, Name: x.Name}
	}
	old := l.saved(to, out).(*syntax.Ident)
	*out = append(*out, &syntax.AssignStmt{OpPos: s.OpPos, Op: s.Op, LHS: old, RHS: l.expr(s.RHS, out)})
	*out = append(*out, &syntax.AssignStmt{OpPos: s.OpPos, Op: syntax.EQ, LHS: to, RHS: again(old)})
}
