package syntax

import (
	"bytes"
	"unicode/utf8"

	"dicescript/lang/notation"
)

// Type annotations, as in def f(x: int) -> int: and x: int = 6, are read and
// mean nothing: spaces of the same width stand in their place, so that every
// column stays what it was.

// withoutAnnotations returns text with spaces in place of annotations, and its
// tokens.
func withoutAnnotations(text []byte, tokens []notation.Token) ([]byte, []notation.Token) {
	if bytes.IndexByte(text, ':') < 0 {
		return text, tokens
	}
	a := annotations{text: text, tokens: tokens}
	for i := 0; i < len(a.tokens); {
		i = a.statement(i)
	}
	if a.cuts == nil {
		return text, tokens
	}
	blanked := a.blanked()
	return blanked, notation.Tokens(blanked)
}

type annotations struct {
	text   []byte
	tokens []notation.Token
	cuts   []cut // in the order of the text
}

// A cut is an annotation, text[start:end]. A declaration without a value leaves
// the word with.
type cut struct {
	start, end int
	with       string
}

func (a *annotations) word(i int) string {
	if i < 0 || i >= len(a.tokens) {
		return ""
	}
	return string(a.text[a.tokens[i].Start:a.tokens[i].End])
}

func (a *annotations) kind(i int) notation.Kind {
	if i < 0 || i >= len(a.tokens) {
		return 0
	}
	return a.tokens[i].Kind
}

// statement looks at the line that begins with token i and returns where the
// next one begins. Lines inside brackets belong to the line of the bracket.
func (a *annotations) statement(i int) int {
	first := i
	if a.word(i) == "def" && a.word(i+2) == "(" {
		i = a.function(i + 2)
	}
	depth, colon := 0, -1
	for ; i < len(a.tokens); i++ {
		switch a.kind(i) {
		case notation.OpenToken:
			depth++
		case notation.CloseToken:
			depth--
		case notation.NewlineToken:
			if depth <= 0 {
				a.declaration(first, colon, -1, i)
				return i + 1
			}
		case notation.OperatorToken:
			switch w := a.word(i); {
			case depth > 0:
			case w == ":" && i == first+1 && a.kind(first) == notation.NameToken:
				colon = i
			case w == "=" && colon >= 0:
				a.declaration(first, colon, i, i)
				colon = -1
			case w == ";":
				a.declaration(first, colon, -1, i)
				return i + 1
			}
		case notation.CommentToken:
			if depth <= 0 {
				a.declaration(first, colon, -1, i)
				colon = -1
			}
		}
	}
	a.declaration(first, colon, -1, i)
	return i
}

// declaration cuts the type out of x: int = 6, or all of x: int.
func (a *annotations) declaration(name, colon, equals, end int) {
	switch {
	case colon < 0:
	case equals >= 0 && a.isType(colon+1, equals):
		a.cut(colon, equals, "")
	case equals < 0 && a.isType(colon+1, end):
		a.cut(name, end, "pass")
	}
}

// cut notes tokens from i up to, not with, j.
func (a *annotations) cut(i, j int, with string) {
	a.cuts = append(a.cuts, cut{a.tokens[i].Start, a.tokens[j-1].End, with})
}

// isType reports whether tokens i up to, not with, j can be a type: names and
// what joins them, as in list[int] | None. Numbers and dice are values.
func (a *annotations) isType(i, j int) bool {
	if i >= j {
		return false
	}
	for ; i < j; i++ {
		switch a.kind(i) {
		case notation.NameToken, notation.StringToken, notation.NewlineToken, notation.CommentToken:
		default:
			if w := a.word(i); w != "[" && w != "]" && w != "," && w != "|" && w != "." {
				return false
			}
		}
	}
	return true
}

// function cuts the types out of the parameters after the bracket open and of
// what is returned, and returns where the body begins.
func (a *annotations) function(open int) int {
	depth, from := 0, -1
	i := open
	for ; i < len(a.tokens); i++ {
		k, w := a.kind(i), a.word(i)
		if depth == 1 && from >= 0 && (w == "," || w == "=" || w == ")") {
			if a.isType(from+1, i) {
				a.cut(from, i, "")
			}
			from = -1
		}
		switch {
		case k == notation.OpenToken:
			depth++
		case k == notation.CloseToken:
			depth--
		case depth == 1 && from < 0 && w == ":" && a.parameter(i-1):
			from = i
		}
		if depth == 0 {
			break
		}
	}
	i++
	return a.returned(i)
}

// returned cuts out -> int, which begins with token i, and returns where it ends.
func (a *annotations) returned(i int) int {
	arrow := i
	switch {
	case a.word(i) == "->":
		i++
	case a.word(i) == "-" && a.word(i+1) == ">":
		i += 2
	default:
		return i
	}
	first, depth := i, 0
	for ; i < len(a.tokens); i++ {
		switch a.kind(i) {
		case notation.OpenToken:
			depth++
		case notation.CloseToken:
			depth--
		case notation.NewlineToken:
			if depth <= 0 {
				return i
			}
		}
		if depth == 0 && a.word(i) == ":" {
			if a.isType(first, i) {
				a.cut(arrow, i, "")
			}
			return i
		}
	}
	return i
}

// parameter reports whether token i is the name of a parameter, rather than a
// part of a default.
func (a *annotations) parameter(i int) bool {
	if a.kind(i) != notation.NameToken {
		return false
	}
	for i--; a.kind(i) == notation.NewlineToken || a.kind(i) == notation.CommentToken; i-- {
	}
	switch a.word(i) {
	case "(", ",", "*", "**":
		return true
	}
	return false
}

// blanked is the text with spaces in place of the cuts. Line ends stay.
func (a *annotations) blanked() []byte {
	out := make([]byte, 0, len(a.text))
	done := 0
	for _, c := range a.cuts {
		out = append(out, a.text[done:c.start]...)
		out = append(out, c.with...)
		width := -len(c.with)
		for _, r := range string(a.text[c.start:c.end]) {
			switch {
			case width < 0:
			case r == '\n' || r == '\r':
				out = utf8.AppendRune(out, r)
			default:
				out = append(out, ' ')
			}
			width++
		}
		done = c.end
	}
	return append(out, a.text[done:]...)
}
