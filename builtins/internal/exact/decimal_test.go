package exact

import (
	"math/big"
	"testing"
)

// A half goes up, below zero too.
func TestFixedRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		num, den int64
		digits   int
		want     string
	}{
		{1, 2, 0, "1"}, {-1, 2, 0, "0"}, {-3, 2, 0, "-1"}, {7, 2, 3, "3.500"}, {2, 3, 2, "0.67"}, {-2, 3, 2, "-0.67"},
		{-1, 2000, 3, "0.000"}, {-3, 2000, 3, "-0.001"}, {1, 2000, 3, "0.001"},
	} {
		if got := Fixed(big.NewRat(c.num, c.den), c.digits); got != c.want {
			t.Errorf("%d/%d with %d decimals: got %s, want %s", c.num, c.den, c.digits, got, c.want)
		}
	}
}
