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
	case d.axis.list != nil:
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
	if err := ChargeWork(ctx, int64(d.axis.n)); err != nil {
		return nil, err
	}
	differences := nat.Differences(d.w)
	short := 2*differences < d.size
	count := d.size
	if short {
		count = differences
	}
	if err := chargeWeights(ctx, int64(count), int64(d.w.Words+nat.TermCells)); err != nil {
		return nil, err
	}
	if short {
		return &nat.GenFunc{Num: nat.DifferenceTerms(d.w), Den: nat.Differencing, Power: 1}, nil
	}
	return &nat.GenFunc{Num: nat.WeightTerms(d.w), Den: []nat.Term{{C: big.NewInt(1)}}, Power: 1}, nil
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
