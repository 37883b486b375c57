package value

import (
	"dicescript/builtins/internal/exact"
	"math/big"
)

// PercentHint helps who writes 30 for 30 percent.
func PercentHint(r *big.Rat) string {
	if r.Cmp(exact.One) > 0 && r.Cmp(exact.Hundred) <= 0 {
		return "; for a percentage write it in quotes, like \"30%\""
	}
	return ""
}
