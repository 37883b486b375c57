// CSV: every value on a line of its own, in one table for spreadsheets and
// scripts, with its exact fraction or with its error.

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
	"dicescript/lang/internal/numeral"
)

// renderCSV writes r as one table of comma-separated values with the columns output,
// kind, row, outcome, exact, value and error. The row is that of a grid or the roll
// of a comparison, else empty; exact is empty where a value has an error, as
// it is with [NoFractions], and with [Weights]. Nothing is folded. Where [Options] show the
// chances of at least and at most an outcome, these are the last columns. When there are characters beyond ASCII it begins with a
// byte order mark, without which spreadsheets take them for other ones; most
// results have none, and are plain for every program.
func renderCSV(w io.Writer, r *lang.Result, o Options) error {
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
		case lang.Outcomes:
			if slices.ContainsFunc(data.Entries, func(e lang.Outcome) bool { return foreign(e.Label.String()) }) {
				return true
			}
		case lang.ProbTable:
			if slices.ContainsFunc(data.Rows, func(r lang.ProbTableRow) bool { return foreign(r.Label.String()) }) {
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
		case lang.Plan:
			if slices.ContainsFunc(data.Decisions, func(d lang.Decision) bool { return foreign(d.State.String()) || foreign(d.Move.String()) }) {
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

var csvColumns = []string{"output", "kind", "row", "outcome", "exact", "value", "error"}

func writeCSV(b *bufio.Writer, s *sheet, places []int) error {
	c := csvWriter{o: s.o, cumulative: s.o.show().cumulative(), lines: csv.NewWriter(b)}
	c.lines.Write(append(slices.Clone(csvColumns), c.cumulative...))
	for _, place := range places {
		c.output(s.outputs[place])
	}
	c.lines.Flush()
	return c.lines.Error()
}

// A csvWriter writes outputs as lines.
type csvWriter struct {
	o          Options
	cumulative []string // the columns of chances of at least and at most
	lines      *csv.Writer
	first      [2]string // output and kind of the lines being written
}

func (c *csvWriter) output(out lang.Output) {
	c.first = [2]string{csvText(visible(out.Title)), out.Kind()}
	switch data := out.Data.(type) {
	case lang.Roll:
		c.roll("", data.Dist)
	case lang.Prob:
		c.value("", c.first[0], data.Value, data.Bound)
	case lang.Number:
		c.value("", c.first[0], data.Value, data.Bound)
	case lang.Outcomes:
		c.outcomes(data)
	case lang.ProbTable:
		for _, r := range data.Rows {
			c.value("", csvLabel(r.Label), r.Value, r.Bound)
		}
	case lang.Grid:
		c.grid(data)
	case lang.Comparison:
		for _, r := range data.Rolls {
			c.roll(csvText(visible(r.Name)), r.Dist)
		}
	case lang.Plan:
		for _, d := range data.Decisions {
			c.value(csvLabel(d.State), csvLabel(d.Move), d.Value, data.Bound)
		}
	case lang.Text:
		c.line("", csvText(c.o.visiblePieces(data.Text, "")), "", "", "")
	}
}

func (c *csvWriter) line(row, outcome, exact, value, bound string, cumulative ...string) {
	line := append(make([]string, 0, 9), c.first[0], c.first[1], row, outcome, exact, value, bound)
	line = append(line, cumulative...)
	for len(line) < len(csvColumns)+len(c.cumulative) {
		line = append(line, "")
	}
	c.lines.Write(line)
}

// outcomes writes a line for each label.
func (c *csvWriter) outcomes(data lang.Outcomes) {
	var sum *climb
	if len(c.cumulative) > 0 && ordered(data) {
		sum = newClimb(denominator(c.o, data.Entries))
	}
	for _, e := range data.Entries {
		var cumulative []string
		if sum != nil {
			cumulative = c.chances(sum.climb(e.Value))
		}
		c.value("", csvLabel(e.Label), e.Value, data.Bound, cumulative...)
	}
}

// chances writes the cells of the columns of at least and at most.
func (c *csvWriter) chances(l level) []string {
	cells := make([]string, len(c.cumulative))
	for i, name := range c.cumulative {
		x := l.atLeast
		if name == "at_most" {
			x = l.atMost
		}
		cells[i] = csvFloat(x.Float())
	}
	return cells
}

// value writes a line for x, which may not be known.
func (c *csvWriter) value(row, outcome string, x *big.Rat, bound float64, cumulative ...string) {
	if x == nil {
		c.line(row, outcome, "", "", "")
		return
	}
	exact := ""
	if c.o.exact() && !(bound > 0) {
		exact = x.RatString()
	}
	value, _ := x.Float64()
	c.line(row, outcome, exact, csvFloat(value), csvFloat(bound), cumulative...)
}

func (c *csvWriter) roll(row string, d *dist.Dist) {
	if d == nil {
		return
	}
	total, bound := numeral.NewDivisor(d.Total()), d.Bound()
	exactly := c.o.exact() && !(bound > 0)
	errorText := csvFloat(bound)
	sum := newClimb(total.Total)
	for x, w := range d.All() {
		exact := ""
		if exactly {
			exact = new(big.Rat).SetFrac(w, total.Total).RatString()
		}
		var cumulative []string
		if len(c.cumulative) > 0 {
			cumulative = c.chances(sum.next(w))
		}
		c.line(row, strconv.Itoa(x), exact, csvFloat(total.Float(w)), errorText, cumulative...)
	}
}

func (c *csvWriter) grid(g lang.Grid) {
	for i, row := range g.Rows {
		for j, col := range g.Cols {
			if cell, ok := cellAt(g, i, j); ok {
				c.value(csvLabel(row), csvLabel(col), cell.Value, cell.Bound)
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
