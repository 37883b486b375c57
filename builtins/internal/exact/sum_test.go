package exact

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A tally pays for everything up to a limit.
type tally struct{ steps, limit int64 }

var errTally = errors.New("too much")

func (t *tally) Spend(steps int64) error {
	if t.steps += steps; t.limit > 0 && t.steps > t.limit {
		return errTally
	}
	return nil
}

func (t *tally) Fraction(bits int64) error { return t.Spend(1 + bits*bits/(64*64)) }

// The tree of sums gives what adding one by one does, in lowest terms.
func TestSumAgreesWithAddingOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dens := rapid.SampledFrom([]int64{1, 2, 3, 6, 36, 216, 5, 7, 1 << 40, 999983})
		n := rapid.IntRange(1, 40).Draw(t, "n")
		var x []Number
		want, bound := new(big.Rat), 0.0
		for range n {
			r := big.NewRat(rapid.Int64Range(-1000, 1000).Draw(t, "num"), dens.Draw(t, "den"))
			e := rapid.SampledFrom([]float64{0, 0.25}).Draw(t, "bound")
			x = append(x, Number{r, e})
			want.Add(want, r)
			bound += e
		}
		got, err := Sum(x, &tally{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Rat.Cmp(want) != 0 || got.Rat.Denom().Cmp(want.Denom()) != 0 {
			t.Fatalf("got %v, want %v", got.Rat, want)
		}
		if got.Bound < bound || got.Bound > bound+1e-9 {
			t.Fatalf("got the bound %v, want %v", got.Bound, bound)
		}
	})
}

// The k-th of n chances over one denominator costs no more than the first.
func TestSumOverOneDenominatorIsCheap(t *testing.T) {
	cost := func(n int) int64 {
		den := new(big.Int).Exp(big.NewInt(6), big.NewInt(3000), nil)
		var x []Number
		for i := range n {
			x = append(x, Number{Rat: new(big.Rat).SetFrac(new(big.Int).Sub(den, big.NewInt(int64(i))), den)})
		}
		var pay tally
		if _, err := Sum(x, &pay); err != nil {
			t.Fatal(err)
		}
		return pay.steps
	}
	if few, many := cost(300), cost(3000); many > 12*few {
		t.Errorf("3000 chances cost %d, 300 cost %d", many, few)
	}
}

// A refusal of the payer is the error of the sum.
func TestSumIsChargedBeforeItIsMade(t *testing.T) {
	x := []Number{{Rat: big.NewRat(1, 3)}, {Rat: big.NewRat(1, 5)}}
	if _, err := Sum(x, &tally{limit: 1}); !errors.Is(err, errTally) {
		t.Errorf("got %v", err)
	}
}
