package nat

import (
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
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
	case known.Rest:
		return shortGenFunc(m, w, size, known)
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

// countTerms charges the terms of the plain generating function, and returns how
// many there are and whether they are differences.
func countTerms(m work.Meter, w Vec, size int) (count int, short bool, err error) {
	if err := m.Work(int64(w.Len())); err != nil {
		return 0, false, err
	}
	differences := differences(w)
	short = 2*differences < size
	count = size
	if short {
		count = differences
	}
	return count, short, m.Weights(int64(count), int64(w.Words+TermCells))
}

func plainTerms(w Vec, short bool) *GenFunc {
	if short {
		return NewGenFunc(Factor{differenceTerms(w), 1}, Factor{differencing(), -1})
	}
	return NewGenFunc(Factor{WeightTerms(w), 1})
}

// A PowerPlan is what powers of a row's generating function take. The terms of a
// plain one, which is paid for, are made only when they are used.
type PowerPlan struct {
	Cost, Words int // as those of the generating function
	short       bool
	g           *GenFunc // nil for a plain one
}

// PlanPowers returns what the powers of a row take, which is as for [ShortestGenFunc].
func PlanPowers(m work.Meter, w Vec, size int, known *GenFunc) (PowerPlan, error) {
	if known != nil || w.Words > 1 {
		g, err := ShortestGenFunc(m, w, size, known)
		if err != nil {
			return PowerPlan{}, err
		}
		return PlanOf(g), nil
	}
	// Coefficients of one word over a denominator of such.
	count, short, err := countTerms(m, w, size)
	p := PowerPlan{Cost: count, Words: 1, short: short}
	if short {
		p.Cost *= len(differencing())
	}
	return p, err
}

// PlanOf returns what powers of a known generating function take.
func PlanOf(g *GenFunc) PowerPlan { return PowerPlan{Cost: g.Cost(), Words: g.Words(), g: g} }

// GenFunc returns the generating function of w, of which p is the plan.
func (p *PowerPlan) GenFunc(w Vec) *GenFunc {
	if p.g != nil {
		return p.g
	}
	return plainTerms(w, p.short)
}

// Work estimates the word operations of making the recurrence of the plan and of running
// it for so many weights.
func (p *PowerPlan) Work(weights, words int64) int64 {
	terms := int64(p.Cost)
	if p.Words > 1 {
		terms = upper.MulSat(2*terms, int64(p.Words))
	}
	running := upper.MulSat(upper.MulSat(weights, words+4), upper.AddSat(terms, 4))
	if p.g == nil {
		return running
	}
	making := int64(0)
	for _, f := range p.g.Factors {
		making = upper.AddSat(making, int64(len(f.Poly)))
	}
	return upper.AddSat(running, upper.MulSat(making, 32*int64(p.Cost)))
}

// shortGenFunc multiplies the weights by a denominator that is known to cancel
// most of them, and by 1 - z besides where that cancels more.
func shortGenFunc(m work.Meter, w Vec, size int, known *GenFunc) (*GenFunc, error) {
	best, err := plainGenFunc(m, w, size)
	if err != nil {
		return nil, err
	}
	den := known.Factors[0].Poly
	for _, dens := range [][]Factor{{{den, -1}}, {{den, -1}, {differencing(), -1}}} {
		times := dens[0].Poly
		for _, f := range dens[1:] {
			times = MulTerms(times, f.Poly)
		}
		if err := m.Work(timesTermsWork(w, times)); err != nil {
			return nil, err
		}
		num, err := timesTerms(m, w, times, best.Cost()/len(times))
		if err != nil {
			return nil, err
		}
		if num == nil {
			continue
		}
		if g := NewGenFunc(append(dens, Factor{num, 1})...); g.Cost() < best.Cost() {
			best = g
		}
	}
	return best, nil
}
