package syntax

import (
	"strings"
	"unicode/utf8"

	"dicescript/lang/notation"
)

// This file corrects the places of errors of the Starlark parser, which for
// most of them points behind the token that does not fit.

type place struct{ line, col int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.col < q.col
}

// tokens are those of a chunk, with the lines of the whole text and offsets
// into the chunk.
func (c chunk) tokens(text []byte) []notation.Token {
	tokens := notation.Tokens(text[c.start:c.end])
	for i := range tokens {
		tokens[i].Line += c.line - 1
	}
	return tokens
}

// pointsBehind reports whether the parser places a message behind its token.
func pointsBehind(msg string) bool {
	if strings.HasPrefix(msg, "got ") {
		return !strings.HasSuffix(msg, "want primary expression")
	}
	return msg == "not an identifier" || strings.HasSuffix(msg, "(use parens)") || strings.HasPrefix(msg, "load operand") ||
		strings.HasPrefix(msg, "first operand of load") || strings.HasPrefix(msg, "original name of loaded") ||
		strings.HasPrefix(msg, "keyword argument must")
}

// startOfTokenEnding is where the token that ends at a place begins, or the
// place itself.
func startOfTokenEnding(text []byte, tokens []notation.Token, end place) place {
	for _, t := range tokens {
		if endPlace(text, t) == end {
			return place{t.Line, t.Col}
		}
	}
	return end
}

// endPlace is where a token ends.
func endPlace(text []byte, t notation.Token) place {
	if t.Kind == notation.NewlineToken {
		return place{t.Line + 1, 1}
	}
	s := string(text[t.Start:t.End])
	if n := strings.Count(s, "\n"); n > 0 { // a text over several lines
		return place{t.Line + n, 1 + utf8.RuneCountInString(s[strings.LastIndexByte(s, '\n')+1:])}
	}
	return place{t.Line, t.Col + utf8.RuneCountInString(s)}
}

// leftOpen is the innermost bracket that no token closes, or nil.
func leftOpen(tokens []notation.Token) *notation.Token {
	var open []*notation.Token
	for i, t := range tokens {
		switch {
		case t.Kind == notation.OpenToken:
			open = append(open, &tokens[i])
		case t.Kind == notation.CloseToken && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return nil
	}
	return open[len(open)-1]
}
