package chain

import (
	"context"
	"math"
	"math/big"
	"testing"

	"dicescript/dist/internal/work"

	"pgregory.net/rapid"
)

func free() work.Meter { return work.Free{Context: context.Background()} }

// drawDenominator draws a positive number with small and large factors.
func drawDenominator(t *rapid.T) *big.Int {
	n := big.NewInt(1)
	for range rapid.IntRange(0, 5).Draw(t, "factors") {
		base := rapid.SampledFrom([]int64{2, 3, 6, 20, 7776, 101, 1000003, 1<<61 - 1}).Draw(t, "factor")
		n.Mul(n, new(big.Int).Exp(big.NewInt(base), big.NewInt(rapid.Int64Range(1, 30).Draw(t, "power")), nil))
	}
	return n
}

// Sums, products, comparisons and roundings of fractions are those of rationals.
func TestFractionsAreRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newArithmetic(free())
		value := func(n *big.Int, d *denominator) *big.Rat {
			must(t, a.evaluate(d))
			return new(big.Rat).SetFrac(n, d.value)
		}
		var s sum
		want := new(big.Rat)
		for range rapid.IntRange(1, 6).Draw(t, "terms") {
			n, over := big.NewInt(rapid.Int64().Draw(t, "numerator")), drawDenominator(t)
			d := a.split(over)
			if value(big.NewInt(1), d).Cmp(new(big.Rat).SetFrac(big.NewInt(1), over)) != 0 || d.bits < over.BitLen() {
				t.Fatalf("%v is split into %v of %d bits", over, d.powers, d.bits)
			}
			if d != a.split(over) {
				t.Fatal("one denominator is two")
			}
			w := weight{word: 1 + 5*boolean(rapid.Bool().Draw(t, "weight"))}
			if rapid.Bool().Draw(t, "wide") {
				w = weight{wide: new(big.Int).Lsh(big.NewInt(3), 90)}
			}
			must(t, a.add(&s, n, d, w))
			term := new(big.Rat).SetFrac(n, over)
			want.Add(want, term.Mul(term, new(big.Rat).SetInt(w.int())))
		}
		x := s.number(a)
		if value(x.n, x.d).Cmp(want) != 0 {
			t.Fatalf("the sum is %v, want %v", value(x.n, x.d), want)
		}
		exact, _ := want.Float64()
		if f, err := a.near(x); err != nil || math.Abs(f-exact) > math.Abs(exact)*0x1p-50 {
			t.Fatalf("about %v, want %v", f, exact)
		}
		shared, err := a.shared(x)
		must(t, err)
		if value(shared.n, shared.d).Cmp(want) != 0 || shared.d.value.Cmp(want.Denom()) != 0 {
			t.Fatalf("in lowest terms %v", shared.n)
		}
		if c, err := a.cmp(x, shared); err != nil || c != 0 {
			t.Fatalf("equal numbers compare as %d, %v", c, err)
		}
		other := number{big.NewInt(rapid.Int64().Draw(t, "other")), a.split(drawDenominator(t))}
		if c, err := a.cmp(x, other); err != nil || c != want.Cmp(value(other.n, other.d)) {
			t.Fatalf("compared: %d, %v", c, err)
		}
		product, err := a.times(x.d, other.d)
		must(t, err)
		if value(big.NewInt(1), product).Cmp(new(big.Rat).Mul(value(big.NewInt(1), x.d), value(big.NewInt(1), other.d))) != 0 {
			t.Fatal("the product of denominators is another")
		}
		low, err := a.floor(x, 70)
		must(t, err)
		off := new(big.Rat).Sub(want, value(low.n, low.d))
		if off.Sign() < 0 || off.Cmp(new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 70))) >= 0 {
			t.Fatalf("rounded down by %v", off)
		}
		stripped := new(big.Int).Set(x.n)
		d, err := a.strip(stripped, x.d)
		must(t, err)
		if value(stripped, d).Cmp(want) != 0 {
			t.Fatalf("%v with fewer powers is %v", want, value(stripped, d))
		}
	})
}

// A denominator that has all in common with its numerator goes away.
func TestCommonPowersAreTakenOut(t *testing.T) {
	a := newArithmetic(free())
	d := a.split(new(big.Int).Exp(big.NewInt(20), big.NewInt(300), nil))
	must(t, a.evaluate(d))
	n := new(big.Int).Mul(d.value, big.NewInt(3))
	rest, err := a.strip(n, d)
	must(t, err)
	if rest.bits > 64 || n.BitLen() > 66 {
		t.Errorf("%d bits over %d are left of 3", n.BitLen(), rest.bits)
	}
}

// The adjugate of few states is the same in words and in long numbers.
func TestAdjointsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, fewStates).Draw(t, "states")
		g := &Graph{}
		var states []int32
		for i := range n + 1 {
			g.Add()
			states = append(states, int32(i))
		}
		g.End(n, nil)
		for i := range n {
			total, weights := int64(0), make([]int64, n+1)
			for j := range weights {
				weights[j] = rapid.Int64Range(0, 50).Draw(t, "weight")
				total += weights[j]
			}
			weights[n]++ // it is left
			must(t, g.Way(free(), i, big.NewInt(total+1), 0, n+1, 1))
			for j, w := range weights {
				g.Edge(j, big.NewInt(w).Bits(), 0)
			}
		}
		w, err := newWalk(newArithmetic(free()), g, nil)
		must(t, err)
		w.enclose(states[:n])
		small, a, err := w.smallAdjoint(states[:n])
		must(t, err)
		large, b, err := w.largeAdjoint(states[:n])
		must(t, err)
		if a.Cmp(b) != 0 {
			t.Fatalf("determinants %v and %v", a, b)
		}
		for i := range n {
			for j := range n {
				if small[i][j].int().Cmp(large[i][j].int()) != 0 {
					t.Fatalf("cofactors %v and %v", small[i][j].int(), large[i][j].int())
				}
			}
		}
	})
}

type fataler interface{ Fatal(...any) }

func must(t fataler, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func boolean(b bool) (n big.Word) {
	if b {
		n = 1
	}
	return n
}
