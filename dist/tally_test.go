package dist

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawWeight draws weights of none, one and several words, with those that
// nearly fill a word likely.
func drawWeight(t *rapid.T) (Weight, *big.Int) {
	n := new(big.Int).SetUint64(rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 63, 1<<64 - 1})).Draw(t, "low"))
	n.Add(n, new(big.Int).Lsh(big.NewInt(rapid.Int64Range(0, 2).Draw(t, "high")), 64))
	w, err := NewWeight(n)
	if err != nil {
		t.Fatal(err)
	}
	return w, n
}

func TestWeightsAreNaturals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, x := drawWeight(t)
		b, y := drawWeight(t)
		for name, c := range map[string]struct {
			got  Weight
			want *big.Int
		}{
			"a":     {a, x},
			"a * b": {a.Times(b), new(big.Int).Mul(x, y)},
			"a + b": {a.Plus(b), new(big.Int).Add(x, y)},
		} {
			if c.got.Int().Cmp(c.want) != 0 || c.got.String() != c.want.String() || c.got.IsZero() != (c.want.Sign() == 0) {
				t.Fatalf("%s: got %v, want %v", name, c.got, c.want)
			}
		}
		if a.Int().Cmp(x) != 0 || b.Int().Cmp(y) != 0 {
			t.Fatal("a weight was changed")
		}
	})
	if _, err := NewWeight(big.NewInt(-1)); err == nil {
		t.Error("a negative weight is no error")
	}
}

func TestTallySumsByKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tally Tally[int]
		want := map[int]*big.Int{}
		var order []int
		total := new(big.Int)
		var seen []Weight
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			k := rapid.IntRange(0, 4).Draw(t, "k")
			w, n := drawWeight(t)
			tally.Add(k, w)
			if want[k] == nil {
				want[k] = new(big.Int)
				order = append(order, k)
			}
			want[k].Add(want[k], n)
			total.Add(total, n)
			seen = append(seen, tally.Weight(k), tally.Total())
			if w.Int().Cmp(n) != 0 {
				t.Fatal("an added weight was changed")
			}
		}
		before := make([]string, len(seen))
		for i, w := range seen {
			before[i] = w.String()
		}
		if !slices.Equal(tally.keys, order) || tally.Len() != len(order) {
			t.Fatalf("keys %v, want %v", tally.keys, order)
		}
		for k, w := range tally.All() {
			if w.Int().Cmp(want[k]) != 0 {
				t.Fatalf("weight of %d: got %v, want %v", k, w, want[k])
			}
			tally.Add(k, w)
		}
		if tally.Total().Int().Cmp(total.Lsh(total, 1)) != 0 {
			t.Fatalf("total %v, want %v", tally.Total(), total)
		}
		for i, w := range seen {
			if w.String() != before[i] {
				t.Fatal("a weight that was read grew with the tally")
			}
		}
	})
}

func TestTallyAddsWithoutAllocating(t *testing.T) {
	var tally Tally[int]
	for k := range 20 {
		tally.Add(k, Weight{word: 1})
	}
	w := Weight{word: 7}
	if n := testing.AllocsPerRun(1000, func() { tally.Add(13, w) }); n != 0 {
		t.Errorf("%v allocations to add a word to a known key", n)
	}
}

func TestEmptyTallyHasNoDistribution(t *testing.T) {
	var ints Tally[int]
	ints.Add(3, Weight{})
	if _, err := TallyDist(context.Background(), &ints, 0); err == nil {
		t.Error("no error for weights that are all zero")
	}
	if _, err := TallyOutcomes(context.Background(), &ints, nil, 0); err == nil {
		t.Error("no error for weights that are all zero")
	}
}
