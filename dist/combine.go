package dist

import (
	"context"
	"math"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// An operation on two independent rolls that has no structure to use looks at
// every pair of outcomes once; the chance of a pair is the product of the two.

// combine returns the distribution of f(x, y), where f reports whether its
// result is in range. name is what an error calls the result.
func (d *Dist) combine(ctx context.Context, e *Dist, f func(x, y int) (int, bool), t *tail, name string) (*Dist, error) {
	pairs := upper.MulSat(int64(d.axis.Len()), int64(e.axis.Len()))
	words := nat.WordsFor(new(big.Int).Mul(d.total, e.total))
	if err := ChargeWork(ctx, upper.MulSat(pairs, int64(2+d.w.Words*e.w.Words))); err != nil {
		return nil, err
	}
	lo, hi, fits, err := pairRange(ctx, d, e, f)
	if err != nil {
		return nil, err
	}
	if !fits {
		return nil, errRange(name)
	}
	room := axis.Span(lo, hi)
	if room < uint(min(math.MaxInt32, 4*pairs+1024)) {
		return combineDense(ctx, d, e, f, axis.Axis{Lo: lo, Step: 1, N: int(room) + 1}, words, t)
	}
	return combineSparse(ctx, d, e, f, pairs, words, t)
}

// pairRange returns the ends of f over all pairs, and whether all are in range.
func pairRange(ctx context.Context, d, e *Dist, f func(x, y int) (int, bool)) (lo, hi int, fits bool, err error) {
	lo, hi, fits = math.MaxInt, math.MinInt, true
	err = eachPair(ctx, d, e, func(i, j int) {
		v, ok := f(d.axis.At(i), e.axis.At(j))
		fits = fits && ok
		lo, hi = min(lo, v), max(hi, v)
	})
	return lo, hi, fits, err
}

func combineDense(ctx context.Context, d, e *Dist, f func(x, y int) (int, bool), ax axis.Axis, words int, t *tail) (*Dist, error) {
	if err := chargeWeights(ctx, int64(ax.N), int64(words)); err != nil {
		return nil, err
	}
	w := nat.NewVec(ax.N, words)
	err := eachPair(ctx, d, e, func(i, j int) {
		v, _ := f(d.axis.At(i), e.axis.At(j))
		addProduct(w.At(v-ax.Lo), d.w.At(i), e.w.At(j))
	})
	if err != nil {
		return nil, err
	}
	return newDist(ctx, ax, w, t)
}

// combineSparse collects scattered results by value.
func combineSparse(ctx context.Context, d, e *Dist, f func(x, y int) (int, bool), pairs int64, words int, t *tail) (*Dist, error) {
	if err := chargeWeights(ctx, pairs, int64(words)); err != nil {
		return nil, err
	}
	var sums Tally[int]
	err := eachPair(ctx, d, e, func(i, j int) {
		v, _ := f(d.axis.At(i), e.axis.At(j))
		sums.Add(v, weightOfLimbs(d.w.At(i)).Times(weightOfLimbs(e.w.At(j))))
	})
	if err != nil {
		return nil, err
	}
	return distFrom(ctx, &sums, t)
}

// eachPair visits the pairs of possible outcomes by their indices.
func eachPair(ctx context.Context, d, e *Dist, visit func(i, j int)) error {
	tick := work.NewTicker(ctx)
	n, m := d.axis.Len(), e.axis.Len()
	cost := d.w.Words*e.w.Words + 4
	for i := 0; i < n; i++ {
		if nat.IsZero(d.w.At(i)) {
			continue
		}
		for j := 0; j < m; j++ {
			if !nat.IsZero(e.w.At(j)) {
				visit(i, j)
			}
			if err := tick.Tick(cost); err != nil {
				return err
			}
		}
	}
	return nil
}

// addProduct adds x*y to dst, which holds every such sum.
func addProduct(dst, x, y []nat.Limb) {
	if len(dst) == 1 {
		if nat.Checking {
			nat.InsistScaledFits(dst, x[:1], y[0], "a sum of products")
		}
		dst[0] += x[0] * y[0]
		return
	}
	nat.AddMul(dst, x, nat.Trim(y))
}
