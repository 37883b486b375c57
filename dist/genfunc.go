package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
)

// The shortest generating function of a roll, by which its powers are computed.

// genfunc returns the generating function that d was built with or the shortest
// that it finds. It is nil for scattered outcomes.
func (d *Dist) genfunc(ctx context.Context) (*nat.GenFunc, error) {
	switch {
	case d.axis.List != nil:
		return nil, nil
	case d.gf == nil:
		return d.plainGenfunc(ctx)
	case d.gf.Num == nil:
		return d.shortGenfunc(ctx, d.gf.Den)
	}
	return d.gf, nil
}

// plainGenfunc returns the shorter of the weights as they are and their
// differences over 1 - z: weights that come in runs of equals have few
// differences.
func (d *Dist) plainGenfunc(ctx context.Context) (*nat.GenFunc, error) {
	_, short, err := d.countTerms(ctx)
	if err != nil {
		return nil, err
	}
	return d.plainTerms(short), nil
}

// countTerms pays for the terms of the plain generating function, and returns how
// many there are and whether they are differences.
func (d *Dist) countTerms(ctx context.Context) (count int, short bool, err error) {
	if err := ChargeWork(ctx, int64(d.axis.N)); err != nil {
		return 0, false, err
	}
	differences := nat.Differences(d.w)
	short = 2*differences < d.size
	count = d.size
	if short {
		count = differences
	}
	return count, short, chargeWeights(ctx, int64(count), int64(d.w.Words+nat.TermCells))
}

func (d *Dist) plainTerms(short bool) *nat.GenFunc {
	if short {
		return &nat.GenFunc{Num: nat.DifferenceTerms(d.w), Den: nat.Differencing, Power: 1}
	}
	return &nat.GenFunc{Num: nat.WeightTerms(d.w), Den: []nat.Term{{C: big.NewInt(1)}}, Power: 1}
}

// A powerPlan is what powers of a roll's generating function take. The terms of a
// plain one, which is paid for, are made only when they are used.
type powerPlan struct {
	cost, words int // as those of the generating function
	short       bool
	g           *nat.GenFunc // nil for a plain one
}

// planPowers says what the powers of d take, whose outcomes are not listed.
func (d *Dist) planPowers(ctx context.Context) (powerPlan, error) {
	if d.gf != nil || d.w.Words > 1 {
		g, err := d.genfunc(ctx)
		if err != nil {
			return powerPlan{}, err
		}
		return powerPlan{cost: g.Cost(), words: g.Words(), g: g}, nil
	}
	// Coefficients of one word over a denominator of such.
	count, short, err := d.countTerms(ctx)
	p := powerPlan{cost: count, words: 2, short: short}
	if short {
		p.cost *= len(nat.Differencing)
	}
	return p, err
}

// genfunc is the generating function of d, of which p is the plan.
func (p *powerPlan) genfunc(d *Dist) *nat.GenFunc {
	if p.g != nil {
		return p.g
	}
	return d.plainTerms(p.short)
}

// shortGenfunc multiplies the weights by a denominator that is known to cancel
// most of them, and by 1 - z besides where that cancels more.
func (d *Dist) shortGenfunc(ctx context.Context, den []nat.Term) (*nat.GenFunc, error) {
	best, err := d.plainGenfunc(ctx)
	if err != nil {
		return nil, err
	}
	for _, den := range [][]nat.Term{den, nat.Terms(nat.MulTerms(den, nat.Differencing))} {
		if err := ChargeWork(ctx, nat.TimesTermsWork(d.w, den)); err != nil {
			return nil, err
		}
		num, err := nat.TimesTerms(ctx, d.w, den, best.Cost()/len(den))
		if err != nil {
			return nil, err
		}
		if g := (&nat.GenFunc{Num: num, Den: den, Power: 1}); num != nil && g.Cost() < best.Cost() {
			best = g
		}
	}
	return best, nil
}
