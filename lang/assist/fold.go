package assist

import (
	"cmp"
	"slices"
	"strings"

	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// A Fold is lines that can be folded away, from the first, which stays, to the last.
type Fold struct {
	Start, End int
	Comment    bool
}

// Folds returns what can be folded, outer pieces first: the code of a document,
// blocks, brackets over several lines, runs of comments.
func (d *Document) Folds() []Fold {
	var folds []Fold
	add := func(start, end int, comment bool) {
		if end > start {
			folds = append(folds, Fold{start, end, comment})
		}
	}
	if d.segment != nil {
		for _, s := range d.segment.Segments {
			if s.Kind == notation.ProgramCode {
				add(s.Line, s.TextLine()+strings.Count(s.Text, "\n"), false)
			}
		}
	}
	syntax.Walk(d.tree, func(n syntax.Node) bool {
		d.foldsOf(n, add)
		return true
	})
	d.commentFolds(add)
	slices.SortStableFunc(folds, func(a, b Fold) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return slices.CompactFunc(folds, func(a, b Fold) bool { return a.Start == b.Start })
}

func (d *Document) foldsOf(n syntax.Node, add func(start, end int, comment bool)) {
	switch n := n.(type) {
	case *syntax.IfStmt:
		add(int(n.If.Line), lastLine(n.True), false)
		if len(n.False) > 0 {
			if _, elif := n.False[0].(*syntax.IfStmt); !elif || len(n.False) > 1 {
				add(int(n.ElsePos.Line), lastLine(n.False), false)
			}
		}
	case *syntax.DefStmt, *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoadStmt:
		start, end := n.Span()
		add(int(start.Line), int(end.Line), false)
	case *syntax.CallExpr:
		add(int(n.Lparen.Line), int(n.Rparen.Line)-1, false)
	case *syntax.ListExpr:
		add(int(n.Lbrack.Line), int(n.Rbrack.Line)-1, false)
	case *syntax.DictExpr:
		add(int(n.Lbrace.Line), int(n.Rbrace.Line)-1, false)
	case *syntax.Comprehension:
		add(int(n.Lbrack.Line), int(n.Rbrack.Line)-1, false)
	case *syntax.Literal:
		start, end := n.Span()
		add(int(start.Line), int(end.Line), false)
	}
}

func lastLine(body []syntax.Stmt) int {
	_, end := body[len(body)-1].Span()
	return int(end.Line)
}

// commentFolds adds the comments that stand alone on lines that follow each other.
func (d *Document) commentFolds(add func(start, end int, comment bool)) {
	start, last := 0, -1
	for i, t := range d.tokens {
		if t.Kind != notation.CommentToken || i > 0 && d.tokens[i-1].Line == t.Line && d.tokens[i-1].Kind != notation.NewlineToken {
			continue
		}
		if t.Line != last+1 {
			add(start, last, true)
			start = t.Line
		}
		last = t.Line
	}
	add(start, last, true)
}

// Outputs returns the statements of the top level that put something out when they
// run: calls of output, and of functions of the text that call it; in a text without
// any, the last expression, whose value is shown.
func (d *Document) Outputs() []Range {
	var found []Range
	var last *syntax.ExprStmt
	callers := map[*syntax.Ident]bool{}
	for _, s := range d.tree.Stmts {
		if def, ok := s.(*syntax.DefStmt); ok && d.putsOut(def, callers) {
			callers[first(def.Name)] = true
		}
	}
	var block func(body []syntax.Stmt)
	block = func(body []syntax.Stmt) {
		for _, s := range body {
			switch s := s.(type) {
			case *syntax.IfStmt:
				block(s.True)
				block(s.False)
			case *syntax.ForStmt:
				block(s.Body)
			case *syntax.WhileStmt:
				block(s.Body)
			case *syntax.ExprStmt:
				last = s
				if d.putsOut(s, callers) {
					found = append(found, d.nodeRange(s))
				}
			}
		}
	}
	block(d.tree.Stmts)
	if len(found) == 0 && last != nil && last == d.tree.Stmts[len(d.tree.Stmts)-1] {
		found = append(found, d.nodeRange(last))
	}
	return found
}

// putsOut reports whether output, or a function that calls it, is called in a node.
func (d *Document) putsOut(n syntax.Node, callers map[*syntax.Ident]bool) bool {
	if call, ok := n.(*syntax.CallExpr); ok {
		if id, ok := call.Fn.(*syntax.Ident); ok && (id.Name == "output" && first(id) == nil || first(id) != nil && callers[first(id)]) {
			return true
		}
	}
	for _, c := range dicesyntax.Children(n) {
		if d.putsOut(c, callers) {
			return true
		}
	}
	return false
}
