// Quotients: a chance as a weight over a total, a number as numerator over
// denominator, not in lowest terms. To get them there takes longer than to print
// them. What fits machine words is printed with machine words.

package numeral

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// A Quotient is num/den, with den > 0. The numbers are shared and never changed.
type Quotient struct{ num, den *big.Int }

// Of is x as a quotient.
func Of(x *big.Rat) Quotient { return Quotient{x.Num(), x.Denom()} }

// Over is num over den, which is above 0.
func Over(num, den *big.Int) Quotient { return Quotient{num, den} }

// Rat is q as a number of its own.
func (q Quotient) Rat() *big.Rat { return new(big.Rat).SetFrac(q.num, q.den) }

func (q Quotient) sign() int { return q.num.Sign() }

// words returns q when it is not negative and both its numbers fit a machine
// word with room for ten times as much.
func (q Quotient) words() (num, den uint64, ok bool) {
	const room = 1 << 60
	if q.num.Sign() < 0 || !q.num.IsUint64() || !q.den.IsUint64() {
		return 0, 0, false
	}
	num, den = q.num.Uint64(), q.den.Uint64()
	return num, den, num < room && den < room
}

// add is q + r.
func (q Quotient) add(r Quotient) Quotient {
	num := new(big.Int).Mul(q.num, r.den)
	return Quotient{num.Add(num, new(big.Int).Mul(r.num, q.den)), new(big.Int).Mul(q.den, r.den)}
}

// aboveHalf reports whether q is a chance above one half that is not certain.
func (q Quotient) aboveHalf() bool {
	twice := new(big.Int).Lsh(q.num, 1)
	return twice.Cmp(q.den) > 0 && q.num.Cmp(q.den) < 0
}

// opposite returns 1 - q.
func (q Quotient) opposite() Quotient { return Quotient{new(big.Int).Sub(q.den, q.num), q.den} }

// Per returns q divided by n, which is above 0.
func (q Quotient) Per(n int) Quotient {
	return Quotient{q.num, new(big.Int).Mul(q.den, big.NewInt(int64(n)))}
}

func (q Quotient) negated() Quotient { return Quotient{new(big.Int).Neg(q.num), q.den} }

// Float is about q, for drawing.
func (q Quotient) Float() float64 {
	if num, den, ok := q.words(); ok {
		return float64(num) / float64(den)
	}
	x, _ := new(big.Float).Quo(new(big.Float).SetInt(q.num), new(big.Float).SetInt(q.den)).Float64()
	return x
}

// percents is 100 q.
func (q Quotient) percents() Quotient { return Quotient{new(big.Int).Mul(q.num, bigHundred), q.den} }

// inverse is 1/q, for q > 0.
func (q Quotient) inverse() Quotient { return Quotient{q.den, q.num} }

// reaches reports whether q >= num/den, for small num and den > 0.
func (q Quotient) reaches(num, den int64) bool {
	if a, b, ok := q.words(); ok && num >= 0 {
		high, low := bits.Mul64(a, uint64(den))
		least, rest := bits.Mul64(b, uint64(num))
		return high > least || high == least && low >= rest
	}
	left := new(big.Int).Mul(q.num, big.NewInt(den))
	return left.Cmp(new(big.Int).Mul(q.den, big.NewInt(num))) >= 0
}

// Whole returns n*q when it is an integer.
func (q Quotient) Whole(n *big.Int) (*big.Int, bool) {
	count, rest := new(big.Int), new(big.Int)
	count.QuoRem(rest.Mul(q.num, n), q.den, rest)
	return count, rest.Sign() == 0
}

// powersOfTen are the powers of ten that fit a machine word.
var powersOfTen = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// Fixed prints q with the given number of decimals, rounded half up.
func (q Quotient) Fixed(digits int) string { return q.fixedShifted(0, digits) }

// fixedShifted prints q * 10^n with the given number of decimals, rounded half
// up: floor(q*10^(n+digits) + 1/2).
func (q Quotient) fixedShifted(n, digits int) string {
	if units, ok := q.unitsOf(n + digits); ok {
		return decimal("", strconv.FormatUint(units, 10), digits)
	}
	num, den := q.shifted(n + digits)
	units := new(big.Int).Lsh(num, 1)
	units.Add(units, den).Div(units, new(big.Int).Lsh(den, 1))
	sign := ""
	if units.Sign() < 0 {
		sign = "-"
	}
	return decimal(sign, units.Abs(units).String(), digits)
}

// unitsOf returns q*10^n rounded half up when machine words are enough.
func (q Quotient) unitsOf(n int) (uint64, bool) {
	num, den, ok := q.words()
	if !ok || n <= -len(powersOfTen) || n >= len(powersOfTen) {
		return 0, false
	}
	if n < 0 {
		over, by := bits.Mul64(den, powersOfTen[-n])
		if over != 0 {
			return 0, false
		}
		den, n = by, 0
	}
	hi, lo := bits.Mul64(num, powersOfTen[n])
	if hi >= den {
		return 0, false
	}
	units, rest := bits.Div64(hi, lo, den)
	if rest >= den-rest {
		units++
	}
	return units, units != 0 || rest < den-rest // not when units was all ones
}

// shifted returns q * 10^n.
func (q Quotient) shifted(n int) (num, den *big.Int) {
	if n < 0 {
		return q.num, new(big.Int).Mul(q.den, powerOfTen(-n))
	}
	return new(big.Int).Mul(q.num, powerOfTen(n)), q.den
}

// Decimal puts a point before the last digits of a number of units.
func decimal(sign, units string, digits int) string {
	if digits == 0 {
		return sign + units
	}
	if missing := digits + 1 - len(units); missing > 0 {
		units = strings.Repeat("0", missing) + units
	}
	return sign + units[:len(units)-digits] + "." + units[len(units)-digits:]
}

// exponent returns the e with 10^e <= |q| < 10^(e+1), for q not 0.
func (q Quotient) exponent() int {
	if e, ok := q.shortExponent(); ok {
		return e
	}
	a := Quotient{new(big.Int).Abs(q.num), q.den}
	// Bit lengths give the logarithm to within one; the loop settles the rest.
	e := int(float64(a.num.BitLen()-a.den.BitLen()) * 0.30102999566398120)
	for {
		num, den := a.shifted(-e)
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

// shortExponent is exponent when machine words are enough.
func (q Quotient) shortExponent() (e int, ok bool) {
	num, den, ok := q.words()
	if !ok {
		return 0, false
	}
	if num >= den {
		for _, power := range powersOfTen[1:] {
			if high, low := bits.Mul64(den, power); high > 0 || low > num {
				return e, true
			}
			e++
		}
		return 0, false
	}
	for _, power := range powersOfTen[1:] {
		e--
		if high, low := bits.Mul64(num, power); high > 0 || low >= den {
			return e, true
		}
	}
	return 0, false
}

// significant prints q, not 0, with the given number of significant digits.
func (q Quotient) significant(digits int) string {
	e := q.exponent()
	s := q.fixedShifted(-e, digits-1)
	if strings.HasPrefix(strings.TrimPrefix(s, "-"), "10") {
		e++
		s = q.fixedShifted(-e, digits-1)
	}
	if e >= smallestExponent && e < digits {
		return q.Fixed(digits - 1 - e)
	}
	return s + "e" + strconv.Itoa(e)
}

// Certain reports whether print prints the same for all that is at most e away
// from q.
func (q Quotient) Certain(e float64, print func(Quotient) string) bool {
	switch {
	case !(e > 0):
		return true
	case math.IsInf(e, 0):
		return false
	}
	slack := Of(Rational(e))
	return print(q.add(slack.negated())) == print(q.add(slack))
}
