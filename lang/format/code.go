package format

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dicescript/lang/notation"

	"github.com/bazelbuild/buildtools/build"
)

// This file has the printer of buildifier format code that it can't read as it is.

// mostPasses is how often a program is formatted until nothing changes any more.
// The printer moves some comments once, and what follows them the next time.
const mostPasses = 5

// code formats a program. An error is a *[notation.Error].
func code(src []byte) ([]byte, error) {
	text, crlf := plainLines(src)
	for range mostPasses {
		out, err := pass(text)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(out, text) {
			if crlf {
				out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
			}
			return out, nil
		}
		text = out
	}
	return nil, &notation.Error{Line: 1, Col: 1, Msg: "this can't be formatted: its comments find no place"}
}

// pass formats a program once.
func pass(text []byte) ([]byte, error) {
	h := hide(text)
	file, err := build.ParseDefault("", h.text)
	if err != nil {
		return nil, unreadable(err)
	}
	// The other changes that buildifier makes are to files of Bazel.
	(&build.Rewriter{RewriteSet: []string{"formatdocstrings"}}).Rewrite(file)
	h.keepWhile(file)
	return h.show(build.FormatWithoutRewriting(file))
}

// unreadable says where the printer does not understand a program.
func unreadable(err error) error {
	e := &notation.Error{Line: 1, Col: 1, Msg: "this can't be formatted: " + err.Error()}
	var p build.ParseError
	if errors.As(err, &p) {
		e.Line, e.Col = p.Pos.Line, p.Pos.LineRune
		e.Msg = "this can't be formatted: the style has no form for what stands here"
	}
	return e
}

// plainLines are the lines of a text, each ending in \n, with spaces for the tabs
// that blocks are indented by; and whether its first line ends in \r\n.
func plainLines(src []byte) (text []byte, crlf bool) {
	first := bytes.IndexByte(src, '\n')
	crlf = first > 0 && src[first-1] == '\r'
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	src = bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
	if !bytes.Contains(src, []byte("\t")) {
		return src, crlf
	}
	var out bytes.Buffer
	done := 0
	for _, t := range notation.Tokens(src) {
		start := bytes.LastIndexByte(src[:t.Start], '\n') + 1
		space := src[start:t.Start]
		if start < done || len(bytes.Trim(space, " \t")) > 0 || !bytes.Contains(space, []byte("\t")) {
			continue
		}
		out.Write(src[done:start])
		out.WriteString(strings.Repeat(" ", widthOf(space)))
		done = t.Start
	}
	out.Write(src[done:])
	return out.Bytes(), crlf
}

// widthOf is how far in a line begins: a tab goes on to the next multiple of 8, as
// in Starlark.
func widthOf(space []byte) int {
	const tab = 8
	n := 0
	for _, c := range space {
		n++
		if c == '\t' {
			n = (n + tab - 1) / tab * tab
		}
	}
	return n
}

// hidden is a program in which names stand for what the printer can't read.
type hidden struct {
	text   []byte
	shown  []string       // what is hidden, in the order of the text
	names  map[int]string // that stand for something hidden, by width
	taken  map[string]bool
	marker string // begins the condition of a while
	dots   string // begins what the dots of a range are glued to, when there are any
}

// hide puts names into the place of literals, and an if with two conditions, the
// first of them a name, into that of a while: it has the same width.
func hide(src []byte) *hidden {
	h := &hidden{names: map[int]string{}, taken: map[string]bool{}}
	tokens := notation.Tokens(src)
	for _, t := range tokens {
		if t.Kind == notation.NameToken || t.Kind == notation.KeywordToken {
			h.taken[string(src[t.Start:t.End])] = true
		}
	}
	h.marker = h.unused(1)
	if slices.ContainsFunc(tokens, func(t notation.Token) bool { return t.Kind == notation.DotsToken }) {
		h.dots = h.beginning()
	}
	var out bytes.Buffer
	done := 0
	for i, t := range tokens {
		text := string(src[t.Start:t.End])
		out.Write(src[done:t.Start])
		done = t.Start
		switch {
		case strange(t.Kind, text) || t.Kind == notation.NumberToken && nextTo(tokens, i):
			out.WriteString(h.nameFor(text))
		case t.Kind == notation.DotsToken && notation.HasLowEnd(tokens, i):
			out.WriteString("." + h.dots)
		case t.Kind == notation.DotsToken:
			out.WriteString(h.dots)
		case text == "while" && t.Kind == notation.KeywordToken:
			out.WriteString("if " + h.marker + ", ")
			for done = t.End; i+1 < len(tokens) && done < tokens[i+1].Start && src[done] == ' '; {
				done++
			}
			continue
		case t.Kind == notation.StringToken && !t.Unclosed:
			out.WriteString(doubleQuoted(text))
		default:
			out.WriteString(text)
		}
		done = t.End
	}
	out.Write(src[done:])
	h.text = out.Bytes()
	return h
}

// nextTo reports whether token i is an end of a computed range.
func nextTo(tokens []notation.Token, i int) bool {
	t := tokens[i]
	return i > 0 && tokens[i-1].Kind == notation.DotsToken && tokens[i-1].End == t.Start ||
		i+1 < len(tokens) && tokens[i+1].Kind == notation.DotsToken && tokens[i+1].Start == t.End
}

// doubleQuoted is a text in double quotes, or as it is when it has such inside. The
// printer would do so too, but escape what is in it.
func doubleQuoted(text string) string {
	if strings.Contains(text, `"`) {
		return text
	}
	quotes := len(text) - len(strings.TrimLeft(text, "'"))
	if quotes >= 3 && len(text) >= 6 {
		quotes = 3
	} else {
		quotes = 1
	}
	if text[0] != '\'' {
		return text // a raw text, which the printer does well
	}
	mark := strings.Repeat(`"`, quotes)
	return mark + text[quotes:len(text)-quotes] + mark
}

// strange reports whether the printer would not read a token, or not write it as
// it is: dice, ranges, numbers that are not just digits, bytes, and texts with a
// backslash.
func strange(kind notation.Kind, text string) bool {
	switch kind {
	case notation.DiceToken, notation.RangeToken:
		return true
	case notation.NumberToken:
		return strings.Trim(text, "0123456789") != ""
	case notation.StringToken:
		return strings.HasPrefix(text, "b") || strings.HasPrefix(text, "rb") ||
			strings.Contains(text, `\`) && !strings.Contains(text, "\n")
	}
	return false
}

// nameFor is the name that stands for a text.
func (h *hidden) nameFor(text string) string {
	h.shown = append(h.shown, text)
	width := len([]rune(text))
	if h.names[width] == "" {
		h.names[width] = h.unused(width)
	}
	return h.names[width]
}

// unused is a name of some width that the program does not use.
func (h *hidden) unused(width int) string {
	name := bytes.Repeat([]byte("a"), width)
	for h.taken[string(name)] || h.dots != "" && bytes.HasPrefix(name, []byte(h.dots)) {
		if !next(name) {
			return h.longer(width)
		}
	}
	h.taken[string(name)] = true
	return string(name)
}

// beginning is a text that no name of the program begins with: each further letter is the
// one that the fewest names have there.
func (h *hidden) beginning() string {
	begins := ""
	for {
		best, fewest := "", len(h.taken)+1
		for letter := 'a'; letter <= 'z'; letter++ {
			longer, n := begins+string(letter), 0
			for name := range h.taken {
				if strings.HasPrefix(name, longer) {
					n++
				}
			}
			if n < fewest {
				best, fewest = longer, n
			}
		}
		if begins = best; fewest == 0 {
			return begins
		}
	}
}

// next is the following name of the same width, of letters alone.
func next(name []byte) bool {
	for i := range slices.Backward(name) {
		switch {
		case name[i] == 'z':
			name[i] = 'A'
		case name[i] == 'Z':
			name[i] = 'a'
			continue
		default:
			name[i]++
		}
		return true
	}
	return false
}

// longer is an unused name where all of a width are used.
func (h *hidden) longer(width int) string { return h.unused(width + 1) }

// keepWhile keeps the printer from joining an else with the while below it, as it
// does with an if.
func (h *hidden) keepWhile(file *build.File) {
	build.Walk(file, func(x build.Expr, _ []build.Expr) {
		s, ok := x.(*build.IfStmt)
		if !ok || len(s.False) != 1 {
			return
		}
		if inner, ok := s.False[0].(*build.IfStmt); ok && h.isWhile(inner) {
			s.False = append(s.False, nil) // which it passes over
		}
	})
}

func (h *hidden) isWhile(s *build.IfStmt) bool {
	pair, ok := s.Cond.(*build.TupleExpr)
	if !ok || !pair.NoBrackets || len(pair.List) == 0 {
		return false
	}
	name, ok := pair.List[0].(*build.Ident)
	return ok && name.Name == h.marker
}

// show puts back what is hidden.
func (h *hidden) show(formatted []byte) ([]byte, error) {
	stands := map[string]bool{}
	for _, name := range h.names {
		stands[name] = true
	}
	var out bytes.Buffer
	done, shown := 0, 0
	tokens := notation.Tokens(formatted)
	for i, t := range tokens {
		text := string(formatted[t.Start:t.End])
		switch {
		case h.dots != "" && t.Kind == notation.NameToken && strings.HasPrefix(text, h.dots):
			start := t.Start
			if start > done && formatted[start-1] == '.' {
				start--
			}
			out.Write(formatted[done:start])
			out.WriteString("..")
			done = t.Start + len(h.dots)
			if end := text[len(h.dots):]; stands[end] {
				if shown == len(h.shown) {
					return nil, h.lost()
				}
				out.WriteString(h.shown[shown])
				done = t.End
				shown++
			}
		case t.Kind == notation.NameToken && stands[text]:
			if shown == len(h.shown) {
				return nil, h.lost()
			}
			out.Write(formatted[done:t.Start])
			out.WriteString(h.shown[shown])
			done = t.End
			shown++
		case text == h.marker && i > 0 && string(formatted[tokens[i-1].Start:tokens[i-1].End]) == "if":
			out.Write(formatted[done:tokens[i-1].Start])
			out.WriteString("while ")
			done = t.End + len(", ")
		}
	}
	if shown < len(h.shown) {
		return nil, h.lost()
	}
	out.Write(formatted[done:])
	return out.Bytes(), nil
}

func (h *hidden) lost() error {
	return &notation.Error{Line: 1, Col: 1, Msg: fmt.Sprintf("this can't be formatted: not all of its %d literals came back", len(h.shown))}
}
