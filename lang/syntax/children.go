package syntax

import (
	"fmt"

	"go.starlark.net/syntax"
)

// This file lists the parts of every node of a syntax tree.

// Children returns the nodes right below n, in the order of the text.
func Children(n syntax.Node) []syntax.Node {
	var c kids
	switch n := n.(type) {
	case *syntax.File:
		c.stmts(n.Stmts)

	case *syntax.AssignStmt:
		c.add(n.LHS, n.RHS)
	case *syntax.BranchStmt:
	case *syntax.DefStmt:
		c.add(n.Name)
		c.exprs(n.Params)
		c.stmts(n.Body)
	case *syntax.ExprStmt:
		c.add(n.X)
	case *syntax.ForStmt:
		c.add(n.Vars, n.X)
		c.stmts(n.Body)
	case *syntax.IfStmt:
		c.add(n.Cond)
		c.stmts(n.True)
		c.stmts(n.False)
	case *syntax.LoadStmt:
		c.add(n.Module)
		for i := range n.From {
			c.add(n.To[i], n.From[i])
		}
	case *syntax.ReturnStmt:
		c.expr(n.Result)
	case *syntax.WhileStmt:
		c.add(n.Cond)
		c.stmts(n.Body)

	case *syntax.BinaryExpr:
		c.add(n.X, n.Y)
	case *syntax.CallExpr:
		c.add(n.Fn)
		c.exprs(n.Args)
	case *syntax.Comprehension:
		c.add(n.Body)
		c.add(n.Clauses...)
	case *syntax.CondExpr:
		c.add(n.True, n.Cond, n.False)
	case *syntax.DictEntry:
		c.add(n.Key, n.Value)
	case *syntax.DictExpr:
		c.exprs(n.List)
	case *syntax.DotExpr:
		c.add(n.X, n.Name)
	case *syntax.ForClause:
		c.add(n.Vars, n.X)
	case *syntax.Ident:
	case *syntax.IfClause:
		c.add(n.Cond)
	case *syntax.IndexExpr:
		c.add(n.X, n.Y)
	case *syntax.LambdaExpr:
		c.exprs(n.Params)
		c.add(n.Body)
	case *syntax.ListExpr:
		c.exprs(n.List)
	case *syntax.Literal:
	case *syntax.ParenExpr:
		c.add(n.X)
	case *syntax.SliceExpr:
		c.add(n.X)
		c.expr(n.Lo)
		c.expr(n.Hi)
		c.expr(n.Step)
	case *syntax.TupleExpr:
		c.exprs(n.List)
	case *syntax.UnaryExpr:
		c.expr(n.X)

	default:
		panic(fmt.Sprintf("rewrite: unknown node %T", n))
	}
	return c
}

type kids []syntax.Node

func (c *kids) add(nodes ...syntax.Node) { *c = append(*c, nodes...) }

func (c *kids) expr(x syntax.Expr) {
	if x != nil {
		c.add(x)
	}
}

func (c *kids) exprs(xs []syntax.Expr) {
	for _, x := range xs {
		c.add(x)
	}
}

func (c *kids) stmts(ss []syntax.Stmt) {
	for _, s := range ss {
		c.add(s)
	}
}
