package assist

import (
	"bytes"
	"strings"

	dicesyntax "dicescript/lang/syntax"
)

// Between two keys there is no time to read a long text anew. As long as somebody
// types on one line, all other lines are what they were, and where they were: so the
// tree and the names are taken over, and only the tokens are new. Of the line itself
// they tell enough to say how it may go on.

// Typed is the document with another text that differs on one line. What the tree
// says of that line is old, so it is for questions about the tokens at a place on it:
// [Document.Complete] and [Document.Signature]. ok is false when too much differs.
func (d *Document) Typed(text []byte) (typed *Document, ok bool) {
	line, ok := d.onlyLine(text)
	if !ok || len(d.program) == 0 || strings.ContainsAny(line, "`~") || strings.Contains(line, "load") {
		return nil, false
	}
	t := *d
	t.src, t.whole = text, nil
	t.lines = dicesyntax.NewLines(text)
	t.program = t.code()
	t.lex()
	return &t, true
}

// onlyLine is the one line that differs in another text, before and after.
func (d *Document) onlyLine(text []byte) (lines string, ok bool) {
	old := d.src
	start := 0
	for start < min(len(old), len(text)) && old[start] == text[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(text))-start && old[len(old)-1-end] == text[len(text)-1-end] {
		end++
	}
	before, after := old[start:len(old)-end], text[start:len(text)-end]
	if bytes.ContainsAny(before, "\r\n") || bytes.ContainsAny(after, "\r\n") {
		return "", false
	}
	return lineAround(old, start) + lineAround(text, start), true
}

// lineAround is the line of a text that a byte is on.
func lineAround(text []byte, at int) string {
	from := bytes.LastIndexAny(text[:at], "\r\n") + 1
	line, _, _ := bytes.Cut(text[from:], []byte("\n"))
	return string(line)
}
