package exact

import (
	"math/big"

	"dicescript/dist/upper"
)

// A sum of many fractions is a balanced tree of sums over common denominators, which is
// brought into lowest terms once.

// A Payer is charged for exact arithmetic before it is done.
type Payer interface {
	// Spend charges so many steps.
	Spend(steps int64) error
	// Fraction charges a fraction of so many bits in lowest terms, and refuses one that is
	// too long.
	Fraction(bits int64) error
}

// Sum returns the sum of x, which holds at least one number. The chances of one roll have
// a common denominator, or nearly so, and cost the length of their numerators.
func Sum(x []Number, pay Payer) (Number, error) {
	total, err := (&summation{pay: pay}).of(x)
	if err != nil {
		return Number{}, err
	}
	if err := pay.Fraction(total.bits()); err != nil {
		return Number{}, err
	}
	return Number{new(big.Rat).SetFrac(total.num, total.den), total.bound}, nil
}

// A partialSum is num/den, which need not be in lowest terms.
type partialSum struct {
	num, den *big.Int // never changed
	bound    float64
}

func (s partialSum) bits() int64 { return int64(s.num.BitLen() + s.den.BitLen()) }

// A summation is one sum. It remembers the last common multiple that it has found, which
// most often serves the next two denominators as well.
type summation struct {
	pay    Payer
	common *big.Int
}

func (s *summation) of(x []Number) (partialSum, error) {
	if len(x) == 1 {
		return partialSum{x[0].Rat.Num(), x[0].Rat.Denom(), x[0].Bound}, nil
	}
	a, err := s.of(x[:len(x)/2])
	if err != nil {
		return a, err
	}
	b, err := s.of(x[len(x)/2:])
	if err != nil {
		return b, err
	}
	return s.add(a, b)
}

// add returns a + b over a common multiple of their denominators.
func (s *summation) add(a, b partialSum) (partialSum, error) {
	if err := s.pay.Spend(1 + (a.bits()+b.bits())/64); err != nil {
		return a, err
	}
	common, err := s.multiple(a.den, b.den)
	if err != nil {
		return a, err
	}
	left, err := s.over(common, a)
	if err != nil {
		return a, err
	}
	right, err := s.over(common, b)
	if err != nil {
		return b, err
	}
	return partialSum{new(big.Int).Add(left, right), common, upper.Add(a.bound, b.bound)}, nil
}

// multiple returns a common multiple of two denominators: the longer one, the last one, or
// the least.
func (s *summation) multiple(x, y *big.Int) (*big.Int, error) {
	if x.BitLen() < y.BitLen() {
		x, y = y, x
	}
	if x.Cmp(y) == 0 {
		return x, nil
	}
	divides, err := s.divides(y, x)
	if divides || err != nil {
		return x, err
	}
	if s.common != nil && s.common.BitLen() <= x.BitLen()+x.BitLen()/8 {
		ofX, err := s.divides(x, s.common)
		if err != nil {
			return nil, err
		}
		if ofY, err := s.divides(y, s.common); ofX && ofY || err != nil {
			return s.common, err
		}
	}
	if err := s.pay.Fraction(int64(x.BitLen() + y.BitLen())); err != nil {
		return nil, err
	}
	shared := new(big.Int).GCD(nil, nil, x, y)
	s.common = shared.Mul(x, shared.Quo(y, shared))
	return s.common, nil
}

func (s *summation) divides(x, y *big.Int) (bool, error) {
	if err := s.pay.Spend(divisionSteps(y, x)); err != nil || x.BitLen() > y.BitLen() {
		return false, err
	}
	return new(big.Int).Rem(y, x).Sign() == 0, nil
}

// over returns the numerator of a over a multiple of its denominator.
func (s *summation) over(multiple *big.Int, a partialSum) (*big.Int, error) {
	if multiple.Cmp(a.den) == 0 {
		return a.num, nil
	}
	if err := s.pay.Spend(divisionSteps(multiple, a.den) + divisionSteps(multiple, a.num)); err != nil {
		return nil, err
	}
	times := new(big.Int).Quo(multiple, a.den)
	return times.Mul(times, a.num), nil
}

// divisionSteps is what it takes to divide x by y, and no less than to multiply the quotient
// by a number as long as y.
func divisionSteps(x, y *big.Int) int64 {
	const wordsPerStep = 16 // products of words that are formed in the time of a step
	long, short := int64(x.BitLen()/64)+1, int64(y.BitLen()/64)+1
	return 1 + max(1, long-short+1)*short/wordsPerStep
}
