package nat

import (
	"math/big"
	"math/bits"
)

// Limbs are the machine words of a natural number, least significant first, in
// slices of a fixed length: the weights of a large distribution stand side by
// side in one slice and are worked on in place, without an allocation for each.
// The kernels below are the textbook ones (Knuth, TAOCP vol. 2, 4.3.1).

type Limb = big.Word

const LimbBits = bits.UintSize

// AddMulWord adds x*m to dst. dst must be long enough for the sum.
func AddMulWord(dst, x []Limb, m Limb) {
	var carry uint
	row := dst[:len(x)]
	for i, xi := range x {
		hi, lo := bits.Mul(uint(xi), uint(m))
		var c uint
		lo, c = bits.Add(lo, carry, 0)
		hi, _ = bits.Add(hi, 0, c) // a carry in the form that stays in the processor's flag
		lo, c = bits.Add(lo, uint(row[i]), 0)
		carry, _ = bits.Add(hi, 0, c)
		row[i] = Limb(lo)
	}
	addWordAt(dst, len(x), Limb(carry))
}

// addWordAt adds c to dst from limb i on.
func addWordAt(dst []Limb, i int, c Limb) {
	for ; c != 0; i++ {
		sum, carry := bits.Add(uint(dst[i]), uint(c), 0)
		dst[i] = Limb(sum)
		c = Limb(carry)
	}
}

// Add adds x to dst. dst must be long enough for the sum.
func Add(dst, x []Limb) {
	var carry uint
	_ = dst[:len(x)]
	for i, xi := range x {
		var s uint
		s, carry = bits.Add(uint(dst[i]), uint(xi), carry)
		dst[i] = Limb(s)
	}
	addWordAt(dst, len(x), Limb(carry))
}

// Sub subtracts x from dst, which must not be smaller.
func Sub(dst, x []Limb) {
	var borrow uint
	_ = dst[:len(x)]
	for i, xi := range x {
		var s uint
		s, borrow = bits.Sub(uint(dst[i]), uint(xi), borrow)
		dst[i] = Limb(s)
	}
	for i := len(x); borrow != 0; i++ {
		var s uint
		s, borrow = bits.Sub(uint(dst[i]), 0, borrow)
		dst[i] = Limb(s)
	}
}

// AddMul adds x*y to dst. dst must be long enough for the sum.
func AddMul(dst, x, y []Limb) {
	if len(x) < len(y) {
		x, y = y, x
	}
	x = Trim(x)
	for i, m := range y {
		if m != 0 && len(x) > 0 {
			AddMulWord(dst[i:], x, m)
		}
	}
}

// MulInPlace multiplies x, which has room for the product, by y.
func MulInPlace(x, y []Limb) {
	if len(y) == 1 {
		MulWord(x, y[0])
		return
	}
	PutInt(x, Natural(x).Mul(Natural(x), View(y)))
}

// MulWord multiplies x, which has room for the product, by m.
func MulWord(x []Limb, m Limb) {
	if m == 1 {
		return
	}
	var carry uint
	for i := range x {
		hi, lo := bits.Mul(uint(x[i]), uint(m))
		lo, c := bits.Add(lo, carry, 0)
		x[i], carry = Limb(lo), hi+c
	}
	if Checking {
		Insist(carry == 0, "a product of a number and a word")
	}
}

// NextNumber replaces x by x times factor over divisor, which leaves no
// remainder.
func NextNumber(x []Limb, factor, divisor Limb) []Limb {
	g := Limb(GCD(uint(factor), uint(divisor)))
	used := x[:min(len(Trim(x))+1, len(x))]
	MulWord(used, factor/g)
	if divisor != g {
		NewExactDivisor(divisor / g).Divide(used)
	}
	return x
}

// One is the number 1 in so many limbs.
func One(words int) []Limb {
	x := make([]Limb, words)
	x[0] = 1
	return x
}

// Trim cuts the leading zero limbs off x.
func Trim(x []Limb) []Limb {
	n := len(x)
	for n > 0 && x[n-1] == 0 {
		n--
	}
	return x[:n]
}

func IsZero(x []Limb) bool {
	for _, l := range x {
		if l != 0 {
			return false
		}
	}
	return true
}

// Cmp compares two naturals of the same number of limbs.
func Cmp(x, y []Limb) int {
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

func NewExactDivisor(d Limb) exactDivisor {
	shift := uint(bits.TrailingZeros(uint(d)))
	odd := uint(d) >> shift
	inverse := 3*odd ^ 2 // correct to 5 bits; each step doubles them
	for n := 5; n < LimbBits; n *= 2 {
		inverse *= 2 - odd*inverse
	}
	return exactDivisor{odd: odd, inverse: inverse, shift: shift}
}

// Divide replaces x by its quotient.
func (e exactDivisor) Divide(x []Limb) {
	if Checking {
		defer e.insistExact(x, Natural(x))
	}
	if e.shift > 0 {
		for i := range x {
			v := uint(x[i]) >> e.shift
			if i+1 < len(x) {
				v |= uint(x[i+1]) << (LimbBits - e.shift)
			}
			x[i] = Limb(v)
		}
	}
	if e.odd == 1 {
		return
	}
	var carry uint
	for i := range x {
		t, borrow := bits.Sub(uint(x[i]), carry, 0)
		q := t * e.inverse
		x[i] = Limb(q)
		hi, _ := bits.Mul(q, e.odd)
		carry = hi + borrow
	}
}

// insistExact checks a quotient.
func (e exactDivisor) insistExact(quotient []Limb, x *big.Int) {
	product := new(big.Int).SetUint64(uint64(e.odd))
	product.Lsh(product, e.shift).Mul(product, View(Trim(quotient)))
	Insist(product.Cmp(x) == 0, "an exact quotient")
}

// View returns x as a big.Int without copying; the result must not be changed
// and must not outlive x.
func View(x []Limb) *big.Int { return new(big.Int).SetBits(x) }

// Natural returns a fresh big.Int of x.
func Natural(x []Limb) *big.Int {
	return new(big.Int).SetBits(append([]Limb(nil), Trim(x)...))
}

// PutInt writes n, which must fit, into dst.
func PutInt(dst []Limb, n *big.Int) {
	if Checking {
		Insist(n.Sign() >= 0 && len(n.Bits()) <= len(dst), "a number that is put into a row")
	}
	words := n.Bits()
	copy(dst, words)
	clear(dst[len(words):])
}

// AddTerm adds c to the coefficient of exp in a sum of terms.
func AddTerm(m map[int]*big.Int, exp int, c *big.Int) {
	if old, ok := m[exp]; ok {
		old.Add(old, c)
		return
	}
	m[exp] = c
}

// GCD returns the greatest common divisor of two words.
func GCD(a, b uint) uint {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// LCM returns the least common multiple of two positive integers.
func LCM(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Quo(a, g), b)
}
