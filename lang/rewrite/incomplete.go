package rewrite

import (
	"strings"

	"dicescript/lang/notation"
)

// This file tells a prompt whether to ask for another line.

// Incomplete reports whether text is the beginning of a statement that goes
// on: a bracket or a text over several lines is open, the last line ends in a
// backslash, or a block has begun and no empty line has ended it.
func Incomplete(text string) bool {
	tokens := notation.Tokens([]byte(text))
	if len(tokens) == 0 {
		return false
	}
	last := tokens[len(tokens)-1]
	if last.Unclosed {
		return tripleQuoted(text[last.Start:])
	}
	if leftOpen(tokens) != nil || strings.HasSuffix(strings.TrimRight(text, "\r\n"), "\\") {
		return true
	}
	return inBlock(text, tokens) && !strings.HasSuffix(strings.TrimRight(text, " \t"), "\n\n")
}

func tripleQuoted(s string) bool {
	s = strings.TrimLeft(s, "rb")
	return strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, "'''")
}

// inBlock reports whether the last line with something on it is indented, or
// ends in a colon.
func inBlock(text string, tokens []notation.Token) bool {
	var end *notation.Token // the last token that is more than space
	first := 0              // column of the first on its line
	fresh := true
	for i, t := range tokens {
		switch t.Kind {
		case notation.NewlineToken:
			fresh = true
		case notation.CommentToken:
		default:
			if fresh {
				first, fresh = t.Col, false
			}
			end = &tokens[i]
		}
	}
	return end != nil && (first > 1 || text[end.Start:end.End] == ":")
}
