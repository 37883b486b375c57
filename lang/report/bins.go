// Bins of one width, for tables that would be too long: between the two tails
// outcomes share a row with those of the same
//
//	floor((x - first) / width)
//
// where width is a multiple of the distance that all outcomes keep, so that bins hold
// equally many of them. Two kinds of rows are no bins: an outcome of 5 % or more, as
// long as few are, and a valley, many bins in a row that weigh less than 0.5 %
// together.

package report

import "math/big"

// leastValley is how many bins of small weight become one row.
const leastValley = 8

// bins returns the tails and the rows between them, at most so many.
func (s series) bins(most int) []band {
	t := s.tails()
	b := binning{first: t.first, last: t.last, heavy: s.thousandths(heavyMass), small: s.thousandths(chunkMass)}
	if t.high == nil {
		b.last = s.last()
	}
	step, heavy := s.grain(b)
	if 4*heavy >= most {
		b.heavy, heavy = nil, 0
	}
	// Two tails, and around each heavy outcome the two parts of its bin.
	per := (uint64(b.last)-uint64(b.first))/step/uint64(most-2-2*heavy) + 1
	b.width = per * step
	rows := s.binned(b, t)
	for per > 1 {
		per = (per + 1) / 2
		b.width = per * step
		finer := s.binned(b, t)
		if len(finer) > most {
			break
		}
		rows = finer
	}
	return rows
}

// A binning says how outcomes are put into bins.
type binning struct {
	first, last int
	width       uint64     // of a bin
	heavy       []*big.Int // the weights from which on an outcome stands alone; nil for none
	small       []*big.Int // the weights that a valley stays below
}

func (b binning) bin(x int) uint64 { return (uint64(x) - uint64(b.first)) / b.width }

// last returns the greatest outcome.
func (s series) last() int {
	last := 0
	for x := range s.each {
		last = x
	}
	return last
}

// grain returns the greatest common divisor of the distances between the outcomes of a
// binning, 1 for a single one, and how many outcomes are heavy.
func (s series) grain(b binning) (step uint64, heavy int) {
	for x, weights := range s.each {
		if x < b.first || x > b.last {
			continue
		}
		step = gcd(uint64(x)-uint64(b.first), step)
		if !allBelow(weights, b.heavy) {
			heavy++
		}
	}
	return max(step, 1), heavy
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// binned returns the rows of a binning. The last bin is as wide as the others, and
// takes what it needs for that from the tail above it.
func (s series) binned(b binning, t tails) []band {
	r := binner{binning: b}
	if t.low != nil {
		r.rows = append(r.rows, *t.low)
	}
	end := b.bin(b.last)
	var high *band
	for x, weights := range s.each {
		switch {
		case t.low != nil && x < t.first:
		case high != nil:
			high.add(x, weights)
		case t.high != nil && b.bin(x) > end:
			high = &band{lo: x, hi: x, count: 1, open: above, endless: s.aboveAll, weights: copied(weights)}
		default:
			r.add(x, weights)
		}
	}
	r.endValley()
	switch {
	case high != nil:
		r.rows = append(r.rows, *high)
	case t.high != nil && s.aboveAll:
		// The last bin has taken all of the tail that is listed.
		last := &r.rows[len(r.rows)-1]
		last.open, last.endless = above, true
	}
	return r.rows
}

// A binner puts outcomes, in ascending order, into the rows of a binning.
type binner struct {
	binning
	rows   []band
	at     uint64     // the bin of the last row
	open   bool       // whether the last row takes further outcomes
	valley int        // how many of the last rows are small together
	sum    []*big.Int // what those weigh
}

func (r *binner) add(x int, weights []*big.Int) {
	heavy := r.heavy != nil && !allBelow(weights, r.heavy)
	bin := r.bin(x)
	if r.open && !heavy && bin == r.at {
		r.rows[len(r.rows)-1].add(x, weights)
	} else {
		r.endRow()
		r.rows = append(r.rows, band{lo: x, hi: x, count: 1, weights: copied(weights)})
		r.open, r.at = !heavy, bin
	}
	if heavy {
		r.endValley()
	}
}

// endRow counts the last row, which is full, to the valley that it may be part of.
func (r *binner) endRow() {
	if !r.open {
		return
	}
	r.open = false
	row := r.rows[len(r.rows)-1]
	if r.sum == nil {
		r.sum = make([]*big.Int, len(row.weights))
		for i := range r.sum {
			r.sum[i] = new(big.Int)
		}
	}
	addTo(r.sum, row.weights)
	if allBelow(r.sum, r.small) {
		r.valley++
		return
	}
	r.rows = r.rows[:len(r.rows)-1]
	r.endValley()
	r.rows = append(r.rows, row)
	addTo(r.sum, row.weights)
	if allBelow(r.sum, r.small) {
		r.valley = 1
		return
	}
	r.endValley()
}

// endValley makes one row of the small ones at the end, if they are many.
func (r *binner) endValley() {
	if r.open {
		r.endRow()
	}
	if r.valley >= leastValley {
		first := len(r.rows) - r.valley
		whole := &r.rows[first]
		for _, row := range r.rows[first+1:] {
			whole.hi = row.hi
			whole.count += row.count
			addTo(whole.weights, row.weights)
		}
		r.rows = r.rows[:first+1]
	}
	r.valley = 0
	for _, sum := range r.sum {
		sum.SetInt64(0)
	}
}

// add puts a further outcome into a band.
func (b *band) add(x int, weights []*big.Int) {
	b.hi = x
	b.count++
	addTo(b.weights, weights)
}
