// Package outline reads off the tree of a file what others have to know of it.
//
// The tree as it was parsed goes in, and an [Outline] comes out: what the file says about
// itself and its functions, what it loads, and where it asks for parameters. Once the tree
// has been rewritten and resolved, it is asked for what the file has for others ([Exports]),
// for what its functions ask for when they run ([LiveUses]), and for what a file may not have
// ([TooLarge], [Outline.Misplaced]).
package outline

import (
	"strings"

	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// An Outline is what a file says that others have to know.
type Outline struct {
	Doc       string                 // what the file says about itself
	Functions []Function             // those for others, in the order of the text
	Loads     []Load                 // its load statements
	Params    []*syntax.CallExpr     // the calls of param that run exactly once
	named     map[*syntax.Ident]bool // by which Params call it
}

// A Function is one that a file defines at its top level.
type Function struct {
	Pos       syntax.Position
	Name      string
	Signature string
	Doc       string
}

// Read reads the outline of a file that has the text.
func Read(f *syntax.File, text *dicesyntax.Lines) *Outline {
	o := &Outline{Doc: dicesyntax.DocString(f.Stmts), named: map[*syntax.Ident]bool{}}
	at := text.Cursor()
	for _, s := range f.Stmts {
		switch s := s.(type) {
		case *syntax.LoadStmt:
			o.Loads = append(o.Loads, newLoad(s))
		case *syntax.DefStmt:
			if strings.HasPrefix(s.Name.Name, "_") {
				continue
			}
			end := s.Rparen
			end.Col++
			o.Functions = append(o.Functions, Function{s.Name.NamePos, s.Name.Name, at.Between(s.Name.NamePos, end), dicesyntax.DocString(s.Body)})
		}
	}
	eachOnce(f, func(call *syntax.CallExpr, fn *syntax.Ident) {
		if fn.Name == "param" {
			o.Params = append(o.Params, call)
			o.named[fn] = true
		}
	})
	return o
}

// eachOnce visits the calls of a plain name that run exactly once: not those in
// functions, loops and conditions.
func eachOnce(f *syntax.File, visit func(call *syntax.CallExpr, fn *syntax.Ident)) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt, *syntax.LambdaExpr, *syntax.ForStmt, *syntax.WhileStmt, *syntax.IfStmt,
			*syntax.CondExpr, *syntax.Comprehension:
			return false
		case *syntax.BinaryExpr:
			return n.Op != syntax.AND && n.Op != syntax.OR
		case *syntax.CallExpr:
			if fn, ok := n.Fn.(*syntax.Ident); ok {
				visit(n, fn)
			}
		}
		return true
	})
}

// DefinesFunctions reports whether a file has code that may run after its end.
func DefinesFunctions(f *syntax.File) bool {
	found := false
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.DefStmt, *syntax.LambdaExpr:
			found = true
		}
		return !found
	})
	return found
}
