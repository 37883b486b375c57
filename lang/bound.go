// The names that the statements of a file bind at its top level.

package lang

import (
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// boundAtTop are the names that the statements of a file bind at its top level.
func boundAtTop(f *syntax.File) map[string]bool {
	names := map[string]bool{}
	bindAllGlobals(f.Stmts, names)
	return names
}

func isBlock(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt:
		return true
	}
	return false
}

// boundGlobals are the globals that a statement of the top level binds.
func boundGlobals(s syntax.Stmt) map[string]bool {
	names := map[string]bool{}
	bindGlobals(s, names)
	return names
}

// bindGlobals notes the globals that a statement of the top level binds.
func bindGlobals(s syntax.Stmt, names map[string]bool) {
	bind := func(id *syntax.Ident) { names[id.Name] = true }
	switch s := s.(type) {
	case *syntax.DefStmt:
		bind(s.Name)
	case *syntax.AssignStmt:
		dicesyntax.EachTarget(s.LHS, bind)
	case *syntax.ForStmt:
		dicesyntax.EachTarget(s.Vars, bind)
		bindAllGlobals(s.Body, names)
	case *syntax.WhileStmt:
		bindAllGlobals(s.Body, names)
	case *syntax.IfStmt:
		bindAllGlobals(s.True, names)
		bindAllGlobals(s.False, names)
	case *syntax.LoadStmt:
		for _, id := range s.To {
			bind(id)
		}
	}
}

func bindAllGlobals(stmts []syntax.Stmt, names map[string]bool) {
	for _, s := range stmts {
		bindGlobals(s, names)
	}
}
