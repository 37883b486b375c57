package syntax

import "go.starlark.net/syntax"

// Shown returns the statement whose value a recipe shows although it never names output:
// the expression that it ends in, as in a text that is "4d6kh3" alone. It returns nil for a
// recipe that names output, and for one that ends in another statement or in a text, which
// says something of the file.
func Shown(f *syntax.File) *syntax.ExprStmt {
	if len(f.Stmts) == 0 {
		return nil
	}
	last, ok := f.Stmts[len(f.Stmts)-1].(*syntax.ExprStmt)
	if !ok {
		return nil
	}
	if l, literal := last.X.(*syntax.Literal); literal && l.Token == syntax.STRING {
		return nil
	}
	outputs := false
	syntax.Walk(f, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		outputs = outputs || ok && id.Name == "output"
		return !outputs
	})
	if outputs {
		return nil
	}
	return last
}
