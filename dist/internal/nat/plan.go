package nat

import (
	"math/big"

	"dicescript/dist/internal/work"
)

// The shortest generating function of a row of weights, by which its powers are
// computed. A row may be known by one already: built with it, or with a denominator
// that is known to cancel most of the weights, of which there is no numerator yet.

// ShortestGenFunc returns the generating function that w, of which size weights are
// positive, is known by, or the shortest that it finds.
func ShortestGenFunc(m work.Meter, w Vec, size int, known *GenFunc) (*GenFunc, error) {
	switch {
	case known == nil:
		return plainGenFunc(m, w, size)
	case known.Num == nil:
		return shortGenFunc(m, w, size, known.Den)
	}
	return known, nil
}

// plainGenFunc returns the shorter of the weights as they are and their
// differences over 1 - z: weights that come in runs of equals have few
// differences.
func plainGenFunc(m work.Meter, w Vec, size int) (*GenFunc, error) {
	_, short, err := countTerms(m, w, size)
	if err != nil {
		return nil, err
	}
	return plainTerms(w, short), nil
}

// countTerms pays for the terms of the plain generating function, and returns how
// many there are and whether they are differences.
func countTerms(m work.Meter, w Vec, size int) (count int, short bool, err error) {
	if err := m.Work(int64(w.Len())); err != nil {
		return 0, false, err
	}
	differences := Differences(w)
	short = 2*differences < size
	count = size
	if short {
		count = differences
	}
	return count, short, m.Weights(int64(count), int64(w.Words+TermCells))
}

func plainTerms(w Vec, short bool) *GenFunc {
	if short {
		return &GenFunc{Num: DifferenceTerms(w), Den: Differencing, Power: 1}
	}
	return &GenFunc{Num: WeightTerms(w), Den: []Term{{C: big.NewInt(1)}}, Power: 1}
}

// A PowerPlan is what powers of a row's generating function take. The terms of a
// plain one, which is paid for, are made only when they are used.
type PowerPlan struct {
	Cost, Words int // as those of the generating function
	short       bool
	g           *GenFunc // nil for a plain one
}

// PlanPowers says what the powers of a row take, which is as for [ShortestGenFunc].
func PlanPowers(m work.Meter, w Vec, size int, known *GenFunc) (PowerPlan, error) {
	if known != nil || w.Words > 1 {
		g, err := ShortestGenFunc(m, w, size, known)
		if err != nil {
			return PowerPlan{}, err
		}
		return PowerPlan{Cost: g.Cost(), Words: g.Words(), g: g}, nil
	}
	// Coefficients of one word over a denominator of such.
	count, short, err := countTerms(m, w, size)
	p := PowerPlan{Cost: count, Words: 2, short: short}
	if short {
		p.Cost *= len(Differencing)
	}
	return p, err
}

// GenFunc is the generating function of w, of which p is the plan.
func (p *PowerPlan) GenFunc(w Vec) *GenFunc {
	if p.g != nil {
		return p.g
	}
	return plainTerms(w, p.short)
}

// shortGenFunc multiplies the weights by a denominator that is known to cancel
// most of them, and by 1 - z besides where that cancels more.
func shortGenFunc(m work.Meter, w Vec, size int, den []Term) (*GenFunc, error) {
	best, err := plainGenFunc(m, w, size)
	if err != nil {
		return nil, err
	}
	for _, den := range [][]Term{den, Terms(MulTerms(den, Differencing))} {
		if err := m.Work(TimesTermsWork(w, den)); err != nil {
			return nil, err
		}
		num, err := TimesTerms(m, w, den, best.Cost()/len(den))
		if err != nil {
			return nil, err
		}
		if g := (&GenFunc{Num: num, Den: den, Power: 1}); num != nil && g.Cost() < best.Cost() {
			best = g
		}
	}
	return best, nil
}
