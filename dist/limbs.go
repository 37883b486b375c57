package dist

import (
	"math"
	"math/big"
	"math/bits"
)

// Limbs are the machine words of a natural number, least significant first, in
// slices of a fixed length: the weights of a large distribution stand side by
// side in one slice and are worked on in place, without an allocation for each.
// The kernels below are the textbook ones (Knuth, TAOCP vol. 2, 4.3.1).

type limb = big.Word

const limbBits = bits.UintSize

// addMulWord adds x*m to dst. dst must be long enough for the sum.
func addMulWord(dst, x []limb, m limb) {
	var carry uint
	row := dst[:len(x)]
	for i, xi := range x {
		hi, lo := bits.Mul(uint(xi), uint(m))
		var c uint
		lo, c = bits.Add(lo, carry, 0)
		hi, _ = bits.Add(hi, 0, c) // a carry in the form that stays in the processor's flag
		lo, c = bits.Add(lo, uint(row[i]), 0)
		carry, _ = bits.Add(hi, 0, c)
		row[i] = limb(lo)
	}
	addWordAt(dst, len(x), limb(carry))
}

// addWordAt adds c to dst from limb i on.
func addWordAt(dst []limb, i int, c limb) {
	for ; c != 0; i++ {
		sum, carry := bits.Add(uint(dst[i]), uint(c), 0)
		dst[i] = limb(sum)
		c = limb(carry)
	}
}

// addLimbs adds x to dst. dst must be long enough for the sum.
func addLimbs(dst, x []limb) {
	var carry uint
	_ = dst[:len(x)]
	for i, xi := range x {
		var s uint
		s, carry = bits.Add(uint(dst[i]), uint(xi), carry)
		dst[i] = limb(s)
	}
	addWordAt(dst, len(x), limb(carry))
}

// subLimbs subtracts x from dst, which must not be smaller.
func subLimbs(dst, x []limb) {
	var borrow uint
	_ = dst[:len(x)]
	for i, xi := range x {
		var s uint
		s, borrow = bits.Sub(uint(dst[i]), uint(xi), borrow)
		dst[i] = limb(s)
	}
	for i := len(x); borrow != 0; i++ {
		var s uint
		s, borrow = bits.Sub(uint(dst[i]), 0, borrow)
		dst[i] = limb(s)
	}
}

// addMulLimbs adds x*y to dst. dst must be long enough for the sum.
func addMulLimbs(dst, x, y []limb) {
	if len(x) < len(y) {
		x, y = y, x
	}
	x = trim(x)
	for i, m := range y {
		if m != 0 && len(x) > 0 {
			addMulWord(dst[i:], x, m)
		}
	}
}

// trim cuts the leading zero limbs off x.
func trim(x []limb) []limb {
	n := len(x)
	for n > 0 && x[n-1] == 0 {
		n--
	}
	return x[:n]
}

func isZero(x []limb) bool {
	for _, l := range x {
		if l != 0 {
			return false
		}
	}
	return true
}

// cmpLimbs compares two naturals of the same number of limbs.
func cmpLimbs(x, y []limb) int {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			if x[i] < y[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// An exactDivisor divides by one word where the division is known to leave no
// remainder: shift out the powers of two, then multiply by the inverse modulo
// the word size, limb by limb (Jebelean, "An algorithm for exact division").
type exactDivisor struct {
	odd, inverse uint
	shift        uint
}

func newExactDivisor(d limb) exactDivisor {
	shift := uint(bits.TrailingZeros(uint(d)))
	odd := uint(d) >> shift
	inverse := odd // correct to 3 bits; each step doubles them
	for n := 3; n < limbBits; n *= 2 {
		inverse *= 2 - odd*inverse
	}
	return exactDivisor{odd: odd, inverse: inverse, shift: shift}
}

// divide replaces x by its quotient.
func (e exactDivisor) divide(x []limb) {
	if e.shift > 0 {
		for i := range x {
			v := uint(x[i]) >> e.shift
			if i+1 < len(x) {
				v |= uint(x[i+1]) << (limbBits - e.shift)
			}
			x[i] = limb(v)
		}
	}
	if e.odd == 1 {
		return
	}
	var carry uint
	for i := range x {
		t, borrow := bits.Sub(uint(x[i]), carry, 0)
		q := t * e.inverse
		x[i] = limb(q)
		hi, _ := bits.Mul(q, e.odd)
		carry = hi + borrow
	}
}

// wordsFor returns how many limbs hold n, at least one.
func wordsFor(n *big.Int) int { return max(1, (n.BitLen()+limbBits-1)/limbBits) }

// powerBits bounds the bits of x^n, which is n log2 x rounded up. The logarithm
// is taken a little too high, for its rounding.
func powerBits(x *big.Int, n int) int64 {
	if x.BitLen() <= 1 {
		return 1
	}
	mantissa := new(big.Float)
	exponent := new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf).SetInt(x).MantExp(mantissa)
	m, _ := mantissa.Float64()
	bits := float64(n) * (float64(exponent) + math.Log2(m) + 1e-12) * (1 + 1e-12)
	return int64(min(bits, 1<<62)) + 1
}

// view returns x as a big.Int without copying; the result must not be changed
// and must not outlive x.
func view(x []limb) *big.Int { return new(big.Int).SetBits(x) }

// natural returns a fresh big.Int of x.
func natural(x []limb) *big.Int {
	return new(big.Int).SetBits(append([]limb(nil), trim(x)...))
}

// putInt writes n, which must fit, into dst.
func putInt(dst []limb, n *big.Int) {
	words := n.Bits()
	copy(dst, words)
	clear(dst[len(words):])
}
