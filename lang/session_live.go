// A function sees the globals of its input, as they were when it was made: the
// interpreter gives every input globals of its own. So in a session a function
// asks for the names of other inputs, and for those that its own input defines
// in other statements, when it runs.

package lang

import (
	"fmt"

	"dicescript/lang/internal/outline"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
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
func (s *Session) live(u *unit, text []byte) map[outline.Use]bool {
	tree, ds := dicesyntax.Parse(u.file, text)
	if len(ds) > 0 {
		return nil
	}
	tree.File.Options.LoadBindsGlobally = true
	anything := func(string) bool { return true }
	if err := resolve.REPLChunk(tree.File, s.globals.Has, anything, starlark.Universe.Has); err != nil {
		return nil // to be told by others
	}
	return outline.LiveUses(tree.File, s.isBuiltin)
}

// isBuiltin reports whether a name means what the host gave it.
func (s *Session) isBuiltin(name string) bool {
	v, ok := s.host.globals[name].(*starlark.Builtin)
	return ok && s.globals[name] == v
}
