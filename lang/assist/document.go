package assist

import (
	"context"
	"sort"
	"strings"
	"unicode/utf8"

	"dicescript/lang"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// An Assistant answers questions about texts for one host. It may be used by
// many goroutines at once.
type Assistant struct{ host *lang.Host }

// New returns an assistant for the recipes of a host.
func New(host *lang.Host) *Assistant { return &Assistant{host} }

// A Range is a piece of a text: from Start up to, and not with, End, in one file.
type Range struct{ Start, End lang.Position }

// A Document is a text that has been read. It may be asked by many goroutines at once,
// but of an input of a session by one, as the session itself.
type Document struct {
	host    *lang.Host
	session *lang.Session // whose names the text finds without defining them
	input   bool          // of a session, with what that has defined
	labels  []string      // further texts that labels may be

	name    string
	src     []byte
	lines   dicesyntax.Lines
	segment *notation.Document // nil when the text is all code
	program []byte             // the code, on the lines of the text
	tokens  []notation.Token   // of program
	open    []int32            // of each token and the end, the innermost bracket around it, or -1
	modules map[string]lang.ModuleDoc

	tree     *syntax.File     // of what could be mended of the program
	whole    *dicesyntax.Tree // the same, when nothing had to be
	literals map[string]notation.Literal
	names    names
}

// Analyze reads a text. Its name says what it is, as for [lang.Host.Compile]: of
// an AnyDice program only the diagnostics are known.
func (a *Assistant) Analyze(ctx context.Context, name string, text []byte) *Document {
	d := &Document{host: a.host, session: a.host.NewSession(), name: name, src: text}
	d.read(ctx)
	return d
}

// AnalyzeInput reads an input of a session, with the names that the session
// knows. Labels are texts to offer besides those in the input.
func (a *Assistant) AnalyzeInput(ctx context.Context, s *lang.Session, text string, labels ...string) *Document {
	d := &Document{host: a.host, session: s, input: true, labels: labels, name: "input.star", src: []byte(text)}
	d.read(ctx)
	return d
}

func (d *Document) prompt() Prompt { return PromptOf(d.session) }

func (d *Document) read(ctx context.Context) {
	d.lines = dicesyntax.NewLines(d.src)
	d.program = d.code()
	d.lex()
	d.loadModules(ctx)
	tree, whole := mended(ctx, d.name, d.program, d.tokens)
	if whole {
		d.whole = tree
	}
	d.tree = tree.File
	d.literals = map[string]notation.Literal{}
	for _, l := range tree.Literals {
		d.literals[l.Ident] = l
	}
	d.names = namesOf(d.tree)
}

// lex finds the tokens of the program, and the brackets around them.
func (d *Document) lex() {
	d.tokens = notation.Tokens(d.program)
	d.open = make([]int32, len(d.tokens)+1)
	var stack []int32
	for i, t := range d.tokens {
		d.open[i] = -1
		if n := len(stack); n > 0 {
			d.open[i] = stack[n-1]
		}
		switch {
		case t.Kind == notation.OpenToken:
			stack = append(stack, int32(i))
		case t.Kind == notation.CloseToken && len(stack) > 0:
			stack = stack[:len(stack)-1]
		}
	}
	d.open[len(d.tokens)] = -1
	if n := len(stack); n > 0 {
		d.open[len(d.tokens)] = stack[n-1]
	}
}

// code is the program in the text, with empty lines in the place of prose.
func (d *Document) code() []byte {
	switch {
	case strings.HasSuffix(d.name, ".anydice"):
		return nil
	case strings.HasSuffix(d.name, ".star"):
		return []byte(d.lines.Text)
	}
	d.segment = notation.Literate(d.src)
	switch {
	case d.segment != nil:
		return d.segment.Program
	case strings.HasSuffix(d.name, ".md"):
		return nil
	}
	return []byte(d.lines.Text)
}

// Program is the code of the text, with an empty line for every line of prose:
// the text itself when it is all code.
func (d *Document) Program() []byte { return d.program }

// isCode reports whether a line belongs to the program.
func (d *Document) isCode(line int) bool {
	if d.segment == nil {
		return len(d.program) > 0
	}
	for _, s := range d.segment.Segments {
		if s.Kind == notation.ProgramCode {
			first := s.Line + 1
			if line >= first && line < first+strings.Count(s.Text, "\n") {
				return true
			}
		}
	}
	return false
}

// text is a token as it is written.
func (d *Document) text(t notation.Token) string { return string(d.program[t.Start:t.End]) }

// at is the position of a line and a column in the document.
func (d *Document) at(line, col int) lang.Position {
	return lang.Position{File: d.name, Line: line, Column: col}
}

// rangeOf is where a token stands.
func (d *Document) rangeOf(t notation.Token) Range {
	return Range{d.at(t.Line, t.Col), d.endOf(t)}
}

func (d *Document) endOf(t notation.Token) lang.Position {
	s := d.text(t)
	if n := strings.Count(s, "\n"); n > 0 { // a text over several lines
		return d.at(t.Line+n, 1+utf8.RuneCountInString(s[strings.LastIndexByte(s, '\n')+1:]))
	}
	return d.at(t.Line, t.Col+utf8.RuneCountInString(s))
}

// identRange is where a name of the tree stands.
func (d *Document) identRange(id *syntax.Ident) Range {
	line, col := int(id.NamePos.Line), int(id.NamePos.Col)
	return Range{d.at(line, col), d.at(line, col+utf8.RuneCountInString(id.Name))}
}

// before reports whether a place comes before another one.
func before(a, b lang.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
}

// tokensFrom is the index of the first token that begins on a line or below it.
func (d *Document) tokensFrom(line int) int {
	return sort.Search(len(d.tokens), func(i int) bool { return d.tokens[i].Line >= line })
}

// reaching is the index of a token such that all that reach a line come from it on: a
// text may go on over many lines, and nothing else does.
func (d *Document) reaching(line int) int { return max(0, d.tokensFrom(line)-1) }

// tokenAt is the index of the token that holds a position or ends there, a word
// before a sign, and whether there is one.
func (d *Document) tokenAt(pos lang.Position) (int, bool) {
	found := -1
	for i := d.reaching(pos.Line); i < len(d.tokens); i++ {
		t := d.tokens[i]
		if t.Line > pos.Line {
			break
		}
		if t.Kind == notation.NewlineToken {
			continue
		}
		r := d.rangeOf(t)
		if before(pos, r.Start) || before(r.End, pos) {
			continue
		}
		if found < 0 || !isWord(d.tokens[found]) {
			found = i
		}
	}
	return found, found >= 0
}

// isWord reports whether a token is something that can be asked about.
func isWord(t notation.Token) bool {
	switch t.Kind {
	case notation.NameToken, notation.KeywordToken, notation.DiceToken, notation.RangeToken, notation.StringToken:
		return true
	}
	return false
}

// lastBefore is the index of the last token that ends at a place or before it,
// -1 when there is none. Line ends and comments are passed over.
func (d *Document) lastBefore(pos lang.Position) int {
	for i := d.tokensFrom(pos.Line+1) - 1; i >= 0; i-- {
		t := d.tokens[i]
		if t.Kind != notation.NewlineToken && t.Kind != notation.CommentToken &&
			before(d.at(t.Line, t.Col), pos) && !before(pos, d.endOf(t)) {
			return i
		}
	}
	return -1
}
