package dist

import (
	"context"
	"math"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// Sums of rolls whose outcomes lie far apart, as vectors do that are written as numbers.
// Their generating functions are sparse polynomials.

// sparse returns the generating function of d, whose exponents are the distances from the
// lowest outcome in units that divide them; false when they do not fit an int.
func (d *Dist) sparse(ctx context.Context, unit uint) (nat.Sparse, bool, error) {
	if axis.Span(d.Min(), d.Max())/unit > math.MaxInt {
		return nat.Sparse{}, false, nil
	}
	if err := ChargeTable(ctx, int64(d.size), int64(d.w.Words+1)); err != nil {
		return nat.Sparse{}, false, err
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words))); err != nil {
		return nat.Sparse{}, false, err
	}
	ax, w := axis.Listed(d.axis, d.w, d.size)
	p := nat.Sparse{Exps: make([]int, d.size), W: w}
	for i, x := range ax.List {
		p.Exps[i] = int(axis.Span(d.Min(), x) / unit)
	}
	return p, true, nil
}

// unit is the greatest common divisor of the distances between outcomes.
func (d *Dist) unit() uint {
	if d.axis.List == nil {
		return uint(d.axis.Step)
	}
	g := uint(0)
	for _, x := range d.axis.List {
		g = nat.GCD(g, axis.Span(d.Min(), x))
	}
	return g
}

// timesScattered is [Dist.Times] for scattered outcomes.
func (d *Dist) timesScattered(ctx context.Context, n int) (*Dist, error) {
	if !d.powerIsShorter(n) {
		return d.timesBySquaring(ctx, n)
	}
	unit := d.unit()
	p, ok, err := d.sparse(ctx, unit)
	if err != nil {
		return nil, err
	}
	total := new(big.Int)
	if ok {
		words := nat.PowerBits(d.total, n)/nat.LimbBits + 1
		if err := chargeProduct(ctx, words); err != nil {
			return nil, err
		}
		total.Exp(d.total, big.NewInt(int64(n)), nil)
		p, ok, err = nat.SparsePower(meterOf(ctx), p, n, nat.WordsFor(total))
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return d.timesBySquaring(ctx, n)
	}
	return fromSparse(p, d.Min()*n, unit, total, timesTail(d, n)), nil
}

// powerIsShorter reports whether the recurrence takes less than squaring, which looks at
// pairs of outcomes but not at every face for each of the result.
func (d *Dist) powerIsShorter(n int) bool {
	return d.size <= nat.MostSparseTerms && (n > 3 || d.size <= 16)
}

// fromSparse returns the distribution of weights that have no common divisor.
func fromSparse(p nat.Sparse, lo int, unit uint, total *big.Int, t *tail) *Dist {
	list := p.Exps
	for i, e := range list {
		list[i] = int(uint(lo) + uint(e)*unit)
	}
	return newPrimitive(axis.Axis{List: list}, p.W, total, t)
}

// addScattered is [Dist.Add] for outcomes without a common axis: one roll after another for
// each outcome of the shorter, where that has few, else all pairs; or all that lies
// between the outcomes too, where it is not much.
func (d *Dist) addScattered(ctx context.Context, e *Dist) (*Dist, error) {
	if d.size < e.size {
		d, e = e, d
	}
	pairs := upper.MulSat(int64(d.size), int64(e.size))
	if pairs < briefSum {
		return d.combine(ctx, e, axis.AddInt, sumTail(d, e), "sum")
	}
	unit := nat.GCD(d.unit(), e.unit())
	total := new(big.Int).Mul(d.total, e.total)
	words := nat.WordsFor(total)
	if a, b, ok := denseShape(d, e, unit); ok && nat.ProductWork(a, b, int64(words)) < pairs {
		return d.addDense(ctx, e, unit, total)
	}
	if e.size <= nat.MostSparseTerms {
		a, ok1, err := d.sparse(ctx, unit)
		if err != nil {
			return nil, err
		}
		b, ok2, err := e.sparse(ctx, unit)
		if err != nil {
			return nil, err
		}
		if ok1 && ok2 {
			sum, ok, err := nat.TimesSparse(meterOf(ctx), a, b, words)
			if err != nil {
				return nil, err
			}
			if ok {
				return fromSparse(sum, d.Min()+e.Min(), unit, total, sumTail(d, e)), nil
			}
		}
	}
	return d.combine(ctx, e, axis.AddInt, sumTail(d, e), "sum")
}

// denseShape returns how many places the outcomes of two rolls span; false where they are
// too many.
func denseShape(d, e *Dist, unit uint) (a, b int64, ok bool) {
	x, y := axis.Span(d.Min(), d.Max())/unit, axis.Span(e.Min(), e.Max())/unit
	return int64(x) + 1, int64(y) + 1, x < axis.MaxOutcomes && y < axis.MaxOutcomes && x+y < axis.MaxOutcomes && unit <= axis.MaxStep
}

// addDense adds rolls on an axis that has all places between their outcomes.
func (d *Dist) addDense(ctx context.Context, e *Dist, unit uint, total *big.Int) (*Dist, error) {
	var rows [2]nat.Vec
	for i, x := range []*Dist{d, e} {
		row, err := x.dense(ctx, unit)
		if err != nil {
			return nil, err
		}
		rows[i] = row
	}
	w, err := convolve(ctx, nat.PlanConvolution(rows[0], rows[1], nat.WordsFor(total)))
	if err != nil {
		return nil, err
	}
	return newPrimitive(axis.Axis{Lo: d.Min() + e.Min(), Step: int(unit), N: w.Len()}, w, total, sumTail(d, e)), nil
}

// dense returns the weights of d at all multiples of unit between its ends.
func (d *Dist) dense(ctx context.Context, unit uint) (nat.Vec, error) {
	n := int64(axis.Span(d.Min(), d.Max())/unit) + 1
	if err := chargeWeights(ctx, n, int64(d.w.Words)); err != nil {
		return nat.Vec{}, err
	}
	out := nat.NewVec(int(n), d.w.Words)
	for i, size := 0, d.axis.Len(); i < size; i++ {
		copy(out.At(int(axis.Span(d.Min(), d.axis.At(i))/unit)), d.w.At(i))
	}
	return out, nil
}
