// What the prompt of the command asks of a session, beside what any host does.

package lang

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"dicescript/lang/internal/prompt"
	"dicescript/lang/rewrite"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Prompt is what lang/assist hands to a prompt; it is for no one else.
func (s *Session) Prompt() prompt.Session { return prompted{s} }

// A prompted session answers what a prompt asks.
type prompted struct{ s *Session }

func (p prompted) Shown() []prompt.Shown { return p.s.shown }

func (p prompted) Name(name string, v prompt.Shown) error {
	if !isUsable(name) {
		return fmt.Errorf("%q is not a name that a recipe can use", name)
	}
	if v.Value == nil {
		return fmt.Errorf("%s: got no value, want one of Shown", name)
	}
	p.s.globals[name] = v.Value
	p.s.own[name] = true
	return nil
}

func (p prompted) TypeOf(name string) string {
	v, ok := p.s.globals[name]
	if !ok || rewrite.Internal(name) {
		return ""
	}
	return v.Type()
}

func (p prompted) Refresh(ctx context.Context) error {
	s := p.s
	old := maps.Clone(s.run.modules)
	clear(s.run.modules)
	loads := s.loads
	s.loads = nil
	_, err := s.Eval(ctx, strings.Join(loads, "\n"))
	if err != nil {
		s.loads = loads
		s.run.modules = old
	}
	return err
}

// noteLoads remembers the load statements of an input that has been evaluated.
func (s *Session) noteLoads(statements []string) {
	for _, text := range statements {
		if i := slices.Index(s.loads, text); i >= 0 {
			s.loads = slices.Delete(s.loads, i, i+1)
		}
		s.loads = append(s.loads, text)
	}
}

// loadTexts writes the load statements of a file as inputs.
func loadTexts(dir string, f *syntax.File) []string {
	var texts []string
	for _, stmt := range f.Stmts {
		l, ok := stmt.(*syntax.LoadStmt)
		if !ok {
			continue
		}
		module := l.ModuleName()
		if strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../") {
			module = "./" + path.Join(dir, module)
		}
		parts := []string{starlark.String(module).String()}
		for i := range l.To {
			parts = append(parts, fmt.Sprintf("%s=%q", l.To[i].Name, l.From[i].Name))
		}
		texts = append(texts, "load("+strings.Join(parts, ", ")+")")
	}
	return texts
}
