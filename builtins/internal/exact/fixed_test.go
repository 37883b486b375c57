package exact

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A quotient that is not in lowest terms is written as the fraction is: rounded half up at
// the last digit.
func TestFixedQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num, den := rapid.Int64().Draw(t, "num"), rapid.Int64Range(1, 1<<62).Draw(t, "den")
		digits, more := rapid.IntRange(0, 9).Draw(t, "digits"), big.NewInt(rapid.Int64Range(1, 1<<40).Draw(t, "more"))
		r := big.NewRat(num, den)
		got := FixedQuotient(new(big.Int).Mul(r.Num(), more), new(big.Int).Mul(r.Denom(), more), digits)
		// floor(r 10^digits + 1/2), by fractions
		units := new(big.Rat).Mul(r, new(big.Rat).SetInt(PowerOfTen(digits)))
		units.Add(units, big.NewRat(1, 2))
		want := new(big.Rat).SetFrac(new(big.Int).Div(units.Num(), units.Denom()), PowerOfTen(digits)).FloatString(digits)
		if got != want || Fixed(r, digits) != want {
			t.Errorf("%s with %d digits is %s and %s, want %s", r, digits, got, Fixed(r, digits), want)
		}
	})
}
