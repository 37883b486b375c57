package dist

import (
	"context"
	"math"
	"math/big"
)

// The weights of the sum of two independent rolls are the convolution of
// their weights, that is, the product of the polynomials that have the weights
// as coefficients.

// Add returns the sum of two independent rolls. Cost: the product of the
// numbers of outcomes, less where one of them is uniform or the weights are
// large enough for fast integer multiplication.
func (d *Dist) Add(ctx context.Context, e *Dist) (*Dist, error) {
	lo, ok1 := addInt(d.Min(), e.Min())
	_, ok2 := addInt(d.Max(), e.Max())
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
		return d.combine(ctx, e, addInt, sumTail(d, e), "sum")
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
	w, err := convolve(ctx, a, b, wordsFor(total))
	if err != nil {
		return nil, err
	}
	return newPrimitive(axis{lo: lo, step: step, n: w.len()}, w, total, sumTail(d, e)), nil
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
		return d.combine(ctx, e, subInt, unknownTail(addUp(d.ErrorBound(), e.ErrorBound())), "difference")
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
	if d.axis.list == nil {
		e.axis.lo += delta
		return e, nil
	}
	if err := chargeWeights(ctx, int64(d.axis.len()), 1); err != nil {
		return nil, err
	}
	e.axis.list = make([]int, len(d.axis.list))
	for i, x := range d.axis.list {
		e.axis.list[i] = x + delta
	}
	return e, nil
}

// commonAxis returns a step on which the outcomes of both rolls and of their
// sum lie without wasting much room, and the number of places of the sum; zero
// places when the outcomes are too scattered for that.
func commonAxis(d, e *Dist) (step int, places int) {
	if d.axis.list != nil || e.axis.list != nil {
		return 0, 0
	}
	step = int(gcdUint(uint(d.axis.step), uint(e.axis.step)))
	wide := func(x *Dist) uint { return span(x.Min(), x.Max())/uint(step) + 1 }
	if wide(d) > 8*uint(d.axis.n) || wide(e) > 8*uint(e.axis.n) {
		return 0, 0
	}
	return step, int(wide(d) + wide(e) - 1)
}

// spread returns the weights of d on an axis of the given step, which divides
// that of d.
func (d *Dist) spread(ctx context.Context, step int) (vec, error) {
	every := d.axis.step / step
	if every == 1 || d.axis.n == 1 {
		return d.w, nil
	}
	n := (d.axis.n-1)*every + 1
	if err := chargeWeights(ctx, int64(n), int64(d.w.words)); err != nil {
		return vec{}, err
	}
	out := newVec(n, d.w.words)
	for i := 0; i < d.axis.n; i++ {
		copy(out.at(i*every), d.w.at(i))
	}
	return out, nil
}

// convolve returns the convolution of two rows of weights, each result in the
// given number of words, which must hold every sum of products.
func convolve(ctx context.Context, a, b vec, words int) (vec, error) {
	if a.len() < b.len() {
		a, b = b, a
	}
	n := a.len() + b.len() - 1
	if err := indexable(ctx, int64(n)); err != nil {
		return vec{}, err
	}
	if err := chargeWeights(ctx, int64(n), int64(words)); err != nil {
		return vec{}, err
	}
	if c := runOf(b); c != nil {
		if err := ChargeWork(ctx, mulSat(int64(n), int64(words)*int64(len(c)+1))); err != nil {
			return vec{}, err
		}
		return convolveRun(ctx, a, b.len(), c, words)
	}
	school := schoolWork(a, b, words)
	fast := packedWork(int64(a.len()), int64(b.len()), int64(words))
	if fast < school {
		if err := ChargeWork(ctx, fast); err != nil {
			return vec{}, err
		}
		return convolvePacked(ctx, a, b, words)
	}
	if err := ChargeWork(ctx, school); err != nil {
		return vec{}, err
	}
	return convolveSchool(ctx, a, b, words)
}

// runOf returns the weight that all of b has, or nil when they differ.
func runOf(b vec) []limb {
	for i := 1; i < b.len(); i++ {
		if cmpLimbs(b.at(0), b.at(i)) != 0 {
			return nil
		}
	}
	return b.at(0)
}

// convolveRun convolves with m equal weights c: each result is the sum of a
// window of m weights, which moves along by one addition and one subtraction.
func convolveRun(ctx context.Context, a vec, m int, c []limb, words int) (vec, error) {
	n := a.len()
	tick := newTicker(ctx)
	out := newVec(n+m-1, words)
	window := make([]limb, words)
	for i := 0; i < n+m-1; i++ {
		if err := tick.tick(words*len(c) + 4); err != nil {
			return vec{}, err
		}
		if i < n {
			addLimbs(window, trim(a.at(i)))
		}
		if i >= m {
			subLimbs(window, trim(a.at(i-m)))
		}
		if len(c) == 1 && c[0] == 1 {
			copy(out.at(i), window)
			continue
		}
		addMulLimbs(out.at(i), window, trim(c))
	}
	return out, nil
}

func schoolWork(a, b vec, words int) int64 {
	cost := mulSat(int64(a.len()), int64(b.len()))
	if words == 1 {
		return cost
	}
	return mulSat(cost, int64(a.words*b.words+2))
}

// convolveSchool multiplies every weight with every weight.
func convolveSchool(ctx context.Context, a, b vec, words int) (vec, error) {
	n, m := a.len(), b.len()
	out := newVec(n+m-1, words)
	tick := newTicker(ctx)
	for j := 0; j < m; j++ {
		y := trim(b.at(j))
		if len(y) == 0 {
			continue
		}
		if err := tick.tick(n * a.words * len(y)); err != nil {
			return vec{}, err
		}
		if words == 1 {
			addScaledRow(out.data[j:], a.data, y[0])
			continue
		}
		for i := 0; i < n; i++ {
			addMulLimbs(out.at(i+j), a.at(i), y)
		}
	}
	return out, nil
}

// addScaledRow adds m times the row x to dst, all in single words.
func addScaledRow(dst, x []limb, m limb) {
	dst = dst[:len(x)]
	for i, xi := range x {
		dst[i] += xi * m
	}
}

// packedBlock is how many words of an operand are multiplied at a time, so
// that the context is looked at every few milliseconds.
const packedBlock = 1 << 14

// karatsuba is an estimate of the work of multiplying two numbers of n words.
func karatsuba(n int64) int64 {
	const threshold = 40
	if n <= threshold {
		return n * n
	}
	return int64(threshold * threshold * math.Pow(float64(n)/threshold, 1.585))
}

// packedWork estimates the work of [convolvePacked] for rows of so many weights.
func packedWork(a, b, words int64) int64 {
	n, m := mulSat(a, words), mulSat(b, words)
	block := min(n, m, packedBlock)
	blocks := mulSat((n+block-1)/block, (m+block-1)/block)
	// Packing and unpacking copy every word a few times.
	return addSat(mulSat(blocks, karatsuba(block)), 4*addSat(n, m))
}

// convolvePacked writes the weights of each row side by side into one large
// integer, with room for the sums, and multiplies the two integers (Kronecker
// substitution); the products of the weights do not run into one another.
func convolvePacked(ctx context.Context, a, b vec, words int) (vec, error) {
	a, b = a.resized(words), b.resized(words)
	out := newVec(a.len()+b.len()-1, words)
	block := max(1, min(a.len(), b.len(), packedBlock/words))
	product := new(big.Int)
	for i := 0; i < a.len(); i += block {
		x := view(a.slice(i, min(i+block, a.len())).data)
		for j := 0; j < b.len(); j += block {
			if err := ctx.Err(); err != nil {
				return vec{}, err
			}
			y := view(b.slice(j, min(j+block, b.len())).data)
			addLimbs(out.data[(i+j)*words:], product.Mul(x, y).Bits())
		}
	}
	return out, nil
}
