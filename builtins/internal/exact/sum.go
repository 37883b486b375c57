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
	total, err := sumOf(x, pay)
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

func sumOf(x []Number, pay Payer) (partialSum, error) {
	if len(x) == 1 {
		return partialSum{x[0].Rat.Num(), x[0].Rat.Denom(), x[0].Bound}, nil
	}
	a, err := sumOf(x[:len(x)/2], pay)
	if err != nil {
		return a, err
	}
	b, err := sumOf(x[len(x)/2:], pay)
	if err != nil {
		return b, err
	}
	return a.plus(b, pay)
}

// plus returns a + b over a common multiple of their denominators.
func (a partialSum) plus(b partialSum, pay Payer) (partialSum, error) {
	if a.den.BitLen() < b.den.BitLen() {
		a, b = b, a
	}
	bound := upper.Add(a.bound, b.bound)
	if err := pay.Spend(1 + (a.bits()+b.bits())/64); err != nil {
		return a, err
	}
	if a.den.Cmp(b.den) == 0 {
		return partialSum{new(big.Int).Add(a.num, b.num), a.den, bound}, nil
	}
	if err := pay.Spend(divisionSteps(a.den, b.den, b.num)); err != nil {
		return a, err
	}
	if q, r := new(big.Int).QuoRem(a.den, b.den, new(big.Int)); r.Sign() == 0 {
		q.Mul(q, b.num)
		return partialSum{q.Add(q, a.num), a.den, bound}, nil
	}
	if err := pay.Fraction(a.bits() + b.bits()); err != nil {
		return a, err
	}
	common := new(big.Int).GCD(nil, nil, a.den, b.den)
	left, right := new(big.Int).Quo(a.den, common), common.Quo(b.den, common)
	den := new(big.Int).Mul(a.den, right)
	num := right.Mul(right, a.num)
	return partialSum{num.Add(num, left.Mul(left, b.num)), den, bound}, nil
}

// divisionSteps is what it takes to divide x by y, and to multiply the quotient by z.
func divisionSteps(x, y, z *big.Int) int64 {
	const wordsPerStep = 16 // products of words that are formed in the time of a step
	long, short, factor := int64(x.BitLen()/64), int64(y.BitLen()/64), int64(z.BitLen()/64)
	return 1 + (long-short+1)*(short+factor+2)/wordsPerStep
}
