// CSV: every exact value on a line of its own, for spreadsheets and scripts.
// Outputs that need other columns stand in a block with a header of their own.

package report

import (
	"bufio"
	"encoding/csv"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dicescript/dist"
	"dicescript/lang"
)

// CSV writes r as blocks of comma-separated values, divided by blank lines.
// Nothing is folded. When there are characters beyond ASCII it begins with a
// byte order mark, without which spreadsheets take them for other ones; most
// results have none, and are plain for every program.
func CSV(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	return flushed(w, o, func(b *bufio.Writer) error {
		if s.beyondASCII() {
			b.WriteRune(byteOrderMark)
		}
		return writeCSV(b, s, s.all())
	})
}

const byteOrderMark = '\uFEFF'

// beyondASCII reports whether the cells of a csv file need more than ASCII.
func (s *sheet) beyondASCII() bool {
	foreign := func(text string) bool {
		return strings.IndexFunc(s.o.visiblePieces(text, ""), func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
	}
	labels := func(all []lang.Label) bool {
		return slices.ContainsFunc(all, func(l lang.Label) bool { return foreign(l.String()) })
	}
	return slices.ContainsFunc(s.outputs, func(out lang.Output) bool {
		switch data := out.Data.(type) {
		case lang.Labeled:
			if slices.ContainsFunc(data.Entries, func(e lang.LabelChance) bool { return foreign(e.Label.String()) }) {
				return true
			}
		case lang.Table:
			if slices.ContainsFunc(data.Rows, func(r lang.TableRow) bool { return foreign(r.Label.String()) }) {
				return true
			}
		case lang.Comparison:
			if slices.ContainsFunc(data.Rolls, func(r lang.NamedRoll) bool { return foreign(r.Name) }) {
				return true
			}
		case lang.Grid:
			if labels(data.Rows) || labels(data.Cols) {
				return true
			}
		case lang.Text:
			if foreign(data.Text) {
				return true
			}
		}
		return foreign(out.Title)
	})
}

// The columns of the three sorts of blocks.
var (
	plainColumns      = []string{"output", "kind", "outcome", "exact", "value"}
	gridColumns       = []string{"output", "kind", "row", "col", "exact", "value"}
	comparisonColumns = []string{"output", "kind", "roll", "outcome", "exact", "value"}
)

func writeCSV(b *bufio.Writer, s *sheet, places []int) error {
	c := csvWriter{o: s.o, b: b, lines: csv.NewWriter(b)}
	for _, place := range places {
		c.output(s.outputs[place])
	}
	c.lines.Flush()
	return c.lines.Error()
}

// A csvWriter writes outputs and keeps track of the block that it is in.
type csvWriter struct {
	o     Options
	b     *bufio.Writer
	lines *csv.Writer
	block *[]string // its columns; nil before the first
	first [2]string // output and kind of the lines being written
}

func (c *csvWriter) output(out lang.Output) {
	c.first = [2]string{csvText(visible(out.Title)), out.Kind()}
	switch data := out.Data.(type) {
	case lang.Grid:
		c.begin(&gridColumns)
		c.grid(data)
		return
	case lang.Comparison:
		c.begin(&comparisonColumns)
		c.comparison(data)
		return
	}
	c.begin(&plainColumns)
	switch data := out.Data.(type) {
	case lang.Roll:
		c.roll(data.Dist)
	case lang.Chance:
		c.line(data.Value, c.first[0])
	case lang.Number:
		c.line(data.Value, c.first[0])
	case lang.Labeled:
		for _, e := range data.Entries {
			c.line(e.Value, csvLabel(e.Label))
		}
	case lang.Table:
		for _, r := range data.Rows {
			c.line(r.Value, csvLabel(r.Label))
		}
	case lang.Text:
		c.line(nil, csvText(c.o.visiblePieces(data.Text, "")))
	}
}

// begin starts a block with the given columns unless it is the current one.
func (c *csvWriter) begin(columns *[]string) {
	if c.block == columns {
		return
	}
	if c.block != nil {
		c.lines.Flush()
		c.b.WriteByte('\n')
	}
	c.block = columns
	c.lines.Write(*columns)
}

// line writes one line that ends with the value x; nil leaves it empty.
func (c *csvWriter) line(x *big.Rat, middle ...string) {
	cells := append(c.first[:], middle...)
	if x == nil {
		c.lines.Write(append(cells, "", ""))
		return
	}
	value, _ := x.Float64()
	c.lines.Write(append(cells, x.RatString(), csvFloat(value)))
}

func (c *csvWriter) roll(d *dist.Dist, middle ...string) {
	if d == nil {
		return
	}
	total := d.Total()
	for x, w := range d.All() {
		if c.lines.Error() != nil {
			return
		}
		c.line(new(big.Rat).SetFrac(w, total), append(middle, strconv.Itoa(x))...)
	}
}

func (c *csvWriter) comparison(data lang.Comparison) {
	for _, r := range data.Rolls {
		c.roll(r.Dist, csvText(visible(r.Name)))
	}
}

func (c *csvWriter) grid(g lang.Grid) {
	for i, row := range g.Rows {
		if c.lines.Error() != nil {
			return
		}
		for j, col := range g.Cols {
			if cell, ok := cellAt(g, i, j); ok {
				c.line(cell.Value, csvLabel(row), csvLabel(col))
			}
		}
	}
}

// csvLabel writes integers as they are, also negative ones.
func csvLabel(l lang.Label) string {
	if n, ok := l.Int(); ok {
		return strconv.Itoa(n)
	}
	return csvText(visible(l.String()))
}

// csvFloat writes the shortest decimal that reads back as x; what is out of the
// range of a float64 is left empty.
func csvFloat(x float64) string {
	if math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
