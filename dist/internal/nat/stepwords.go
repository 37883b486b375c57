package nat

import (
	"math/big"
	"math/bits"

	"dicescript/dist/internal/work"
)

// A recurrence whose coefficients are machine words runs on fixed rows of limbs: sums
// of products with signed words are taken modulo 2 to the bits of a row and one limb
// more, which holds the sum before it is divided.

// sumBits bounds the sum of the sizes of the coefficients of one step. So a sum of
// products with limbs, and a carry from the limb below, which is as small, stay within
// 127 bits and a sign; and a sum of numbers below 2^(64h) is one below 2^(64h+62).
const sumBits = 62

// fitsWords reports whether all coefficients of all steps, and lead times the number of
// the step, are words.
func (p Powering) fitsWords() bool {
	sum, n := new(big.Int), big.NewInt(int64(p.N))
	if LimbBits != 64 || p.lead.BitLen()+n.BitLen() > LimbBits {
		return false
	}
	for _, t := range p.terms {
		sum.Add(sum, new(big.Int).Abs(t.alpha))
		sum.Add(sum, new(big.Int).Mul(n, new(big.Int).Abs(t.beta)))
	}
	return sum.BitLen() <= sumBits
}

// runWords computes the weights from 1 to before upto.
func (p Powering) runWords(ctx work.Context, out Vec, upto int) error {
	d := newDotter(out.Words, len(p.terms))
	terms := make([]wordTerm, len(p.terms))
	for i, t := range p.terms {
		terms[i] = wordTerm{t.shift, t.alpha.Int64(), t.beta.Int64()}
	}
	d.see(out.At(0))
	lead := uint(p.lead.Uint64())
	tick := work.NewTicker(ctx)
	from := 1
	if len(terms) == 3 {
		from = upto
		if err := d.runThree(&tick, out, terms, lead, upto); err != nil {
			return err
		}
	}
	for k := from; k < upto; k++ {
		for _, t := range terms {
			if t.shift > k {
				break
			}
			d.add(t.alpha+t.beta*int64(k), (k-t.shift)*out.Words)
		}
		if err := tick.Tick((d.terms + 2) * (d.high + 4)); err != nil {
			return err
		}
		d.quotient(out.At(k), out.Data, lead*uint(k))
	}
	return nil
}

// runThree is runWords for three terms, as those of fair dice are.
func (d *dotter) runThree(tick *work.Ticker, out Vec, terms []wordTerm, lead uint, upto int) error {
	var c [3]int64
	var x [3][]Limb
	for k := 1; k < upto; k++ {
		for i, t := range terms {
			c[i], x[i] = 0, out.Data
			if t.shift <= k {
				c[i], x[i] = t.alpha+t.beta*int64(k), out.Data[(k-t.shift)*out.Words:]
			}
		}
		limbs := min(d.high+1, out.Words)
		row := out.Data[k*out.Words : k*out.Words+limbs]
		quotientOfThree(row, x[0], x[1], x[2], c[0], c[1], c[2], NewExactDivisor(Limb(lead*uint(k))))
		if limbs > d.high && row[limbs-1] != 0 {
			d.high = limbs
		}
		if err := tick.Tick(4*limbs + 8); err != nil {
			return err
		}
	}
	return nil
}

// A wordTerm is a recurrenceTerm of words.
type wordTerm struct {
	shift       int
	alpha, beta int64
}

// A dotter takes sums of products of rows and signed words, and divides them where
// no remainder is left.
type dotter struct {
	terms        int
	coefficients []int64
	places       []int // where the rows begin
	sum          []Limb
	high         int // no row has more limbs in use
	words        int
}

func newDotter(words, terms int) *dotter {
	return &dotter{
		coefficients: make([]int64, terms+dotTogether),
		places:       make([]int, terms+dotTogether),
		sum:          make([]Limb, words+1),
		words:        words,
	}
}

// see notes a row that sums will be taken of.
func (d *dotter) see(row []Limb) { d.high = max(d.high, len(Trim(row))) }

// add adds coefficient times the row that begins at a place.
func (d *dotter) add(coefficient int64, place int) {
	d.coefficients[d.terms], d.places[d.terms] = coefficient, place
	d.terms++
}

// dotTogether is how many products are added up in one pass.
const dotTogether = 4

// quotient writes the sum divided by n to out, which is a row that the sums after it
// may take, and begins the next sum.
//
// The quotient is at least 0 and fits out, so that the sum, n times as much, has one limb
// more at most. Where the rows have high limbs the quotient has one more at most, as
// sumBits says.
func (d *dotter) quotient(out, data []Limb, n uint) {
	limbs := min(d.high+1, d.words)
	divisor := NewExactDivisor(Limb(n))
	d.sumUp(data, limbs)
	divisor.Divide(d.sum[:limbs+1])
	copy(out[:limbs], d.sum)
	if limbs > d.high && out[limbs-1] != 0 {
		d.high = limbs
	}
	d.terms = 0
}

// sumUp writes the sum to so many limbs and one more.
func (d *dotter) sumUp(data []Limb, limbs int) {
	sum := d.sum[:limbs+1]
	clear(sum)
	for i := d.terms; i%dotTogether != 0; i++ { // products with 0
		d.coefficients[i], d.places[i] = 0, d.places[0]
	}
	for i := 0; i < d.terms; i += dotTogether {
		c, p := d.coefficients[i:i+dotTogether], d.places[i:i+dotTogether]
		addFour(sum, data[p[0]:], data[p[1]:], data[p[2]:], data[p[3]:], c[0], c[1], c[2], c[3])
	}
}

// addFour adds a w + b x + c y + e z to sum, modulo 2 to its bits. The rows have one limb
// less.
func addFour(sum, w, x, y, z []Limb, a, b, c, e int64) {
	n := len(sum) - 1
	w, x, y, z = w[:n], x[:n], y[:n], z[:n]
	// A negative factor is 2^64 more as a word: what is too much is taken off again.
	ma, mb, mc, me := uint(a>>63), uint(b>>63), uint(c>>63), uint(e>>63)
	var carry, k uint
	for i := range w {
		hi := uint(int64(carry) >> 63)
		lo, k1 := bits.Add(uint(sum[i]), carry, 0)
		h0, l0 := bits.Mul(uint(w[i]), uint(a))
		h1, l1 := bits.Mul(uint(x[i]), uint(b))
		h0 -= uint(w[i]) & ma
		h1 -= uint(x[i]) & mb
		l0, k = bits.Add(l0, l1, 0)
		h0, _ = bits.Add(h0, h1, k)
		h2, l2 := bits.Mul(uint(y[i]), uint(c))
		h3, l3 := bits.Mul(uint(z[i]), uint(e))
		h2 -= uint(y[i]) & mc
		h3 -= uint(z[i]) & me
		l2, k = bits.Add(l2, l3, 0)
		h2, _ = bits.Add(h2, h3, k)
		l0, k = bits.Add(l0, l2, 0)
		h0, _ = bits.Add(h0, h2, k)
		lo, k = bits.Add(lo, l0, 0)
		hi += k1
		carry, _ = bits.Add(hi, h0, k)
		sum[i] = Limb(lo)
	}
	sum[n] += Limb(carry)
}

// quotientOfThree writes (a x + b y + c z) / d to out, whose limbs the rows have too. The
// division leaves no remainder, and the quotient fits. Its limbs need the limb above for
// what is shifted out of it, so they follow those of the sum one step behind.
func quotientOfThree(out, x, y, z []Limb, a, b, c int64, d exactDivisor) {
	n := len(out)
	x, y, z = x[:n], y[:n], z[:n]
	ma, mb, mc := uint(a>>63), uint(b>>63), uint(c>>63)
	down, up := d.shift&63, (64-d.shift)&63
	keep := uint(0) // nothing comes from above where nothing is shifted
	if d.shift > 0 {
		keep = ^uint(0)
	}
	var carry, last, taken, k uint
	for i := range n {
		hi := uint(int64(carry) >> 63)
		h0, l0 := bits.Mul(uint(x[i]), uint(a))
		h1, l1 := bits.Mul(uint(y[i]), uint(b))
		h2, l2 := bits.Mul(uint(z[i]), uint(c))
		h0 -= uint(x[i]) & ma
		h1 -= uint(y[i]) & mb
		h2 -= uint(z[i]) & mc
		l0, k = bits.Add(l0, l1, 0)
		h0, _ = bits.Add(h0, h1, k)
		l2, k = bits.Add(l2, carry, 0)
		h2, _ = bits.Add(h2, hi, k)
		l0, k = bits.Add(l0, l2, 0)
		carry, _ = bits.Add(h0, h2, k)
		if i > 0 {
			t, borrow := bits.Sub(last>>down|l0<<up&keep, taken, 0)
			q := t * d.inverse
			out[i-1] = Limb(q)
			h, _ := bits.Mul(q, d.odd)
			taken = h + borrow
		}
		last = l0
	}
	t := last>>down | carry<<up&keep
	out[n-1] = Limb((t - taken) * d.inverse)
}
