package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// How many dice of a pool match is a sum of coins. Equal dice give equal coins,
// whose number of heads is binomial; different dice give a Poisson-binomial
// distribution, the convolution of those.

// Count returns how many dice of the pool show a face in s. Cost: that of
// [Dist.Times] for a coin, for each kind of die, and of adding those up.
func (p *Pool) Count(ctx context.Context, s Set) (*Dist, error) {
	counts := make([]*Dist, len(p.groups))
	for i, g := range p.groups {
		if err := ChargeWork(ctx, upper.MulSat(int64(g.die.axis.Len()), int64(g.die.w.Words+7))); err != nil {
			return nil, err
		}
		coin := g.die.matches(s)
		count, err := coin.Times(ctx, g.count)
		if err != nil {
			return nil, err
		}
		counts[i] = count
	}
	sum, err := addAll(ctx, counts)
	if err != nil {
		return nil, err
	}
	return sum.withTail(boundedTail(p.Bound(), 0, p.size)), nil
}

// matches returns 1 when d shows a face in s and 0 otherwise, as represented.
func (d *Dist) matches(s Set) *Dist {
	hit := make([]nat.Limb, d.w.Words)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if s.Contains(d.axis.At(i)) {
			nat.Add(hit, d.w.At(i))
		}
	}
	heads := nat.Natural(hit)
	switch {
	case heads.Sign() == 0:
		return Constant(0)
	case heads.Cmp(d.total) == 0:
		return Constant(1)
	}
	w := nat.NewVec(2, d.w.Words)
	nat.PutInt(w.At(0), new(big.Int).Sub(d.total, heads))
	nat.PutInt(w.At(1), heads)
	return smallDist(axis.Axis{Lo: 0, Step: 1, N: 2}, w, nil)
}
