// Weights over one total as floats: the nearest float64 of each, found from the
// leading words of both numbers, and by an exact division only where those leave
// a doubt.

package numeral

import (
	"math"
	"math/big"
	"math/bits"
)

// A Divisor is a total that many weights are divided by.
type Divisor struct {
	Total *big.Int
	shift uint   // total is between top and top+1 times 2^shift
	top   uint64 // its leading 64 bits
}

func NewDivisor(total *big.Int) Divisor {
	d := Divisor{Total: total}
	d.top, d.shift = leading(total)
	return d
}

// leading returns the 64 leading bits of n, and how many bits follow them.
func leading(n *big.Int) (top uint64, shift uint) {
	if w := n.Bits(); len(w) > 1 && bits.UintSize == 64 {
		high, next := uint64(w[len(w)-1]), uint64(w[len(w)-2])
		lead := bits.LeadingZeros64(high)
		return high<<lead | next>>(64-lead), uint(64*(len(w)-1) - lead)
	}
	if extra := n.BitLen() - 64; extra > 0 {
		return new(big.Int).Rsh(n, uint(extra)).Uint64(), uint(extra)
	}
	return n.Uint64(), 0
}

// Float returns the float64 that is nearest to w/total, for w >= 0; halves go to
// the even one.
func (d Divisor) Float(w *big.Int) float64 {
	top, shift := leading(w)
	if top == 0 || d.top == 0 {
		return 0
	}
	if d.shift == 0 && shift == 0 && top < 1<<53 && d.top < 1<<53 {
		return float64(top) / float64(d.top) // both are exact, so the division rounds once
	}
	if x, ok := nearest(top, shift, d.top, d.shift); ok {
		return x
	}
	const precision, least = 53, -1000 // of a float64 that is not denormal
	q := new(big.Float).SetPrec(precision).Quo(new(big.Float).SetInt(w), new(big.Float).SetInt(d.Total))
	if q.MantExp(nil) > least {
		x, _ := q.Float64() // it has been rounded once, by the division
		return x
	}
	x, _ := new(big.Rat).SetFrac(w, d.Total).Float64()
	return x
}

// nearest returns the float64 that is nearest to all quotients of a number from
// top*2^shift to below (top+1)*2^shift by one from den*2^denShift to below
// (den+1)*2^denShift, when there is only one.
func nearest(top uint64, shift uint, den uint64, denShift uint) (float64, bool) {
	lead, denLead := bits.LeadingZeros64(top), bits.LeadingZeros64(den)
	num, div := top<<lead, den<<denLead
	q, _ := bits.Div64(num>>1, num<<63, div) // num/div * 2^63, from 2^62 to 2^64
	exp := int(shift) - int(denShift) - lead + denLead - 63
	// The quotient is q*2^exp but for what the numbers leave out, each less than
	// 2^-63 of the whole, and what the division does: some units of q.
	const doubt = 6
	width := bits.Len64(q)
	if exp+width < -1076 {
		return 0, true // below half of the smallest
	}
	// How many bits of q a float64 does not hold; denormal ones hold fewer.
	beyond := max(width-53, -1074-exp)
	if beyond > 62 || exp+width > 1020 {
		return 0, false
	}
	rest, tie := q&(1<<beyond-1), uint64(1)<<(beyond-1)
	if tie-doubt < rest && rest < tie+doubt {
		return 0, false
	}
	mantissa := q >> beyond
	if rest > tie {
		mantissa++
	}
	return math.Ldexp(float64(mantissa), exp+beyond), true
}
