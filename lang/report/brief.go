// Brief text: for a terminal, as an interactive session shows it, the chance of every
// row and its bar, without fractions and counts, in a table that fits the window; and
// for a chat, each output in a few words on one line.

package report

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/internal/numeral"
)

// leastRows is how many rows a brief table may have in the smallest window: a
// d20 is not folded.
const leastRows = 24

// aroundTable is how many lines of a window are for what is around a table.
const aroundTable = 4

// Brief writes r for a terminal with so many rows, 0 for any number. Widths,
// colour and AllRows are taken from o.
func Brief(ctx context.Context, w io.Writer, r *lang.Result, o Options, rows int) error {
	o.ctx = ctx
	o.Style = Exact
	if rows > 0 {
		o.most = min(max(rows-aroundTable, leastRows), mostRows)
	}
	s := newSheet(r, o)
	s.fitted = true
	return flushed(w, o, func(b *bufio.Writer) error {
		for place := range s.outputs {
			s.writeBrief(b, place)
		}
		for _, note := range s.notes {
			s.writeSpans(b, span{"note: " + visible(note), dim})
		}
		return nil
	})
}

func (s *sheet) writeBrief(b *bufio.Writer, place int) {
	t := s.table(place)
	switch t.kind {
	case paragraph:
		s.writeParagraph(b, t, []span{{t.title, bold}})
		return
	case single:
		t.notes = nil
		s.writeLine(b, t)
		return
	}
	if t.kind == chances {
		t = withoutCounts(t, len(s.o.show().heads()))
	}
	s.writeAligned(b, t)
}

// withoutCounts returns a table of chances with at most so many columns of percentages, and no
// others.
func withoutCounts(t table, percents int) table {
	rows := t.rows
	if slices.Index(t.head, "frac") < 1+percents {
		percents = 1
	}
	t.head = t.head[:1+percents]
	t.rows = func(yield func(row) bool) {
		rows(func(r row) bool {
			r.cells = r.cells[:percents]
			return yield(r)
		})
	}
	return t
}

// printedSD prints the standard deviation of d when it is certain to the last
// digit.
func printedSD(d *dist.Dist) (string, bool) {
	if d == nil {
		return "", false
	}
	m, err := d.Moments(context.Background())
	if err != nil || m.Variance == nil {
		return "", false
	}
	slack := numeral.Rational(m.VarianceBound)
	low := numeral.Root(new(big.Rat).Sub(m.Variance, slack), 2)
	high := numeral.Root(new(big.Rat).Add(m.Variance, slack), 2)
	return marked(m.VarianceBound, low), low == high
}

// Percent prints a chance as the tables do, without a sign: a chance that is
// certain only to within an error is marked where that could be seen.
func Percent(p *big.Rat, bound float64) string { return numeral.CertainPercent(numeral.Of(p), bound) }

// Decimal prints a number as the tables do, with so many decimals, rounded half up.
func Decimal(x *big.Rat, digits int) string { return numeral.Fixed(x, digits) }

// Fraction prints a chance, which may be bound off, as the tables do in their
// column of fractions.
func Fraction(p *big.Rat, bound float64) string { return numeral.ChanceFraction(numeral.Of(p), bound) }

// What fits into a line.
const (
	lineRows  = 6   // rows of a table
	lineRunes = 200 // of a text
)

// Line is r in one line for a chat, with what people ask first of each output:
//
//	4d6kh3: mean 12.245, sd 2.85, 3 to 18; hit: 65.0 % (13/20)
//
// Of a table it has the first rows, and a text is cut. It has no end of line and no
// control characters. Style and AllRows mean nothing here. The error is that of the
// context, or a [LimitError].
func Line(ctx context.Context, r *lang.Result, o Options) (string, error) {
	o.ctx = ctx
	o.Style = Exact
	s := newSheet(r, o)
	var line bytes.Buffer
	err := flushed(&line, o, func(b *bufio.Writer) error {
		for place, out := range s.outputs {
			if place > 0 {
				b.WriteString("; ")
			}
			b.WriteString(oneLine(out.Title) + ": " + s.inWords(out.Data))
		}
		return nil
	})
	return line.String(), err
}

// inWords is an output in a few words.
func (s *sheet) inWords(data lang.Data) string {
	s.o.look()
	switch data := data.(type) {
	case lang.Roll:
		return rollInWords(data.Dist)
	case lang.Prob:
		return chanceInWords(data.Value, data.Bound)
	case lang.Number:
		return numberInWords(data.Value, data.Bound)
	case lang.Outcomes:
		return listed(len(data.Entries), func(i int) string {
			e := data.Entries[i]
			return oneLine(e.Label.String()) + " " + percentInWords(e.Value, data.Bound)
		})
	case lang.ProbTable:
		return listed(len(data.Rows), func(i int) string {
			row := data.Rows[i]
			return oneLine(row.Label.String()) + " " + percentInWords(row.Value, row.Bound)
		})
	case lang.Comparison:
		return listed(len(data.Rolls), func(i int) string {
			return oneLine(data.Rolls[i].Name) + " " + rollInWords(data.Rolls[i].Dist)
		})
	case lang.Plan:
		return numberInWords(data.Value, data.Bound)
	case lang.Grid:
		return fmt.Sprintf("a table of %d by %d", len(data.Rows), len(data.Cols))
	case lang.Text:
		return oneLine(data.Text)
	}
	return ""
}

func rollInWords(d *dist.Dist) string {
	if d == nil {
		return "empty"
	}
	var words []string
	if mean := printedMean(d); mean != "unknown" {
		words = append(words, "mean "+mean)
	}
	if sd, ok := printedSD(d); ok {
		words = append(words, "sd "+sd)
	}
	if d.UnboundedAbove() || d.UnboundedBelow() {
		return strings.Join(append(words, "no end"), ", ")
	}
	return strings.Join(append(words, fmt.Sprintf("%d to %d", d.Min(), d.Max())), ", ")
}

func percentInWords(x *big.Rat, bound float64) string {
	if x == nil {
		return "not known"
	}
	return Percent(x, bound) + " %"
}

// chanceInWords is a chance in percent, and as a fraction when that is short.
func chanceInWords(x *big.Rat, bound float64) string {
	words := percentInWords(x, bound)
	if x != nil && bound == 0 && !x.IsInt() && len(x.RatString()) <= numeral.LongestFraction {
		words += " (" + x.RatString() + ")"
	}
	return words
}

func numberInWords(x *big.Rat, bound float64) string {
	switch {
	case x == nil:
		return "not known"
	case bound > 0:
		return marked(bound, numeral.Fixed(x, 3))
	case x.IsInt() && len(x.RatString()) <= lineRunes:
		return x.RatString()
	case len(x.RatString()) <= numeral.LongestFraction:
		return numeral.Fixed(x, 3) + " (" + x.RatString() + ")"
	}
	return numeral.Fixed(x, 3)
}

// listed are the first of some rows.
func listed(n int, row func(int) string) string {
	var rows []string
	for i := range min(n, lineRows) {
		rows = append(rows, row(i))
	}
	if n > lineRows {
		rows = append(rows, fmt.Sprintf("and %d more", n-lineRows))
	}
	return strings.Join(rows, ", ")
}

// oneLine is a text without ends of lines, cut to a length that is easily read.
func oneLine(text string) string {
	runes := []rune(visible(strings.Join(strings.Fields(text), " ")))
	if len(runes) > lineRunes {
		return string(runes[:lineRunes-1]) + "…"
	}
	return string(runes)
}
