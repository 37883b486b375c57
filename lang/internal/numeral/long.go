// Many long whole numbers in decimal, none of them above a bound. Divided by a power
// of ten that is above the bound, a number is a fraction, and multiplied by 10^19 again
// and again that shows its digits at the top, 19 at a time (Knuth, The Art of Computer
// Programming, volume 2, section 4.4, method 2a). To divide by the power is to multiply
// by its inverse, which is worked out once, so that there is no division at all.
//
// The fraction is held too high by e, and is cut after as many words as are needed. With
// k blocks of digits to come it has k+1 words, in units of u = 2^-64(k+1), and e is below
// 2.2 u: at first e <= 2u, and a step makes of it 10^19 e, of which the unit is 2^64 times
// as large, and one unit for the word that is cut off: 2.2 * 10^19/2^64 + 1 < 2.2. The
// digits to come are a multiple of 10^-19k and e is less than that, so that they are
// right to the last.

package numeral

import (
	"math/big"
	"math/bits"
	"strconv"
)

const (
	blockDigits = 19
	blockBase   = 1e19
)

// A decimals writes numbers up to a bound.
type decimals struct {
	most     *big.Int
	words    int // of the bound
	blocks   int // of digits
	inverse  big.Int
	product  big.Int
	fraction []uint64 // lowest word first
}

// newDecimals returns nil where it is of no use.
func newDecimals(most *big.Int) *decimals {
	if most == nil || bits.UintSize < 64 || len(most.Bits()) < longDecimals {
		return nil
	}
	d := &decimals{most: most, words: len(most.Bits()), blocks: 1}
	power := new(big.Int).SetUint64(blockBase)
	for base := new(big.Int).Set(power); power.Cmp(most) <= 0; d.blocks++ {
		power.Mul(power, base)
	}
	d.fraction = make([]uint64, d.blocks+1)
	d.inverse.Lsh(big.NewInt(1), uint(64*(d.words+len(d.fraction))))
	d.inverse.Add(&d.inverse, power)
	d.inverse.Sub(&d.inverse, big.NewInt(1))
	d.inverse.Quo(&d.inverse, power)
	return d
}

// longDecimals is from how many words on it is faster than a division.
const longDecimals = 12

// suits reports whether n is within the bound, and so long that its digits come faster
// than by division.
func (d *decimals) suits(n *big.Int) bool {
	return d != nil && 2*len(n.Bits()) > d.words && n.Sign() > 0 && n.Cmp(d.most) <= 0
}

// append appends the digits of n to out, which is above 0 and not above the bound.
func (d *decimals) append(out []byte, n *big.Int) []byte {
	f := d.asFraction(n)
	empty := len(out)
	for {
		block := multiply(f)
		if len(out) > empty {
			out = appendBlock(out, block)
		} else if block > 0 {
			out = strconv.AppendUint(out, block, 10)
		}
		if len(f) == 2 { // that was the last block
			break
		}
		f = f[1:]
		increment(f)
	}
	return out
}

// asFraction returns n over the power of ten, a little too high.
func (d *decimals) asFraction(n *big.Int) []uint64 {
	product := d.product.Mul(n, &d.inverse).Bits()
	for i := range d.fraction {
		d.fraction[i] = 0
		if d.words+i < len(product) {
			d.fraction[i] = uint64(product[d.words+i])
		}
	}
	increment(d.fraction)
	return d.fraction
}

// increment adds one to the lowest word.
func increment(f []uint64) {
	for i := range f {
		if f[i]++; f[i] != 0 {
			return
		}
	}
}

// multiply multiplies a fraction by the base and returns the whole part.
func multiply(f []uint64) uint64 {
	whole := uint64(0)
	for i, w := range f {
		high, low := bits.Mul64(w, blockBase)
		low, carry := bits.Add64(low, whole, 0)
		f[i], whole = low, high+carry
	}
	return whole
}

// appendBlock appends all digits of a block.
func appendBlock(out []byte, block uint64) []byte {
	const half = 1e9
	const zeros = "0000000000000000000"
	out = append(out, zeros...)
	digits := out[len(out)-blockDigits:]
	high, low := block/half, uint32(block%half)
	digits[0] = '0' + byte(high/half)
	putNine((*[9]byte)(digits[1:10]), uint32(high%half))
	putNine((*[9]byte)(digits[10:]), low)
	return out
}

// pairs are the numbers from 00 to 99.
const pairs = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// putNine writes nine digits.
func putNine(to *[9]byte, n uint32) {
	high, low := n/10_000, n%10_000
	putPair(to, 7, low%100)
	putPair(to, 5, low/100)
	top := high / 100
	putPair(to, 3, high%100)
	putPair(to, 1, top%100)
	to[0] = '0' + byte(top/100)
}

// putPair writes two digits.
func putPair(to *[9]byte, at int, n uint32) {
	to[at], to[at+1] = pairs[2*n], pairs[2*n+1]
}
