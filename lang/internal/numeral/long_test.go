package numeral

import (
	"math/big"
	"math/bits"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// The digits are those of math/big, up to the bound itself and around powers of ten and
// of two, where digits carry.
func TestDecimalsAreExact(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("these machines divide")
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1<<64 - 1}))
		most := ofWords(rapid.SliceOfN(word, longDecimals-1, 60).Draw(t, "bound"), rapid.Uint64Min(1).Draw(t, "top"))
		d := newDecimals(most)
		if d == nil {
			t.Fatalf("a bound of %d words is not long", len(most.Bits()))
		}
		for _, n := range append(edges(most), ofWords(rapid.SliceOfN(word, 0, 60).Draw(t, "number"), 0)) {
			if n.Cmp(most) > 0 {
				n = new(big.Int).Mod(n, most)
			}
			if n.Sign() == 0 {
				continue
			}
			if got, want := string(d.append([]byte("x"), n)), "x"+n.String(); got != want {
				t.Fatalf("of at most %v: got %s, want %s", most, got, want)
			}
		}
	})
}

// What is beyond the bound, or short, is left to math/big.
func TestDecimalsOfOthers(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("these machines divide")
	}
	most := new(big.Int).Lsh(big.NewInt(3), 64*longDecimals)
	m := NewWeights(most)
	for _, n := range []*big.Int{most, new(big.Int).Add(most, big.NewInt(1)), new(big.Int).Lsh(most, 640), new(big.Int), big.NewInt(7), new(big.Int).Neg(most)} {
		if got := string(m.Decimal(n)); got != n.String() {
			t.Errorf("got %s, want %s", got, n)
		}
	}
}

// ofWords is the number of some words, lowest first.
func ofWords(words []uint64, top uint64) *big.Int {
	n := new(big.Int).SetUint64(top)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}

// edges are numbers up to most at which errors would show.
func edges(most *big.Int) []*big.Int {
	one := big.NewInt(1)
	ns := []*big.Int{new(big.Int), one, most, new(big.Int).Sub(most, one)}
	for _, base := range []*big.Int{big.NewInt(10), new(big.Int).SetUint64(blockBase), new(big.Int).Lsh(one, 64)} {
		for power := new(big.Int).Set(base); power.Cmp(most) < 0; power = new(big.Int).Mul(power, base) {
			ns = append(ns, power, new(big.Int).Sub(power, one))
		}
	}
	return ns
}
