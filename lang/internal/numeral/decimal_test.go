package numeral

import (
	"math/big"
	"strings"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

func rat(t *testing.T, s string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("no number: %s", s)
	}
	return x
}

func TestPercent(t *testing.T) {
	for p, want := range map[string]string{
		"0": "0", "1": "100.0", "9/10": "90.0", "49/2000": "2.45", "1/2000": "0.05", "1/100": "1.00",
		"1/10": "10.0", "0.0999": "9.99", "0.00005": "0.0050", "1/10000": "0.01", "0.00014": "0.01", "0.00015": "0.02",
		"1/12": "8.33", "1/6": "16.7", "1/8": "12.5", "1/32": "3.13", "0.12345": "12.3", "0.1235": "12.4",
		"1/46656": "0.0021", "1/60466176": "0.0000017", "0.000099": "0.0099", "0.0000999": "0.010",
		"0.99949": "99.9", "0.9995": "99.95", "0.99999": "99.999", "0.9999996": "99.99996",
		"1e-10": "1.0e-8", "9.99e-12": "1.0e-9", "0.99999999999999": ">99.9999999999",
	} {
		if got := Percent(Of(rat(t, p))); got != want {
			t.Errorf("percent(%s) is %s, want %s", p, got, want)
		}
	}
}

func TestPlaygroundPercent(t *testing.T) {
	for p, want := range map[string]string{
		"0": "0.00", "1": "100.0", "9/10": "90.0", "49/2000": "2.45", "1/2000": "0.05", "1/100": "1.00", "0.00004": "0.00", "0.99999": "100.0",
	} {
		if got := PlaygroundPercent(Of(rat(t, p))); got != want {
			t.Errorf("%s is %s, want %s", p, got, want)
		}
	}
}

func TestErrorsMarkPercentages(t *testing.T) {
	for _, c := range []struct {
		p    string
		e    float64
		want string
	}{
		{"1/6", 0, "16.7"}, {"1/6", 1e-24, "16.7"}, {"1/6", 0.01, "≈16.7"}, {"1/8", 1e-24, "12.5"}, {"1/32", 1e-24, "≈3.13"}, {"1", 1e-24, "≈100.0"},
	} {
		if got := CertainPercent(Of(rat(t, c.p)), c.e); got != c.want {
			t.Errorf("%s give or take %g is %s, want %s", c.p, c.e, got, c.want)
		}
	}
}

func TestFixedRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		x      string
		digits int
		want   string
	}{
		{"0.0245", 3, "0.025"}, {"0.02449999", 3, "0.024"}, {"1/2", 0, "1"}, {"-1/2", 0, "0"}, {"-3/2", 0, "-1"}, {"-0.0001", 3, "0.000"},
		{"101/2", 3, "50.500"}, {"-4.2", 3, "-4.200"}, {"2/3", 5, "0.66667"}, {"12345", 1, "12345.0"},
	} {
		if got := Fixed(rat(t, c.x), c.digits); got != c.want {
			t.Errorf("%s with %d decimals is %s, want %s", c.x, c.digits, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[string]string{
		"0": "0", "42": "42", "-7": "-7", "7/2": "3.500", "0.25": "0.250", "0.012345": "0.0123", "-0.0012345": "-0.00123",
		"1e-9": "1.00e-9", "100000000000000000000": "100000000000000000000",
	} {
		if got := Number(rat(t, x)); got != want {
			t.Errorf("number(%s) is %s, want %s", x, got, want)
		}
	}
}

func TestGridCells(t *testing.T) {
	for _, c := range []struct {
		x      string
		prob   bool
		digits int
		want   string
	}{
		{"0.505", true, 2, "50.50"}, {"0", true, 2, "0.00"}, {"1", true, 2, "100.00"}, {"0.00001", true, 2, "<0.01"}, {"0.99999", true, 2, ">99.99"},
		{"0.004", true, 0, "<1"}, {"3.14159", false, 2, "3.14"}, {"0.001", false, 2, "0.00"}, {"7", false, 0, "7"},
	} {
		if got := GridCell(Of(rat(t, c.x)), c.prob, c.digits); got != c.want {
			t.Errorf("%s is %s, want %s", c.x, got, c.want)
		}
	}
}

// Only 0 reads as 0 and only 1 reads as 100, and what is read is as near as its
// digits allow.
func TestPercentIsTruthful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.Int64Range(2, 1<<50).Draw(t, "den")
		x := big.NewRat(rapid.Int64Range(1, den-1).Draw(t, "num"), den)
		s := strings.TrimPrefix(Percent(Of(x)), ">")
		read, ok := new(big.Rat).SetString(s)
		if !ok || read.Sign() == 0 || read.Cmp(big.NewRat(100, 1)) >= 0 {
			t.Fatalf("%v reads as %s", x, s)
		}
		off := new(big.Rat).Sub(read, new(big.Rat).Mul(x, big.NewRat(100, 1)))
		if off.Abs(off).Cmp(big.NewRat(1, 20)) > 0 {
			t.Fatalf("%v reads as %s", x, s)
		}
	})
}
