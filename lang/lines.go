// The lines of a text, which are found once, and where its positions are.

package lang

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// lines is a text whose lines, which end in \n, \r\n or \r, have been found.
type lines struct {
	text   string
	starts []int // in bytes
}

func newLines(src []byte) lines {
	l := lines{string(bytes.TrimPrefix(src, []byte("\ufeff"))), []int{0}}
	for i := range len(l.text) {
		c := l.text[i]
		if c == '\n' || c == '\r' && (i+1 == len(l.text) || l.text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// line is the text of the 1-based line n without its end; "" when there is none.
func (l lines) line(n int) string {
	if n < 1 || n > len(l.starts) {
		return ""
	}
	rest := l.text[l.starts[n-1]:]
	if n < len(l.starts) {
		rest = l.text[l.starts[n-1]:l.starts[n]]
	}
	return strings.TrimRight(rest, "\r\n")
}

// A cursor finds the bytes of positions. Going forward it reads the text once,
// however many positions a long line has.
type cursor struct {
	lines lines
	line  int // of the place that it is at
	col   int
	at    int
}

func (l lines) cursor() *cursor { return &cursor{lines: l, line: 1, col: 1} }

// offset is the byte of a position, or of the end of its line.
func (c *cursor) offset(pos syntax.Position) int {
	line, col := int(pos.Line), int(pos.Col)
	if line < 1 || line > len(c.lines.starts) {
		return len(c.lines.text)
	}
	if line != c.line || col < c.col {
		c.line, c.col, c.at = line, 1, c.lines.starts[line-1]
	}
	end := c.lines.starts[line-1] + len(c.lines.line(line))
	for c.col < col && c.at < end {
		_, size := utf8.DecodeRuneInString(c.lines.text[c.at:])
		c.at += size
		c.col++
	}
	return c.at
}

// between is a piece of the text, on one line.
func (c *cursor) between(start, end syntax.Position) string {
	from := c.offset(start)
	to := max(from, c.offset(end))
	return strings.Join(strings.Fields(c.lines.text[from:to]), " ")
}
