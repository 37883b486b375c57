// Decimals of exact rationals. A number is rounded half up, that is to
// floor(x*10^d + 1/2), once and from its exact value.

package report

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

// fixed prints x with the given number of decimals, rounded half up.
func fixed(x *big.Rat, digits int) string { return quotientOf(x).fixed(digits) }

// smallest exponent that is still written out; smaller numbers are printed
// with a power of ten.
const smallestExponent = -6

// mostNines is how many decimals a percentage just below 100 may take.
const mostNines = 10

// percent prints the probability p in percent: one decimal from 10 on, two from
// 0.01 on, two significant digits below. Only 0 is printed as 0 and only 1 as 100.
func percent(p quotient) string {
	switch {
	case p.sign() == 0:
		return "0"
	case p.sign() < 0:
		return "-" + percent(p.negated())
	case p.reaches(1, 1):
		return p.percents().fixed(1)
	case p.reaches(1, 10):
		return belowHundred(p.percents())
	case p.reaches(1, 10_000):
		return p.percents().fixed(2)
	}
	return p.percents().significant(2)
}

// belowHundred prints an x from 10 to below 100 with one decimal, or with as
// many as it takes not to reach 100.
func belowHundred(x quotient) string {
	for digits := 1; digits <= mostNines; digits++ {
		if s := x.fixed(digits); !strings.HasPrefix(s, "100") {
			return s
		}
	}
	return ">99." + strings.Repeat("9", mostNines)
}

// playgroundPercent prints p in percent with as few decimals, from one on, as
// make four characters.
func playgroundPercent(p quotient) string {
	x := p.percents()
	for digits := 1; ; digits++ {
		if s := x.fixed(digits); len(s) >= 4 || digits == 4 {
			return s
		}
	}
}

// certainPercent prints p in percent; where an error of p could change what is
// printed, it is marked.
func certainPercent(p quotient, e float64) string {
	if p.certain(e, percent) {
		return percent(p)
	}
	return "≈" + percent(p)
}

// rational returns e as a rational; what is not a positive number is 0.
func rational(e float64) *big.Rat {
	r := new(big.Rat)
	if e > 0 {
		r.SetFloat64(e) // leaves 0 for an infinity
	}
	return r
}

// mostDigits is how many digits a printed integer may have.
const mostDigits = 100

// number prints a value that is not a probability: integers whole, others with
// three decimals, small ones with three significant digits.
func number(x *big.Rat) string {
	switch {
	case x.Sign() == 0:
		return "0"
	case x.IsInt() && digitsOf(x.Num()) <= mostDigits:
		return x.Num().String()
	}
	if e := quotientOf(x).exponent(); e < -1 || e >= mostDigits {
		return quotientOf(x).significant(3)
	}
	return fixed(x, 3)
}

// digitsOf returns the number of decimal digits of n, or one more.
func digitsOf(n *big.Int) int { return int(float64(n.BitLen())*0.30102999566398120) + 1 }

// gridCell prints a cell of a grid with a fixed number of decimals. A
// probability is in percent, and neither 0 nor 100 unless it is exactly that.
func gridCell(x quotient, prob bool, digits int) string {
	digits = min(max(digits, 0), 30)
	if !prob {
		return x.fixed(digits)
	}
	p := x.percents()
	unit := quotient{bigOne, powerOfTen(digits)}
	s := p.fixed(digits)
	switch {
	case p.sign() > 0 && s == quotient{new(big.Int), bigOne}.fixed(digits):
		return "<" + unit.fixed(digits)
	case !p.reaches(100, 1) && s == quotient{bigHundred, bigOne}.fixed(digits):
		return ">" + quotient{bigHundred, bigOne}.add(unit.negated()).fixed(digits)
	}
	return s
}
