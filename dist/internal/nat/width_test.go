package nat

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// The bound on the bits of a power is one, and tight.
func TestPowerBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := new(big.Int).SetUint64(rapid.Uint64Min(1).Draw(t, "x"))
		if rapid.Bool().Draw(t, "wide") {
			x.Exp(x, big.NewInt(3), nil)
		}
		n := rapid.IntRange(1, 300).Draw(t, "n")
		bits := int64(new(big.Int).Exp(x, big.NewInt(int64(n)), nil).BitLen())
		if got := PowerBits(x, n); got < bits || got > bits+1 {
			t.Fatalf("%v^%d has %d bits, the bound is %d", x, n, bits, got)
		}
	})
}
