package dist_test

import (
	"context"
	"math/big"
	"testing"

	"dicescript/dist"

	"pgregory.net/rapid"
)

// A mixture of certain numbers gives each the share of its weight.
func TestMixtureOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []dist.Part
		sum := new(big.Rat)
		want := map[int]*big.Rat{}
		for range rapid.IntRange(1, 5).Draw(t, "parts") {
			x := rapid.IntRange(-3, 3).Draw(t, "number")
			den := rapid.SampledFrom([]int64{1, 2, 3, 7, 12, 100, 40000, 1 << 40}).Draw(t, "denominator")
			w := big.NewRat(rapid.Int64Range(1, 40000).Draw(t, "numerator"), den)
			parts = append(parts, dist.Part{Weight: w, Roll: dist.Constant(x)})
			sum.Add(sum, w)
			if want[x] == nil {
				want[x] = new(big.Rat)
			}
			want[x].Add(want[x], w)
		}
		d, err := dist.Mixture(context.Background(), parts)
		if err != nil {
			t.Fatal(err)
		}
		for x, w := range want {
			if got := d.PMF(x); got.Cmp(w.Quo(w, sum)) != 0 {
				t.Fatalf("%v: chance of %d: got %v, want %v", parts, x, got, w)
			}
		}
		if d.Len() != len(want) {
			t.Fatalf("%v: %d outcomes, want %d", parts, d.Len(), len(want))
		}
	})
}
