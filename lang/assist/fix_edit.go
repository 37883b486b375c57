package assist

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"dicescript/lang"
	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// What a fix replaces, found among the words of the text.

// insteadOf puts a text in the place of the tokens around one that are, but for the
// space between them, another text.
func (d *Document) insteadOf(i int, text, by string) (Edit, bool) {
	for from := max(0, i-1); from <= i; from++ {
		for to := i; to < min(len(d.tokens), i+2); to++ {
			joined := ""
			for _, t := range d.tokens[from : to+1] {
				joined += d.text(t)
			}
			if joined == text {
				return Edit{Range{d.rangeOf(d.tokens[from]).Start, d.endOf(d.tokens[to])}, by}, true
			}
		}
	}
	return Edit{}, false
}

// inLine puts a text in the place of another one that stands around a place, on its
// line.
func (d *Document) inLine(pos lang.Position, text, by string) (Edit, bool) {
	line := d.lineOf(pos.Line)
	runes := []rune(line)
	at := len(string(runes[:min(pos.Column-1, len(runes))]))
	for from := 0; ; from++ {
		next := strings.Index(line[from:], text)
		if next < 0 || from+next > at {
			return Edit{}, false
		}
		if from += next; from+len(text) > at {
			start := d.at(pos.Line, 1+utf8.RuneCountInString(line[:from]))
			end := d.at(pos.Line, start.Column+utf8.RuneCountInString(text))
			return Edit{Range{start, end}, by}, true
		}
	}
}

// lineOf is a line of the program, without its end.
func (d *Document) lineOf(line int) string {
	lines := strings.SplitN(string(d.program), "\n", line+1)
	if line > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[line-1], "\r")
}

// next is the token after one, which is the last where there is none.
func (d *Document) next(i int) int { return min(i+1, len(d.tokens)-1) }

// lastOfLine is the last token of the line of one, without a comment.
func (d *Document) lastOfLine(i int) int {
	last := i
	for j := i; j < len(d.tokens) && d.tokens[j].Line == d.tokens[i].Line; j++ {
		if k := d.tokens[j].Kind; k != notation.NewlineToken && k != notation.CommentToken {
			last = j
		}
	}
	return last
}

// closing is the token that closes the first bracket from a token on, or the token
// itself.
func (d *Document) closing(i int) int {
	depth := 0
	for j := i; j < len(d.tokens); j++ {
		switch d.tokens[j].Kind {
		case notation.OpenToken:
			depth++
		case notation.CloseToken:
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return i
}

// curly are the quotes of word processors.
const curly = "“”„‘’«»"

// straightened puts straight quotes in the place of those of a word processor: the one
// at a token, and the next one on its line.
func (d *Document) straightened(i int) (Edit, bool) {
	start := d.rangeOf(d.tokens[i]).Start
	line := []rune(d.lineOf(start.Line))
	for end := start.Column; end < len(line); end++ {
		if !strings.ContainsRune(curly, line[end]) {
			continue
		}
		inside := string(line[start.Column:end])
		if strings.ContainsAny(inside, `"\`) {
			return Edit{}, false
		}
		return Edit{Range{start, d.at(start.Line, end+2)}, `"` + inside + `"`}, true
	}
	return Edit{}, false
}

// imports is how another language loads names from a module.
var imports = regexp.MustCompile(`^(\s*)from\s+(\w+)\s+import\s+(\w+(?:\s*,\s*\w+)*)\s*$`)

// loaded loads what a line wants to import from a bundled module.
func (d *Document) loaded(i int) (Edit, bool) {
	line := d.lineOf(d.tokens[i].Line)
	m := imports.FindStringSubmatch(line)
	if m == nil || !slices.Contains(d.host.Modules(), m[2]+".star") {
		return Edit{}, false
	}
	names := strings.Split(strings.ReplaceAll(m[3], " ", ""), ",")
	start := d.at(d.tokens[i].Line, 1+utf8.RuneCountInString(m[1]))
	end := d.at(start.Line, 1+utf8.RuneCountInString(line))
	return Edit{Range{start, end}, loadStatement(m[2]+".star", names...)}, true
}

func loadStatement(module string, names ...string) string {
	text := fmt.Sprintf("load(%q", module)
	for _, n := range names {
		text += fmt.Sprintf(", %q", n)
	}
	return text + ")"
}

// loads are the ways to load a name from one of the modules that have it, listed as an
// error lists them.
func (d *Document) loads(modules, name string) []Edit {
	at := d.placeOfLoads()
	var edits []Edit
	for _, m := range strings.Split(strings.ReplaceAll(modules, " and ", ", "), ", ") {
		edits = append(edits, Edit{Range{at, at}, loadStatement(m, name) + "\n"})
	}
	return edits
}

// placeOfLoads is where another load statement may stand: after the others, or
// before the first statement that is not the text that describes the file.
func (d *Document) placeOfLoads() lang.Position {
	for i := len(d.tree.Stmts) - 1; i >= 0; i-- {
		if load, ok := d.tree.Stmts[i].(*syntax.LoadStmt); ok {
			return d.at(int(load.Rparen.Line)+1, 1)
		}
	}
	for _, s := range d.tree.Stmts {
		start, _ := s.Span()
		if !isText(s) {
			return d.at(int(start.Line), 1)
		}
	}
	return d.at(1, 1)
}

// isText reports whether a statement is a text alone.
func isText(s syntax.Stmt) bool {
	e, ok := s.(*syntax.ExprStmt)
	if !ok {
		return false
	}
	l, ok := e.X.(*syntax.Literal)
	return ok && l.Token == syntax.STRING
}
