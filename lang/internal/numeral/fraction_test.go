package numeral

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A fraction of at most 20 characters is printed as it is, and nothing else is
// printed as a fraction.
func TestChanceFractions(t *testing.T) {
	for x, want := range map[string]string{
		"0": "0", "1": "1", "9/2000": "9/2000", "9999/10000": "9999/10000", "1/60466176": "1/60466176",
		"4131215/20155392": "4131215/20155392", "1234567890/9876543211": "1 in 8.000", "31415926535/10000000000000": "1 in 318.3",
		"123456789/9876543211": "123456789/9876543211", "1000000000/9876543211": "1 in 9.877",
		"10000000000/99996000000001": "1 in 10000", "10000000000/123456000000001": "1 in 12350", "1/1234567890123456789012": "1 in 1.235e21",
		"10000000000/10000000001": "fails 1 in 1.000e10", "100000000000/100000000001": "fails 1 in 1.000e11", "10000000000/10001000000001": "1 in 1000",
		"10000000000/99996000001": "1 in 10.00",
	} {
		if got := ChanceFraction(Of(rat(t, x)), 0); got != want {
			t.Errorf("fraction of %s is %s, want %s", x, got, want)
		}
	}
	for x, want := range map[string]string{"1/6": "≈1/6", "10000000000/48790000000001": "≈1 in 4879"} {
		if got := ChanceFraction(Of(rat(t, x)), 1e-24); got != want {
			t.Errorf("%s with an error is %s, want %s", x, got, want)
		}
	}
}

// What is printed as a fraction is the number, and odds are as near to it as
// four digits can be.
func TestFractionsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := new(big.Int).SetUint64(rapid.Uint64Min(2).Draw(t, "den"))
		if rapid.Bool().Draw(t, "long") {
			den.Mul(den, new(big.Int).SetUint64(rapid.Uint64Min(1).Draw(t, "den2")))
		}
		num := new(big.Int).Rsh(den, uint(rapid.IntRange(1, 40).Draw(t, "shift")))
		if num.Sub(num, big.NewInt(rapid.Int64Range(0, 1000).Draw(t, "less"))); num.Sign() <= 0 {
			num.SetInt64(1)
		}
		x := new(big.Rat).SetFrac(num, den)
		got := ChanceFraction(Quotient{num, den}, 0)
		text, isOdds := strings.CutPrefix(got, "1 in ")
		read, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%v is printed %s", x, got)
		}
		if !isOdds {
			if read.Cmp(x) != 0 || len(got) > 20 {
				t.Fatalf("%v is printed %s", x, got)
			}
			return
		}
		if len(x.RatString()) <= 20 {
			t.Fatalf("%v is printed %s", x, got)
		}
		// Half a unit of the fourth digit is at most 1/2000 of the number.
		off := read.Sub(read.Mul(read, x), big.NewRat(1, 1))
		if off.Abs(off).Cmp(big.NewRat(1, 1990)) > 0 {
			t.Fatalf("%v is printed %s", x, got)
		}
	})
}

func TestNumberFractions(t *testing.T) {
	for x, want := range map[string]string{"-21/5": "-21/5", "7": "7", "12345678901/12345678900": "", "123456789012345678901": ""} {
		if got := NumberFraction(rat(t, x), 0); got != want {
			t.Errorf("fraction of %s is %q, want %q", x, got, want)
		}
	}
	if got := NumberFraction(rat(t, "21/5"), 1e-24); got != "≈21/5" {
		t.Errorf("21/5 with an error is %s", got)
	}
}

func TestPlaygroundFractionsOfThePublishedTable(t *testing.T) {
	for x, want := range map[string]string{
		"9/2000": "4/889", "49/10000": "9/1837", "1/10000": "1/9901", "9/10": "9/10", "1/2000": "1/1997", "49/2000": "27/1102", "49/1000": "49/1000",
	} {
		if got := PlaygroundFraction(rat(t, x)); got != want {
			t.Errorf("fraction of %s is %s, want %s", x, got, want)
		}
	}
}

// The oracle tries one denominator after the other.
func smallestDenominator(x, slack *big.Rat) int64 {
	for den := int64(1); ; den++ {
		units := new(big.Rat).Mul(x, big.NewRat(den, 1))
		nearest := floor(units.Add(units, half))
		off := new(big.Rat).Sub(x, new(big.Rat).SetFrac(nearest, big.NewInt(den)))
		if off.Abs(off).Cmp(slack) <= 0 {
			return den
		}
	}
}

func TestNearHasTheSmallestDenominator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.Int64Range(1, 1_000_000).Draw(t, "den")
		x := big.NewRat(rapid.Int64Range(-den, 3*den).Draw(t, "num"), den)
		slack := big.NewRat(1, rapid.Int64Range(2, 1_000_000).Draw(t, "slack"))
		got := near(x, slack)
		if off := new(big.Rat).Sub(got, x); off.Abs(off).Cmp(slack) > 0 {
			t.Fatalf("near(%v, %v) is %v", x, slack, got)
		}
		if want := smallestDenominator(x, slack); got.Denom().Int64() > want {
			t.Fatalf("near(%v, %v) is %v, want the denominator %d", x, slack, got, want)
		}
	})
}
