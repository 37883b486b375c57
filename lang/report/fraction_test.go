package report

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestFractions(t *testing.T) {
	for x, want := range map[string]string{
		"0": "0", "1": "1", "9/2000": "9/2000", "9999/10000": "9999/10000", "1/60466176": "1/60466176",
		"31415926535/10000000000": "≈355/113", "3333333/10000000": "≈1/3", "-21/5": "-21/5",
	} {
		if got := fraction(rat(t, x), 0); got != want {
			t.Errorf("fraction of %s is %s, want %s", x, got, want)
		}
	}
	if got := fraction(big.NewRat(1, 6), 1e-24); got != "≈1/6" {
		t.Errorf("1/6 with an error is %s, want it marked", got)
	}
}

func TestPlaygroundFractionsOfThePublishedTable(t *testing.T) {
	for x, want := range map[string]string{
		"9/2000": "4/889", "49/10000": "9/1837", "1/10000": "1/9901", "9/10": "9/10", "1/2000": "1/1997", "49/2000": "27/1102", "49/1000": "49/1000",
	} {
		if got := playgroundFraction(rat(t, x)); got != want {
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
