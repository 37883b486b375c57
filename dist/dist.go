package dist

import (
	"context"
	"iter"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A Dist is an exact distribution over integers: natural weights over one
// common total. It is immutable, and its form is canonical: the weights have
// no common divisor, so two equal distributions look the same inside.
type Dist struct {
	axis  axis.Axis
	w     nat.Vec      // weight i belongs to outcome axis.at(i); zeros only inside a stepped axis
	total *big.Int     // the sum of the weights
	size  int          // outcomes of positive weight
	tail  *tail        // what a cut unlimited process left out; nil when exact
	gf    *nat.GenFunc // a short generating function of the weights when one is known
}

// Len returns the number of possible outcomes.
func (d *Dist) Len() int { return d.size }

// Words returns how many machine words a weight takes; Len times Words is the
// size of d in memory.
func (d *Dist) Words() int { return d.w.Words }

// Total returns the common total of the weights, which is the least common
// denominator of all chances.
func (d *Dist) Total() *big.Int { return new(big.Int).Set(d.total) }

// All yields the possible outcomes in ascending order, each with its weight.
func (d *Dist) All() iter.Seq2[int, *big.Int] {
	return func(yield func(int, *big.Int) bool) {
		for i, n := 0, d.axis.Len(); i < n; i++ {
			if w := d.w.At(i); !nat.IsZero(w) && !yield(d.axis.At(i), nat.Natural(w)) {
				return
			}
		}
	}
}

// Outcomes returns the possible outcomes in ascending order.
func (d *Dist) Outcomes() []int {
	xs := make([]int, 0, d.size)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if !nat.IsZero(d.w.At(i)) {
			xs = append(xs, d.axis.At(i))
		}
	}
	return xs
}

// Min returns the lowest outcome and Max the highest. Of an unlimited roll
// they are the ends of what is represented; see [Dist.UnboundedBelow] and
// [Dist.UnboundedAbove].
func (d *Dist) Min() int { return d.axis.At(0) }

// Max returns the highest outcome; see [Dist.Min].
func (d *Dist) Max() int { return d.axis.Last() }

// Same reports whether a and b are the same distribution, outcome for outcome.
// Cut unlimited rolls are the same when their errors are the same too. Cost: a
// look at each word of the weights, none when the ends or the sizes differ.
func Same(ctx context.Context, a, b *Dist) (bool, error) {
	if a != b && a.size == b.size {
		if err := ChargeWork(ctx, upper.MulSat(int64(a.axis.Len()), int64(a.w.Words))); err != nil {
			return false, err
		}
	}
	return a.same(b), ctx.Err()
}

// same is [Same] for those who have charged it.
func (a *Dist) same(b *Dist) bool {
	if a == b {
		return true
	}
	if a.size != b.size || a.Min() != b.Min() || a.Max() != b.Max() || a.total.Cmp(b.total) != 0 {
		return false
	}
	if a.Bound() != b.Bound() || a.axis.Len() != b.axis.Len() {
		return false
	}
	for i, n := 0, a.axis.Len(); i < n; i++ {
		if a.axis.At(i) != b.axis.At(i) || nat.Cmp(a.w.At(i), b.w.At(i)) != 0 {
			return false
		}
	}
	return true
}

// newDist brings weights into the canonical form: zero weights cut off or
// skipped, the common divisor taken out, as few words as the total allows. The
// axis of the result is stepped when that wastes little room. The weights must
// not all be zero and must not be used afterwards. Each pass over them ends
// when the context is done.
func newDist(ctx context.Context, ax axis.Axis, w nat.Vec, t *tail) (*Dist, error) {
	ax, w, size := axis.Canonical(ax, w)
	w, total, err := primitive(ctx, w)
	if err != nil {
		return nil, err
	}
	t.settle(ax.At(0), ax.Last())
	return &Dist{axis: ax, w: w, total: total, size: size, tail: t}, nil
}

// primitive returns the numbers divided by their greatest common divisor, in as
// few words as their sum allows, and the sum. Cost: a look at every word and one
// greatest common divisor of two numbers of the fewest words; where it is not 1,
// a division of every number.
func primitive(ctx context.Context, v nat.Vec) (nat.Vec, *big.Int, error) {
	tick := work.NewTicker(ctx)
	if err := ChargeWork(ctx, upper.AddSat(int64(len(v.Data)), v.ContentWork())); err != nil {
		return nat.Vec{}, nil, err
	}
	if total, ok := v.CoprimeWords(); ok {
		return v, new(big.Int).SetUint64(total), ctx.Err()
	}
	g, err := v.Content(&tick)
	if err != nil {
		return nat.Vec{}, nil, err
	}
	if !g.IsInt64() || g.Int64() != 1 {
		if err := ChargeWork(ctx, upper.MulSat(int64(len(v.Data)), nat.DivisionWork*int64(len(g.Bits())))); err != nil {
			return nat.Vec{}, nil, err
		}
		if v, err = v.Divided(g, &tick); err != nil {
			return nat.Vec{}, nil, err
		}
	}
	total := v.Sum()
	return v.Resized(nat.WordsFor(total)), total, ctx.Err()
}

// smallDist is newDist for tables that take no time.
func smallDist(ax axis.Axis, w nat.Vec, t *tail) *Dist {
	d, _ := newDist(context.Background(), ax, w, t)
	return d
}

// newPrimitive is newDist for weights that are known to have no common divisor
// and to add up to total. Products of distributions are such: by Gauss's lemma
// the product of two polynomials whose coefficients have no common divisor is
// another one.
func newPrimitive(ax axis.Axis, w nat.Vec, total *big.Int, t *tail) *Dist {
	if nat.Checking {
		nat.InsistMass(w, total, "a product")
	}
	ax, w, size := axis.Canonical(ax, w)
	return &Dist{axis: ax, w: w.Resized(nat.WordsFor(total)), total: total, size: size, tail: t}
}

// Fingerprint returns a number that is the same for distributions with the same
// chances and seldom for others, so that equal ones can be found again in a
// table; [Same] decides. It depends on nothing but the chances. Cost: one
// operation for each word of the weights.
func (d *Dist) Fingerprint(ctx context.Context) (uint64, error) {
	if err := ChargeWork(ctx, int64(len(d.w.Data))); err != nil {
		return 0, err
	}
	return d.fingerprint(), nil
}

// fingerprint is [Dist.Fingerprint] for those who have charged it.
func (d *Dist) fingerprint() uint64 {
	hash := uint64(14695981039346656037) // FNV-1a, by words
	mix := func(w uint64) {
		hash = (hash ^ w) * 1099511628211
		hash ^= hash >> 32
	}
	mix(uint64(d.Min()))
	mix(uint64(d.Max()))
	for _, w := range d.w.Data {
		mix(uint64(w))
	}
	return hash
}
