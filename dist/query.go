package dist

import "math/big"

// Chances asked of a distribution. Each is an exact fraction, in lowest terms,
// of what is represented; of a cut unlimited roll it is within
// [Dist.ErrorBound] of the truth. Cost: linear in the number of outcomes.

// PMF returns P(X = x), which is 0 for an impossible outcome.
func (d *Dist) PMF(x int) *big.Rat {
	i, ok := d.axis.find(x)
	if !ok {
		return new(big.Rat)
	}
	return d.chance(natural(d.w.at(i)))
}

// CDF returns P(X <= x).
func (d *Dist) CDF(x int) *big.Rat { return d.AtMost(x) }

// AtMost returns P(X <= x).
func (d *Dist) AtMost(x int) *big.Rat {
	if x >= d.Max() {
		return big.NewRat(1, 1)
	}
	return d.chance(d.w.slice(0, d.axis.search(x+1)).sum())
}

// LessThan returns P(X < x).
func (d *Dist) LessThan(x int) *big.Rat {
	return d.chance(d.w.slice(0, d.axis.search(x)).sum())
}

// AtLeast returns P(X >= x).
func (d *Dist) AtLeast(x int) *big.Rat {
	return d.chance(d.w.slice(d.axis.search(x), d.axis.len()).sum())
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
	acc := make([]limb, d.w.words+1)
	for i, n := 0, d.axis.len(); i < n; i++ {
		if s.Contains(d.axis.at(i)) {
			addLimbs(acc, d.w.at(i))
		}
	}
	return d.chance(natural(acc))
}

func (d *Dist) chance(weight *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(weight, d.total)
}
