// What a person at a prompt needs of a session beyond evaluating: names for
// results, files, fresh modules, and functions that see what was defined again
// since.

package lang

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"dicescript/builtins/meter"
	"dicescript/lang/internal/prompt"
	"dicescript/lang/rewrite"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
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

// Set gives a name a value of Go for the inputs that follow, as [WithValue] does for a
// run; the name needs no declaration. A name that a recipe could not say, a value that
// it can't have, and one after which the session would hold too much, are errors and
// change nothing.
func (s *Session) Set(name string, v any) error {
	if err := checkValue(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	g := newGiver()
	g.halt = s.run.halt
	value, err := g.value(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.set(name, value)
}

func (s *Session) set(name string, v starlark.Value) error {
	if !isUsable(name) {
		return fmt.Errorf("%q is not a name that a recipe can use", name)
	}
	before := s.meanings(map[string]bool{name: true})
	s.mean(name, meaning{v, true})
	s.held.added += (&meter.Held{}).Add(v)
	return s.fit(name, before)
}

// EvalFile evaluates a file, which may be a literate recipe, as if it had been
// an input: what it defines is known afterwards. The name stands in positions. Of
// an AnyDice program nothing is known afterwards.
func (s *Session) EvalFile(ctx context.Context, name string, src []byte) (*Result, error) {
	if isAnyDice(name) {
		return s.evalAnyDice(ctx, name, src)
	}
	return s.eval(ctx, newUnit(name, src))
}

// Host is the host that the session belongs to.
func (s *Session) Host() *Host { return s.host }

// Limits returns what every input may use.
func (s *Session) Limits() Limits { return s.run.limits }

// SetLimits changes what every input from now on may use. A zero field is the default;
// a limit below [Unlimited] is an error, and changes nothing.
func (s *Session) SetLimits(l Limits) error {
	if err := checkLimits(l); err != nil {
		return err
	}
	s.run.limits = l.Filled()
	return nil
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

// A function sees the globals of its input, as they were when it was made: the
// interpreter gives every input globals of its own. So in a session a function
// asks for the names of other inputs, and for those that its own input defines
// in other statements, when it runs.

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
	defined := map[string]bool{}
	for _, stmt := range f.Stmts {
		for name := range boundGlobals(stmt) {
			defined[name] = true
		}
	}
	for _, stmt := range f.Stmts {
		own := map[string]bool{}
		if _, isDef := stmt.(*syntax.DefStmt); !isDef && isBlock(stmt) {
			own = boundGlobals(stmt)
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

// isBuiltin reports whether a name means what the host gave it.
func (s *Session) isBuiltin(name string) bool {
	v, ok := s.host.globals[name].(*starlark.Builtin)
	return ok && s.globals[name] == v
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

func isFunction(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.DefStmt, *syntax.LambdaExpr:
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

// statements divides a file into files of one statement each, so that every
// statement finds what those before it have defined.
func statements(f *syntax.File) []*syntax.File {
	files := make([]*syntax.File, len(f.Stmts))
	for i, s := range f.Stmts {
		files[i] = &syntax.File{Path: f.Path, Stmts: []syntax.Stmt{s}, Options: f.Options}
	}
	return files
}
