package numeral

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// The oracle is the division of math/big, which rounds once.
func TestFloatsOfWeightsAreTheNearest(t *testing.T) {
	draw := func(t *rapid.T, name string, bits int) *big.Int {
		n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 1, bits/8).Draw(t, name))
		switch rapid.IntRange(0, 3).Draw(t, name+" ends in") {
		case 0: // close to the middle of two floats
			n.Lsh(n.SetUint64(1<<53|rapid.Uint64Max(1<<53-1).Draw(t, name+" middle")), uint(rapid.IntRange(1, bits).Draw(t, name+" zeros")))
			n.Add(n, big.NewInt(rapid.Int64Range(0, 2).Draw(t, name+" over")))
		case 1:
			n.Lsh(n, uint(rapid.IntRange(0, bits).Draw(t, name+" shift")))
		}
		return n
	}
	rapid.Check(t, func(t *rapid.T) {
		total := draw(t, "total", 3000)
		if total.Sign() == 0 {
			total.SetInt64(1)
		}
		w := draw(t, "weight", 3000)
		if rapid.Bool().Draw(t, "is a chance") {
			w.Mod(w, total)
		}
		got := NewDivisor(total).Float(w)
		if want, _ := new(big.Rat).SetFrac(w, total).Float64(); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v / %v is %v, want %v", w, total, got, want)
		}
	})
}
