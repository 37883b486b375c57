package notation

import "fmt"

// This file holds the one shape in which this package reports a mistake.

// An Error is a mistake in the text, at a place in it.
type Error struct {
	Line, Col int // from 1, columns in runes
	Msg       string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }
