package upper

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func ratOf(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

// Every result is compared with exact arithmetic on what the floats stand for.
func TestFloatsBoundWhatIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() float64 { return math.Ldexp(random.Float64(), random.IntN(120)-60) }
	for range 2000 {
		a, b := number(), number()
		for name, c := range map[string]struct {
			exact *big.Rat
			bound float64
		}{
			"Add": {new(big.Rat).Add(ratOf(a), ratOf(b)), Add(a, b)},
			"Mul": {new(big.Rat).Mul(ratOf(a), ratOf(b)), Mul(a, b)},
			"Div": {new(big.Rat).Quo(ratOf(a), ratOf(b)), Div(a, b)},
			"Abs": {new(big.Rat).Quo(ratOf(a), ratOf(b)), Abs(new(big.Rat).Quo(ratOf(-a), ratOf(b)))},
			"Pow": {new(big.Rat).Mul(ratOf(a), new(big.Rat).Mul(ratOf(a), ratOf(a))), Pow(ratOf(a), 3)},
		} {
			if ratOf(c.bound).Cmp(c.exact) < 0 {
				t.Errorf("%s of %v and %v: %v is below", name, a, b, c.bound)
			}
			if near, _ := c.exact.Float64(); c.bound > Up(Up(Up(near))) {
				t.Errorf("%s of %v and %v: %v is far above %v", name, a, b, c.bound, near)
			}
		}
		if root := ratOf(Sqrt(a)); root.Mul(root, root).Cmp(ratOf(a)) < 0 {
			t.Errorf("Sqrt(%v) is below", a)
		}
		if third := new(big.Rat).Quo(ratOf(a), ratOf(b)); ratOf(AbsDown(third)).Cmp(third) > 0 {
			t.Errorf("AbsDown(%v) is above", third)
		}
	}
}

// What is lost among the floats is still bounded, and what is exact stays so.
func TestFloatsAtTheirEnds(t *testing.T) {
	tiny := math.SmallestNonzeroFloat64
	for name, c := range map[string]struct{ got, want float64 }{
		"a product that vanishes":    {Mul(tiny, tiny), tiny},
		"a quotient that vanishes":   {Div(tiny, 4), tiny},
		"a sum with nothing":         {Add(0.1, 0), 0.1},
		"nothing of what is endless": {Mul(0, math.Inf(1)), 0},
		"an endless sum":             {Add(1, math.Inf(1)), math.Inf(1)},
		"a root of nothing":          {Sqrt(0), 0},
		"a small int":                {Int(-7), 7},
		"the distance of all ints":   {Span(math.MinInt, math.MaxInt), Up(1 << 64)},
		"an exact fraction":          {Abs(big.NewRat(-3, 4)), 0.75},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
	if f := Int(1<<62 + 1); f <= 1<<62 {
		t.Errorf("Int(2^62 + 1) = %v is below", f)
	}
}

func TestCountsSaturate(t *testing.T) {
	counts := []int64{0, 1, 2, 3, 1<<31 - 1, 1 << 31, 1<<32 + 7, 1 << 62, math.MaxInt64 - 1, math.MaxInt64}
	most := big.NewInt(math.MaxInt64)
	least := func(x *big.Int) int64 {
		if x.Cmp(most) > 0 {
			return math.MaxInt64
		}
		return x.Int64()
	}
	for _, a := range counts {
		for _, b := range counts {
			x, y := big.NewInt(a), big.NewInt(b)
			if want := least(new(big.Int).Add(x, y)); AddSat(a, b) != want {
				t.Errorf("AddSat(%d, %d) = %d, want %d", a, b, AddSat(a, b), want)
			}
			if want := least(new(big.Int).Mul(x, y)); MulSat(a, b) != want {
				t.Errorf("MulSat(%d, %d) = %d, want %d", a, b, MulSat(a, b), want)
			}
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1 000", 99_900_001: "99 900 001", math.MaxInt64 - 7: "9 223 372 036 854 775 800",
		math.MaxInt64: "more than 9 000 000 000 000 000 000",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
