package assist

import (
	"dicescript/lang"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What the names of a text mean: the resolver of Starlark gives every use of a
// name the place that binds it first, and a name that the text does not bind is
// the host's.

// names are those of a tree.
type names struct {
	all     []*syntax.Ident          // in the order of the text, bound and used
	at      map[place]*syntax.Ident  // by their places
	defined map[*syntax.Ident]binder // by the first place that binds the name
	globals map[string]*syntax.Ident
	blocks  []block // functions, lambdas and comprehensions, outer ones first
}

// A place is a line and a column of the document.
type place struct{ line, col int }

func placeOf(p syntax.Position) place { return place{int(p.Line), int(p.Col)} }

// A binder is what gives a name its meaning.
type binder struct {
	kind   Kind
	def    *syntax.DefStmt
	values []syntax.Expr // that are assigned to it
	opaque bool          // it may have other values too
	module string        // it is loaded from
	export string        // as the module calls it
}

// A block is a piece of the text with names of its own.
type block struct {
	start, end place
	column     int // of def, for a cursor below the last statement; else 0
	locals     map[string]*syntax.Ident
}

func namesOf(f *syntax.File) names {
	n := names{at: map[place]*syntax.Ident{}, defined: map[*syntax.Ident]binder{}, globals: map[string]*syntax.Ident{}}
	f.Options.LoadBindsGlobally = true
	anything := func(string) bool { return true }
	// Errors of the resolver are for the diagnostics; what it could bind is bound.
	_ = resolve.REPLChunk(f, func(string) bool { return false }, anything, starlark.Universe.Has)
	syntax.Walk(f, func(node syntax.Node) bool {
		n.visit(node)
		return true
	})
	return n
}

// first is the identifier that binds what id means, nil when the text does not.
func first(id *syntax.Ident) *syntax.Ident {
	if b, ok := id.Binding.(*resolve.Binding); ok {
		return b.First
	}
	return nil
}

func (n *names) visit(node syntax.Node) {
	switch x := node.(type) {
	case *syntax.Ident:
		if dicesyntax.IsRange(x.Name) {
			return // which stands for dots
		}
		if _, known := n.at[placeOf(x.NamePos)]; !known && x.Binding != nil {
			n.all = append(n.all, x)
			n.at[placeOf(x.NamePos)] = x
			if b, ok := x.Binding.(*resolve.Binding); ok && b.Scope == resolve.Global && n.globals[x.Name] == nil {
				n.globals[x.Name] = b.First
			}
		}
	case *syntax.AssignStmt:
		n.assign(x)
	case *syntax.DefStmt:
		n.define(x.Name, binder{kind: FunctionKind, def: x})
		dicesyntax.EachParam(x.Params, n.parameter)
		n.block(x, locals(x.Function), int(x.Def.Col))
	case *syntax.LambdaExpr:
		dicesyntax.EachParam(x.Params, n.parameter)
		n.block(x, locals(x.Function), 0)
	case *syntax.Comprehension:
		vars := map[string]*syntax.Ident{}
		for _, c := range x.Clauses {
			if c, ok := c.(*syntax.ForClause); ok {
				n.targets(c.Vars, vars)
			}
		}
		n.block(x, vars, 0)
	case *syntax.ForStmt:
		n.targets(x.Vars, nil)
	case *syntax.LoadStmt:
		for i := range x.To {
			n.define(x.To[i], binder{kind: FunctionKind, opaque: true, module: x.ModuleName(), export: x.From[i].Name})
		}
	}
}

// targets notes names that a loop or an assignment to several names binds.
func (n *names) targets(x syntax.Expr, vars map[string]*syntax.Ident) {
	dicesyntax.EachTarget(x, func(id *syntax.Ident) {
		n.define(id, binder{kind: VariableKind, opaque: true})
		if vars != nil {
			vars[id.Name] = first(id)
		}
	})
}

func (n *names) parameter(id *syntax.Ident) {
	n.define(id, binder{kind: ParameterKind, opaque: true})
}

// define notes one of the places that give a name its meaning.
func (n *names) define(id *syntax.Ident, b binder) {
	by := first(id)
	if by == nil {
		return
	}
	if old, again := n.defined[by]; again {
		old.values = append(old.values, b.values...)
		old.opaque = old.opaque || b.opaque || b.def != nil || old.def != nil
		n.defined[by] = old
		return
	}
	n.defined[by] = b
}

func (n *names) assign(x *syntax.AssignStmt) {
	id, ok := x.LHS.(*syntax.Ident)
	if !ok {
		n.targets(x.LHS, nil)
		return
	}
	b := binder{kind: VariableKind, values: []syntax.Expr{x.RHS}}
	if x.Op != syntax.EQ {
		b.values[0] = &syntax.BinaryExpr{X: id, OpPos: x.OpPos, Op: x.Op - syntax.PLUS_EQ + syntax.PLUS, Y: x.RHS}
	}
	n.define(id, b)
}

func locals(function any) map[string]*syntax.Ident {
	vars := map[string]*syntax.Ident{}
	if f, ok := function.(*resolve.Function); ok {
		for _, b := range f.Locals {
			vars[b.First.Name] = b.First
		}
	}
	return vars
}

func (n *names) block(x syntax.Node, vars map[string]*syntax.Ident, column int) {
	start, end := x.Span()
	n.blocks = append(n.blocks, block{placeOf(start), placeOf(end), column, vars})
}

// visible are the names that the text binds and that can be said at a place.
func (d *Document) visible(pos lang.Position) map[string]*syntax.Ident {
	found := map[string]*syntax.Ident{}
	for name, id := range d.names.globals {
		found[name] = id
	}
	for _, b := range d.names.blocks {
		if d.holds(b, pos) {
			for name, id := range b.locals {
				found[name] = id
			}
		}
	}
	return found
}

// holds reports whether a place is in a block. A function goes on below its last
// statement as long as the lines are further in than its def.
func (d *Document) holds(b block, pos lang.Position) bool {
	at := place{pos.Line, pos.Column}
	if at.before(b.start) {
		return false
	}
	if !b.end.before(at) {
		return true
	}
	if b.column == 0 || pos.Column <= b.column {
		return false
	}
	line := 0
	for _, t := range d.tokens[d.tokensFrom(b.end.line+1):] {
		if t.Kind == notation.NewlineToken || t.Kind == notation.CommentToken || t.Line == line {
			continue
		}
		if line = t.Line; line > pos.Line {
			break
		}
		if line > b.end.line && t.Col <= b.column {
			return false
		}
	}
	return true
}

func (s place) before(t place) bool { return s.line < t.line || s.line == t.line && s.col < t.col }

// bound is the place that binds the name at a token, nil when the text does not
// bind it.
func (d *Document) bound(t notation.Token) *syntax.Ident {
	if id := d.names.at[place{t.Line, t.Col}]; id != nil && id.Name == d.text(t) {
		return first(id)
	}
	return d.visible(d.at(t.Line, t.Col))[d.text(t)]
}

// signature is how a function of the text is called.
func (d *Document) signature(def *syntax.DefStmt) string {
	end := def.Rparen
	end.Col++
	return d.lines.Cursor().Between(def.Name.NamePos, end)
}

// docOf describes a function of the text.
func (d *Document) docOf(def *syntax.DefStmt) lang.Doc {
	return lang.Doc{
		Name: def.Name.Name, Signature: d.signature(def), Text: dicesyntax.DocString(def.Body),
		Position: d.at(int(def.Name.NamePos.Line), int(def.Name.NamePos.Col)),
	}
}
