package syntax

import (
	"fmt"

	"go.starlark.net/syntax"
)

// This file lists the parts of every node of a syntax tree.

// Children returns the nodes right below n, in the order of the text.
func Children(n syntax.Node) []syntax.Node {
	var c []syntax.Node
	Each(n, func(child syntax.Node) { c = append(c, child) })
	return c
}

// Each visits the nodes right below n, in the order of the text.
func Each(n syntax.Node, visit func(syntax.Node)) {
	switch n := n.(type) {
	case *syntax.File:
		eachStmt(n.Stmts, visit)

	case *syntax.AssignStmt:
		visit(n.LHS)
		visit(n.RHS)
	case *syntax.BranchStmt:
	case *syntax.DefStmt:
		visit(n.Name)
		eachExpr(n.Params, visit)
		eachStmt(n.Body, visit)
	case *syntax.ExprStmt:
		visit(n.X)
	case *syntax.ForStmt:
		visit(n.Vars)
		visit(n.X)
		eachStmt(n.Body, visit)
	case *syntax.IfStmt:
		visit(n.Cond)
		eachStmt(n.True, visit)
		eachStmt(n.False, visit)
	case *syntax.LoadStmt:
		visit(n.Module)
		for i := range n.From {
			visit(n.To[i])
			visit(n.From[i])
		}
	case *syntax.ReturnStmt:
		given(n.Result, visit)
	case *syntax.WhileStmt:
		visit(n.Cond)
		eachStmt(n.Body, visit)

	case *syntax.BinaryExpr:
		visit(n.X)
		visit(n.Y)
	case *syntax.CallExpr:
		visit(n.Fn)
		eachExpr(n.Args, visit)
	case *syntax.Comprehension:
		visit(n.Body)
		for _, c := range n.Clauses {
			visit(c)
		}
	case *syntax.CondExpr:
		visit(n.True)
		visit(n.Cond)
		visit(n.False)
	case *syntax.DictEntry:
		visit(n.Key)
		visit(n.Value)
	case *syntax.DictExpr:
		eachExpr(n.List, visit)
	case *syntax.DotExpr:
		visit(n.X)
		visit(n.Name)
	case *syntax.ForClause:
		visit(n.Vars)
		visit(n.X)
	case *syntax.Ident:
	case *syntax.IfClause:
		visit(n.Cond)
	case *syntax.IndexExpr:
		visit(n.X)
		visit(n.Y)
	case *syntax.LambdaExpr:
		eachExpr(n.Params, visit)
		visit(n.Body)
	case *syntax.ListExpr:
		eachExpr(n.List, visit)
	case *syntax.Literal:
	case *syntax.ParenExpr:
		visit(n.X)
	case *syntax.SliceExpr:
		visit(n.X)
		given(n.Lo, visit)
		given(n.Hi, visit)
		given(n.Step, visit)
	case *syntax.TupleExpr:
		eachExpr(n.List, visit)
	case *syntax.UnaryExpr:
		given(n.X, visit)

	default:
		panic(fmt.Sprintf("rewrite: unknown node %T", n))
	}
}

// given visits a part that may be left out.
func given(x syntax.Expr, visit func(syntax.Node)) {
	if x != nil {
		visit(x)
	}
}

func eachExpr(xs []syntax.Expr, visit func(syntax.Node)) {
	for _, x := range xs {
		visit(x)
	}
}

func eachStmt(ss []syntax.Stmt, visit func(syntax.Node)) {
	for _, s := range ss {
		visit(s)
	}
}
