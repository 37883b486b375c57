// What a file loads.

package outline

import (
	"fmt"
	"path"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Load is one load statement.
type Load struct {
	Module string
	Pos    syntax.Position // of the module's name
	From   []syntax.Ident  // as the module calls what is loaded
	To     []syntax.Ident  // as the file calls it
}

func newLoad(s *syntax.LoadStmt) Load {
	l := Load{Module: s.ModuleName(), Pos: s.Module.TokenPos}
	for i := range s.From {
		l.From = append(l.From, *s.From[i])
		l.To = append(l.To, *s.To[i])
	}
	return l
}

// Input is an input of a session that loads the same.
func (l Load) Input() string {
	module := l.Module
	if strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../") {
		module = "./" + path.Clean(module)
	}
	parts := []string{starlark.String(module).String()}
	for i := range l.To {
		parts = append(parts, fmt.Sprintf("%s=%q", l.To[i].Name, l.From[i].Name))
	}
	return "load(" + strings.Join(parts, ", ") + ")"
}
