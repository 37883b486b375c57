package syntax

import "go.starlark.net/syntax"

// This file finds the names that a piece of text gives a meaning.

// EachTarget visits the names that an assignment to x, or a loop over x, binds.
func EachTarget(x syntax.Expr, visit func(*syntax.Ident)) {
	switch x := x.(type) {
	case *syntax.Ident:
		visit(x)
	case *syntax.ParenExpr:
		EachTarget(x.X, visit)
	case *syntax.TupleExpr:
		for _, y := range x.List {
			EachTarget(y, visit)
		}
	case *syntax.ListExpr:
		for _, y := range x.List {
			EachTarget(y, visit)
		}
	}
}

// EachParam visits the names of the parameters of a function.
func EachParam(params []syntax.Expr, visit func(*syntax.Ident)) {
	for _, p := range params {
		switch x := p.(type) {
		case *syntax.BinaryExpr: // with a default
			p = x.X
		case *syntax.UnaryExpr: // *args, or * alone
			p = x.X
		}
		if id, ok := p.(*syntax.Ident); ok {
			visit(id)
		}
	}
}

// EachBound visits the names that statements bind in their own scope, in the order of
// the text: not those of the functions and comprehensions in them.
func EachBound(stmts []syntax.Stmt, visit func(*syntax.Ident)) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			EachTarget(s.LHS, visit)
		case *syntax.DefStmt:
			visit(s.Name)
		case *syntax.ForStmt:
			EachTarget(s.Vars, visit)
			EachBound(s.Body, visit)
		case *syntax.WhileStmt:
			EachBound(s.Body, visit)
		case *syntax.IfStmt:
			EachBound(s.True, visit)
			EachBound(s.False, visit)
		case *syntax.LoadStmt:
			for _, id := range s.To {
				visit(id)
			}
		}
	}
}

// Bound are the names that [EachBound] visits.
func Bound(stmts ...syntax.Stmt) map[string]bool {
	names := map[string]bool{}
	EachBound(stmts, func(id *syntax.Ident) { names[id.Name] = true })
	return names
}

// Bindings are the names that a file binds in all its scopes, and the values of those that it
// binds once, by an assignment.
func Bindings(f *syntax.File) (once map[string]syntax.Expr, bound map[string]bool) {
	once, bound = map[string]syntax.Expr{}, map[string]bool{}
	times := map[string]int{}
	bind := func(id *syntax.Ident) {
		times[id.Name]++
		bound[id.Name] = true
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			EachTarget(n.LHS, bind)
			if id, ok := n.LHS.(*syntax.Ident); ok && n.Op == syntax.EQ {
				once[id.Name] = n.RHS
			}
		case *syntax.DefStmt:
			bind(n.Name)
			EachParam(n.Params, bind)
		case *syntax.LambdaExpr:
			EachParam(n.Params, bind)
		case *syntax.ForStmt:
			EachTarget(n.Vars, bind)
		case *syntax.ForClause:
			EachTarget(n.Vars, bind)
		case *syntax.LoadStmt:
			for _, id := range n.To {
				bind(id)
			}
		}
		return true
	})
	for name := range once {
		if times[name] != 1 {
			delete(once, name)
		}
	}
	return once, bound
}
