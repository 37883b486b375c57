// Decimals of exact rationals. A number is rounded half up, that is to
// floor(x*10^d + 1/2), once and from its exact value.

package report

import (
	"fmt"
	"math/big"
	"strings"
)

var (
	bigOne       = big.NewInt(1)
	bigTen       = big.NewInt(10)
	hundred      = big.NewRat(100, 1)
	ten          = big.NewRat(10, 1)
	oneHundredth = big.NewRat(1, 100)
	half         = big.NewRat(1, 2)
)

func powerOfTen(n int) *big.Int { return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil) }

// scaled returns x * 10^n for any n.
func scaled(x *big.Rat, n int) *big.Rat {
	if n < 0 {
		return new(big.Rat).SetFrac(x.Num(), new(big.Int).Mul(x.Denom(), powerOfTen(-n)))
	}
	return new(big.Rat).SetFrac(new(big.Int).Mul(x.Num(), powerOfTen(n)), x.Denom())
}

// floor returns the greatest integer that is not above x.
func floor(x *big.Rat) *big.Int {
	// Div rounds down for a positive divisor.
	return new(big.Int).Div(x.Num(), x.Denom())
}

// ratio returns x * 10^n as two numbers that are not in lowest terms: to get them
// there is what takes longest when they are long.
func ratio(x *big.Rat, n int) (num, den *big.Int) {
	if n < 0 {
		return x.Num(), new(big.Int).Mul(x.Denom(), powerOfTen(-n))
	}
	return new(big.Int).Mul(x.Num(), powerOfTen(n)), x.Denom()
}

// fixed prints x with the given number of decimals, rounded half up.
func fixed(x *big.Rat, digits int) string { return fixedShifted(x, 0, digits) }

// fixedShifted prints x * 10^n with the given number of decimals, rounded half up.
func fixedShifted(x *big.Rat, n, digits int) string {
	num, den := ratio(x, n+digits)
	units := new(big.Int).Lsh(num, 1)
	units.Add(units, den).Div(units, new(big.Int).Lsh(den, 1))
	sign := ""
	if units.Sign() < 0 {
		sign = "-"
	}
	s := units.Abs(units).String()
	if digits == 0 {
		return sign + s
	}
	if missing := digits + 1 - len(s); missing > 0 {
		s = strings.Repeat("0", missing) + s
	}
	return sign + s[:len(s)-digits] + "." + s[len(s)-digits:]
}

// exponent returns the e with 10^e <= |x| < 10^(e+1), for x not 0.
func exponent(x *big.Rat) int {
	a := new(big.Rat).Abs(x)
	// Bit lengths give the logarithm to within one; the loops settle the rest.
	e := int(float64(a.Num().BitLen()-a.Denom().BitLen()) * 0.30102999566398120)
	for {
		num, den := ratio(a, -e)
		switch {
		case num.Cmp(den) < 0:
			e--
		case num.Cmp(new(big.Int).Mul(den, bigTen)) >= 0:
			e++
		default:
			return e
		}
	}
}

// smallest exponent that is still written out; smaller numbers are printed
// with a power of ten.
const smallestExponent = -6

// significant prints x, not 0, with the given number of significant digits.
func significant(x *big.Rat, digits int) string {
	e := exponent(x)
	s := fixedShifted(x, -e, digits-1)
	if strings.HasPrefix(strings.TrimPrefix(s, "-"), "10") {
		e++
		s = fixedShifted(x, -e, digits-1)
	}
	if e >= smallestExponent && e < digits {
		return fixed(x, digits-1-e)
	}
	return fmt.Sprintf("%se%d", s, e)
}

// mostNines is how many decimals a percentage just below 100 may take.
const mostNines = 10

// percent prints the probability p in percent: one decimal from 10 on, two from
// 0.01 on, two significant digits below. Only 0 is printed as 0 and only 1 as 100.
func percent(p *big.Rat) string {
	x := new(big.Rat).Mul(p, hundred)
	switch {
	case x.Sign() == 0:
		return "0"
	case x.Sign() < 0:
		return "-" + percent(new(big.Rat).Neg(p))
	case x.Cmp(hundred) >= 0:
		return fixed(x, 1)
	case x.Cmp(ten) >= 0:
		return belowHundred(x)
	case x.Cmp(oneHundredth) >= 0:
		return fixed(x, 2)
	}
	return significant(x, 2)
}

// belowHundred prints an x from 10 to below 100 with one decimal, or with as
// many as it takes not to reach 100.
func belowHundred(x *big.Rat) string {
	for digits := 1; digits <= mostNines; digits++ {
		if s := fixed(x, digits); !strings.HasPrefix(s, "100") {
			return s
		}
	}
	return ">99." + strings.Repeat("9", mostNines)
}

// playgroundPercent prints p in percent with as few decimals, from one on, as
// make four characters.
func playgroundPercent(p *big.Rat) string {
	x := new(big.Rat).Mul(p, hundred)
	for digits := 1; ; digits++ {
		if s := fixed(x, digits); len(s) >= 4 || digits == 4 {
			return s
		}
	}
}

// certainPercent prints p in percent; where an error of p could change what is
// printed, it is marked.
func certainPercent(p *big.Rat, e float64) string {
	s := percent(p)
	slack := rational(e)
	if slack.Sign() == 0 {
		return s
	}
	low, high := new(big.Rat).Sub(p, slack), new(big.Rat).Add(p, slack)
	if percent(low) == s && percent(high) == s {
		return s
	}
	return "≈" + s
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
	if e := exponent(x); e < -1 || e >= mostDigits {
		return significant(x, 3)
	}
	return fixed(x, 3)
}

// digitsOf returns the number of decimal digits of n, or one more.
func digitsOf(n *big.Int) int { return int(float64(n.BitLen())*0.30102999566398120) + 1 }

// gridCell prints a cell of a grid with a fixed number of decimals. A
// probability is in percent, and neither 0 nor 100 unless it is exactly that.
func gridCell(x *big.Rat, prob bool, digits int) string {
	digits = min(max(digits, 0), 30)
	if !prob {
		return fixed(x, digits)
	}
	p := new(big.Rat).Mul(x, hundred)
	s := fixed(p, digits)
	switch {
	case p.Sign() > 0 && s == fixed(new(big.Rat), digits):
		return "<" + fixed(scaled(big.NewRat(1, 1), -digits), digits)
	case p.Cmp(hundred) < 0 && s == fixed(hundred, digits):
		return ">" + fixed(new(big.Rat).Sub(hundred, scaled(big.NewRat(1, 1), -digits)), digits)
	}
	return s
}
