package anydice

import (
	"math/big"

	"dicescript/dist"
	"dicescript/dist/upper"
)

// Some programs square their weights at every pass, so that exact ones would
// soon have millions of digits. Beyond a length that no ordinary program needs,
// chances are rounded to some 2000 bits, and the die carries its slip: a bound
// on the total-variation distance to the exact one. Slips of independent dice
// add, a mixture mixes them, and dividing by what is left of a roll divides
// them too (see [slip.given]). Such programs divide by chances of 2^-1000, so a
// slip has an exponent of its own, far below that of a float64.

const (
	exactWords   = 1024 // machine words of a total that stays exact, see plans
	roundedBits  = 2000
	roundedWords = roundedBits/64 + 1
)

// A slip is such a bound, always rounded up; nil is none.
type slip = *slipBound

type slipBound struct{ bound big.Float }

func newSlip() *slipBound {
	s := new(slipBound)
	s.bound.SetPrec(64).SetMode(big.ToPositiveInf)
	return s
}

func (s *slipBound) plus(t slip) slip {
	switch {
	case s == nil:
		return t
	case t == nil:
		return s
	}
	sum := newSlip()
	sum.bound.Add(&s.bound, &t.bound)
	return sum
}

func (s *slipBound) times(n int) slip {
	if s == nil || n == 1 {
		return s
	}
	out := newSlip()
	out.bound.Mul(&s.bound, new(big.Float).SetPrec(64).SetInt64(int64(n)))
	return out
}

// weighed is the slip times a chance.
func (s *slipBound) weighed(p *big.Rat) slip {
	if s == nil {
		return nil
	}
	out := newSlip()
	up := new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf).SetRat(p)
	out.bound.Mul(&s.bound, up)
	return out
}

// given is the slip of a roll on condition of something whose chance, as it is
// represented, is p. Two distributions that are apart by s differ by at most
// s / (p - s) after that: each chance changes by at most s before it is divided
// by what is truly left. It is an error when p is not safely above s.
func (s *slipBound) given(p *big.Rat) (slip, error) {
	if s == nil {
		return nil, nil
	}
	left := new(big.Float).SetPrec(64).SetMode(big.ToNegativeInf).SetRat(p)
	left.Sub(left, &s.bound)
	if left.Cmp(&s.bound) <= 0 {
		return nil, errTooRound
	}
	out := newSlip()
	out.bound.Quo(&s.bound, left)
	return out, nil
}

// float is the bound as a float, rounded up.
func (s *slipBound) float() float64 {
	if s == nil {
		return 0
	}
	f, accuracy := s.bound.Float64()
	if accuracy == big.Below || f == 0 {
		f = upper.Up(f)
	}
	return min(1, f)
}

// fit returns a distribution of which n independent copies have weights that
// stay exact, which is itself nearly always and otherwise rounded.
func (r *run) fit(d *dist.Dist, s slip, n int) (*dist.Dist, slip, error) {
	words := d.Words()
	if words <= roundedWords || words <= r.plans.exact/max(n, 1) {
		return d, s, nil
	}
	return r.rounded(d, s)
}

// fitBoth is fit for a combination of two distributions.
func (r *run) fitBoth(a *die, b *die) (*die, *die, error) {
	if a.base.Words()+b.base.Words() <= r.plans.exact {
		return a, b, nil
	}
	a, err := r.fitOne(a)
	if err != nil {
		return nil, nil, err
	}
	b, err = r.fitOne(b)
	return a, b, err
}

// fitOne rounds a pool of one that has long weights.
func (r *run) fitOne(d *die) (*die, error) {
	if d.base.Words() <= roundedWords {
		return d, nil
	}
	base, s, err := r.rounded(d.base, d.slip)
	return single(base, s), err
}

// rounded rounds a distribution; what it makes of one is remembered, so that
// equal dice stay equal.
func (r *run) rounded(d *dist.Dist, s slip) (*dist.Dist, slip, error) {
	if known, ok := r.roundings[d]; ok {
		return known.base, known.slip.plus(s), nil
	}
	out, moved, err := d.Rounded(r.ctx, roundedBits)
	if err != nil {
		return nil, nil, err
	}
	fresh := newSlip()
	fresh.bound.Set(moved)
	r.roundings[d] = single(out, fresh)
	return out, fresh.plus(s), nil
}
