package dist

import (
	"math"
	"math/big"

	"dicescript/dist/upper"
)

// A tail says what was left out where an unlimited process was cut. Write X
// for the true roll and X~ for the one that is represented, coupled so that
// they differ only where the process went on beyond the cut. Then P(X != X~)
// bounds the total-variation distance, and E|X - X~| and E(X - X~)² bound what
// the cut does to moments, also after any map that does not stretch distances
// (|f(x) - f(y)| <= |x - y|).
//
// The bounds are floats that are always rounded up.
type tail struct {
	err          float64  // bound on the total-variation distance
	above, below bool     // whether the true support has no end there, or none that is known
	within       *[2]int  // the ends that the true support cannot leave, where known; see settle
	m1, m2       *big.Rat // exact E X and E X² of the true roll; nil when not known
	d1, d2       float64  // bounds on E|X - X~| and E(X - X~)²; +Inf when not known
}

// Bound returns an upper bound on the total-variation distance between d
// and the true distribution that it stands for: every chance asked of d is
// certain to within it. It is 0 when d is exact.
func (d *Dist) Bound() float64 {
	if d.tail == nil {
		return 0
	}
	return d.tail.err
}

// UnboundedAbove reports whether the true distribution has no highest outcome,
// or none that is known. If it does not, [Dist.Max] is the highest.
func (d *Dist) UnboundedAbove() bool { return d.tail != nil && d.tail.above }

// UnboundedBelow reports whether the true distribution has no lowest outcome, or
// none that is known. If it does not, [Dist.Min] is the lowest.
func (d *Dist) UnboundedBelow() bool { return d.tail != nil && d.tail.below }

// withTail returns d with another tail.
func (d *Dist) withTail(t *tail) *Dist {
	t.settle(d.Min(), d.Max())
	e := *d
	e.tail = t
	return &e
}

// rawMoment1 and rawMoment2 are the exact E X and E X² of the true roll, nil
// when they are not known.
func (d *Dist) rawMoment1() *big.Rat {
	if d.tail != nil {
		return d.tail.m1
	}
	m1, _ := d.cutMoments()
	return m1
}

func (d *Dist) rawMoment2() *big.Rat {
	if d.tail != nil {
		return d.tail.m2
	}
	_, m2 := d.cutMoments()
	return m2
}

// moved bounds E|X - X~| and E(X - X~)².
func (d *Dist) moved() (d1, d2 float64) {
	if d.tail == nil {
		return 0, 0
	}
	return d.tail.d1, d.tail.d2
}

// anyTail reports whether one of the rolls is cut.
func anyTail(ds ...*Dist) bool {
	for _, d := range ds {
		if d.tail != nil {
			return true
		}
	}
	return false
}

// lipschitzTail is the tail of a function of independent rolls that moves by
// no more than its arguments do together: min, max, sums of kept dice. The
// distances add, the root mean squares too (Minkowski). Exact moments are
// lost.
func lipschitzTail(ds ...*Dist) *tail {
	if !anyTail(ds...) {
		return nil
	}
	t, root := &tail{}, 0.0
	for _, d := range ds {
		t.err = min(1, upper.Add(t.err, d.Bound()))
		t.above = t.above || d.UnboundedAbove()
		t.below = t.below || d.UnboundedBelow()
		d1, d2 := d.moved()
		t.d1 = upper.Add(t.d1, d1)
		root = upper.Add(root, upper.Sqrt(d2))
	}
	t.d2 = upper.Mul(root, root)
	return t
}

// boundedTail is the tail of a result that is known to lie between lo and hi
// and that differs from the true one with a chance of at most err. Whether the
// ends are reached is settled when the weights are known.
func boundedTail(err float64, lo, hi int) *tail {
	if err == 0 {
		return nil
	}
	err = min(1, err)
	width := 0.0
	if lo < hi {
		width = upper.Span(lo, hi)
	}
	d1 := upper.Mul(err, width)
	return &tail{err: err, within: &[2]int{lo, hi}, d1: d1, d2: upper.Mul(d1, width)}
}

// settle notes which ends of the represented outcomes, lo and hi, are true ends: those
// that the true support cannot leave. Where both are, the width between them bounds what
// the cut does to moments.
func (t *tail) settle(lo, hi int) {
	if t == nil {
		return
	}
	if t.within != nil {
		t.below, t.above = lo != t.within[0], hi != t.within[1]
		t.within = nil
	}
	if math.IsInf(t.d1, 1) || math.IsInf(t.d2, 1) {
		b := t.narrowed(reach{lo: lo, hi: hi, below: t.below, above: t.above})
		t.d1, t.d2 = b.d1, b.d2
	}
}

// unknownTail is the tail of a result about whose outcomes nothing is known
// but the chance that it differs from the true one.
func unknownTail(err float64) *tail {
	if err == 0 {
		return nil
	}
	return &tail{err: min(1, err), above: true, below: true, d1: math.Inf(1), d2: math.Inf(1)}
}

// rootTail is the tail of a result that differs from the true one with a chance
// of at most err and whose distance from it has a root mean square of at most
// root. By Cauchy and Schwarz E|D| = E|D|1[D != 0] <= sqrt(P(D != 0) E D²).
func rootTail(err, root float64) *tail {
	err = min(1, err)
	square := upper.Mul(root, root)
	return &tail{err: err, d1: upper.Sqrt(upper.Mul(err, square)), d2: square}
}

// rootMeanSquare bounds sqrt(E X²) of the true roll.
func (d *Dist) rootMeanSquare() float64 {
	if m2 := d.rawMoment2(); m2 != nil {
		return upper.Sqrt(upper.Abs(m2))
	}
	_, m2 := d.cutMoments()
	return upper.Add(upper.Sqrt(upper.Abs(m2)), upper.Sqrt(d.tail.d2))
}

// farthest bounds |x| over the outcomes that are represented.
func (d *Dist) farthest() float64 { return max(upper.Int(d.Min()), upper.Int(d.Max())) }

// bare returns what is represented as if it were the whole truth.
func (d *Dist) bare() *Dist {
	if d.tail == nil {
		return d
	}
	return d.withTail(nil)
}

// sumTail is the tail of the sum of two independent rolls: first moments add,
// and E(X+Y)² = E X² + 2 E X E Y + E Y².
func sumTail(a, b *Dist) *tail {
	t := lipschitzTail(a, b)
	if t == nil {
		return nil
	}
	a1, b1 := a.rawMoment1(), b.rawMoment1()
	if a1 == nil || b1 == nil {
		return t
	}
	t.m1 = new(big.Rat).Add(a1, b1)
	a2, b2 := a.rawMoment2(), b.rawMoment2()
	if a2 == nil || b2 == nil {
		return t
	}
	cross := new(big.Rat).Mul(a1, b1)
	t.m2 = new(big.Rat).Add(a2, b2)
	t.m2.Add(t.m2, cross.Add(cross, cross))
	return t
}

// timesTail is the tail of the sum of n independent copies: the mean is n E X
// and the variance n Var X.
func timesTail(d *Dist, n int) *tail {
	if d.tail == nil {
		return nil
	}
	s, f := d.tail, upper.Int(n)
	t := &tail{err: min(1, upper.Mul(s.err, f)), above: s.above, below: s.below, d1: upper.Mul(s.d1, f)}
	root := upper.Mul(upper.Sqrt(s.d2), f)
	t.d2 = upper.Mul(root, root)
	if s.m1 == nil {
		return t
	}
	count := new(big.Rat).SetInt64(int64(n))
	t.m1 = new(big.Rat).Mul(s.m1, count)
	if s.m2 == nil {
		return t
	}
	variance := new(big.Rat).Sub(s.m2, new(big.Rat).Mul(s.m1, s.m1))
	t.m2 = variance.Mul(variance, count)
	t.m2.Add(t.m2, new(big.Rat).Mul(t.m1, t.m1))
	return t
}

// affineTail is the tail of scale*X + shift.
func affineTail(d *Dist, scale, shift int) *tail {
	if d.tail == nil || scale == 0 {
		return nil
	}
	s := d.tail
	f := upper.Int(scale)
	t := &tail{err: s.err, above: s.above, below: s.below, d1: upper.Mul(s.d1, f), d2: upper.Mul(s.d2, upper.Mul(f, f))}
	if scale < 0 {
		t.above, t.below = s.below, s.above
	}
	if s.m1 == nil {
		return t
	}
	a, b := new(big.Rat).SetInt64(int64(scale)), new(big.Rat).SetInt64(int64(shift))
	t.m1 = new(big.Rat).Mul(a, s.m1)
	scaled1 := new(big.Rat).Set(t.m1)
	t.m1.Add(t.m1, b)
	if s.m2 == nil {
		return t
	}
	// E(aX+b)² = a² E X² + 2b a E X + b²
	t.m2 = new(big.Rat).Mul(a, a)
	t.m2.Mul(t.m2, s.m2)
	cross := scaled1.Mul(scaled1, b)
	t.m2.Add(t.m2, cross.Add(cross, cross))
	t.m2.Add(t.m2, b.Mul(b, b))
	return t
}
