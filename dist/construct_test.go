package dist_test

import (
	"math/big"
	"testing"

	"dicescript/dist"
)

// What is known of an unlimited roll is its chances to within the bound, and its mean and
// variance as they were written down.
func TestNear(t *testing.T) {
	ctx := t.Context()
	faces, weights := []int{1, 2}, []*big.Int{big.NewInt(1), big.NewInt(3)}
	d, err := dist.Near(ctx, faces, weights, 1e-9, big.NewRat(9, 5), big.NewRat(1, 5))
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Moments(ctx)
	if err != nil || m.Mean.Cmp(big.NewRat(9, 5)) != 0 || m.Variance.Cmp(big.NewRat(1, 5)) != 0 || m.MeanBound != 0 {
		t.Errorf("moments: %+v, %v", m, err)
	}
	if d.Bound() != 1e-9 || d.PMF(2).Cmp(big.NewRat(3, 4)) != 0 || !d.UnboundedAbove() || !d.UnboundedBelow() {
		t.Errorf("got %v", d)
	}
	unknown, err := dist.Near(ctx, faces, weights, 1e-9, nil, nil)
	if err != nil || unknown.Mean() != nil {
		t.Errorf("without a mean: %v, %v", unknown, err)
	}
	exact, err := dist.Near(ctx, faces, weights, 0, big.NewRat(9, 1), nil)
	if err != nil || exact.Mean().Cmp(big.NewRat(7, 4)) != 0 {
		t.Errorf("without a bound: %v, %v", exact, err)
	}
	for _, bound := range []float64{-1, 2} {
		if _, err := dist.Near(ctx, faces, weights, bound, nil, nil); err == nil {
			t.Errorf("bound %v: no error", bound)
		}
	}
}
