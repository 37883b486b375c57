// Chances of a row or better: beside the chance of exactly a row of an ordered
// distribution stand those of at least and at most that row,
//
//	P(X >= row) = 1 - P(X < row)  and  P(X <= row) = P(X < row) + P(X = row).

package report

import (
	"math/big"

	"dicescript/lang"
	"dicescript/lang/internal/numeral"
)

// show returns the chances that rows with an order give.
func (o Options) show() Show {
	if o.Show == "" || o.Style == Playground {
		return Exactly
	}
	return o.Show
}

// heads returns the names of the columns of chances.
func (w Show) heads() []string {
	switch w {
	case AtLeast:
		return []string{"≥ %"}
	case AtMost:
		return []string{"≤ %"}
	case AllChances:
		return []string{"%", "≥ %", "≤ %"}
	}
	return []string{"%"}
}

// cumulative returns the names of the members and columns for machines that come to
// the chance of exactly a row.
func (w Show) cumulative() []string {
	switch w {
	case AtLeast:
		return []string{"at_least"}
	case AtMost:
		return []string{"at_most"}
	case AllChances:
		return []string{"at_least", "at_most"}
	}
	return nil
}

// A level holds the three chances of one row.
type level struct {
	exactly, atLeast, atMost numeral.Quotient
}

// shown returns the chances of a level in the order of [Show.heads].
func (w Show) shown(l level) []numeral.Quotient {
	switch w {
	case AtLeast:
		return []numeral.Quotient{l.atLeast}
	case AtMost:
		return []numeral.Quotient{l.atMost}
	case AllChances:
		return []numeral.Quotient{l.exactly, l.atLeast, l.atMost}
	}
	return []numeral.Quotient{l.exactly}
}

// A climb adds up the weights of rows, from the first to the last.
type climb struct {
	total, below *big.Int
}

func newClimb(total *big.Int) *climb { return &climb{total, new(big.Int)} }

// next returns the chances of the next row, which has a weight.
func (c *climb) next(weight *big.Int) level {
	rest := new(big.Int).Sub(c.total, c.below)
	c.below = new(big.Int).Add(c.below, weight)
	return level{numeral.Over(weight, c.total), numeral.Over(rest, c.total), numeral.Over(c.below, c.total)}
}

// climb returns the chances of the next row, which has the chance x.
func (c *climb) climb(x *big.Rat) level {
	weight, _ := numeral.Of(x).Whole(c.total)
	return c.next(weight)
}

// climbOf returns a climb over the entries of an ordered distribution; nil where
// only their own chances are shown.
func (p printer) climbOf(entries []lang.Outcome) *climb {
	if p.show == Exactly {
		return nil
	}
	return newClimb(denominator(p.s.o, entries))
}

// each says of which chance of each outcome a chart speaks.
func (w Show) each() string {
	switch w {
	case AtLeast:
		return "at least each"
	case AtMost:
		return "at most each"
	}
	return "each"
}

// inPercent says of a table without a column for each chance which one it gives.
func (w Show) inPercent() string {
	switch w {
	case AtLeast:
		return "chances of at least, in %"
	case AtMost:
		return "chances of at most, in %"
	}
	return inPercent
}
