package lint

import (
	"cmp"
	"fmt"
	"slices"

	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// A Finding is a likely mistake at a place in the text.
type Finding struct {
	Line, Col int
	Message   string
}

// Check reads a text and returns what is likely wrong with it, in the order of
// the text. A text that is not a program has no findings: its errors are for
// the compiler to tell.
func Check(name string, src []byte) []Finding {
	tree, ds := dicesyntax.Parse(name, src)
	if len(ds) > 0 {
		return nil
	}
	return CheckTree(tree)
}

// CheckTree is [Check] of a text that has been read.
func CheckTree(tree *dicesyntax.Tree) []Finding {
	c := &checker{file: tree.File, literals: map[string]notation.Literal{}, names: namesOf(tree.File), shown: dicesyntax.Shown(tree.File)}
	for _, l := range tree.Literals {
		c.literals[l.Ident] = l
	}
	c.block(tree.File.Stmts, true)
	c.scales()
	c.unused()
	c.silent()
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(c.findings)
}

type checker struct {
	file     *syntax.File
	literals map[string]notation.Literal // by the identifier in the tree
	names    names
	shown    *syntax.ExprStmt // the statement whose value is shown by itself, nil for none
	findings []Finding
}

func (c *checker) add(pos syntax.Position, format string, args ...any) {
	c.findings = append(c.findings, Finding{int(pos.Line), int(pos.Col), fmt.Sprintf(format, args...)})
}

// block looks at the statements of a block. A text that begins a file or a
// function is its doc string.
func (c *checker) block(body []syntax.Stmt, documented bool) {
	for i, s := range body {
		switch s := s.(type) {
		case *syntax.ExprStmt:
			if !(i == 0 && documented && isText(s.X)) && s != c.shown {
				c.value(s.X)
			}
		case *syntax.DefStmt:
			c.block(s.Body, true)
		case *syntax.ForStmt:
			c.block(s.Body, false)
		case *syntax.WhileStmt:
			c.block(s.Body, false)
		case *syntax.IfStmt:
			c.block(s.True, false)
			c.block(s.False, false)
		}
		if ends(s) && i+1 < len(body) {
			start, _ := body[i+1].Span()
			c.add(start, "this is never reached: the line above ends the block")
			break
		}
	}
}

func ends(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ReturnStmt:
		return true
	case *syntax.BranchStmt:
		return s.Token != syntax.PASS
	}
	return false
}

func isText(x syntax.Expr) bool {
	l, ok := x.(*syntax.Literal)
	return ok && l.Token == syntax.STRING
}
