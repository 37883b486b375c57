// Brief text for a terminal, as an interactive session shows it: the chance of
// every row and its bar, without fractions and counts, in a table that fits the
// window.

package report

import (
	"bufio"
	"context"
	"io"
	"math/big"

	"dicescript/dist"
	"dicescript/lang"
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
	if roll, ok := s.outputs[place].Data.(lang.Roll); ok {
		if sd, ok := printedSD(roll.Dist); ok {
			t.notes = append(t.notes, "sd "+sd)
		}
	}
	if t.kind == chances {
		t = withoutCounts(t)
	}
	s.writeAligned(b, t)
}

// withoutCounts is a table of chances with the column of percentages only.
func withoutCounts(t table) table {
	rows := t.rows
	t.head = t.head[:2]
	t.rows = func(yield func(row) bool) {
		rows(func(r row) bool {
			r.cells = r.cells[:1]
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
	slack := rational(m.VarianceBound)
	low := root(new(big.Rat).Sub(m.Variance, slack), 3)
	high := root(new(big.Rat).Add(m.Variance, slack), 3)
	return low, low == high
}

// root prints the square root of x, rounded half up to so many digits:
// floor((sqrt(4·x·100^digits) + 1) / 2) is found in integers.
func root(x *big.Rat, digits int) string {
	if x.Sign() <= 0 {
		return fixed(new(big.Rat), digits)
	}
	scale := powerOfTen(digits)
	n := new(big.Rat).Mul(x, new(big.Rat).SetInt(new(big.Int).Mul(scale, scale)))
	q := floor(n.Mul(n, big.NewRat(4, 1)))
	q.Sqrt(q).Add(q, bigOne).Rsh(q, 1)
	return fixed(new(big.Rat).SetFrac(q, scale), digits)
}

// Percent prints a chance as the tables do, without a sign: a chance that is
// certain only to within an error is marked where that could be seen.
func Percent(p *big.Rat, bound float64) string { return certainPercent(quotientOf(p), bound) }
