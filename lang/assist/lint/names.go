package lint

import (
	"strings"

	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// Names that nobody uses.

// names are those of a file: which are read anywhere, and where those of the
// top level are bound.
type names struct {
	read   map[string]bool
	bound  map[string]bool // in any scope
	loaded []*syntax.Ident
	top    []*syntax.Ident // bound by assignments and definitions, first places
}

func (n *names) binds(name string) bool { return n.bound[name] }

func namesOf(f *syntax.File) names {
	n := names{read: map[string]bool{}, bound: map[string]bool{}}
	binding := map[*syntax.Ident]bool{}
	syntax.Walk(f, func(node syntax.Node) bool {
		n.visit(node, binding)
		return true
	})
	for _, s := range f.Stmts {
		n.topLevel(s)
	}
	return n
}

// visit notes the names of a node. binding holds identifiers below it that
// are not read.
func (n *names) visit(node syntax.Node, binding map[*syntax.Ident]bool) {
	bind := func(id *syntax.Ident) {
		binding[id] = true
		n.bound[id.Name] = true
	}
	switch x := node.(type) {
	case *syntax.Ident:
		if binding[x] {
			return
		}
		n.read[x.Name] = true
	case *syntax.AssignStmt:
		if x.Op == syntax.EQ {
			dicesyntax.EachTarget(x.LHS, bind)
		}
	case *syntax.DefStmt:
		bind(x.Name)
		dicesyntax.EachParam(x.Params, bind)
	case *syntax.LambdaExpr:
		dicesyntax.EachParam(x.Params, bind)
	case *syntax.ForStmt:
		dicesyntax.EachTarget(x.Vars, bind)
	case *syntax.ForClause:
		dicesyntax.EachTarget(x.Vars, bind)
	case *syntax.LoadStmt:
		for i := range x.To {
			bind(x.To[i])
			binding[x.From[i]] = true
		}
	case *syntax.DotExpr:
		binding[x.Name] = true
	case *syntax.CallExpr:
		for _, arg := range x.Args {
			if named, ok := arg.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
				if id, ok := named.X.(*syntax.Ident); ok {
					binding[id] = true
				}
			}
		}
	}
}

// topLevel notes the names that a statement of the top level binds. Those of
// several at once are left out: a, _ = pair is a way to take a part.
func (n *names) topLevel(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.LoadStmt:
		n.loaded = append(n.loaded, s.To...)
	case *syntax.DefStmt:
		n.top = append(n.top, s.Name)
	case *syntax.AssignStmt:
		if id, ok := s.LHS.(*syntax.Ident); ok && s.Op == syntax.EQ {
			n.top = append(n.top, id)
		}
	}
}

// unused reports names that are bound and never read. The names of a module
// are for others; only a file that puts something out is no module.
func (c *checker) unused() {
	for _, id := range c.names.loaded {
		if !c.names.read[id.Name] {
			c.add(id.NamePos, "%s is loaded and never used", id.Name)
		}
	}
	if !c.isRecipe() {
		return
	}
	seen := map[string]bool{}
	for _, id := range c.names.top {
		if !seen[id.Name] && !c.names.read[id.Name] && !strings.HasPrefix(id.Name, "_") {
			c.add(id.NamePos, "%s is never used", id.Name)
		}
		seen[id.Name] = true
	}
}

func (c *checker) isRecipe() bool {
	return c.names.read["output"] && !c.names.binds("output") || c.names.read["param"] && !c.names.binds("param")
}

// silent reports a recipe that puts nothing out: it defines no functions that
// others could load, so that running it is all it can be for.
func (c *checker) silent() {
	if len(c.file.Stmts) == 0 || c.names.read["output"] || c.shown != nil {
		return
	}
	for _, s := range c.file.Stmts {
		if _, ok := s.(*syntax.DefStmt); ok {
			return
		}
		if a, ok := s.(*syntax.AssignStmt); ok && !c.isRecipe() {
			if id, ok := a.LHS.(*syntax.Ident); ok && strings.ToUpper(id.Name) == id.Name {
				return // constants for others
			}
		}
	}
	start, _ := c.file.Stmts[0].Span()
	c.add(start, "this recipe puts nothing out; output(\"title\", value) shows a result")
}
