package assist

import (
	"go.starlark.net/syntax"
)

// A Symbol is something that a text defines or puts out.
type Symbol struct {
	Name   string
	Kind   Kind   // FunctionKind, VariableKind, ParameterKind for an input, OutputKind
	Detail string // how a function is called
	Range  Range  // all of it
	Select Range  // its name
}

// Symbols returns the functions, the variables, the inputs and the outputs of the
// top level, in the order of the text: a variable once.
func (d *Document) Symbols() []Symbol {
	var symbols []Symbol
	seen := map[string]bool{}
	for _, s := range d.tree.Stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
			symbols = append(symbols, Symbol{s.Name.Name, FunctionKind, d.signature(s), d.nodeRange(s), d.identRange(s.Name)})
		case *syntax.AssignStmt:
			id, ok := s.LHS.(*syntax.Ident)
			if !ok || seen[id.Name] || s.Op != syntax.EQ {
				continue
			}
			seen[id.Name] = true
			kind := VariableKind
			if isCallOf(s.RHS, "param") {
				kind = ParameterKind
			}
			symbols = append(symbols, Symbol{id.Name, kind, "", d.nodeRange(s), d.identRange(id)})
		case *syntax.ExprStmt:
			if call, ok := s.X.(*syntax.CallExpr); ok && isCallOf(call, "output") && len(call.Args) > 0 {
				if title, ok := call.Args[0].(*syntax.Literal); ok && title.Token == syntax.STRING {
					symbols = append(symbols, Symbol{title.Value.(string), OutputKind, "", d.nodeRange(s), d.nodeRange(title)})
				}
			}
		}
	}
	return symbols
}

func isCallOf(x syntax.Expr, name string) bool {
	call, ok := x.(*syntax.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fn.(*syntax.Ident)
	return ok && id.Name == name && first(id) == nil
}

func (d *Document) nodeRange(n syntax.Node) Range {
	start, end := n.Span()
	return Range{d.at(int(start.Line), int(start.Col)), d.at(int(end.Line), int(end.Col))}
}
