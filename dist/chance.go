package dist

import (
	"math/big"

	"dicescript/dist/internal/nat"
)

// Chances asked of a distribution. Each is an exact fraction, in lowest terms,
// of what is represented; of a cut unlimited roll it is within
// [Dist.Bound] of the truth. Cost: linear in the number of outcomes.

// PMF returns P(X = x), which is 0 for an impossible outcome.
func (d *Dist) PMF(x int) *big.Rat {
	i, ok := d.axis.Find(x)
	if !ok {
		return new(big.Rat)
	}
	return d.chance(nat.Natural(d.w.At(i)))
}

// AtMost returns P(X <= x).
func (d *Dist) AtMost(x int) *big.Rat {
	if x >= d.Max() {
		return big.NewRat(1, 1)
	}
	return d.chance(d.w.Slice(0, d.axis.Search(x+1)).Sum())
}

// LessThan returns P(X < x).
func (d *Dist) LessThan(x int) *big.Rat {
	return d.chance(d.w.Slice(0, d.axis.Search(x)).Sum())
}

// AtLeast returns P(X >= x).
func (d *Dist) AtLeast(x int) *big.Rat {
	return d.chance(d.w.Slice(d.axis.Search(x), d.axis.Len()).Sum())
}

// MoreThan returns P(X > x).
func (d *Dist) MoreThan(x int) *big.Rat {
	if x >= d.Max() {
		return new(big.Rat)
	}
	return d.AtLeast(x + 1)
}

// In returns P(X in s).
func (d *Dist) In(s Set) *big.Rat {
	acc := make([]nat.Limb, d.w.Words+1)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if s.Contains(d.axis.At(i)) {
			nat.Add(acc, d.w.At(i))
		}
	}
	return d.chance(nat.Natural(acc))
}

func (d *Dist) chance(weight *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(weight, d.total)
}
