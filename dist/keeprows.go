package dist

import "math/bits"

// A row is the coefficients of a polynomial, each in the same number of limbs,
// side by side. Keeping dice needs few operations on rows: adding, multiplying
// by a number, and multiplying by the polynomial of a die. All are done modulo
// 2 to the bits of a coefficient, so that differences may pass below zero on
// the way to a sum that is known not to be.

// plusRow adds the row src to dst.
func plusRow(dst, src []limb, words int) {
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
			dst[l] = limb(s)
		}
	}
}

// minusRow subtracts the row src from dst.
func minusRow(dst, src []limb, words int) {
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
			dst[l] = limb(s)
		}
	}
}

// addScaled adds the row src times m to dst, or subtracts it.
func addScaled(dst, src []limb, words int, m []limb, negative bool) {
	m = trim(m)
	if len(m) == 0 {
		return
	}
	if len(m) == 1 && m[0] == 1 {
		if negative {
			minusRow(dst, src, words)
		} else {
			plusRow(dst, src, words)
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
	for ; len(src) >= words; dst, src = dst[words:], src[words:] {
		x := trim(src[:words])
		for j, c := range m {
			if negative {
				subMulModulo(dst[j:words], x, c)
			} else {
				addMulModulo(dst[j:words], x, c)
			}
		}
	}
}

// addMulModulo adds x*m to dst, without what goes beyond it.
func addMulModulo(dst, x []limb, m limb) {
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
		dst[i] = limb(lo)
	}
	for i := len(x); carry != 0 && i < len(dst); i++ {
		s, c := bits.Add(uint(dst[i]), carry, 0)
		dst[i], carry = limb(s), c
	}
}

// subMulModulo subtracts x*m from dst, without what goes beyond it.
func subMulModulo(dst, x []limb, m limb) {
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
		dst[i] = limb(lo)
	}
	for i := len(x); carry != 0 && i < len(dst); i++ {
		s, c := bits.Sub(uint(dst[i]), carry, 0)
		dst[i], carry = limb(s), c
	}
}

// addProducts adds n coefficients of src times c to dst. The coefficients of dst
// stand dstWords apart and hold the sums; those of src stand srcWords apart and
// take no more than width words.
func addProducts(dst []limb, dstWords int, src []limb, srcWords, width, n int, c []limb) {
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
			out[0], out[1] = limb(lo), limb(hi)
			if carry != 0 {
				addWordAt(dst[i*dstWords:(i+1)*dstWords], 2, 1)
			}
		}
	case width == 1:
		for i := 0; i < n; i++ {
			if x := src[i*srcWords]; x != 0 {
				addMulWord(dst[i*dstWords:(i+1)*dstWords], c, x)
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
			out[0], out[1] = limb(l0), limb(l1)
			if h1 += carry; h1 != 0 {
				addWordAt(out, 2, limb(h1))
			}
		}
	case width == 2:
		for i := 0; i < n; i++ {
			addMulTwo(dst[i*dstWords:(i+1)*dstWords], c, src[i*srcWords], src[i*srcWords+1])
		}
	default:
		for i := 0; i < n; i++ {
			addMulLimbs(dst[i*dstWords:(i+1)*dstWords], src[i*srcWords:i*srcWords+width], c)
		}
	}
}

// addMulTwo adds x times the two-word number (m1, m0) to dst in one pass.
func addMulTwo(dst, x []limb, m0, m1 limb) {
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
		dst[i] = limb(lo)
		hi, lo = bits.Mul(uint(xi), uint(m1))
		lo, d := bits.Add(lo, carry1, 0)
		hi, _ = bits.Add(hi, 0, d)
		before, d = bits.Add(lo, c, 0)
		carry1, _ = bits.Add(hi, 0, d)
	}
	s, c := bits.Add(carry0, before, 0)
	addWordAt(dst, len(x), limb(s))
	if high := carry1 + c; high != 0 {
		addWordAt(dst, len(x)+1, limb(high))
	}
}

// scaleRow multiplies the row by m.
func scaleRow(row []limb, words int, m []limb) {
	m = trim(m)
	switch {
	case len(m) == 0:
		clear(row)
	case len(m) == 1 && m[0] == 1:
	case words == 1:
		for i := range row {
			row[i] *= m[0]
		}
	case len(m) == 1:
		for ; len(row) >= words; row = row[words:] {
			mulWord(row[:words], m[0])
		}
	default:
		product := make([]limb, words)
		for ; len(row) >= words; row = row[words:] {
			clear(product)
			x := trim(row[:words])
			for j, c := range m {
				if j < words {
					addMulModulo(product[j:], x, c)
				}
			}
			copy(row, product)
		}
	}
}

// prefixRow replaces every coefficient by the sum of all up to it.
func prefixRow(row []limb, words int) {
	if words == 1 {
		var acc limb
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
			row[words+l] = limb(s)
		}
	}
}

// windowRow writes src times 1 + z + ... + z^(m-1) to dst, which has m-1
// coefficients more: every coefficient is the sum of a window of m, which moves
// along by one addition and one subtraction.
func windowRow(dst, src []limb, words, m int) {
	n := len(src) / words
	dst = dst[:(n+m-1)*words]
	switch words {
	case 1:
		windowWord(dst, src, m)
	case 2:
		windowTwo(dst, src, m)
	default:
		windowMany(dst, src, words, m)
	}
}

func windowWord(dst, src []limb, m int) {
	n := len(src)
	var acc limb
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

func windowTwo(dst, src []limb, m int) {
	n := len(src) / 2
	var a0, a1, c uint
	for i := 0; i < n+m-1; i++ {
		if i < n {
			a0, c = bits.Add(a0, uint(src[2*i]), 0)
			a1, _ = bits.Add(a1, uint(src[2*i+1]), c)
		}
		if i >= m {
			j := 2 * (i - m)
			a0, c = bits.Sub(a0, uint(src[j]), 0)
			a1, _ = bits.Sub(a1, uint(src[j+1]), c)
		}
		dst[2*i], dst[2*i+1] = limb(a0), limb(a1)
	}
}

func windowMany(dst, src []limb, words, m int) {
	n := len(src) / words
	copy(dst[:words], src[:words])
	for i := 1; i < n+m-1; i++ {
		last, out := dst[(i-1)*words:i*words], dst[i*words:(i+1)*words]
		switch {
		case i < n && i >= m:
			moveWindow(out, last, src[i*words:(i+1)*words], src[(i-m)*words:(i-m+1)*words])
		case i < n:
			copy(out, last)
			plusRow(out, src[i*words:(i+1)*words], words)
		case i >= m:
			copy(out, last)
			minusRow(out, src[(i-m)*words:(i-m+1)*words], words)
		default:
			copy(out, last)
		}
	}
}

// moveWindow writes last + enter - leave to out.
func moveWindow(out, last, enter, leave []limb) {
	last, enter, leave = last[:len(out)], enter[:len(out)], leave[:len(out)]
	var carry, borrow uint
	for l := range out {
		var s uint
		s, carry = bits.Add(uint(last[l]), uint(enter[l]), carry)
		s, borrow = bits.Sub(s, uint(leave[l]), borrow)
		out[l] = limb(s)
	}
}

// A multiplier multiplies rows by the polynomial of the faces of a die that are
// above a threshold, or between two. Runs of equal weights have few differences, so where that
// is shorter it multiplies by (1-z) times the polynomial and then sums up.
type multiplier struct {
	terms  []change // the place counts from the threshold
	prefix bool
	lowest int // the lowest place of positive weight
	length int // the highest place
	run    int // the length of a run of weights that are all one; 0 when it is not
}

// above returns the multiplier for the faces of g above place t.
func (g *keepGroup) above(t int) multiplier { return g.between(t, g.w.len()) }

// between returns the multiplier for the faces of g above place t and below
// place u.
func (g *keepGroup) between(t, u int) multiplier {
	var m multiplier
	faces := 0
	for i := t + 1; i < u; i++ {
		if !isZero(g.w.at(i)) {
			if faces == 0 {
				m.lowest = i - t
			}
			m.length = i - t
			faces++
		}
	}
	if faces == 0 {
		return m
	}
	m.prefix = true
	m.terms = g.differences(t, u)
	if len(m.terms) == 2 && len(trim(m.terms[0].by)) == 1 && m.terms[0].by[0] == 1 {
		m.run = faces
		return m
	}
	if len(m.terms)+1 < faces {
		return m
	}
	m.prefix, m.terms = false, nil
	for i := t + m.lowest; i <= t+m.length; i++ {
		if !isZero(g.w.at(i)) {
			m.terms = append(m.terms, change{place: i - t, by: g.w.at(i)})
		}
	}
	return m
}

// differences returns the differences of neighbouring weights when those
// outside of t+1 to u-1 count as zero. Places count from t.
func (g *keepGroup) differences(t, u int) []change {
	terms := make([]change, 0, 4)
	if !isZero(g.w.at(t + 1)) {
		terms = append(terms, change{place: 1, by: g.w.at(t + 1)})
	}
	for _, c := range g.changes {
		if c.place > t+1 && c.place < u {
			terms = append(terms, change{place: c.place - t, by: c.by, negative: c.negative})
		}
	}
	if !isZero(g.w.at(u - 1)) {
		terms = append(terms, change{place: u - t, by: g.w.at(u - 1), negative: true})
	}
	return terms
}

// work is about how many passes over a row a multiplication needs.
func (m *multiplier) work() int64 {
	if m.run > 0 {
		return 2
	}
	return int64(3*len(m.terms) + 2)
}

// times writes src times the polynomial to dst, which has length coefficients
// more than src.
func (m *multiplier) times(dst, src []limb, words int) {
	if m.run > 0 {
		clear(dst[:m.lowest*words])
		windowRow(dst[m.lowest*words:], src, words, m.run)
		return
	}
	n := len(src) / words
	dst = dst[:(n+m.length)*words]
	clear(dst)
	for _, t := range m.terms {
		upto := min(n, n+m.length-t.place) // the last difference starts beyond the end
		if upto > 0 {
			addScaled(dst[t.place*words:], src[:upto*words], words, t.by, t.negative)
		}
	}
	if m.prefix {
		prefixRow(dst, words)
	}
}
