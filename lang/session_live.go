// A function sees the globals of its input, as they were when it was made: the
// interpreter gives every input globals of its own. So in a session a function
// asks for the names of other inputs, and for those that its own input defines
// in other statements, when it runs.

package lang

import (
	"fmt"

	"dicescript/lang/rewrite"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// liveName is the predeclared name of the globals as they are.
const liveName = "·live"

// liveGlobals has a field for each global of a session.
type liveGlobals struct{ s *Session }

var _ starlark.HasAttrs = liveGlobals{}

// Attr returns a global.
func (l liveGlobals) Attr(name string) (starlark.Value, error) {
	if v, ok := l.s.globals[name]; ok {
		return v, nil
	}
	return nil, fmt.Errorf("%s has no value yet", name)
}

// The rest of starlark.Value: no recipe ever sees it.

func (liveGlobals) AttrNames() []string   { return nil }
func (liveGlobals) String() string        { return "globals" }
func (liveGlobals) Type() string          { return "globals" }
func (liveGlobals) Freeze()               {}
func (liveGlobals) Truth() starlark.Bool  { return true }
func (liveGlobals) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: globals") }

// live finds the uses of names in the functions of an input that have to be
// asked for when the function runs. It works on a tree of its own, because
// resolving changes a tree.
func (s *Session) live(u *unit, text []byte) map[use]bool {
	tree, ds := dicesyntax.Parse(u.file, text)
	if len(ds) > 0 {
		return nil
	}
	tree.File.Options.LoadBindsGlobally = true
	anything := func(string) bool { return true }
	if err := resolve.REPLChunk(tree.File, s.globals.Has, anything, starlark.Universe.Has); err != nil {
		return nil // to be told by others
	}
	return s.liveUses(tree.File)
}

// A use is a place where a name is used.
type use struct {
	line, col int32
	name      string
}

func useOf(id *syntax.Ident) use { return use{id.NamePos.Line, id.NamePos.Col, id.Name} }

// liveUses finds those of a resolved input.
func (s *Session) liveUses(f *syntax.File) map[use]bool {
	uses := map[use]bool{}
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
			if s.isBuiltin(id.Name) && !defined[id.Name] {
				return
			}
			uses[useOf(id)] = true
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

// isBuiltin reports whether a name means what the host gave it.
func (s *Session) isBuiltin(name string) bool {
	v, ok := s.host.globals[name].(*starlark.Builtin)
	return ok && s.globals[name] == v
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
