package dist

import (
	"context"
	"math"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Arithmetic on independent rolls, other than sums; those are in sum.go.

// Neg returns -d.
func (d *Dist) Neg(ctx context.Context) (*Dist, error) { return d.affine(ctx, -1, 0) }

// Shift returns d + n.
func (d *Dist) Shift(ctx context.Context, n int) (*Dist, error) { return d.affine(ctx, 1, n) }

// Scale returns n times one roll of d: every outcome multiplied by n.
func (d *Dist) Scale(ctx context.Context, n int) (*Dist, error) { return d.affine(ctx, n, 0) }

// affine returns scale*X + shift, which only moves the outcomes.
func (d *Dist) affine(ctx context.Context, scale, shift int) (*Dist, error) {
	move := func(x int) (int, bool) {
		p, ok1 := axis.MulInt(x, scale)
		s, ok2 := axis.AddInt(p, shift)
		return s, ok1 && ok2
	}
	first, ok1 := move(d.Min())
	last, ok2 := move(d.Max())
	if !ok1 || !ok2 {
		if scale == 1 {
			return nil, errRange("sum")
		}
		return nil, errRange("result")
	}
	if scale == 0 {
		return Constant(shift), nil
	}
	t := affineTail(d, scale, shift)
	if scale == 1 {
		return d.moved1(ctx, shift, t)
	}
	if err := chargeWeights(ctx, int64(d.axis.Len()), int64(d.w.Words)); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words+lookWork))); err != nil {
		return nil, err
	}
	e := d.withTail(t)
	if scale < 0 {
		tick := work.NewTicker(ctx)
		w, err := d.w.Reversed(&tick)
		if err != nil {
			return nil, err
		}
		e.w, e.gf, first = w, d.gf.Reversed(), last
	}
	if step, ok := scaledStep(d.axis, scale); ok {
		e.axis = axis.Axis{Lo: first, Step: step, N: d.axis.N}
		return e, nil
	}
	n := d.axis.Len()
	list := make([]int, n)
	for i := range list {
		v, _ := move(d.axis.At(i))
		if scale < 0 {
			list[n-1-i] = v
		} else {
			list[i] = v
		}
	}
	e.axis, e.w = axis.Listed(axis.Axis{List: list}, e.w, e.size)
	return e, nil
}

// scaledStep returns the step of an axis whose outcomes are multiplied, and
// false when the outcomes have to be listed.
func scaledStep(a axis.Axis, scale int) (int, bool) {
	if a.List != nil {
		return 0, false
	}
	if a.N == 1 {
		return 1, true
	}
	size := uint(scale)
	if scale < 0 {
		size = -size
	}
	hi, step := bits.Mul(uint(a.Step), size)
	return int(step), hi == 0 && step <= axis.MaxStep
}

// Mul returns the product of two independent rolls. Cost: the product of the
// numbers of outcomes.
func (d *Dist) Mul(ctx context.Context, e *Dist) (*Dist, error) {
	if e.size == 1 && e.tail == nil {
		return d.Scale(ctx, e.Min())
	}
	if d.size == 1 && d.tail == nil {
		return e.Scale(ctx, d.Min())
	}
	return d.combine(ctx, e, axis.MulInt, productTail(d, e), "product")
}

// FloorDiv returns d divided by e, rounded down. It is an error when e can be
// zero. Cost: the product of the numbers of outcomes.
func (d *Dist) FloorDiv(ctx context.Context, e *Dist) (*Dist, error) {
	if e.canBeZero() {
		return nil, badArg("divisor", "it can be 0")
	}
	return d.combine(ctx, e, floorDiv, quotientTail(d, e), "quotient")
}

// Mod returns the remainder of [Dist.FloorDiv], which has the sign of e. It is
// an error when e can be zero. Cost: the product of the numbers of outcomes.
func (d *Dist) Mod(ctx context.Context, e *Dist) (*Dist, error) {
	if e.canBeZero() {
		return nil, badArg("divisor", "it can be 0")
	}
	mod := func(x, y int) (int, bool) {
		if y == -1 {
			return 0, true
		}
		r := x % y
		if r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r, true
	}
	out, err := d.combine(ctx, e, mod, nil, "remainder")
	if err != nil {
		return nil, err
	}
	return out.withTail(remainderTail(d, e, out)), nil
}

// remainderTail: the remainder lies between 0 and the divisor, so that an exact
// divisor bounds it.
func remainderTail(d, e, out *Dist) *tail {
	t := unknownTail(upper.Add(d.Bound(), e.Bound()))
	if t == nil || e.tail != nil {
		return t
	}
	r := reach{lo: min(0, e.Min()+1), hi: max(0, e.Max()-1)}
	t.above, t.below = out.Max() < r.hi, out.Min() > r.lo
	return t.narrowed(r)
}

// canBeZero reports whether d can be 0, as far as that is known: an end beyond
// which nothing is represented may reach it.
func (d *Dist) canBeZero() bool {
	if d.tail != nil && d.tail.err > 0 {
		return !(d.Min() > 0 && !d.UnboundedBelow() || d.Max() < 0 && !d.UnboundedAbove())
	}
	i, ok := d.axis.Find(0)
	return ok && !nat.IsZero(d.w.At(i))
}

func floorDiv(x, y int) (int, bool) {
	if y == -1 {
		return axis.SubInt(0, x)
	}
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q, true
}

// Abs returns the absolute value of d.
func (d *Dist) Abs(ctx context.Context) (*Dist, error) {
	abs := func(x, _ int) (int, bool) {
		if x >= 0 {
			return x, true
		}
		return axis.SubInt(0, x)
	}
	t := lipschitzTail(d)
	out, err := d.combine(ctx, Constant(0), abs, t, "absolute value")
	if err != nil || t == nil {
		return out, err
	}
	// The outcome that is nearest to zero may be one that was left out.
	above, below := t.above, t.below
	apart := d.Min() > 0 && !below || d.Max() < 0 && !above
	t.above, t.below = above || below, out.Min() > 0 && !apart
	return out.withTail(t), nil
}

// productTail is the tail of the product of two independent rolls, whose
// moments multiply. X Y - X~ Y~ = X (Y - Y~) + Y~ (X - X~), so the root mean
// squares of the two parts bound the distance.
func productTail(d, e *Dist) *tail {
	if !anyTail(d, e) {
		return nil
	}
	_, dMoved := d.moved()
	_, eMoved := e.moved()
	left := upper.Mul(d.rootMeanSquare(), upper.Sqrt(eMoved))
	right := upper.Mul(e.bare().rootMeanSquare(), upper.Sqrt(dMoved))
	t := rootTail(upper.Add(d.Bound(), e.Bound()), upper.Add(left, right))
	if d1, e1 := d.rawMoment1(), e.rawMoment1(); d1 != nil && e1 != nil {
		t.m1 = new(big.Rat).Mul(d1, e1)
	}
	if d2, e2 := d.rawMoment2(), e.rawMoment2(); d2 != nil && e2 != nil {
		t.m2 = new(big.Rat).Mul(d2, e2)
	}
	t.above = true
	nonneg := func(x *Dist) bool { return x.Min() >= 0 && !x.UnboundedBelow() }
	t.below = !(nonneg(d) && nonneg(e))
	return t
}

// quotientTail is the tail of a floor division. Dividing by whole numbers moves
// nothing apart: |x//c - y//c| <= |x - y|.
func quotientTail(d, e *Dist) *tail {
	if !anyTail(d, e) {
		return nil
	}
	if e.tail != nil {
		return unknownTail(upper.Add(d.Bound(), e.Bound()))
	}
	t := lipschitzTail(d)
	if e.Min() < 0 {
		t.above, t.below = t.above || t.below, t.above || t.below
		if e.Max() < 0 {
			t.above, t.below = d.UnboundedBelow(), d.UnboundedAbove()
		}
	}
	return t
}

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
