package eval

import (
	"fmt"
	"slices"
	"strings"

	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A file is a recipe, a module or an input of a session whose names are resolved. What
// executes is a module: a file with its globals in one run.

// Options say what the names of a file mean that the file does not define.
type Options struct {
	// Predeclared are the names that the file finds without defining them, besides
	// Starlark's own. Only the keys matter.
	Predeclared starlark.StringDict
	// Standard reports whether a predeclared name means what it does in every recipe.
	Standard func(name string) bool
	// Global reports whether a name is one that earlier inputs of a session have
	// defined; nil for a file that is no input.
	Global func(name string) bool

	// Method, when it is not nil, says how a method of this name is called, for a name
	// that is not defined; "" when there is none.
	Method func(name string) string
	// Elsewhere, when it is not nil, says how a recipe comes by a name that it does not
	// have.
	Elsewhere func(name string) Hint
}

// A File is a file that is ready to be executed. It is immutable and may be shared.
type File struct {
	Tree   *syntax.File // resolved
	Hidden []Hidden     // builtins whose names the file uses for something else, by place

	name     string          // in positions
	loaded   map[string]bool // names that load statements bind
	options  Options
	literals map[string]*notation.Literal // by the identifier that stands for one
	given    map[string]int               // predeclared names that it uses, by their numbers
	needs    []string                     // the same in the order of the numbers
	globals  []string
	toplevel *definition
}

// A Hidden is a builtin whose name a file gives to something else.
type Hidden struct {
	Name      string
	Line, Col int // of the first place that does
}

// internal is what every name begins with that only the front end can say.
const internal = "·"

// Internal reports whether a name is one that no recipe can say.
func Internal(name string) bool { return strings.HasPrefix(name, internal) }

// Compile resolves the names of a tree that [Check] has passed. The file keeps the tree. It
// returns all mistakes with names.
func Compile(t *dicesyntax.Tree, o Options) (*File, []*notation.Error) {
	f := &File{Tree: t.File, name: t.File.Path, options: o, literals: literalsOf(t), given: map[string]int{}, loaded: map[string]bool{}}
	r := &reading{file: t.File, options: o, literals: f.literals, used: map[string]bool{}, undefined: map[string]bool{}}
	t.File.Options.LoadBindsGlobally = true
	var err error
	if o.Global != nil {
		err = resolve.REPLChunk(t.File, o.Global, r.known, starlark.Universe.Has)
	} else {
		err = resolve.File(t.File, r.known, starlark.Universe.Has)
	}
	if ds := r.diagnose(err); len(ds) > 0 {
		return nil, ds
	}
	for name := range r.used {
		f.needs = append(f.needs, name)
	}
	slices.Sort(f.needs)
	for i, name := range f.needs {
		f.given[name] = i
	}
	m := t.File.Module.(*resolve.Module)
	for _, s := range t.File.Stmts {
		if l, ok := s.(*syntax.LoadStmt); ok {
			for _, id := range l.To {
				f.loaded[id.Name] = true
			}
		}
	}
	for _, b := range m.Globals {
		name, at := b.First.Name, b.First.NamePos
		f.globals = append(f.globals, name)
		if o.Global != nil && o.Global(name) {
			continue
		}
		if o.Predeclared[name] != nil || starlark.Universe.Has(name) {
			f.Hidden = append(f.Hidden, Hidden{name, int(at.Line), int(at.Col)})
		}
	}
	f.toplevel = f.define(&resolve.Function{
		Name: "<toplevel>", Pos: syntax.MakePosition(&f.name, 1, 1), Body: t.File.Stmts, Locals: m.Locals,
	})
	f.toplevel.toplevel = true
	return f, nil
}

// literalsOf are the literals of a tree by the identifiers that stand for them.
func literalsOf(t *dicesyntax.Tree) map[string]*notation.Literal {
	literals := make(map[string]*notation.Literal, len(t.Literals))
	for i := range t.Literals {
		literals[t.Literals[i].Ident] = &t.Literals[i]
	}
	return literals
}

// Hides returns the place where the file hides a builtin, if it does.
func (f *File) Hides(name string) (Hidden, bool) {
	i := slices.IndexFunc(f.Hidden, func(h Hidden) bool { return h.Name == name })
	if i < 0 {
		return Hidden{}, false
	}
	return f.Hidden[i], true
}

// Literal is the literal that an identifier of the tree stands for, nil for any other.
func (f *File) Literal(ident string) *notation.Literal { return f.literals[ident] }

// Uses reports whether the file uses a predeclared name.
func (f *File) Uses(name string) bool {
	_, ok := f.given[name]
	return ok
}

// Needs are the predeclared names without which a run of the file can't be, sorted: those
// that it uses, and the builtins whose names it uses for something else.
func (f *File) Needs() []string {
	names := slices.Clone(f.needs)
	for _, h := range f.Hidden {
		names = append(names, h.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Exports are the names of the file that others can load, sorted.
func (f *File) Exports() []*syntax.Ident {
	var names []*syntax.Ident
	for _, b := range f.Tree.Module.(*resolve.Module).Globals {
		if name := b.First.Name; !strings.HasPrefix(name, "_") && !f.loaded[name] {
			names = append(names, b.First)
		}
	}
	slices.SortFunc(names, func(a, b *syntax.Ident) int { return strings.Compare(a.Name, b.Name) })
	return names
}

// A Module is a file with its globals. It belongs to one run, or to one session.
type Module struct {
	file    *File
	globals []*slot.Value
	given   []slot.Value // predeclared names, by their numbers
}

// File is the file of the module.
func (m *Module) File() *File { return m.file }

// Module makes a module of the file. given is what a predeclared name means in the run,
// nil for nothing; global is the place of a global of a session, nil for one of the
// file's own.
func (f *File) Module(given func(name string) starlark.Value, global func(name string) *slot.Value) *Module {
	m := &Module{file: f, globals: make([]*slot.Value, len(f.globals)), given: make([]slot.Value, len(f.needs))}
	for i, name := range f.needs {
		if v := given(name); v != nil {
			m.given[i] = slot.Of(v)
		} else {
			m.given[i] = noneValue
		}
	}
	room := make([]slot.Value, len(f.globals))
	for i, name := range f.globals {
		if global != nil {
			m.globals[i] = global(name)
			continue
		}
		room[i] = unsetValue
		m.globals[i] = &room[i]
	}
	for _, h := range f.Hidden {
		v := given(h.Name)
		if v == nil {
			v = starlark.Universe[h.Name]
		}
		if i := slices.Index(f.globals, h.Name); v != nil && IsUnset(*m.globals[i]) {
			*m.globals[i] = slot.Of(v)
		}
	}
	return m
}

// Unset is what a global is before it has a value.
func Unset() slot.Value { return unsetValue }

// IsUnset reports whether a global has no value.
func IsUnset(v slot.Value) bool {
	_, none := v.V.(unset)
	return none
}

// Globals are the globals that have a value, but for those that were loaded.
func (m *Module) Globals() starlark.StringDict {
	globals := make(starlark.StringDict, len(m.globals))
	for i, name := range m.file.globals {
		if v := *m.globals[i]; !IsUnset(v) && !m.file.loaded[name] {
			globals[name] = v.Starlark()
		}
	}
	return globals
}

// Execute runs the top level of a module. The error is that of starlark.Call.
func (m *Machine) Execute(mod *Module) error {
	v := m.run(m.enter(&Function{def: mod.file.toplevel, module: mod}))
	if isFailed(v) {
		return m.takeError()
	}
	return nil
}

// reading is a file whose names are being resolved.
type reading struct {
	file      *syntax.File
	options   Options
	literals  map[string]*notation.Literal
	used      map[string]bool // predeclared names
	undefined map[string]bool // names that it uses and nothing defines
	allBound  map[string]bool // that the file binds, in any scope; see bound
}

// maxUndefined bounds how many undefined names are reported. What may have been meant by
// each is looked for among all names of the file.
const maxUndefined = 50

// known reports to the resolver whether a name that the file does not define is
// predeclared. It says yes to those that are not, too, and diagnose reports them: for each
// name that the resolver reports it compares all others with it, however long they are.
func (r *reading) known(name string) bool {
	switch {
	case r.literals[name] != nil, dicesyntax.IsRange(name):
	case r.options.Predeclared.Has(name) || Internal(name):
		r.used[name] = true
	case starlark.Universe.Has(name):
		return false
	default:
		r.undefined[name] = true
	}
	return true
}

// diagnose returns the mistakes with names of the file that has been resolved: those of
// the resolver, and the names that are not defined.
func (r *reading) diagnose(err error) []*notation.Error {
	var ds []*notation.Error
	list, ok := err.(resolve.ErrorList)
	if err != nil && !ok {
		return []*notation.Error{{Line: 1, Col: 1, Msg: err.Error()}}
	}
	for _, e := range list[:min(len(list), dicesyntax.MaxErrors)] {
		ds = append(ds, &notation.Error{Line: int(e.Pos.Line), Col: int(e.Pos.Col), Msg: nameMessage(e.Msg)})
	}
	return dicesyntax.SortErrors(append(ds, r.undefinedNames()...))
}

// undefinedNames returns a mistake for each use of an undefined name.
func (r *reading) undefinedNames() []*notation.Error {
	if len(r.undefined) == 0 {
		return nil
	}
	var ds []*notation.Error
	syntax.Walk(r.file, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || !r.undefined[id.Name] || len(ds) == maxUndefined {
			return len(ds) < maxUndefined
		}
		if b, ok := id.Binding.(*resolve.Binding); ok && b.Scope == resolve.Predeclared {
			d := &notation.Error{Line: int(id.NamePos.Line), Col: int(id.NamePos.Col), Msg: "undefined: " + id.Name}
			r.hinted(d, id.Name)
			ds = append(ds, d)
		}
		return true
	})
	return ds
}

// bound are the names that the file binds, in any scope.
func (r *reading) bound() map[string]bool {
	if r.allBound != nil {
		return r.allBound
	}
	r.allBound = map[string]bool{}
	bind := func(id *syntax.Ident) { r.allBound[id.Name] = true }
	syntax.Walk(r.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			dicesyntax.EachTarget(n.LHS, bind)
		case *syntax.ForStmt:
			dicesyntax.EachTarget(n.Vars, bind)
		case *syntax.ForClause:
			dicesyntax.EachTarget(n.Vars, bind)
		case *syntax.LoadStmt:
			for _, id := range n.To {
				bind(id)
			}
		case *syntax.DefStmt:
			bind(n.Name)
			dicesyntax.EachParam(n.Params, bind)
		case *syntax.LambdaExpr:
			dicesyntax.EachParam(n.Params, bind)
		}
		return true
	})
	return r.allBound
}

// nameMessage is the message for an error of the resolver.
func nameMessage(msg string) string {
	if strings.HasPrefix(msg, "can't assign to ") {
		return notAssignable
	}
	if name, ok := strings.CutPrefix(msg, "load: names with leading underscores are not exported: "); ok {
		return name + ": names that begin with _ are the module's own"
	}
	msg = strings.Replace(msg, "not within a function", "outside a function", 1)
	msg = strings.Replace(msg, "not in a loop", "outside a loop", 1)
	return msg
}

const notAssignable = "can't assign to this: only to a name, an element x[i], or several of them"

// Check refuses what no tree may have: literals where a name is bound, things that can't
// be assigned to, and dicts that are too long.
func Check(t *dicesyntax.Tree) []*notation.Error {
	c := &checker{literals: literalsOf(t)}
	syntax.Walk(t.File, func(n syntax.Node) bool {
		c.node(n)
		return true
	})
	return dicesyntax.SortErrors(c.diagnostics)
}

type checker struct {
	literals    map[string]*notation.Literal
	diagnostics []*notation.Error
}

func (c *checker) errorf(pos syntax.Position, format string, args ...any) {
	c.diagnostics = append(c.diagnostics, &notation.Error{Line: int(pos.Line), Col: int(pos.Col), Msg: fmt.Sprintf(format, args...)})
}

func (c *checker) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		c.target(n.LHS)
	case *syntax.ForStmt:
		c.target(n.Vars)
	case *syntax.ForClause:
		c.target(n.Vars)
	case *syntax.LoadStmt:
		for _, id := range n.To {
			c.name(id, "")
		}
	case *syntax.DefStmt:
		c.name(n.Name, "")
		dicesyntax.EachParam(n.Params, func(id *syntax.Ident) { c.name(id, "") })
	case *syntax.LambdaExpr:
		dicesyntax.EachParam(n.Params, func(id *syntax.Ident) { c.name(id, "") })
	case *syntax.CallExpr:
		for _, a := range n.Args {
			if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
				c.name(b.X.(*syntax.Ident), "; equality is written ==")
			}
		}
	case *syntax.DictExpr:
		if len(n.List) > meter.MaxWritten {
			c.errorf(n.Lbrace, "this dict has more than %d entries written out; make it of several", meter.MaxWritten)
		}
	}
}

// name checks an identifier that is bound, not used.
func (c *checker) name(id *syntax.Ident, hint string) {
	l := c.literals[id.Name]
	if l == nil {
		return
	}
	what := "a dice literal is not a name"
	if l.Range != nil {
		what = "a range is not a name"
	}
	c.errorf(id.NamePos, "%s: %s%s", l.Text, what, hint)
}

// target checks what is assigned to.
func (c *checker) target(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Ident:
		c.name(x, "")
	case *syntax.ParenExpr:
		c.target(x.X)
	case *syntax.TupleExpr:
		for _, y := range x.List {
			c.target(y)
		}
	case *syntax.ListExpr:
		for _, y := range x.List {
			c.target(y)
		}
	case *syntax.IndexExpr, *syntax.DotExpr:
	default:
		c.errorf(dicesyntax.Position(x), notAssignable)
	}
}
