// Fractions to print: exact ones as long as they are short, else the odds. The
// style of the playground rounds them: the fraction of smallest denominator in an interval is
// where the continued fractions of its ends part: equal whole parts are taken
// off and the rest turned over, until an integer fits between the ends
// (Stern-Brocot; Knuth, TAOCP 4.5.3, exercise 39).

package numeral

import (
	"math/big"
	"strconv"
	"strings"
)

// largestShown is the largest N of a column X/N.
const largestShown = 10_000

// LongestFraction is how many characters an exact fraction may take.
const LongestFraction = 20

var (
	LargestCounted = big.NewInt(largestShown)
	millionth      = big.NewRat(1, 1_000_000)
)

// simplest returns the fraction of smallest denominator from lo to hi, ends
// included, for 0 <= lo <= hi.
func simplest(lo, hi *big.Rat) *big.Rat {
	// Convergents h/k of the shared continued fraction.
	h0, h1 := big.NewInt(0), big.NewInt(1)
	k0, k1 := big.NewInt(1), big.NewInt(0)
	push := func(a *big.Int) {
		h0, h1 = h1, new(big.Int).Add(new(big.Int).Mul(a, h1), h0)
		k0, k1 = k1, new(big.Int).Add(new(big.Int).Mul(a, k1), k0)
	}
	for {
		a := floor(lo)
		whole := new(big.Rat).SetInt(a)
		if whole.Cmp(lo) == 0 {
			push(a)
			break
		}
		if a.Cmp(floor(hi)) < 0 {
			push(a.Add(a, bigOne))
			break
		}
		push(a)
		lo, hi = new(big.Rat).Inv(new(big.Rat).Sub(hi, whole)), new(big.Rat).Inv(new(big.Rat).Sub(lo, whole))
	}
	return new(big.Rat).SetFrac(h1, k1)
}

// near returns the fraction of smallest denominator that is at most slack away
// from x, the nearest of them to x.
func near(x, slack *big.Rat) *big.Rat {
	a := new(big.Rat).Abs(x)
	lo, hi := new(big.Rat).Sub(a, slack), new(big.Rat).Add(a, slack)
	den := bigOne
	if lo.Sign() > 0 {
		den = simplest(lo, hi).Denom()
	}
	num := floor(new(big.Rat).Add(new(big.Rat).Mul(x, new(big.Rat).SetInt(den)), half))
	return new(big.Rat).SetFrac(num, den)
}

// ChanceFraction prints the probability p, which may be e off and is marked then:
// as its fraction, else as odds, and never as another fraction.
func ChanceFraction(p Quotient, e float64) string {
	mark := ""
	if e > 0 {
		mark = "≈"
	}
	if s, ok := shortFraction(p); ok {
		return mark + s
	}
	return odds(p, mark)
}

// NumberFraction prints the fraction of a number that is not a probability; it is
// empty when it is long.
func NumberFraction(x *big.Rat, e float64) string {
	s, ok := shortFraction(Of(x))
	switch {
	case !ok:
		return ""
	case e > 0:
		return "≈" + s
	}
	return s
}

// shortFraction prints q in lowest terms when it takes no more than
// LongestFraction characters.
func shortFraction(q Quotient) (string, bool) {
	if num, den, ok := q.words(); ok {
		return shortWords(num, den)
	}
	num, den := q.num, q.den
	if gcd := new(big.Int).GCD(nil, nil, new(big.Int).Abs(num), den); gcd.Cmp(bigOne) > 0 {
		num, den = new(big.Int).Quo(num, gcd), new(big.Int).Quo(den, gcd)
	}
	if digitsOf(num)+digitsOf(den) > LongestFraction+2 {
		return "", false
	}
	s := num.String()
	if den.Cmp(bigOne) != 0 {
		s += "/" + den.String()
	}
	return s, len(s) <= LongestFraction
}

func shortWords(num, den uint64) (string, bool) {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	s := strconv.FormatUint(num/a, 10)
	if den != a {
		s += "/" + strconv.FormatUint(den/a, 10)
	}
	return s, len(s) <= LongestFraction
}

// largestOdds is the power of ten from which on odds are written with one.
const largestOdds = 7

// odds prints the probability p, not 0, as 1 in n, with four digits behind a mark; above
// one half it gives the odds of the opposite, which read better than 1 in 1.112.
func odds(p Quotient, mark string) string {
	switch {
	case p.sign() < 0:
		return "-" + odds(p.negated(), mark)
	case p.aboveHalf():
		return "fails " + odds(p.opposite(), mark)
	}
	n := p.inverse()
	if e := n.exponent(); 3 <= e && e < largestOdds {
		return mark + "1 in " + n.fixedShifted(3-e, 0) + strings.Repeat("0", e-3)
	}
	return mark + "1 in " + n.significant(4)
}

// PlaygroundFraction prints the simplest fraction within 1e-6 of x, unmarked.
func PlaygroundFraction(x *big.Rat) string { return near(x, millionth).RatString() }

// CommonDenominator returns the least common denominator of xs when it is at
// most largestShown, else nil.
func CommonDenominator(xs func(yield func(*big.Rat) bool)) *big.Int {
	n := big.NewInt(1)
	for x := range xs {
		if x == nil || x.Denom().Cmp(LargestCounted) > 0 {
			return nil
		}
		gcd := new(big.Int).GCD(nil, nil, n, x.Denom())
		n = new(big.Int).Mul(n, gcd.Quo(x.Denom(), gcd))
		if n.Cmp(LargestCounted) > 0 {
			return nil
		}
	}
	return n
}

// Counts prints x as a number of n-ths: whole where it is, else with three
// decimals. Without an n it is the decimal of x itself.
func Counts(x Quotient, n *big.Int) string {
	if n == nil {
		return x.Fixed(3)
	}
	if c, ok := x.Whole(n); ok {
		return c.String()
	}
	return Quotient{new(big.Int).Mul(x.num, n), x.den}.Fixed(3)
}
