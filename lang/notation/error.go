package notation

import "fmt"

// This file holds the one shape in which the front end reports a mistake that
// it finds in a text.

// An Error is a mistake in the text, at a place in it. Package lang makes its own errors
// of it, which know the file, the line and what a run was doing: whoever reads a text
// alone knows none of these.
type Error struct {
	Line, Col int // from 1, columns in runes
	Msg       string
	Hint      string // what to do about it, or ""
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg)
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}
