package syntax

import (
	"fmt"

	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// This file bounds the width of the functions of a syntax tree: each call makes room for
// the elements and arguments that the widest expression of its function writes out,
// before it uses any, and calls nest a thousand deep.

// maxWidth bounds what one expression of a function writes out. A table that a person
// has written fits; one that belongs to the whole file may be longer.
const maxWidth = 6000

// tooWide returns a diagnostic of the first expression of a function, in a tree that was
// made of so many tokens, that writes out too much.
func tooWide(f *syntax.File, tokens int) *notation.Error {
	if tokens <= maxWidth {
		return nil
	}
	var w widths
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			for _, s := range n.Body {
				w.node(s, 0)
			}
		case *syntax.LambdaExpr:
			w.node(n.Body, 0)
		}
		return w.found == nil
	})
	if w.found == nil {
		return nil
	}
	pos := Position(w.found)
	return &notation.Error{Line: int(pos.Line), Col: int(pos.Col),
		Msg:  fmt.Sprintf("this expression of a function writes out more than %d elements or arguments", maxWidth),
		Hint: "give a name to the list outside of the function"}
}

// widths finds an expression that is too wide. What functions in a function write out
// belongs to them alone.
type widths struct{ found syntax.Expr }

// node measures n, which is evaluated with so many values at hand.
func (w *widths) node(n syntax.Node, at int) {
	if w.found != nil {
		return
	}
	switch n := n.(type) {
	case *syntax.DefStmt:
		w.defaults(n.Params)
	case *syntax.LambdaExpr:
		w.defaults(n.Params)
	case *syntax.ListExpr:
		w.elements(n, n.List, at)
	case *syntax.TupleExpr:
		w.elements(n, n.List, at)
	case *syntax.CallExpr:
		w.node(n.Fn, at)
		w.elements(n, n.Args, at)
	case *syntax.BinaryExpr:
		w.node(n.X, at)
		w.node(n.Y, at+1)
	case syntax.Stmt:
		Each(n, func(c syntax.Node) { w.node(c, 0) })
	default:
		Each(n, func(c syntax.Node) { w.node(c, at+1) })
	}
}

// elements measures those of x.
func (w *widths) elements(x syntax.Expr, elements []syntax.Expr, at int) {
	for i, e := range elements {
		w.node(e, at+i)
	}
	if w.found == nil && at+len(elements) > maxWidth {
		w.found = x
	}
}

// defaults measures the values of parameters that are left out, which are evaluated where
// the function is made.
func (w *widths) defaults(params []syntax.Expr) {
	for i, p := range params {
		w.node(p, i)
	}
}
