package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Relabelling moves the weight of an outcome to another outcome. Weights that
// meet are added; the total stays, and so does the error of a cut roll, because
// equal outcomes have equal images.

// Convert returns d with every outcome in s replaced by to. Cost: the outcomes
// times their words.
func (d *Dist) Convert(ctx context.Context, s Set, to int) (*Dist, error) {
	others := s.Not()
	switch {
	case d.surelyIn(others):
		return d, nil
	case d.surelyIn(s):
		return Constant(to), nil
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words+lookWork))); err != nil {
		return nil, err
	}
	stay, ok, err := d.part(ctx, others)
	if err != nil {
		return nil, err
	}
	rows := []row{constantRow(to, d.weightIn(s))}
	if ok {
		rows = append(rows, stay)
	}
	out, err := overlay(ctx, rows, nil)
	if err != nil {
		return nil, err
	}
	r := others.reach().and(d.reach()).with(to)
	out = out.confined(convertTail(d, to), d, r)
	if out.tail != nil { // what becomes to, or all else, may not be represented
		out.tail.above = r.above || out.Max() < r.hi
		out.tail.below = r.below || out.Min() > r.lo
	}
	return out, nil
}

// convertTail: where neither roll or both are in s nothing grows, and where one
// of them is, the images are no farther apart than the rolls and the
// represented one from to: the distance grows by at most M = max |x~ - to|, with
// chance err.
func convertTail(d *Dist, to int) *tail {
	if d.tail == nil {
		return nil
	}
	r := d.reach().with(to)
	far := max(upper.Span(r.lo, to), upper.Span(to, r.hi))
	e, d1, d2 := d.tail.err, d.tail.d1, d.tail.d2
	root := upper.Add(upper.Sqrt(d2), upper.Mul(upper.Sqrt(e), far))
	return &tail{err: e, d1: upper.Add(d1, upper.Mul(e, far)), d2: upper.Mul(root, root)}
}

// Clamp returns d with every outcome below lo raised to lo and every one above
// hi lowered to hi. Cost: the outcomes times their words.
func (d *Dist) Clamp(ctx context.Context, lo, hi int) (*Dist, error) {
	inside, err := Through(lo, hi)
	if err != nil {
		return nil, err
	}
	switch {
	case d.surelyIn(inside):
		return d, nil
	case d.surelyIn(UpTo(lo)):
		return Constant(lo), nil
	case d.surelyIn(From(hi)):
		return Constant(hi), nil
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words))); err != nil {
		return nil, err
	}
	from, to := d.axis.Search(lo), d.axis.Len()
	if hi < d.Max() {
		to = d.axis.Search(hi + 1)
	}
	rows := []row{
		constantRow(lo, d.w.Slice(0, from).Sum()),
		{axis: d.axis.Slice(from, to), w: d.w.Slice(from, to)},
		constantRow(hi, d.w.Slice(to, d.axis.Len()).Sum()),
	}
	out, err := overlay(ctx, rows, nil)
	if err != nil {
		return nil, err
	}
	return out.confined(lipschitzTail(d), d, inside.reach().and(d.reach())), nil
}

// Map returns the distribution of f(X). The error of f is returned as it is. Of
// an unlimited roll nothing but its chances is known afterwards: the moments
// are an error. Cost: one call for each outcome.
func (d *Dist) Map(ctx context.Context, f func(x int) (int, error)) (*Dist, error) {
	if err := ChargeWork(ctx, upper.MulSat(int64(d.size), int64(d.w.Words+8))); err != nil {
		return nil, err
	}
	if err := chargeWeights(ctx, int64(d.size), int64(d.w.Words)); err != nil {
		return nil, err
	}
	var t Tally[int]
	tick := work.NewTicker(ctx)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if nat.IsZero(d.w.At(i)) {
			continue
		}
		if err := tick.Tick(64); err != nil {
			return nil, err
		}
		y, err := f(d.axis.At(i))
		if err != nil {
			return nil, err
		}
		t.Add(y, weightOfLimbs(d.w.At(i)))
	}
	return distFrom(ctx, &t, unknownTail(d.Bound()))
}

// weightIn returns the weight of the outcomes in s.
func (d *Dist) weightIn(s Set) *big.Int {
	acc := make([]nat.Limb, d.w.Words+1)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if s.Contains(d.axis.At(i)) {
			nat.Add(acc, d.w.At(i))
		}
	}
	return nat.Natural(acc)
}
