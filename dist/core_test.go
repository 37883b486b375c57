package dist

import (
	"context"
	"math/big"
	"testing"
)

var ctx = context.Background()

func TestThousandDice(t *testing.T) {
	d, err := Must(Die(6)).Times(ctx, 1000)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := d.PMF(3500).Float64()
	t.Log(f, d.Mean(), d.Variance(), d.Len(), d.Words())
	h, _ := Must(Die(6)).Times(ctx, 500)
	hh, err := h.Add(ctx, h)
	if err != nil {
		t.Fatal(err)
	}
	if !equal(d, hh) {
		t.Fatal("1000d6 is not 500d6 + 500d6")
	}
	if want := new(big.Int).Exp(big.NewInt(6), big.NewInt(1000), nil); d.Total().Cmp(want) != 0 {
		t.Fatal("total")
	}
	x, _ := Must(Faces(-3, 7, 7, 100, 40)).Times(ctx, 9)
	y := Constant(0)
	for i := 0; i < 9; i++ {
		y, err = y.Add(ctx, Must(Faces(-3, 7, 7, 100, 40)))
		if err != nil {
			t.Fatal(err)
		}
	}
	if !equal(x, y) {
		t.Fatal("9 copies")
	}
}
