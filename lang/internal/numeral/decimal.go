// Decimals of exact rationals. A number is rounded half up, that is to
// floor(x*10^d + 1/2), once and from its exact value.

package numeral

import (
	"math/big"
	"strings"
)

var (
	bigOne     = big.NewInt(1)
	bigTen     = big.NewInt(10)
	bigHundred = big.NewInt(100)
	half       = big.NewRat(1, 2)
)

func powerOfTen(n int) *big.Int {
	if n < len(powersOfTen) {
		return new(big.Int).SetUint64(powersOfTen[n])
	}
	return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil)
}

// floor returns the greatest integer that is not above x.
func floor(x *big.Rat) *big.Int {
	// Div rounds down for a positive divisor.
	return new(big.Int).Div(x.Num(), x.Denom())
}

// Fixed prints x with the given number of decimals, rounded half up.
func Fixed(x *big.Rat, digits int) string { return Of(x).Fixed(digits) }

// smallest exponent that is still written out; smaller numbers are printed
// with a power of ten.
const smallestExponent = -6

// mostNines is how many decimals a percentage just below 100 may take.
const mostNines = 10

// Percent prints the probability p in percent: one decimal from 10 on, two from
// 0.01 on, two significant digits below. Only 0 is printed as 0 and only 1 as 100.
func Percent(p Quotient) string {
	switch {
	case p.sign() == 0:
		return "0"
	case p.sign() < 0:
		return "-" + Percent(p.negated())
	case p.reaches(1, 1):
		return p.percents().Fixed(1)
	case p.reaches(1, 10):
		return belowHundred(p.percents())
	case p.reaches(1, 10_000):
		return p.percents().Fixed(2)
	}
	return p.percents().significant(2)
}

// belowHundred prints an x from 10 to below 100 with one decimal, or with as
// many as it takes not to reach 100.
func belowHundred(x Quotient) string {
	for digits := 1; digits <= mostNines; digits++ {
		if s := x.Fixed(digits); !strings.HasPrefix(s, "100") {
			return s
		}
	}
	return ">99." + strings.Repeat("9", mostNines)
}

// PlaygroundPercent prints p in percent with as few decimals, from one on, as
// make four characters.
func PlaygroundPercent(p Quotient) string {
	x := p.percents()
	for digits := 1; ; digits++ {
		if s := x.Fixed(digits); len(s) >= 4 || digits == 4 {
			return s
		}
	}
}

// CertainPercent prints p in percent; where an error of p could change what is
// printed, it is marked.
func CertainPercent(p Quotient, e float64) string {
	if p.Certain(e, Percent) {
		return Percent(p)
	}
	return "≈" + Percent(p)
}

// Rational returns e as a rational; what is not a positive number is 0.
func Rational(e float64) *big.Rat {
	r := new(big.Rat)
	if e > 0 {
		r.SetFloat64(e) // leaves 0 for an infinity
	}
	return r
}

// mostDigits is how many digits a printed integer may have.
const mostDigits = 100

// Number prints a value that is not a probability: integers whole, others with
// three decimals, small ones with three significant digits.
func Number(x *big.Rat) string {
	switch {
	case x.Sign() == 0:
		return "0"
	case x.IsInt() && digitsOf(x.Num()) <= mostDigits:
		return x.Num().String()
	}
	if e := Of(x).exponent(); e < -1 || e >= mostDigits {
		return Of(x).significant(3)
	}
	return Fixed(x, 3)
}

// digitsOf returns the number of decimal digits of n, or one more.
func digitsOf(n *big.Int) int { return int(float64(n.BitLen())*0.30102999566398120) + 1 }

// GridCell prints a cell of a grid with a fixed number of decimals. A
// probability is in percent, and neither 0 nor 100 unless it is exactly that.
func GridCell(x Quotient, prob bool, digits int) string {
	digits = min(max(digits, 0), 30)
	if !prob {
		return x.Fixed(digits)
	}
	p := x.percents()
	unit := Quotient{bigOne, powerOfTen(digits)}
	s := p.Fixed(digits)
	switch {
	case p.sign() > 0 && s == Quotient{new(big.Int), bigOne}.Fixed(digits):
		return "<" + unit.Fixed(digits)
	case !p.reaches(100, 1) && s == Quotient{bigHundred, bigOne}.Fixed(digits):
		return ">" + Quotient{bigHundred, bigOne}.add(unit.negated()).Fixed(digits)
	}
	return s
}

// Root prints the square root of x, rounded half up to so many digits:
// floor((sqrt(4·x·100^digits) + 1) / 2) is found in integers.
func Root(x *big.Rat, digits int) string {
	if x.Sign() <= 0 {
		return Fixed(new(big.Rat), digits)
	}
	scale := powerOfTen(digits)
	n := new(big.Rat).Mul(x, new(big.Rat).SetInt(new(big.Int).Mul(scale, scale)))
	q := floor(n.Mul(n, big.NewRat(4, 1)))
	q.Sqrt(q).Add(q, bigOne).Rsh(q, 1)
	return Fixed(new(big.Rat).SetFrac(q, scale), digits)
}
