package format

import (
	"fmt"
	"slices"
	"strings"

	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// This file compares programs: they mean the same when their trees differ in
// nothing but places, brackets around an expression, and the indentation of what a
// function says about itself.

func sameMeaning(a, b *dicesyntax.Tree) bool {
	return meaningOf(a) == meaningOf(b)
}

// meaningOf writes a tree as text.
func meaningOf(t *dicesyntax.Tree) string {
	m := meaning{literals: map[string]string{}}
	for _, l := range t.Literals {
		m.literals[l.Ident] = l.Text
	}
	m.node(t.File)
	return m.out.String()
}

type meaning struct {
	literals map[string]string
	out      strings.Builder
}

func (m *meaning) node(n syntax.Node) {
	if x, ok := n.(*syntax.ParenExpr); ok {
		m.node(x.X)
		return
	}
	children := dicesyntax.Children(n)
	fmt.Fprintf(&m.out, "(%T %d %s", n, len(children), m.own(n))
	for i, c := range children {
		if def, ok := n.(*syntax.DefStmt); ok && i == len(children)-len(def.Body) && dicesyntax.DocString(def.Body) != "" {
			fmt.Fprintf(&m.out, "(doc %q)", dicesyntax.DocString(def.Body))
			continue
		}
		m.node(c)
	}
	m.out.WriteString(")")
}

// own is what a node says beside what is below it.
func (m *meaning) own(n syntax.Node) string {
	switch n := n.(type) {
	case *syntax.Ident:
		if text, ok := m.literals[n.Name]; ok {
			return text
		}
		return n.Name
	case *syntax.Literal:
		if text, ok := n.Value.(string); ok {
			return fmt.Sprintf("%v %q", n.Token, text)
		}
		return fmt.Sprintf("%v %v", n.Token, n.Value)
	case *syntax.BinaryExpr:
		return n.Op.String()
	case *syntax.UnaryExpr:
		return n.Op.String()
	case *syntax.AssignStmt:
		return n.Op.String()
	case *syntax.BranchStmt:
		return n.Token.String()
	case *syntax.IfStmt:
		return fmt.Sprint(len(n.True))
	case *syntax.DefStmt:
		return fmt.Sprint(len(n.Params))
	case *syntax.Comprehension:
		return fmt.Sprint(n.Curly)
	case *syntax.SliceExpr:
		return fmt.Sprint(n.Lo != nil, n.Hi != nil, n.Step != nil)
	}
	return ""
}

// sameComments reports whether two programs have the same comments, in whatever
// order.
func sameComments(a, b []byte) bool { return slices.Equal(comments(a), comments(b)) }

func comments(program []byte) []string {
	var all []string
	for _, t := range notation.Tokens(program) {
		if t.Kind == notation.CommentToken {
			all = append(all, strings.TrimSpace(string(program[t.Start:t.End])))
		}
	}
	slices.Sort(all)
	return all
}
