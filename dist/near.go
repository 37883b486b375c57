package dist

import (
	"context"
	"math"
	"math/big"
)

// Near returns a distribution as [Weighted] does, which stands for one that lies within
// bound of it in total variation, and of which no more is known than the mean and the
// variance, where they are not nil: what another program has written down of an unlimited
// roll. The bound is from 0 to 1; with 0 it is that of Weighted.
//
// Cost: that of Weighted.
func Near(ctx context.Context, faces []int, weights []*big.Int, bound float64, mean, variance *big.Rat) (*Dist, error) {
	if !(bound >= 0 && bound <= 1) {
		return nil, badArg("bound", "got %v, want one from 0 to 1", bound)
	}
	d, err := Weighted(ctx, faces, weights)
	if err != nil || bound == 0 {
		return d, err
	}
	t := &tail{err: bound, above: true, below: true, d1: math.Inf(1), d2: math.Inf(1)}
	if mean != nil {
		t.m1 = new(big.Rat).Set(mean)
		if variance != nil {
			square := new(big.Rat).Mul(mean, mean)
			t.m2 = square.Add(square, variance)
		}
	}
	return d.withTail(t), nil
}
