package dist

import (
	"context"
	"errors"
	"math"
	"math/big"
	"testing"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"

	"pgregory.net/rapid"
)

// Power sums are what multiplying out gives.
func TestPowerSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.Uint64Range(1, 1<<63), 2, 40).Draw(t, "weights")
		words := rapid.IntRange(1, 3).Draw(t, "words")
		v := nat.NewVec(len(w), words)
		for i, x := range w {
			v.At(i)[words-1] = nat.Limb(x)
		}
		tick := work.NewTicker(context.Background())
		got, err := v.PowerSums(&tick)
		if err != nil {
			t.Fatal(err)
		}
		for p := range got {
			want := new(big.Int)
			for i := range w {
				x := new(big.Int).Exp(big.NewInt(int64(i)), big.NewInt(int64(p+1)), nil)
				want.Add(want, x.Mul(x, nat.Natural(v.At(i))))
			}
			if got[p].Cmp(want) != 0 {
				t.Fatalf("power %d: %v, want %v", p+1, got[p], want)
			}
		}
	})
}

// Statistics of the same weights on a stepped and on a listed axis agree with
// what the definition gives.
func TestCentralMomentsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "d")
		if d.size == 1 {
			return
		}
		m, err := d.centralMoments(context.Background(), "it is")
		if err != nil {
			t.Fatal(err)
		}
		unit := big.NewRat(1, 1) // the step of the axis over the total
		if d.axis.List == nil {
			unit.SetInt64(int64(d.axis.Step))
		}
		unit.Quo(unit, new(big.Rat).SetInt(d.total))
		for p, scaled := range map[int]*big.Int{2: m.m2, 3: m.m3, 4: m.m4} {
			got, want, mean := new(big.Rat).SetInt(scaled), new(big.Rat), d.Mean()
			for range p {
				got.Mul(got, unit)
			}
			for x, w := range d.All() {
				away := new(big.Rat).SetInt64(int64(x))
				away.Sub(away, mean)
				term := new(big.Rat).SetFrac(w, d.total)
				for range p {
					term.Mul(term, away)
				}
				want.Add(want, term)
			}
			if got.Cmp(want) != 0 {
				t.Fatalf("moment %d of %v: %v, want %v", p, d.Outcomes(), got, want)
			}
		}
	})
}

// The float of a quotient is that of the fraction.
func TestFloatQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) *big.Int {
			n := big.NewInt(rapid.Int64Range(1, math.MaxInt64).Draw(t, name))
			n.Lsh(n, rapid.UintRange(0, 300).Draw(t, name+" bits"))
			return n.Add(n, big.NewInt(rapid.Int64Range(-1, 1).Draw(t, name+" off")))
		}
		a, b := draw("a"), draw("b")
		if b.Sign() == 0 {
			return
		}
		if rapid.Bool().Draw(t, "negative") {
			a.Neg(a)
		}
		want, _ := new(big.Rat).SetFrac(a, b).Float64()
		if got := floatQuotient(a, b); got != want {
			t.Fatalf("%v / %v = %v, want %v", a, b, got, want)
		}
	})
}

// What takes long ends with its context.
func TestStatisticsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := Must(Die(1_000_000))
	for name, f := range map[string]func(context.Context) (float64, error){
		"skewness": d.Skewness, "kurtosis": d.Kurtosis, "entropy": d.Entropy,
		"neg": func(ctx context.Context) (float64, error) { _, err := d.Neg(ctx); return 0, err },
		"newDist": func(ctx context.Context) (float64, error) {
			_, err := newDist(ctx, d.axis, d.w, nil)
			return 0, err
		},
	} {
		if _, err := f(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
