package lsp

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file keeps a text as the client has it: edits come as ranges of lines and of
// units of UTF-16 in them.

// changed is a text after the edits of a client, one after the other.
func changed(text string, changes []contentChange) string {
	for _, c := range changes {
		if c.Range == nil {
			text = c.Text
			continue
		}
		start := offset(text, c.Range.Start)
		end := max(start, offset(text, c.Range.End))
		text = text[:start] + c.Text + text[end:]
	}
	return text
}

// offset is the byte of a position. One behind the end of its line is at the end,
// one behind the last line at the end of the text, one inside a character before it.
func offset(text string, p position) int {
	at := lineStart(text, p.Line)
	rest := text[at:]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	left := p.Character
	for i := 0; i < len(rest); {
		r, size := utf8.DecodeRuneInString(rest[i:])
		if left -= utf16Len(r); left < 0 {
			return at + i
		}
		i += size
	}
	return at + len(rest)
}

// lineStart is the byte at which a line begins, counted from 0.
func lineStart(text string, line int) int {
	at := 0
	for ; line > 0; line-- {
		i := strings.IndexAny(text[at:], "\r\n")
		if i < 0 {
			return len(text)
		}
		at += i + 1
		if text[at-1] == '\r' && at < len(text) && text[at] == '\n' {
			at++
		}
	}
	return at
}

// utf16Len is how many units a rune has; a byte that is no text counts as one.
func utf16Len(r rune) int { return max(1, utf16.RuneLen(r)) }

// place is the position of a byte.
func place(text string, at int) position {
	before := text[:at]
	var p position
	start := 0
	for i := 0; i < len(before); i++ {
		if c := before[i]; c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			p.Line++
			start = i + 1
		}
	}
	for _, r := range before[start:] {
		p.Character += utf16Len(r)
	}
	return p
}
