package dist

import (
	"context"
	"math"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// The weights of the sum of two independent rolls are the convolution of
// their weights, that is, the product of the polynomials that have the weights
// as coefficients.

// Add returns the sum of two independent rolls. Cost: the product of the
// numbers of outcomes, less where one of them is uniform or the weights are
// large enough for fast integer multiplication.
func (d *Dist) Add(ctx context.Context, e *Dist) (*Dist, error) {
	lo, ok1 := axis.AddInt(d.Min(), e.Min())
	_, ok2 := axis.AddInt(d.Max(), e.Max())
	if !ok1 || !ok2 {
		return nil, errRange("sum")
	}
	if d.size == 1 {
		d, e = e, d
	}
	if e.size == 1 {
		return d.moved1(ctx, e.Min(), sumTail(d, e))
	}
	step, places := commonAxis(d, e)
	if places == 0 {
		return d.addScattered(ctx, e)
	}
	a, err := d.spread(ctx, step)
	if err != nil {
		return nil, err
	}
	b, err := e.spread(ctx, step)
	if err != nil {
		return nil, err
	}
	total := new(big.Int).Mul(d.total, e.total)
	words := nat.WordsFor(total)
	product := nat.PlanConvolution(a, b, words)
	g, err := jointGenFunc(ctx, d, e, step, product.Work)
	if err != nil {
		return nil, err
	}
	ax := axis.Axis{Lo: lo, Step: step, N: a.Len() + b.Len() - 1}
	if g != nil {
		plan := nat.PlanOf(g)
		p := power{
			plan: plan, n: 1, axis: ax, total: total,
			first:     new(big.Int).Mul(nat.View(a.At(0)), nat.View(b.At(0))),
			symmetric: a.IsSymmetric() && b.IsSymmetric(),
		}
		if p.work(int64(words)) < product.Work {
			sum, err := p.dist(ctx, int64(words))
			if err != nil {
				return nil, err
			}
			return sum.withTail(sumTail(d, e)), nil
		}
	}
	w, err := convolve(ctx, product)
	if err != nil {
		return nil, err
	}
	sum := newPrimitive(ax, w, total, sumTail(d, e))
	if sum.axis.List == nil {
		sum.gf = g
	}
	return sum, nil
}

// briefSum is the work of a product below which nobody looks for a shorter way.
const briefSum = 1 << 14

// jointGenFunc returns the generating function of the sum of two rolls in steps of the
// given size, nil where none is known or it would be long.
func jointGenFunc(ctx context.Context, d, e *Dist, step int, multiplying int64) (*nat.GenFunc, error) {
	if multiplying < briefSum || d.gf == nil && e.gf == nil {
		return nil, nil
	}
	var both [2]*nat.GenFunc
	for i, x := range []*Dist{d, e} {
		if x.gf == nil && x.size > nat.MostTerms || x.gf != nil && x.gf.Rest {
			return nil, nil
		}
		g, err := nat.ShortestGenFunc(meterOf(ctx), x.w, x.size, x.gf)
		if err != nil {
			return nil, err
		}
		both[i] = g.Stretched(x.axis.Step / step)
	}
	g := both[0].Times(both[1])
	if g.Cost() > nat.MostTerms {
		return nil, nil
	}
	return g, nil
}

// Sub returns the difference d - e of two independent rolls; see [Dist.Add].
func (d *Dist) Sub(ctx context.Context, e *Dist) (*Dist, error) {
	if e.Min() != math.MinInt {
		minus, err := e.Neg(ctx)
		if err != nil {
			return nil, err
		}
		return d.Add(ctx, minus)
	}
	// The lowest integer has no negative: d - e = (d + 1) + -(e + 1).
	if d.Max() >= 0 || e.Max() == math.MaxInt {
		return d.combine(ctx, e, axis.SubInt, unknownTail(upper.Add(d.Bound(), e.Bound())), "difference")
	}
	minus, err := e.affine(ctx, 1, 1)
	if err != nil {
		return nil, err
	}
	if minus, err = minus.Neg(ctx); err != nil {
		return nil, err
	}
	next, err := d.Shift(ctx, 1)
	if err != nil {
		return nil, err
	}
	return next.Add(ctx, minus)
}

// moved1 returns d with every outcome moved by delta, which the caller has
// checked to stay in range. Outcomes that are listed are listed anew.
func (d *Dist) moved1(ctx context.Context, delta int, t *tail) (*Dist, error) {
	e := d.withTail(t)
	if d.axis.List == nil {
		e.axis.Lo += delta
		return e, nil
	}
	if err := chargeWeights(ctx, int64(d.axis.Len()), 1); err != nil {
		return nil, err
	}
	e.axis.List = make([]int, len(d.axis.List))
	for i, x := range d.axis.List {
		e.axis.List[i] = x + delta
	}
	return e, nil
}

// commonAxis returns a step on which the outcomes of both rolls and of their
// sum lie without wasting much room, and the number of places of the sum; zero
// places when the outcomes are too scattered for that.
func commonAxis(d, e *Dist) (step int, places int) {
	if d.axis.List != nil || e.axis.List != nil {
		return 0, 0
	}
	step = int(nat.GCD(uint(d.axis.Step), uint(e.axis.Step)))
	wide := func(x *Dist) uint { return axis.Span(x.Min(), x.Max())/uint(step) + 1 }
	if wide(d) > 8*uint(d.axis.N) || wide(e) > 8*uint(e.axis.N) {
		return 0, 0
	}
	return step, int(wide(d) + wide(e) - 1)
}

// spread returns the weights of d on an axis of the given step, which divides
// that of d.
func (d *Dist) spread(ctx context.Context, step int) (nat.Vec, error) {
	every := d.axis.Step / step
	if every == 1 || d.axis.N == 1 {
		return d.w, nil
	}
	n := (d.axis.N-1)*every + 1
	if err := chargeWeights(ctx, int64(n), int64(d.w.Words)); err != nil {
		return nat.Vec{}, err
	}
	out := nat.NewVec(n, d.w.Words)
	for i := 0; i < d.axis.N; i++ {
		copy(out.At(i*every), d.w.At(i))
	}
	return out, nil
}

// convolve charges a convolution and returns it.
func convolve(ctx context.Context, c *nat.Convolution) (nat.Vec, error) {
	if err := indexable(ctx, int64(c.Len())); err != nil {
		return nat.Vec{}, err
	}
	if err := chargeWeights(ctx, int64(c.Len()), int64(c.Words)); err != nil {
		return nat.Vec{}, err
	}
	if err := ChargeTable(ctx, 1, c.Cells); err != nil {
		return nat.Vec{}, err
	}
	if err := ChargeWork(ctx, c.Work); err != nil {
		return nat.Vec{}, err
	}
	return c.Run(ctx)
}
