// Fractions to print. The fraction of smallest denominator in an interval is
// where the continued fractions of its ends part: equal whole parts are taken
// off and the rest turned over, until an integer fits between the ends
// (Stern-Brocot; Knuth, TAOCP 4.5.3, exercise 39).

package report

import "math/big"

// largestShown is the largest denominator that is printed exactly whatever the
// numerator, and the largest N of a column X/N.
const largestShown = 10_000

var (
	bigLargestShown = big.NewInt(largestShown)
	millionth       = big.NewRat(1, 1_000_000)
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

// fraction prints x, which may be e off: exactly when it is exact and its
// denominator small or its numerator 1, else marked and as simple as a relative
// millionth allows.
func fraction(x *big.Rat, e float64) string {
	if !(e > 0) {
		if x.Denom().Cmp(bigLargestShown) <= 0 || x.Num().CmpAbs(bigOne) == 0 {
			return plainFraction(x, "")
		}
	}
	slack := new(big.Rat).Mul(new(big.Rat).Abs(x), millionth)
	return plainFraction(near(x, slack), "≈")
}

// playgroundFraction prints the simplest fraction within 1e-6 of x, unmarked.
func playgroundFraction(x *big.Rat) string { return plainFraction(near(x, millionth), "") }

// plainFraction prints x behind a mark. Numbers too long for a table are
// written with powers of ten, which is always an approximation.
func plainFraction(x *big.Rat, mark string) string {
	if digitsOf(x.Num()) <= mostDigits && digitsOf(x.Denom()) <= mostDigits {
		return mark + x.RatString()
	}
	if x.Num().CmpAbs(bigOne) == 0 {
		return "≈" + x.Num().String() + "/" + significant(new(big.Rat).SetInt(x.Denom()), 3)
	}
	return "≈" + significant(x, 3)
}

// commonDenominator returns the least common denominator of xs when it is at
// most largestShown, else nil.
func commonDenominator(xs func(yield func(*big.Rat) bool)) *big.Int {
	n := big.NewInt(1)
	for x := range xs {
		if x == nil || x.Denom().Cmp(bigLargestShown) > 0 {
			return nil
		}
		gcd := new(big.Int).GCD(nil, nil, n, x.Denom())
		n = new(big.Int).Mul(n, gcd.Quo(x.Denom(), gcd))
		if n.Cmp(bigLargestShown) > 0 {
			return nil
		}
	}
	return n
}

// counts prints x as a number of n-ths: whole where it is, else with three
// decimals. Without an n it is the decimal of x itself.
func counts(x *big.Rat, n *big.Int) string {
	if n == nil {
		return fixed(x, 3)
	}
	c := new(big.Rat).Mul(x, new(big.Rat).SetInt(n))
	if c.IsInt() {
		return c.Num().String()
	}
	return fixed(c, 3)
}
