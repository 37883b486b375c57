package syntax

import (
	"dicescript/lang/notation"
)

// This file finds where the top-level statements of a text begin, in text
// that does not parse: a line at column 0 outside brackets and strings begins
// one, and so does a line at column 0 inside a bracket that has been left
// open, if it looks like nothing but a statement.

// A chunk is text[start:end], whose first line is number line.
type chunk struct{ start, end, line int }

// chunks divides text into its top-level statements, with the blank lines
// and comments after each.
func chunks(text []byte) []chunk {
	var out []chunk
	depth := 0
	fresh := true // at the start of a line
	joined := false
	tokens := notation.Tokens(text)
	for i, t := range tokens {
		if fresh && t.Col == 1 && t.Kind != notation.CommentToken && t.Kind != notation.NewlineToken &&
			!joined && (depth == 0 || startsStatement(text, tokens[i:])) && !continues(text, t) {
			depth = 0
			if len(out) > 0 {
				out[len(out)-1].end = t.Start
			}
			out = append(out, chunk{t.Start, len(text), t.Line})
		}
		fresh = t.Kind == notation.NewlineToken
		joined = i+1 < len(tokens) && tokens[i+1].Line != t.Line && !fresh // a backslash joins the lines
		switch t.Kind {
		case notation.OpenToken:
			depth++
		case notation.CloseToken:
			depth = max(0, depth-1)
		}
	}
	if len(out) > 0 && len(text) > 0 {
		out[0].start, out[0].line = 0, 1 // an indented first line belongs to it
	}
	return out
}

// continues reports whether a token at column 0 goes on with a statement
// that began above.
func continues(text []byte, t notation.Token) bool {
	w := string(text[t.Start:t.End])
	return t.Kind == notation.KeywordToken && (w == "else" || w == "elif")
}

// startsStatement reports whether a line inside an open bracket can only be a
// statement: it begins with a statement's keyword, or assigns to a name at a
// place where brackets take no named argument of that form again.
func startsStatement(text []byte, line []notation.Token) bool {
	word := func(i int) string {
		if i < len(line) {
			return string(text[line[i].Start:line[i].End])
		}
		return ""
	}
	switch word(0) {
	case "def", "while", "load", "return", "pass", "break", "continue":
		return true
	}
	if line[0].Kind != notation.NameToken {
		return false
	}
	next := word(1)
	return next == "=" || next == "+=" || next == "(" && word(0) == "output"
}
