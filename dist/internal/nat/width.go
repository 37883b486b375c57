package nat

import (
	"math"
	"math/big"
)

// How wide rows are. A row of weights is a polynomial A with natural
// coefficients; write |A| = A(1) for its mass, the sum of its weights. Then
//
//	[z^i] A <= |A|,   |A + B| = |A| + |B|,   |A B| = |A| |B|,
//
// so no weight of a part of a product of rolls exceeds the product of their
// totals, and every row is allocated with [WordsFor] of a number that bounds its
// mass. What that number is, with T the total of a die and n dice:
//
//   - sums: |A B| = |A| |B|, for every way of convolving. A window over weights
//     of A is at most |A|; a slot of a packed product is a sum of products.
//   - powers: q_k <= T^n. A step of the recurrence adds up
//     sum |alpha + beta k| q_(k-shift) <= (sum |alpha| + k |beta|) T^n
//     and takes the room of that; see extraWords.
//   - the k highest of n dice: with W the weight of at most a threshold and P the
//     faces above, C(n,j) W^(n-j) P^j is a term of (W + P)^n, so its weights are at
//     most (W + |P|)^n = T^n. Its factor alone is C(n,j) W^(n-j) <= T^n only where
//     |P| >= 1: where no face is above, P^j is zero and the factor must not be used.
//     Several kinds: the product of such powers over the kinds.
//     With running sums, the same factors; a factor is multiplied by a number of dice
//     before it is divided, so it has a word more, and what is added to the row is
//     taken modulo 2 to the bits of the row.
//   - the same by powers: (P+y)^a P^b has the mass (|P|+w)^a |P|^b <= T^(a+b), the
//     row of a+b dice. C(n,j) T(t,j) |P|^j <= T^n, again for |P| >= 1.
//   - dice between two faces, of one kind or of several: ways in which all dice
//     fall, at most the total of the pool. Numbers of one die are at most T.
//   - order statistics and extremes: products of cumulative weights, at most the
//     product of the totals.
//   - the state machine: u of n dice on the faces so far, of weight S together, is
//     C(n,u) S^u <= (S+1)^n <= T^n, as S < T before the last face of a die; on the
//     last all are placed, each times one w. On the way to C(r,c) w^c a weight is multiplied by one w
//     and one number of dice before it is divided, so it has those words more.
//   - counts and sets: a_f(N) <= f^N. Choices: C(i,j) <= 2^i and i^j.
//   - streaks: p = a/T goes on with T^(n-k) a^k <= T^n.
//   - steps of a process: the mass is the denominator.
//   - mixtures and other overlays: the words of the widest row times its factor,
//     and one more, which holds the sum of up to 2^64 of them.
//   - explosions, rerolls, random sums and open-ended rolls are made of these.
//
// Some algorithms subtract on the way, and a partial sum may pass below zero or
// above the bound. They work modulo 2 to the bits of a row, which is a ring, and
// the sum that they end with is known to lie within the bound. Multiplying,
// adding and subtracting is all that they do; nothing is divided or compared.
//
// Under the build tag dicecheck every kernel checks on each call that its result
// fits, and every algorithm that the mass comes out; see Insist.

// WordsFor returns how many limbs hold n, at least one.
func WordsFor(n *big.Int) int { return max(1, (n.BitLen()+LimbBits-1)/LimbBits) }

// PowerBits bounds the bits of x^n, which is n log2 x rounded up. The logarithm
// is taken a little too high, for its rounding.
func PowerBits(x *big.Int, n int) int64 {
	if x.BitLen() <= 1 {
		return 1
	}
	m, exponent := fraction(x)
	bits := float64(n) * (float64(exponent) + math.Log2(m) + 1e-12) * (1 + 1e-12)
	return int64(min(bits, 1<<62)) + 1
}

// fraction returns x as m 2^exponent with m from 1/2 to 1.
func fraction(x *big.Int) (m float64, exponent int) {
	if x.BitLen() <= 53 {
		return math.Frexp(float64(x.Int64()))
	}
	mantissa := new(big.Float)
	exponent = new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf).SetInt(x).MantExp(mantissa)
	m, _ = mantissa.Float64()
	return m, exponent
}
