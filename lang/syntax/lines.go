// The lines of a text, which are found once, and where its positions are.

package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// Lines is a text whose lines, which end in \n, \r\n or \r, have been found.
type Lines struct {
	Text   string
	starts []int // in bytes
}

// NewLines finds the lines of a text, without its byte order mark.
func NewLines(src []byte) Lines {
	l := Lines{Text: string(bytes.TrimPrefix(src, []byte("\ufeff")))}
	l.starts = make([]int, 1, 1+strings.Count(l.Text, "\n"))
	for i := range len(l.Text) {
		c := l.Text[i]
		if c == '\n' || c == '\r' && (i+1 == len(l.Text) || l.Text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// Line is the text of the 1-based line n without its end; "" when there is none.
func (l Lines) Line(n int) string {
	if n < 1 || n > len(l.starts) {
		return ""
	}
	rest := l.Text[l.starts[n-1]:]
	if n < len(l.starts) {
		rest = l.Text[l.starts[n-1]:l.starts[n]]
	}
	return strings.TrimRight(rest, "\r\n")
}

// A Cursor finds the bytes of positions. Going forward it reads the text once,
// however many positions a long line has.
type Cursor struct {
	lines Lines
	line  int // of the place that it is at
	col   int
	at    int
}

func (l Lines) Cursor() *Cursor { return &Cursor{lines: l, line: 1, col: 1} }

// Offset is the byte of a position, or of the end of its line.
func (c *Cursor) Offset(pos syntax.Position) int {
	line, col := int(pos.Line), int(pos.Col)
	if line < 1 || line > len(c.lines.starts) {
		return len(c.lines.Text)
	}
	if line != c.line || col < c.col {
		c.line, c.col, c.at = line, 1, c.lines.starts[line-1]
	}
	end := c.lines.starts[line-1] + len(c.lines.Line(line))
	for c.col < col && c.at < end {
		_, size := utf8.DecodeRuneInString(c.lines.Text[c.at:])
		c.at += size
		c.col++
	}
	return c.at
}

// Between is a piece of the text, on one line.
func (c *Cursor) Between(start, end syntax.Position) string {
	from := c.Offset(start)
	to := max(from, c.Offset(end))
	return strings.Join(strings.Fields(c.lines.Text[from:to]), " ")
}
