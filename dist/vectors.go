package dist

import (
	"context"
	"iter"
	"math"
	"math/big"
	"slices"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Symbol dice show several things at once: two hits and a shield. What they show
// is a vector of integers, and vectors of independent dice add place by place. A
// vector is written as one number, its places as digits in mixed radix that leave
// room for the whole sum, so that no digit ever carries (Kronecker's
// substitution). Then sums of dice are sums of integers, with all that is known
// about those.

// Vectors is an exact distribution over vectors of integers, all of one length.
// It is immutable.
type Vectors struct {
	lo     []int // the lowest value of each place
	radix  []int // how many values a place can have
	packed *Dist // the first place is the most significant digit
}

// NewVectors returns the distribution that gives points[i] a chance in proportion
// to weights[i]; a point may stand there several times. err bounds the
// total-variation distance to the true distribution, 0 when it is exact. It is an
// error when the points are not all of one length, at least 1, when a weight is
// negative or none is positive, and when the ranges of the places together hold
// more than 2^62 vectors.
func NewVectors(ctx context.Context, points [][]int, weights []*big.Int, err float64) (*Vectors, error) {
	if len(points) == 0 || len(points) != len(weights) {
		return nil, badArg("points", "got %d with %d weights, want at least one and as many weights", len(points), len(weights))
	}
	if problem := ChargeWork(ctx, upper.MulSat(int64(len(points)), 8*int64(len(points[0])+2))); problem != nil {
		return nil, problem
	}
	v := &Vectors{lo: slices.Clone(points[0])}
	hi := slices.Clone(points[0])
	for _, p := range points {
		if len(p) != len(v.lo) || len(p) == 0 {
			return nil, badArg("points", "got one of %d places beside one of %d, want all of one length", len(p), len(v.lo))
		}
		for i, x := range p {
			v.lo[i], hi[i] = min(v.lo[i], x), max(hi[i], x)
		}
	}
	for i, x := range hi {
		if axis.Span(v.lo[i], x) >= math.MaxInt {
			return nil, errRange("points")
		}
		v.radix = append(v.radix, x-v.lo[i]+1)
	}
	if _, ok := v.room(); !ok {
		return nil, v.tooWide()
	}
	var t Tally[int]
	for i, p := range points {
		w, problem := NewWeight(weights[i])
		if problem != nil {
			return nil, badArg("weights", "got %v, want at least 0", weights[i])
		}
		t.Add(v.pack(p), w)
	}
	var problem error
	v.packed, problem = TallyDist(ctx, &t, err)
	return v, problem
}

// room is how many vectors there are between the ends of the places.
func (v *Vectors) room() (int, bool) {
	room := 1
	for _, r := range v.radix {
		var ok bool
		if room, ok = axis.MulInt(room, r); !ok || room > 1<<62 {
			return 0, false
		}
	}
	return room, true
}

func (v *Vectors) tooWide() error {
	return badArg("points", "their places together have more than 2^62 combinations of values")
}

func (v *Vectors) pack(p []int) int {
	n := 0
	for i, x := range p {
		n = n*v.radix[i] + x - v.lo[i]
	}
	return n
}

// unpack writes the vector of a number into p.
func (v *Vectors) unpack(n int, p []int) {
	for i := len(v.radix) - 1; i >= 0; i-- {
		p[i] = v.lo[i] + n%v.radix[i]
		n /= v.radix[i]
	}
}

// Places returns the length of the vectors.
func (v *Vectors) Places() int { return len(v.lo) }

// Len returns the number of possible vectors.
func (v *Vectors) Len() int { return v.packed.size }

// Total returns the common total of the weights.
func (v *Vectors) Total() *big.Int { return v.packed.Total() }

// Bound is as [Dist.Bound].
func (v *Vectors) Bound() float64 { return v.packed.Bound() }

// All yields the possible vectors in ascending order, the first place deciding
// first, each with its weight. The vector is fresh each time.
func (v *Vectors) All() iter.Seq2[[]int, *big.Int] {
	return func(yield func([]int, *big.Int) bool) {
		for n, w := range v.packed.All() {
			p := make([]int, len(v.lo))
			v.unpack(n, p)
			if !yield(p, w) {
				return
			}
		}
	}
}

// Add returns the sum of two independent vectors, place by place. Cost: that of
// [Dist.Add] for as many outcomes.
func (v *Vectors) Add(ctx context.Context, w *Vectors) (*Vectors, error) {
	if len(v.lo) != len(w.lo) {
		return nil, badArg("vectors", "got vectors of %d and of %d places, want all of one length", len(v.lo), len(w.lo))
	}
	sum := &Vectors{lo: slices.Clone(v.lo), radix: slices.Clone(v.radix)}
	for i := range sum.lo {
		var ok1, ok2 bool
		sum.lo[i], ok1 = axis.AddInt(v.lo[i], w.lo[i])
		sum.radix[i], ok2 = axis.AddInt(v.radix[i], w.radix[i]-1)
		if !ok1 || !ok2 {
			return nil, errRange("sum")
		}
	}
	a, err := v.widened(ctx, sum)
	if err != nil {
		return nil, err
	}
	b, err := w.widened(ctx, sum)
	if err != nil {
		return nil, err
	}
	sum.packed, err = a.Add(ctx, b)
	return sum, err
}

// Times returns the sum of n independent copies. Cost: that of [Dist.Times] for
// as many outcomes: a look at each face for each of them.
func (v *Vectors) Times(ctx context.Context, n int) (*Vectors, error) {
	if n < 0 {
		return nil, badArg("n", "got %d, want at least 0", n)
	}
	if n == 0 {
		return NewVectors(ctx, [][]int{make([]int, len(v.lo))}, []*big.Int{big.NewInt(1)}, 0)
	}
	sum := &Vectors{lo: slices.Clone(v.lo), radix: slices.Clone(v.radix)}
	for i := range sum.lo {
		var ok1, ok2 bool
		sum.lo[i], ok1 = axis.MulInt(v.lo[i], n)
		sum.radix[i], ok2 = axis.MulInt(v.radix[i]-1, n)
		if !ok1 || !ok2 || sum.radix[i] == math.MaxInt {
			return nil, errRange("n")
		}
		sum.radix[i]++
	}
	one, err := v.widened(ctx, sum)
	if err != nil {
		return nil, err
	}
	sum.packed, err = one.Times(ctx, n)
	return sum, err
}

// widened returns v with the digits of a wider sum. The order stays.
func (v *Vectors) widened(ctx context.Context, wide *Vectors) (*Dist, error) {
	if _, ok := wide.room(); !ok {
		return nil, wide.tooWide()
	}
	d := v.packed
	if slices.Equal(v.radix, wide.radix) {
		return d, nil
	}
	if err := chargeWeights(ctx, int64(d.size), int64(d.w.Words+1)); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words+8*len(v.lo)))); err != nil {
		return nil, err
	}
	w := nat.NewVec(d.size, d.w.Words)
	list := make([]int, 0, d.size)
	p := make([]int, len(v.lo))
	from := Vectors{lo: make([]int, len(v.lo)), radix: v.radix}
	to := Vectors{lo: from.lo, radix: wide.radix}
	tick := work.NewTicker(ctx)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if err := tick.Tick(8 * len(p)); err != nil {
			return nil, err
		}
		if x := d.w.At(i); !nat.IsZero(x) {
			copy(w.At(len(list)), x)
			from.unpack(d.axis.At(i), p)
			list = append(list, to.pack(p))
		}
	}
	return newDist(ctx, axis.Axis{List: list}, w, unknownTail(d.Bound()))
}

// Item returns the distribution of one place, the first of which is 0. Cost: one
// look at every vector.
func (v *Vectors) Item(ctx context.Context, i int) (*Dist, error) {
	if i < 0 || i >= len(v.lo) {
		return nil, badArg("i", "got %d, want 0 to %d", i, len(v.lo)-1)
	}
	return v.mapped(ctx, func(p []int) (int, error) { return p[i], nil })
}

// mapped is the roll that shows f of each vector. f must not keep the vector.
func (v *Vectors) mapped(ctx context.Context, f func(p []int) (int, error)) (*Dist, error) {
	var t Tally[int]
	err := v.each(ctx, func(p []int, _ int, w []nat.Limb) error {
		x, err := f(p)
		if err == nil {
			t.Add(x, weightOfLimbs(w))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return distFrom(ctx, &t, unknownTail(v.Bound()))
}

// each visits the vectors that can happen, with their numbers.
func (v *Vectors) each(ctx context.Context, visit func(p []int, n int, w []nat.Limb) error) error {
	d := v.packed
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words+8*len(v.lo)))); err != nil {
		return err
	}
	p := make([]int, len(v.lo))
	tick := work.NewTicker(ctx)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if err := tick.Tick(64); err != nil {
			return err
		}
		if w := d.w.At(i); !nat.IsZero(w) {
			v.unpack(d.axis.At(i), p)
			if err := visit(p, d.axis.At(i), w); err != nil {
				return err
			}
		}
	}
	return nil
}
