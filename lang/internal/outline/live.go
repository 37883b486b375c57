// Which names a function of an input asks for when it runs.

package outline

import (
	"dicescript/lang/rewrite"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A Use is a place where a name is used.
type Use struct {
	line, col int32
	name      string
}

// UseOf is the use that an identifier is.
func UseOf(id *syntax.Ident) Use { return Use{id.NamePos.Line, id.NamePos.Col, id.Name} }

// LiveUses are the uses of names in the functions of a resolved input that have to be
// asked for when the function runs: of all globals but those that the block around the
// function defines, and those that stay what they are, as lasting tells.
func LiveUses(f *syntax.File, lasting func(name string) bool) map[Use]bool {
	uses := map[Use]bool{}
	defined := dicesyntax.Bound(f.Stmts...)
	for _, stmt := range f.Stmts {
		var own map[string]bool
		if isBlock(stmt) {
			own = dicesyntax.Bound(stmt)
		}
		functionBodies(stmt, func(id *syntax.Ident) {
			b, ok := id.Binding.(*resolve.Binding)
			if !ok || b.Scope != resolve.Global || own[id.Name] || rewrite.Internal(id.Name) {
				return
			}
			if lasting(id.Name) && !defined[id.Name] {
				return
			}
			uses[UseOf(id)] = true
		})
	}
	return uses
}

// isBlock reports whether a statement holds others that run with it.
func isBlock(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt:
		return true
	}
	return false
}

// functionBodies visits the names in the bodies of functions.
func functionBodies(s syntax.Stmt, visit func(*syntax.Ident)) {
	inside := func(n syntax.Node) {
		syntax.Walk(n, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok {
				visit(id)
			}
			return true
		})
	}
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			for _, b := range n.Body {
				inside(b)
			}
		case *syntax.LambdaExpr:
			inside(n.Body)
		}
		return true
	})
}
