// Package readings notes how a recipe was read where it may be meant otherwise.
//
// The same signs mean one thing in a recipe and another in the notation of the tables:
// 5d10 >= 7 is a chance here and a number of successes there, and dice explode to some
// depth or without end. The tree of a text that has not been rewritten goes in, and notes
// with their places come out, in the order of the text.
package readings

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// A Note says how something was read.
type Note struct {
	Line, Column int
	Message      string
}

// Likely reports whether a text may have what [Program] notes, at a glance.
func Likely(text string) bool {
	for _, word := range [...]string{"explode", "dialect", ".keep", ".remove", ".reroll", ".convert", ".ignore"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return keptHighest().MatchString(text)
}

// keptHighest is 4d6k3.
var keptHighest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)d(?:[0-9]+|%)k[0-9]`) })

// Program are the notes on a recipe: on the counts that leave out the dice that an
// explosion adds, and on what dialects of tabletops read.
func Program(tree *dicesyntax.Tree) []Note {
	r := newReader(tree, dicesyntax.Bound(tree.File.Stmts...))
	r.counts(tree.File)
	r.pools(tree.File, false)
	r.inOrder()
	return r.notes
}

// Input are all notes on an input, for who types it. Own are the names that mean
// something else than the builtin.
func Input(tree *dicesyntax.Tree, own map[string]bool) []Note {
	r := newReader(tree, own)
	for _, s := range tree.File.Stmts {
		if s, ok := s.(*syntax.ExprStmt); ok {
			r.expression(s.X)
		}
	}
	r.counts(tree.File)
	r.pools(tree.File, true)
	r.inOrder()
	return r.notes
}

// inOrder puts the notes in the order of the text.
func (r *reader) inOrder() {
	slices.SortStableFunc(r.notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// A reader finds the notes of one tree.
type reader struct {
	literals map[string]notation.Literal // by the identifier in the tree
	own      map[string]bool             // names that mean something else
	values   map[string]syntax.Expr      // of names that are bound once, by an assignment
	notes    []Note
}

func newReader(tree *dicesyntax.Tree, own map[string]bool) *reader {
	values, _ := dicesyntax.Bindings(tree.File)
	r := &reader{literals: map[string]notation.Literal{}, own: own, values: values}
	for _, l := range tree.Literals {
		r.literals[l.Ident] = l
	}
	r.kept(tree.Literals)
	return r
}

func (r *reader) notef(at syntax.Position, format string, args ...any) {
	r.notes = append(r.notes, Note{int(at.Line), int(at.Col), fmt.Sprintf(format, args...)})
}

// expression notes how the value that is shown was read.
func (r *reader) expression(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		r.expression(x.X)
	case *syntax.BinaryExpr:
		r.comparison(x)
	case *syntax.CallExpr:
		r.counted(x)
		r.capped(x)
	}
}

// comparison notes that the total of several dice was compared.
func (r *reader) comparison(x *syntax.BinaryExpr) {
	words, ok := map[syntax.Token]string{
		syntax.GE: "%s or more", syntax.GT: "more than %s", syntax.LE: "%s or less", syntax.LT: "less than %s", syntax.EQL: "%s",
	}[x.Op]
	target, number := x.Y.(*syntax.Literal)
	if !ok || !number || target.Token != syntax.INT || !r.severalDice(x.X) {
		return
	}
	result := fmt.Sprintf(words, target.Raw)
	if id, ok := x.X.(*syntax.Ident); ok && r.literals[id.Name].Dice.Select == notation.KeepAll {
		r.notef(x.OpPos, `the chance that the total is %s; roll("%s%s%s") counts the dice that show it`, result, r.literals[id.Name].Text, notationOf(x.Op), target.Raw)
		return
	}
	r.notef(x.OpPos, "the chance that the total is %s", result)
}

// notationOf is a comparison as roll("...") writes it.
func notationOf(op syntax.Token) string {
	if op == syntax.EQL {
		return "="
	}
	return op.String()
}

// severalDice reports whether a literal of several dice stands in x.
func (r *reader) severalDice(x syntax.Expr) bool {
	found := false
	syntax.Walk(x, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			l := r.literals[id.Name]
			found = found || l.Range == nil && l.Dice.Count > 1
		}
		_, call := n.(*syntax.CallExpr)
		return !found && !call
	})
	return found
}

// counted notes what roll("5d10>=7") counts.
func (r *reader) counted(call *syntax.CallExpr) {
	if !r.calls(call, "roll") || len(call.Args) != 1 {
		return
	}
	text, ok := call.Args[0].(*syntax.Literal)
	if !ok || text.Token != syntax.STRING {
		return
	}
	x, err := notation.ParseRoll(text.Value.(string))
	if err != nil {
		return
	}
	if words := notation.Counted(x); words != "" {
		r.notef(named(call), "how many dice%s", words)
	}
}

// table notes what a dialect reads otherwise than one may expect.
func (r *reader) table(call *syntax.CallExpr) {
	if !r.calls(call, "roll") || len(call.Args) < 2 {
		return
	}
	text, ok := stringOf(call.Args[0])
	dialect, named := stringOf(call.Args[1])
	for _, arg := range call.Args[1:] {
		if b, isNamed := arg.(*syntax.BinaryExpr); isNamed && b.Op == syntax.EQ && b.X.(*syntax.Ident).Name == "dialect" {
			dialect, named = stringOf(b.Y)
		}
	}
	if !ok || !named {
		return
	}
	f, err := notation.ParseTable(notation.Dialect(dialect), text)
	if err != nil {
		return
	}
	for _, n := range f.Notes {
		r.notef(syntax.Start(call), "%s: %s", f.Dialect, n.Message)
	}
}

// stringOf is a text that is written out.
func stringOf(x syntax.Expr) (string, bool) {
	l, ok := x.(*syntax.Literal)
	if !ok || l.Token != syntax.STRING {
		return "", false
	}
	return l.Value.(string), true
}

// capped notes how often dice explode that were given no limit.
func (r *reader) capped(call *syntax.CallExpr) {
	args := call.Args
	if dot, ok := call.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "explode" {
		args = append([]syntax.Expr{dot.X}, args...)
	} else if !r.calls(call, "explode") {
		return
	}
	depth := 2
	if len(args) > 1 {
		l, ok := args[1].(*syntax.Literal)
		if b, named := args[1].(*syntax.BinaryExpr); named && b.Op == syntax.EQ {
			l, ok = b.Y.(*syntax.Literal)
			if b.X.(*syntax.Ident).Name == "on" {
				l, ok = &syntax.Literal{Token: syntax.INT, Value: int64(depth)}, len(args) == 2
			}
		}
		if !ok || l.Token != syntax.INT {
			return
		}
		n, small := l.Value.(int64)
		if !small {
			return
		}
		if depth = int(n); depth == 0 {
			return
		}
	}
	r.notef(named(call), "a die explodes at most %s; with max_depth=None, as with ! at the tables, there is no end", plural(depth, "time"))
}

// named is where the name of what is called stands.
func named(call *syntax.CallExpr) syntax.Position {
	if dot, ok := call.Fn.(*syntax.DotExpr); ok {
		return dot.Name.NamePos
	}
	return syntax.Start(call)
}

// plural writes a count of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// calls reports whether a call is of the builtin with a name.
func (r *reader) calls(x syntax.Expr, name string) bool {
	call, ok := x.(*syntax.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fn.(*syntax.Ident)
	return ok && id.Name == name && !r.own[name]
}

// counts notes, of all calls, what a dialect reads, and the counts of exploded dice: each
// die counts once, whatever it has added, so that the explosion makes no difference but to
// the top face.
func (r *reader) counts(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		r.table(call)
		r.keptInText(call)
		args := call.Args
		if dot, ok := call.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "count" {
			args = append([]syntax.Expr{dot.X}, args...)
		} else if !r.calls(call, "count") {
			return true
		}
		if len(args) == 2 && r.explodes(args[0]) {
			r.notef(named(call), "count looks at each die with all that it has added; to count every extra die too, write count(5d10, 8.., again=10)")
		}
		return true
	})
}

// keptInText notes the same of roll("4d6k3").
func (r *reader) keptInText(call *syntax.CallExpr) {
	if !r.calls(call, "roll") || len(call.Args) != 1 {
		return
	}
	text, ok := stringOf(call.Args[0])
	if !ok {
		return
	}
	if _, err := notation.ParseRoll(text); err != nil {
		return
	}
	if at := keptHighest().FindStringIndex(text); at != nil {
		k := at[1] - 1
		r.notef(syntax.Start(call), "k%s keeps the highest, as kh%s", text[k:at[1]], text[k:at[1]])
	}
}

// kept notes literals that other tools read in the other way, such as 4d6k3.
func (r *reader) kept(literals []notation.Literal) {
	for _, l := range literals {
		if l.Range == nil && l.Dice.Select == notation.KeepHighest && !strings.ContainsAny(l.Text, "hH") {
			r.notes = append(r.notes, Note{l.Line, l.Col, fmt.Sprintf("%s keeps the highest, as %dd%dkh%d", l.Text, l.Dice.Count, l.Dice.Sides, l.Dice.N)})
		}
	}
}

// explodes reports whether x is explode(...) or pool.explode(...).
func (r *reader) explodes(x syntax.Expr) bool {
	if p, ok := x.(*syntax.ParenExpr); ok {
		return r.explodes(p.X)
	}
	call, ok := x.(*syntax.CallExpr)
	if !ok {
		return false
	}
	dot, ok := call.Fn.(*syntax.DotExpr)
	return ok && dot.Name.Name == "explode" || r.calls(x, "explode")
}
