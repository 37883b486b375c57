package dist

import (
	"math"
	"math/big"
	"testing"
)

// A choice of two numbers is the mixture of them, in the same form.
func TestTwoPointsIsAMixture(t *testing.T) {
	numbers := []int{-7, 0, 1, 2, 100, math.MinInt, math.MaxInt}
	for _, share := range [][2]uint32{{0, 1}, {1, 1}, {1, 3}, {2, 6}, {3, 4}, {30, 100}, {5, 5}, {math.MaxUint32 - 1, math.MaxUint32}} {
		p := big.NewRat(int64(share[0]), int64(share[1]))
		for _, a := range numbers {
			for _, b := range numbers {
				got := Must(TwoPoints(ctx, share[0], share[1], a, b))
				want := Must(Mixture(ctx, []Part{
					{Weight: p, Roll: Constant(a)}, {Weight: new(big.Rat).Sub(big.NewRat(1, 1), p), Roll: Constant(b)},
				}))
				if !got.same(want) || got.axis.Step != want.axis.Step || (got.axis.List == nil) != (want.axis.List == nil) {
					t.Errorf("%v of %d, else %d: got %v, want %v", p, a, b, got, want)
				}
			}
		}
	}
	for _, share := range [][2]uint32{{1, 0}, {0, 0}, {4, 3}} {
		if d, err := TwoPoints(ctx, share[0], share[1], 1, 2); err == nil {
			t.Errorf("%v: got %v, want an error", share, d)
		}
	}
}
