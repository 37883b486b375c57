package rewrite

import (
	"maps"
	"slices"

	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file lets a recipe reuse the name of a builtin. Starlark takes a name
// that a file assigns anywhere at top level for the file's own from its first
// line on, and finds it without a value before the assignment has run. So
// such names are given the builtin's value before anything else runs, by
// statements in front of the file's first.
//
// A load binds its names apart from the globals. One that loads the name of a
// builtin is therefore followed by an assignment to the global.

// A Hidden is a builtin whose name a file gives to something else.
type Hidden struct {
	Name      string
	Line, Col int // of the first place that does
	Loaded    bool
}

// builtin reports whether a name means something before the file says so.
func (r *rewriter) builtin(name string) bool {
	return r.options.Predeclared[name] != nil || starlark.Universe.Has(name)
}

// collectNames notes every name that the file binds, and which of those bound
// at top level hide a builtin.
func (r *rewriter) collectNames(f *syntax.File) {
	r.bindTop = func(n syntax.Node) { r.bindNode(n, true) }
	r.bindBelow = func(n syntax.Node) { r.bindNode(n, false) }
	r.bindStmts(f.Stmts, true)
}

func (r *rewriter) bindStmts(ss []syntax.Stmt, top bool) {
	for _, s := range ss {
		r.bindNode(s, top)
	}
}

// binder notes a name that is bound.
func (r *rewriter) binder(top bool) func(*syntax.Ident) {
	return func(id *syntax.Ident) { r.bind(id, top, false) }
}

// bindNode notes the names bound by a node and below it; top while they are
// globals.
func (r *rewriter) bindNode(n syntax.Node, top bool) {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		dicesyntax.EachTarget(n.LHS, r.binder(top))
	case *syntax.ForStmt:
		dicesyntax.EachTarget(n.Vars, r.binder(top))
	case *syntax.LoadStmt:
		for _, id := range n.To {
			r.bind(id, top, true)
		}
		return
	case *syntax.DefStmt:
		r.bind(n.Name, top, false)
		dicesyntax.EachParam(n.Params, r.binder(false))
		r.bindStmts(n.Body, false)
		for _, p := range n.Params {
			r.bindNode(p, false)
		}
		return
	case *syntax.LambdaExpr:
		dicesyntax.EachParam(n.Params, r.binder(false))
	case *syntax.Comprehension:
		for _, c := range n.Clauses {
			if f, ok := c.(*syntax.ForClause); ok {
				dicesyntax.EachTarget(f.Vars, r.binder(false))
			}
		}
	}
	if top {
		dicesyntax.Each(n, r.bindTop)
		return
	}
	dicesyntax.Each(n, r.bindBelow)
}

func (r *rewriter) bind(id *syntax.Ident, top, loaded bool) {
	r.bound[id.Name] = true
	if !top || r.predefine[id.Name] || !r.builtin(id.Name) {
		return
	}
	r.predefine[id.Name] = true
	r.code.Hidden = append(r.code.Hidden, Hidden{id.Name, int(id.NamePos.Line), int(id.NamePos.Col), loaded})
}

// load rewrites a load statement: names of builtins are loaded under an
// internal name and then assigned.
func (r *rewriter) load(s *syntax.LoadStmt) []syntax.Stmt {
	out := []syntax.Stmt{s}
	for i, id := range s.To {
		r.name(id)
		r.code.Loaded = append(r.code.Loaded, id.Name)
		if !r.predefine[id.Name] || r.options.Session {
			continue
		}
		temp := internal + "load " + id.Name
		s.To[i] = &syntax.Ident{NamePos: id.NamePos, Name: temp}
		out = append(out, assignment(id, &syntax.Ident{NamePos: id.NamePos, Name: temp}))
	}
	return out
}

func assignment(to *syntax.Ident, x syntax.Expr) *syntax.AssignStmt {
	return &syntax.AssignStmt{OpPos: to.NamePos, Op: syntax.EQ, LHS: to, RHS: x}
}

// hiddenName is the predeclared name under which a hidden builtin is found.
func hiddenName(name string) string { return internal + "builtin " + name }

// prelude puts in front of the file the assignments that give hidden names
// and operators their values. They cannot fail.
func (r *rewriter) prelude(f *syntax.File) {
	if len(f.Stmts) == 0 {
		return
	}
	pos := syntax.Start(f.Stmts[0])
	ident := func(name string) *syntax.Ident { return &syntax.Ident{NamePos: pos, Name: name} }
	var first []syntax.Stmt
	for _, h := range r.code.Hidden {
		first = append(first, assignment(ident(h.Name), ident(hiddenName(h.Name))))
	}
	for _, name := range slices.Sorted(maps.Keys(r.globals)) {
		first = append(first, assignment(ident(name), ident(r.globals[name])))
	}
	f.Stmts = append(first, f.Stmts...)
}
