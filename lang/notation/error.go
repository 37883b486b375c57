package notation

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file holds the one shape in which the front end reports a mistake that
// it finds in a text.

// An Error is a mistake in the text, at a place in it. Package lang makes its own errors
// of it, which know the file, the line and what a run was doing: whoever reads a text
// alone knows none of these.
type Error struct {
	Line, Col int // from 1, columns in runes
	Msg       string
	Hint      string // what to do about it, or ""
	Fixes     []Fix  // what may be written instead, the likeliest first
}

// A Fix is an edit of one line: Text takes the place of what stands from Col up to, not
// with, EndCol.
type Fix struct {
	Line, Col, EndCol int // from 1, columns in runes
	Text              string
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg)
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// FixOver puts a text in the place of the tokens of src from one to another. There is
// none where they do not stand on one line.
func FixOver(src []byte, from, to Token, text string) []Fix {
	if strings.ContainsAny(string(src[from.Start:to.End]), "\r\n") {
		return nil
	}
	return []Fix{{from.Line, from.Col, from.Col + utf8.RuneCount(src[from.Start:to.End]), text}}
}

// An instead is a mistake in a literal that says what to write.
type instead struct {
	message  string
	texts    []string // in the place of the literal, the likeliest first
	from, to *Token   // and of what stands beside it, unless nil
}

func (e *instead) Error() string { return e.message }

// write is the mistake of a literal in the place of which one of some texts is meant.
// The message names them.
func write(texts []string, format string, args ...any) *instead {
	return &instead{message: fmt.Sprintf(format, args...), texts: texts}
}

// over tells between which tokens the texts belong.
func (e *instead) over(from, to Token) *instead {
	e.from, e.to = &from, &to
	return e
}
