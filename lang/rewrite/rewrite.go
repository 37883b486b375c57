package rewrite

import (
	"fmt"

	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file walks a tree and replaces what needs replacing: statements here,
// expressions in expr.go.

// Options say how a tree is rewritten.
type Options struct {
	// Predeclared are the names that the program finds without defining
	// them, besides Starlark's own. Only the keys matter.
	Predeclared starlark.StringDict

	// Own are those of the predeclared names, and of Starlark's, that do not
	// mean what they do in every recipe.
	Own map[string]bool

	// Session is for a piece of an interactive session, run by
	// starlark.ExecREPLChunk: the globals hold builtins and operators from
	// the start, and load defines globals.
	Session bool

	// Method, when it is not nil, says how a method of this name is called,
	// for a name that is not defined; "" when there is none.
	Method func(name string) string
	// Elsewhere, when it is not nil, says how a recipe comes by a name that it does not
	// have.
	Elsewhere func(name string) Hint

	// Replace, when it is not nil, gives what stands in place of a name that
	// is used.
	Replace func(*syntax.Ident) syntax.Expr
}

// Rewrite replaces literals, comparisons, conditions, arithmetic
// and all else that is paid for in the tree, which must not be rewritten again.
func Rewrite(t *dicesyntax.Tree, o Options) (*Code, []*notation.Error) {
	r := &rewriter{
		options:   o,
		code:      &Code{File: t.File, Literals: t.Literals, options: o, byName: map[string]*operator{}, loadsAt: placeOfLoads(t.File)},
		literals:  map[string]int{},
		operators: map[operatorKey]operatorNames{},
		globals:   map[string]string{},
		bound:     map[string]bool{},
		predefine: map[string]bool{},
	}
	for i, l := range t.Literals {
		r.literals[l.Ident] = i
	}
	r.code.bound = r.bound
	r.collectNames(t.File)
	r.findInts(t.File)
	t.File.Stmts = r.stmts(t.File.Stmts)
	if len(r.diagnostics) > 0 {
		return nil, dicesyntax.SortErrors(r.diagnostics)
	}
	if o.Session {
		t.File.Options.LoadBindsGlobally = true
	} else {
		r.prelude(t.File)
	}
	return r.code, nil
}

type rewriter struct {
	options     Options
	code        *Code
	literals    map[string]int // index by identifier
	operators   map[operatorKey]operatorNames
	globals     map[string]string // operators that are globals, by their names
	bound       map[string]bool   // every name that the file binds, in any scope
	predefine   map[string]bool   // names in Code.Hidden
	nesting     int               // of blocks
	repeated    int               // of conditions and expressions that may run more than once
	ints        *ints             // which variables are whole numbers
	augmenting  bool              // whether a target is also read
	diagnostics []*notation.Error

	bindTop, bindBelow func(syntax.Node) // bindNode, of globals and of others
}

func (r *rewriter) errorf(pos syntax.Position, format string, args ...any) {
	r.diagnostics = append(r.diagnostics, &notation.Error{
		Line: int(pos.Line), Col: int(pos.Col), Msg: fmt.Sprintf(format, args...),
	})
}

func (r *rewriter) stmts(in []syntax.Stmt) []syntax.Stmt {
	r.nesting++
	defer func() { r.nesting-- }()
	if len(in) == 0 {
		return nil
	}
	out := make([]syntax.Stmt, 0, len(in))
	for _, s := range in {
		out = r.stmt(out, s)
	}
	return out
}

// stmt rewrites a statement, mostly in place, and appends it to out.
func (r *rewriter) stmt(out []syntax.Stmt, s syntax.Stmt) []syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return r.assign(out, s)
	case *syntax.BranchStmt:
	case *syntax.DefStmt:
		r.name(s.Name)
		r.params(s.Params)
		r.repeated++
		s.Body = r.entered(s)
		r.repeated--
		return r.function(out, s)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.ForStmt:
		s.X = r.passing(s.X)
		s.Vars = r.target(s.Vars)
		s.Body = r.stmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = r.cond(s.Cond)
		s.True = r.stmts(s.True)
		s.False = r.stmts(s.False)
	case *syntax.LoadStmt:
		return append(out, r.load(s)...)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = r.expr(s.Result)
		}
	case *syntax.WhileStmt:
		r.repeated++
		s.Cond = r.cond(s.Cond)
		r.repeated--
		s.Body = r.stmts(s.Body)
	default:
		panic(fmt.Sprintf("rewrite: unknown statement %T", s))
	}
	return append(out, s)
}

func (r *rewriter) assign(out []syntax.Stmt, s *syntax.AssignStmt) []syntax.Stmt {
	r.augmenting = s.Op != syntax.EQ
	s.LHS = r.target(s.LHS)
	r.augmenting = false
	if s.Op == syntax.EQ {
		if _, several := unparen(s.LHS).(*syntax.TupleExpr); several {
			s.RHS = r.passing(s.RHS)
		} else {
			s.RHS = r.expr(s.RHS)
		}
		return append(out, s)
	}
	return append(out, r.augmented(s)...)
}

// target rewrites what is assigned to.
func (r *rewriter) target(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.Ident:
		r.name(x)
	case *syntax.ParenExpr:
		x.X = r.target(x.X)
	case *syntax.TupleExpr:
		r.targets(x.List)
	case *syntax.ListExpr:
		r.targets(x.List)
	case *syntax.IndexExpr:
		x.X = r.expr(x.X)
		if r.augmenting {
			x.Y = r.key(x.Y, x.Lbrack)
		} else {
			x.X, x.Y = r.element(x.Lbrack, x.X), r.expr(x.Y)
		}
	case *syntax.DotExpr:
		x.X = r.expr(x.X)
	default:
		r.errorf(dicesyntax.Position(x), "can't assign to this: only to a name, an element x[i], or several of them")
	}
	return x
}

func (r *rewriter) targets(list []syntax.Expr) {
	for i := range list {
		list[i] = r.target(list[i])
	}
}

// params rewrites the parameters of a function; defaults are expressions of
// the scope around it.
func (r *rewriter) params(params []syntax.Expr) {
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			r.name(p)
		case *syntax.BinaryExpr: // name=default
			r.name(p.X.(*syntax.Ident))
			p.Y = r.expr(p.Y)
		case *syntax.UnaryExpr: // *, *args, **kwargs
			if id, ok := p.X.(*syntax.Ident); ok {
				r.name(id)
			}
		default:
			panic(fmt.Sprintf("rewrite: unknown parameter %T", p))
		}
	}
}

// name checks an identifier that is bound, not used.
func (r *rewriter) name(id *syntax.Ident) {
	if i, ok := r.literals[id.Name]; ok {
		r.errorf(id.NamePos, "%s: %s", r.code.Literals[i].Text, notAName(r.code.Literals[i]))
	}
}

// argument checks the name of an argument.
func (r *rewriter) argument(id *syntax.Ident) {
	if i, ok := r.literals[id.Name]; ok {
		r.errorf(id.NamePos, "%s: %s; equality is written ==", r.code.Literals[i].Text, notAName(r.code.Literals[i]))
	}
}

func notAName(l notation.Literal) string {
	if l.Range != nil {
		return "a range is not a name"
	}
	return "a dice literal is not a name"
}
