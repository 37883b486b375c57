package nat

import (
	"math/big"
	"math/bits"
)

// Checks of the kernels against their bounds, for builds with the tag dicecheck.
// All of them are called under "if Checking", which is a constant, so other
// builds pay nothing. A failed check is a mistake of the engine and panics.

// Insist panics unless a bound holds.
func Insist(holds bool, bound string) {
	if !holds {
		panic("dist: a bound does not hold: " + bound)
	}
}

// InsistMass checks that the weights add up to a mass.
func InsistMass(v Vec, mass *big.Int, of string) {
	Insist(v.Sum().Cmp(mass) == 0, "the mass of "+of)
}

// insistProductMass checks that the weights have the mass of two rows together,
// and that so many words hold it.
func insistProductMass(v, a, b Vec, of string) {
	mass := new(big.Int).Mul(a.Sum(), b.Sum())
	Insist(WordsFor(mass) <= v.Words, "the words of "+of)
	InsistMass(v, mass, of)
}

// insistCongruent checks that the mass of dst is that of src times a factor,
// modulo 2 to the bits of a coefficient, as rows are that pass below zero.
func insistCongruent(dst, src []Limb, words int, factor *big.Int, of string) {
	left := Vec{Words: words, Data: dst}.Sum()
	right := Vec{Words: words, Data: src}.Sum()
	left.Sub(left, right.Mul(right, factor))
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(words*LimbBits))
	Insist(left.Mod(left, modulus).Sign() == 0, "the mass of "+of)
}

// InsistScaledFits checks that src times m can be added to dst in single words.
func InsistScaledFits(dst, src []Limb, m Limb, of string) {
	for i, x := range src {
		hi, lo := bits.Mul(uint(x), uint(m))
		_, carry := bits.Add(lo, uint(dst[i]), 0)
		Insist(hi == 0 && carry == 0, "a word of "+of)
	}
}

// mass is the sum of the weights that a multiplier multiplies by.
func (m *Multiplier) mass() *big.Int {
	sum, before := new(big.Int), new(big.Int)
	if m.Run > 0 {
		return sum.SetInt64(int64(m.Run))
	}
	if !m.Prefix {
		for _, t := range m.Terms {
			sum.Add(sum, View(t.By))
		}
		return sum
	}
	// The terms are differences: each counts for all places from its own on.
	for i, t := range m.Terms {
		if t.Negative {
			before.Sub(before, View(t.By))
		} else {
			before.Add(before, View(t.By))
		}
		if i+1 < len(m.Terms) {
			places := big.NewInt(int64(m.Terms[i+1].Place - t.Place))
			sum.Add(sum, places.Mul(places, before))
		}
	}
	return sum
}
