// Rows of labelled outcomes. Labels are listed as they are; only a long run of
// ascending integers, such as the turns of a first_time, is folded like a roll.

package report

import (
	"iter"
	"math/big"

	"dicescript/lang"
)

// An entry is one row of a labelled distribution.
type entry struct {
	label   string
	numeric bool
	value   *big.Rat
	band    band // of several outcomes in one row
}

// foldLabels yields the rows of entries as the options ask.
func (s *sheet) foldLabels(entries []lang.Outcome) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		axis, n := integerSeries(s.o, entries)
		if s.o.AllRows || n <= s.most() {
			listLabels(entries, yield)
			return
		}
		folded := axis.fold(!s.playground(), s.most())
		for i, b := range folded {
			value := new(big.Rat).SetFrac(b.weights[0], axis.totals[0])
			if !yield(entry{labelBand(folded, i, n < len(entries)), true, value, b}) {
				return
			}
		}
		listLabels(entries[n:], yield)
	}
}

func listLabels(entries []lang.Outcome, yield func(entry) bool) {
	for _, e := range entries {
		_, numeric := e.Label.Int()
		if !yield(entry{e.Label.String(), numeric, e.Value, band{}}) {
			return
		}
	}
}

// labelBand names a folded band. Where other labels follow the integers, the
// upper tail is not all that is above it and is named as a range.
func labelBand(folded []band, i int, more bool) string {
	b := folded[i]
	if b.open == above && more {
		b.open = closed
	}
	return b.label(neighbour(folded, i))
}

// integerSeries returns the series of the entries when all but at most the last
// of them are ascending integers, and how many those are; else 0.
func integerSeries(o Options, entries []lang.Outcome) (series, int) {
	n := ascending(entries)
	if n == 0 || n < len(entries)-1 {
		return series{}, 0
	}
	total := denominator(o, entries[:n])
	return series{o: o, totals: []*big.Int{total}, each: watched(o, func(yield func(int, []*big.Int) bool) {
		for _, e := range entries[:n] {
			x, _ := e.Label.Int()
			w := new(big.Int).Quo(total, e.Value.Denom())
			if !yield(x, []*big.Int{w.Mul(w, e.Value.Num())}) {
				return
			}
		}
	})}, n
}

// ascending counts the leading entries that are ascending integers.
func ascending(entries []lang.Outcome) int {
	for i, e := range entries {
		x, ok := e.Label.Int()
		if !ok || e.Value == nil {
			return i
		}
		if i > 0 {
			if last, _ := entries[i-1].Label.Int(); last >= x {
				return i
			}
		}
	}
	return len(entries)
}

// denominator returns the least common denominator of the entries.
func denominator(o Options, entries []lang.Outcome) *big.Int {
	n := big.NewInt(1)
	for _, e := range entries {
		o.look()
		d := e.Value.Denom()
		gcd := new(big.Int).GCD(nil, nil, n, d)
		n = new(big.Int).Mul(n, gcd.Quo(d, gcd))
	}
	return n
}
