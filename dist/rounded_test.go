package dist

import (
	"context"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// The rounded chances are multiples of the unit, every outcome stays, and the
// distance summed up outcome by outcome is within the bound.
func TestRoundedIsWithinItsBound(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "outcomes")
		var faces []int
		var weights []*big.Int
		for range n {
			faces = append(faces, rapid.IntRange(-9, 9).Draw(t, "face"))
			w := big.NewInt(rapid.Int64Range(1, 1<<40).Draw(t, "weight"))
			weights = append(weights, w.Lsh(w, uint(rapid.IntRange(0, 300).Draw(t, "shift"))))
		}
		d := Must(Weighted(ctx, faces, weights))
		bits := rapid.IntRange(64, 400).Draw(t, "bits")
		got, bound, err := d.Rounded(ctx, bits)
		if err != nil {
			t.Fatal(err)
		}
		unit := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		if new(big.Int).Mod(unit, got.Total()).Sign() != 0 {
			t.Fatalf("the total is %v", got.Total())
		}
		apart := new(big.Rat)
		for _, x := range d.Outcomes() {
			if got.PMF(x).Sign() <= 0 {
				t.Fatalf("outcome %d is lost", x)
			}
			gap := new(big.Rat).Sub(d.PMF(x), got.PMF(x))
			apart.Add(apart, gap.Abs(gap))
		}
		most, _ := bound.Rat(nil)
		if apart.Quo(apart, big.NewRat(2, 1)).Cmp(most) > 0 || got.Len() != d.Len() {
			t.Fatalf("apart by %s, the bound is %s", apart.FloatString(130), most.FloatString(130))
		}
	})
}

func TestRoundedAndWithinRefuse(t *testing.T) {
	ctx := context.Background()
	d := Must(Die(6))
	open := Must(d.Explode(ctx, d.TopFace(), Unlimited))
	for _, bits := range []int{0, 63, 1 << 30} {
		if _, _, err := d.Rounded(ctx, bits); err == nil {
			t.Errorf("%d bits are taken", bits)
		}
	}
	if _, _, err := open.Rounded(ctx, 100); err == nil {
		t.Error("an unlimited roll is rounded")
	}
	if _, err := open.Within(0.5); err == nil {
		t.Error("an unlimited roll gets another bound")
	}
	if _, err := d.Within(-1); err == nil {
		t.Error("a bound below 0 is taken")
	}
	near := Must(d.Within(0.25))
	if near.Bound() != 0.25 || near.UnboundedAbove() || near.UnboundedBelow() || d.Bound() != 0 {
		t.Errorf("got the bound %g", near.Bound())
	}
}

func TestFingerprintIsThatOfTheChances(t *testing.T) {
	a, b := Must(Faces(1, 2, 2, 4)), Must(Weighted(ctx, []int{4, 2, 1}, []*big.Int{big.NewInt(3), big.NewInt(6), big.NewInt(3)}))
	if a.fingerprint() != b.fingerprint() {
		t.Error("equal rolls have different fingerprints")
	}
	for _, other := range []*Dist{Must(Faces(1, 2, 4)), Must(Faces(1, 3, 3, 4)), Must(Faces(2, 3, 3, 5)), Constant(1)} {
		if other.fingerprint() == a.fingerprint() {
			t.Errorf("%v has the same fingerprint", other.Outcomes())
		}
	}
}
