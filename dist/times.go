package dist

import (
	"context"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// The sum of n independent copies has the n-th power of the generating
// function. Q = (N/D)^n satisfies N D Q' = n (N'D - N D') Q, which compares
// coefficient by coefficient to a linear recurrence with as many terms as N and
// D have together (Knuth, TAOCP vol. 2, 4.7, after Euler): each weight costs a
// few multiplications by small numbers instead of a convolution.

// Times returns the sum of n independent copies of d; 0 copies sum to 0. Cost:
// outcomes of the result times words of its total times terms of the
// recurrence, which are four for a fair die of any size.
func (d *Dist) Times(ctx context.Context, n int) (*Dist, error) {
	switch {
	case n < 0:
		return nil, badArg("n", "got %d, want at least 0", n)
	case n == 0:
		return Constant(0), nil
	case n == 1:
		return d, nil
	}
	lo, ok1 := axis.MulInt(d.Min(), n)
	_, ok2 := axis.MulInt(d.Max(), n)
	if !ok1 || !ok2 {
		return nil, errRange("n")
	}
	if d.size == 1 {
		return d.moved1(ctx, lo-d.Min(), timesTail(d, n))
	}
	if d.axis.List != nil {
		return d.timesBySquaring(ctx, n)
	}
	return d.timesStepped(ctx, n, lo)
}

func (d *Dist) timesStepped(ctx context.Context, n, lo int) (*Dist, error) {
	outcomes := upper.AddSat(upper.MulSat(int64(d.axis.N-1), int64(n)), 1)
	words := nat.PowerBits(d.total, n)/nat.LimbBits + 1
	if err := indexable(ctx, outcomes); err != nil {
		return nil, err
	}
	if err := ChargeTable(ctx, outcomes, 0); err != nil { // too many outcomes says more than too many words
		return nil, err
	}
	if err := chargeWeights(ctx, 1, words); err != nil {
		return nil, err
	}
	plan, err := d.planPowers(ctx)
	if err != nil {
		return nil, err
	}
	recurrence := upper.MulSat(upper.MulSat(outcomes, words+4), upper.MulSat(int64(2*plan.cost+4), int64(max(1, plan.words-1))))
	if squaringWork(d, outcomes, words) < recurrence {
		return d.timesBySquaring(ctx, n)
	}
	if err := chargeWeights(ctx, outcomes, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.AddSat(recurrence, 4*nat.Karatsuba(words))); err != nil {
		return nil, err
	}
	g := plan.genfunc(d)
	total := new(big.Int).Exp(d.total, big.NewInt(int64(n)), nil)
	p := nat.Powering{
		Recurrence: nat.NewRecurrence(g, n),
		First:      new(big.Int).Exp(nat.View(d.w.At(0)), big.NewInt(int64(n)), nil),
		N:          int(outcomes),
		Words:      nat.WordsFor(total),
		Symmetric:  d.w.IsSymmetric(),
	}
	w, err := p.Run(ctx)
	if err != nil {
		return nil, err
	}
	out := newPrimitive(axis.Axis{Lo: lo, Step: d.axis.Step, N: int(outcomes)}, w, total, timesTail(d, n))
	if out.axis.List == nil {
		out.gf = &nat.GenFunc{Num: g.Num, Den: g.Den, Power: g.Power * n}
	}
	return out, nil
}

// squaringWork is about the work of the last doubling, which is most of it. A
// run of equal weights is cheaper still, but the recurrence is too.
func squaringWork(d *Dist, outcomes, words int64) int64 {
	half, halfWords := outcomes/2+1, words/2+1
	school := upper.MulSat(upper.MulSat(half, half), upper.MulSat(halfWords, halfWords))
	return min(school, nat.PackedWork(half, half, words))
}

// timesBySquaring doubles and adds, for scattered outcomes and a few copies.
func (d *Dist) timesBySquaring(ctx context.Context, n int) (*Dist, error) {
	sum := d
	for bit := bits.Len(uint(n)) - 2; bit >= 0; bit-- {
		var err error
		if sum, err = sum.Add(ctx, sum); err != nil {
			return nil, err
		}
		if n>>bit&1 == 1 {
			if sum, err = sum.Add(ctx, d); err != nil {
				return nil, err
			}
		}
	}
	t := timesTail(d, n)
	if t == nil && sum.tail == nil {
		return sum, nil
	}
	return sum.withTail(t), nil
}
