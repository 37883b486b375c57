package nat

import "math/bits"

// A row is the coefficients of a polynomial, each in the same number of limbs,
// side by side. Keeping dice needs few operations on rows: adding, multiplying
// by a number, and multiplying by the polynomial of a die. All are done modulo
// 2 to the bits of a coefficient, so that differences may pass below zero on
// the way to a sum that is known not to be.

// PlusRow adds the row src to dst.
func PlusRow(dst, src []Limb, words int) {
	dst = dst[:len(src)]
	if words == 1 {
		for i, x := range src {
			dst[i] += x
		}
		return
	}
	for ; len(src) >= words; dst, src = dst[words:], src[words:] {
		var carry uint
		for l := 0; l < words; l++ {
			var s uint
			s, carry = bits.Add(uint(dst[l]), uint(src[l]), carry)
			dst[l] = Limb(s)
		}
	}
}

// MinusRow subtracts the row src from dst.
func MinusRow(dst, src []Limb, words int) {
	dst = dst[:len(src)]
	if words == 1 {
		for i, x := range src {
			dst[i] -= x
		}
		return
	}
	for ; len(src) >= words; dst, src = dst[words:], src[words:] {
		var borrow uint
		for l := 0; l < words; l++ {
			var s uint
			s, borrow = bits.Sub(uint(dst[l]), uint(src[l]), borrow)
			dst[l] = Limb(s)
		}
	}
}

// AddScaled adds the row src times m to dst, or subtracts it.
func AddScaled(dst, src []Limb, words int, m []Limb, negative bool) {
	m = Trim(m)
	if len(m) == 0 {
		return
	}
	if Checking {
		Insist(len(m) <= words, "a factor of a row")
	}
	if len(m) == 1 && m[0] == 1 {
		if negative {
			MinusRow(dst, src, words)
		} else {
			PlusRow(dst, src, words)
		}
		return
	}
	if words == 1 {
		c := m[0]
		if negative {
			c = -c
		}
		addScaledRow(dst, src, c)
		return
	}
	m = m[:min(len(m), words)] // what is above it falls beyond dst
	for ; len(src) >= words; dst, src = dst[words:], src[words:] {
		x := Trim(src[:words])
		for j, c := range m {
			if negative {
				SubMulModulo(dst[j:words], x, c)
			} else {
				AddMulModulo(dst[j:words], x, c)
			}
		}
	}
}

// AddMulModulo adds x*m to dst, without what goes beyond it.
func AddMulModulo(dst, x []Limb, m Limb) {
	if len(x) > len(dst) {
		x = x[:len(dst)]
	}
	dst = dst[:len(dst):len(dst)]
	var carry uint
	for i, xi := range x {
		hi, lo := bits.Mul(uint(xi), uint(m))
		var c uint
		lo, c = bits.Add(lo, carry, 0)
		hi += c
		lo, c = bits.Add(lo, uint(dst[i]), 0)
		carry = hi + c
		dst[i] = Limb(lo)
	}
	for i := len(x); carry != 0 && i < len(dst); i++ {
		s, c := bits.Add(uint(dst[i]), carry, 0)
		dst[i], carry = Limb(s), c
	}
}

// SubMulModulo subtracts x*m from dst, without what goes beyond it.
func SubMulModulo(dst, x []Limb, m Limb) {
	if len(x) > len(dst) {
		x = x[:len(dst)]
	}
	var carry uint
	for i, xi := range x {
		hi, lo := bits.Mul(uint(xi), uint(m))
		var c uint
		lo, c = bits.Add(lo, carry, 0)
		hi += c
		lo, c = bits.Sub(uint(dst[i]), lo, 0)
		carry = hi + c
		dst[i] = Limb(lo)
	}
	for i := len(x); carry != 0 && i < len(dst); i++ {
		s, c := bits.Sub(uint(dst[i]), carry, 0)
		dst[i], carry = Limb(s), c
	}
}

// AddAt adds a number to a coefficient of a row, or subtracts it, modulo 2 to the
// bits of a coefficient.
func AddAt(row []Limb, at, words int, x []Limb, negative bool) {
	dst := row[at*words : (at+1)*words]
	if Checking {
		Insist(len(x) <= words, "a number that is added to a row")
	}
	var carry, s uint
	if negative {
		for i, l := range x {
			s, carry = bits.Sub(uint(dst[i]), uint(l), carry)
			dst[i] = Limb(s)
		}
		for i := len(x); carry != 0 && i < words; i++ {
			s, carry = bits.Sub(uint(dst[i]), 0, carry)
			dst[i] = Limb(s)
		}
		return
	}
	for i, l := range x {
		s, carry = bits.Add(uint(dst[i]), uint(l), carry)
		dst[i] = Limb(s)
	}
	for i := len(x); carry != 0 && i < words; i++ {
		s, carry = bits.Add(uint(dst[i]), 0, carry)
		dst[i] = Limb(s)
	}
}

// AddProducts adds n coefficients of src times c to dst. The coefficients of dst
// stand dstWords apart and hold the sums; those of src stand srcWords apart and
// take no more than width words.
func AddProducts(dst []Limb, dstWords int, src []Limb, srcWords, width, n int, c []Limb) {
	if Checking {
		for i := range n {
			Insist(IsZero(src[i*srcWords+width:(i+1)*srcWords]), "the width of a power")
		}
		if dstWords == 1 {
			InsistScaledFits(dst, src[:n], c[0], "a sum of powers")
		}
	}
	switch {
	case dstWords == 1:
		m := c[0]
		for i, x := range src[:n] {
			dst[i] += x * m
		}
	case width == 1 && len(c) == 1:
		m := uint(c[0])
		for i := 0; i < n; i++ {
			hi, lo := bits.Mul(uint(src[i*srcWords]), m)
			out := dst[i*dstWords : i*dstWords+2]
			lo, carry := bits.Add(lo, uint(out[0]), 0)
			hi, carry = bits.Add(hi, uint(out[1]), carry)
			out[0], out[1] = Limb(lo), Limb(hi)
			if carry != 0 {
				addWordAt(dst[i*dstWords:(i+1)*dstWords], 2, 1)
			}
		}
	case width == 1:
		for i := 0; i < n; i++ {
			if x := src[i*srcWords]; x != 0 {
				AddMulWord(dst[i*dstWords:(i+1)*dstWords], c, x)
			}
		}
	case width == 2 && len(c) == 1:
		m := uint(c[0])
		for i := 0; i < n; i++ {
			x, out := src[i*srcWords:i*srcWords+2], dst[i*dstWords:(i+1)*dstWords]
			h0, l0 := bits.Mul(uint(x[0]), m)
			h1, l1 := bits.Mul(uint(x[1]), m)
			l1, carry := bits.Add(l1, h0, 0)
			h1 += carry
			l0, carry = bits.Add(l0, uint(out[0]), 0)
			l1, carry = bits.Add(l1, uint(out[1]), carry)
			out[0], out[1] = Limb(l0), Limb(l1)
			if h1 += carry; h1 != 0 {
				addWordAt(out, 2, Limb(h1))
			}
		}
	case width == 2:
		for i := 0; i < n; i++ {
			addMulTwo(dst[i*dstWords:(i+1)*dstWords], c, src[i*srcWords], src[i*srcWords+1])
		}
	default:
		for i := 0; i < n; i++ {
			AddMul(dst[i*dstWords:(i+1)*dstWords], src[i*srcWords:i*srcWords+width], c)
		}
	}
}

// addMulTwo adds x times the two-word number (m1, m0) to dst in one pass.
func addMulTwo(dst, x []Limb, m0, m1 Limb) {
	var carry0, carry1, before uint // before is what x[i-1]*m1 leaves in the column of x[i]*m0
	_ = dst[:len(x)]
	for i, xi := range x {
		hi, lo := bits.Mul(uint(xi), uint(m0))
		lo, c := bits.Add(lo, carry0, 0)
		carry0, _ = bits.Add(hi, 0, c)
		// The column of limb i is x[i]*m0 + x[i-1]*m1 + dst[i] and the carries.
		lo, c = bits.Add(lo, before, 0)
		carry0 += c
		lo, c = bits.Add(lo, uint(dst[i]), 0)
		dst[i] = Limb(lo)
		hi, lo = bits.Mul(uint(xi), uint(m1))
		lo, d := bits.Add(lo, carry1, 0)
		hi, _ = bits.Add(hi, 0, d)
		before, d = bits.Add(lo, c, 0)
		carry1, _ = bits.Add(hi, 0, d)
	}
	s, c := bits.Add(carry0, before, 0)
	addWordAt(dst, len(x), Limb(s))
	if high := carry1 + c; high != 0 {
		addWordAt(dst, len(x)+1, Limb(high))
	}
}

// ScaleRow multiplies the row by m.
func ScaleRow(row []Limb, words int, m []Limb) {
	m = Trim(m)
	switch {
	case len(m) == 0:
		clear(row)
	case len(m) == 1 && m[0] == 1:
	case words == 1:
		for i, x := range row {
			if Checking {
				InsistScaledFits([]Limb{0}, []Limb{x}, m[0], "a scaled row")
			}
			row[i] *= m[0]
		}
	case len(m) == 1:
		for ; len(row) >= words; row = row[words:] {
			MulWord(row[:words], m[0])
		}
	default:
		product := make([]Limb, words)
		for ; len(row) >= words; row = row[words:] {
			clear(product)
			AddMul(product, row[:words], m)
			copy(row, product)
		}
	}
}

// PrefixRow replaces every coefficient by the sum of all up to it.
func PrefixRow(row []Limb, words int) {
	if words == 1 {
		var acc Limb
		for i, x := range row {
			acc += x
			row[i] = acc
		}
		return
	}
	for ; len(row) >= 2*words; row = row[words:] {
		var carry uint
		for l := 0; l < words; l++ {
			var s uint
			s, carry = bits.Add(uint(row[l]), uint(row[words+l]), carry)
			row[words+l] = Limb(s)
		}
	}
}

// windowRow writes src times 1 + z + ... + z^(m-1) to dst, which has m-1
// coefficients more, or as many of the lowest of them as it has room for: every
// coefficient is the sum of a window of m, which moves along by one addition and
// one subtraction.
func windowRow(dst, src []Limb, words, m int) {
	whole := (len(src)/words + m - 1) * words
	dst = dst[:min(len(dst), whole)]
	switch {
	case words == 1 && len(dst) == whole:
		windowWord(dst, src, m)
	case words == 2:
		windowTwo(dst, src, m)
	default:
		windowMany(dst, src, words, m)
	}
}

func windowWord(dst, src []Limb, m int) {
	n := len(src)
	var acc Limb
	grow, both := min(n, m), max(n, m)
	for i, x := range src[:grow] {
		acc += x
		dst[i] = acc
	}
	if n > m {
		leave := src[:n-m]
		enter := src[m:][:len(leave)]
		out := dst[m:][:len(leave)]
		for i, x := range leave {
			acc += enter[i] - x
			out[i] = acc
		}
	} else {
		for i := n; i < m; i++ {
			dst[i] = acc
		}
	}
	for i := both; i < n+m-1; i++ {
		acc -= src[i-m]
		dst[i] = acc
	}
}

func windowTwo(dst, src []Limb, m int) {
	n := len(src) / 2
	var a0, a1, c uint
	for i := 0; i < len(dst)/2; i++ {
		if i < n {
			a0, c = bits.Add(a0, uint(src[2*i]), 0)
			a1, _ = bits.Add(a1, uint(src[2*i+1]), c)
		}
		if i >= m {
			j := 2 * (i - m)
			a0, c = bits.Sub(a0, uint(src[j]), 0)
			a1, _ = bits.Sub(a1, uint(src[j+1]), c)
		}
		dst[2*i], dst[2*i+1] = Limb(a0), Limb(a1)
	}
}

func windowMany(dst, src []Limb, words, m int) {
	n := len(src) / words
	copy(dst[:words], src[:words])
	for i := 1; i < len(dst)/words; i++ {
		last, out := dst[(i-1)*words:i*words], dst[i*words:(i+1)*words]
		switch {
		case i < n && i >= m:
			moveWindow(out, last, src[i*words:(i+1)*words], src[(i-m)*words:(i-m+1)*words])
		case i < n:
			copy(out, last)
			PlusRow(out, src[i*words:(i+1)*words], words)
		case i >= m:
			copy(out, last)
			MinusRow(out, src[(i-m)*words:(i-m+1)*words], words)
		default:
			copy(out, last)
		}
	}
}

// moveWindow writes last + enter - leave to out.
func moveWindow(out, last, enter, leave []Limb) {
	last, enter, leave = last[:len(out)], enter[:len(out)], leave[:len(out)]
	var carry, borrow uint
	for l := range out {
		var s uint
		s, carry = bits.Add(uint(last[l]), uint(enter[l]), carry)
		s, borrow = bits.Sub(s, uint(leave[l]), borrow)
		out[l] = Limb(s)
	}
}

// A Change is the difference between a weight and that one place below.
type Change struct {
	Place    int
	By       []Limb
	Negative bool
}

// A Multiplier multiplies rows by the polynomial of the faces of a die that are
// above a threshold, or between two. Runs of equal weights have few differences, so where that
// is shorter it multiplies by (1-z) times the polynomial and then sums up.
type Multiplier struct {
	Terms  []Change // the place counts from the threshold
	Prefix bool
	Lowest int // the lowest place of positive weight
	Length int // the highest place
	Run    int // the length of a run of weights that are all one; 0 when it is not
}

// Work is about how many passes over a row a multiplication needs.
func (m *Multiplier) Work() int64 {
	if m.Run > 0 {
		return 2
	}
	return int64(3*len(m.Terms) + 2)
}

// Times writes src times the polynomial to dst, which has length coefficients
// more than src.
func (m *Multiplier) Times(dst, src []Limb, words int) {
	if Checking {
		defer func() {
			insistCongruent(dst[:len(src)+m.Length*words], src, words, m.mass(), "a row times a die")
		}()
	}
	if m.Run > 0 {
		clear(dst[:m.Lowest*words])
		windowRow(dst[m.Lowest*words:], src, words, m.Run)
		return
	}
	n := len(src) / words
	dst = dst[:(n+m.Length)*words]
	clear(dst)
	for _, t := range m.Terms {
		upto := min(n, n+m.Length-t.Place) // the last difference starts beyond the end
		if upto > 0 {
			AddScaled(dst[t.Place*words:], src[:upto*words], words, t.By, t.Negative)
		}
	}
	if m.Prefix {
		PrefixRow(dst, words)
	}
}
