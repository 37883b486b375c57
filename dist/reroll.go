package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// Rerolling at most k times while the die shows a face of a set S, which it
// does with chance p, and keeping the last result: outside S a chance is
// multiplied by 1 + p + ... + p^k = (1 - p^(k+1)) / (1 - p), and inside by p^k.

// Reroll returns d rerolled while it is in s, at most times times, keeping the
// last result. [Unlimited] rerolls until d is not in s, which is [Dist.Remove];
// it is an error when d is always in s. Cost: the outcomes times the words of
// the total to the power of times + 1.
func (d *Dist) Reroll(ctx context.Context, s Set, times int) (*Dist, error) {
	switch {
	case times < Unlimited:
		return nil, badArg("times", "got %d, want at least 0, or none", times)
	case times == 0 || d.surelyIn(s.Not()):
		return d, nil
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words))); err != nil {
		return nil, err
	}
	p := d.In(s)
	never := p.IsInt() && p.Sign() > 0 // every outcome is rerolled
	if times == Unlimited {
		if never && d.tail == nil {
			return nil, badArg("spec", "got every outcome, so the reroll can never end")
		}
		return d.Remove(ctx, s)
	}
	out := d.bare()
	if p.Sign() > 0 && !never {
		var err error
		if out, err = d.rerolled(ctx, s, p, times); err != nil {
			return nil, err
		}
	}
	return out.confined(rerollTail(d, p, times), d, d.reach()), nil
}

// rerolled does it with what is represented of d, which is in s with chance p.
func (d *Dist) rerolled(ctx context.Context, s Set, p *big.Rat, times int) (*Dist, error) {
	outside, inside, err := rerollFactors(ctx, p, times)
	if err != nil {
		return nil, err
	}
	rows, err := d.twoParts(ctx, s, outside, inside)
	if err != nil {
		return nil, err
	}
	return overlay(ctx, rows, nil)
}

// rerollFactors returns 1 + p + ... + p^k and p^k over one denominator: with
// p = a/T they are in proportion to (T^(k+1) - a^(k+1)) / (T - a) and a^k.
func rerollFactors(ctx context.Context, p *big.Rat, k int) (outside, inside *big.Int, err error) {
	words := upper.AddSat(upper.MulSat(int64(k), int64(p.Denom().BitLen()))/nat.LimbBits, 2)
	if err := chargeWeights(ctx, 4, words); err != nil {
		return nil, nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(words, words)); err != nil {
		return nil, nil, err
	}
	a, t := p.Num(), p.Denom()
	exp := big.NewInt(int64(k))
	inside = new(big.Int).Exp(a, exp, nil)
	outside = new(big.Int).Exp(t, exp, nil)
	outside.Mul(outside, t)
	outside.Sub(outside, new(big.Int).Mul(inside, a))
	return outside.Quo(outside, new(big.Int).Sub(t, a)), inside, nil
}

// twoParts returns the weights outside and inside a set as rows to be taken so
// many times.
func (d *Dist) twoParts(ctx context.Context, s Set, outside, inside *big.Int) ([]row, error) {
	var rows []row
	for _, part := range []struct {
		set   Set
		times *big.Int
	}{{s.Not(), outside}, {s, inside}} {
		r, ok, err := d.part(ctx, part.set)
		if err != nil {
			return nil, err
		}
		if ok {
			r.times = part.times
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// rerollTail: both rerolls go on together until a roll differs. With
// D = R - R~ and g(F) = F outside of s and 0 inside,
//
//	D = (g(F) - g(F~)) + [F in s] D' + ([F in s] - [F~ in s]) R~',
//
// where g(F) and g(F~) are no farther apart than F and F~ are, plus |F~| where
// these differ, and R~ is never farther out than F~.
func rerollTail(d *Dist, p *big.Rat, times int) *tail {
	if d.tail == nil {
		return nil
	}
	e := d.tail.err
	chance := upper.Add(upper.Abs(p), e)
	far := upper.Mul(2, upper.Mul(upper.Sqrt(e), d.farthest()))
	root := upper.Mul(upper.Add(upper.Sqrt(d.tail.d2), far), geometricUp(upper.Sqrt(chance), times+1))
	return rootTail(upper.Mul(e, geometricUp(chance, times+1)), root)
}
