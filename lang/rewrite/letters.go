package rewrite

import (
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// This file gives the letters of a text a length. Starlark's own value for them
// can be walked through but not counted, so that no function that collects
// elements could tell beforehand how many there are.

// letters are the letters of a text, or the bytes of bytes, one by one.
type letters struct {
	starlark.Iterable
	count int
}

var _ starlark.Sequence = letters{}

// Len returns how many there are.
func (l letters) Len() int { return l.count }

// IsLetters reports whether v are the letters of a text.
func IsLetters(v starlark.Value) bool {
	switch v.Type() {
	case "string.elems", "string.codepoints":
		return true
	}
	return false
}

// counted returns what a method of a text or of bytes made, with a length.
func counted(receiver, v starlark.Value) starlark.Value {
	if _, known := v.(starlark.Sequence); known {
		return v
	}
	i, ok := v.(starlark.Iterable)
	if !ok {
		return v
	}
	switch s := receiver.(type) {
	case starlark.String:
		return letters{i, utf8.RuneCountInString(string(s))}
	case starlark.Bytes:
		return letters{i, len(s)}
	}
	return v
}
