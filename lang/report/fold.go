// Folding of long distributions into bands. Everything is decided on exact
// weights:
//
//   - up to 64 outcomes are all listed;
//   - above that, each tail is one band while its mass stays below 0.5 %;
//   - between the tails, runs of outcomes below 0.1 % are cut into chunks that
//     stay below 0.5 %, and outcomes of equal chance at consecutive integers
//     are merged;
//   - while more than 64 bands are left, neighbours are joined into wider chunks;
//     those of 5 % or more stay alone as long as they can.
//
// Several distributions can share the bands; a limit must then hold for each.

package report

import (
	"iter"
	"math"
	"math/big"
	"strconv"

	"dicescript/dist"
)

// mostRows is how many rows a table may have before it is folded.
const mostRows = 64

// In thousandths of the whole: the mass that a tail or a chunk stays below, the
// chance below which an outcome is too small for a row of its own, and the mass
// from which on a band is not joined with others.
const (
	chunkMass    = 5
	smallOutcome = 1
	heavyMass    = 50
)

// A series is one or several distributions over one ascending axis. The
// weights of distribution k count in totals[k]-ths.
type series struct {
	totals []*big.Int
	each   iter.Seq2[int, []*big.Int] // repeatable; the slice holds only during its step
}

// A band is a range of outcomes with its weight in each distribution.
type band struct {
	lo, hi  int
	open    openEnd
	weights []*big.Int
}

// openEnd tells whether a band is a whole tail.
type openEnd uint8

const (
	closed openEnd = iota
	below          // all outcomes up to hi
	above          // all outcomes from lo on
)

// label names the band: "7", "-7..3", and for the tails "<a" and ">b", where
// next is the nearest outcome that is not in the tail.
func (b band) label(next int) string {
	switch {
	case b.open == below:
		return "<" + strconv.Itoa(next)
	case b.open == above:
		return ">" + strconv.Itoa(next)
	case b.lo == b.hi:
		return strconv.Itoa(b.lo)
	}
	return strconv.Itoa(b.lo) + ".." + strconv.Itoa(b.hi)
}

// rollSeries returns the series of one distribution.
func rollSeries(o Options, d *dist.Dist) series {
	return series{[]*big.Int{d.Total()}, func(yield func(int, []*big.Int) bool) {
		weights := make([]*big.Int, 1)
		for x, w := range watched(o, d.All()) {
			weights[0] = w
			if !yield(x, weights) {
				return
			}
		}
	}}
}

// sharedSeries lays distributions on one axis; where one cannot show an outcome
// of another its weight is 0.
func sharedSeries(o Options, ds []*dist.Dist) series {
	s := series{}
	for _, d := range ds {
		s.totals = append(s.totals, d.Total())
	}
	s.each = watched(o, func(yield func(int, []*big.Int) bool) { mergeAll(ds, yield) })
	return s
}

// A head is the next outcome of one distribution while several are merged.
type head struct {
	next   func() (int, *big.Int, bool)
	x      int
	weight *big.Int
	ok     bool
}

func (h *head) advance() { h.x, h.weight, h.ok = h.next() }

func mergeAll(ds []*dist.Dist, yield func(int, []*big.Int) bool) {
	heads := make([]*head, len(ds))
	for i, d := range ds {
		next, stop := iter.Pull2(d.All())
		defer stop()
		heads[i] = &head{next: next}
		heads[i].advance()
	}
	weights := make([]*big.Int, len(ds))
	for {
		x, ok := lowest(heads)
		if !ok {
			return
		}
		for i, h := range heads {
			weights[i] = new(big.Int)
			if h.ok && h.x == x {
				weights[i] = h.weight
				h.advance()
			}
		}
		if !yield(x, weights) {
			return
		}
	}
}

func lowest(heads []*head) (x int, ok bool) {
	for _, h := range heads {
		if h.ok && (!ok || h.x < x) {
			x, ok = h.x, true
		}
	}
	return x, ok
}

// length counts the outcomes of s, up to limit.
func (s series) length(limit int) int {
	n := 0
	for range s.each {
		if n++; n == limit {
			break
		}
	}
	return n
}

// everyRow yields each outcome as a band of its own.
func (s series) everyRow(yield func(band) bool) {
	for x, weights := range s.each {
		if !yield(band{lo: x, hi: x, weights: append([]*big.Int(nil), weights...)}) {
			return
		}
	}
}

// thousandths returns for each distribution the least integer weight that is
// not below n thousandths of the total.
func (s series) thousandths(n int64) []*big.Int {
	limits := make([]*big.Int, len(s.totals))
	for i, total := range s.totals {
		t := new(big.Int).Mul(total, big.NewInt(n))
		limits[i] = t.Add(t, big.NewInt(999)).Quo(t, big.NewInt(1000))
	}
	return limits
}

// fold returns the bands of s; widen tells whether chunks may grow until no
// more than so many rows are left.
func (s series) fold(widen bool, most int) []band {
	bands := s.narrowBands()
	if !widen || len(bands) <= most {
		return bands
	}
	for _, heavy := range [][]*big.Int{s.thousandths(heavyMass), nil} {
		for width := uint64(2); width <= 1<<62; width += max(1, width/4) {
			if wide := joined(bands, width, heavy); len(wide) <= most {
				return wide
			}
		}
	}
	return joined(bands, math.MaxUint64, nil)
}

// joined joins neighbouring bands as long as they span at most width integers.
// Tails stay alone, and so do bands that are heavy in some distribution.
func joined(bands []band, width uint64, heavy []*big.Int) []band {
	var wide []band
	alone := true // whether the last of wide is closed to others
	for _, b := range bands {
		stays := b.open != closed || heavy != nil && !allBelow(b.weights, heavy)
		if last := len(wide) - 1; !alone && !stays && uint64(b.hi)-uint64(wide[last].lo) < width {
			wide[last].hi, wide[last].weights = b.hi, wide[last].with(b.weights)
			continue
		}
		wide, alone = append(wide, b), stays
	}
	return wide
}

// tails holds the two tail bands and the outermost outcomes between them.
type tails struct {
	low, high   *band // nil where there is nothing to fold
	first, last int
}

func (s series) tails() tails {
	limits := s.thousandths(chunkMass)
	var t tails
	t.low, t.first = s.lowTail(limits)
	t.high, t.last = s.highTail(limits)
	return t
}

// lowTail returns the low tail and the first outcome above it.
func (s series) lowTail(limits []*big.Int) (*band, int) {
	var tail *band
	for x, weights := range s.each {
		sum := tail.with(weights)
		if !allBelow(sum, limits) {
			return tail, x
		}
		if tail == nil {
			tail = &band{lo: x, open: below}
		}
		tail.hi, tail.weights = x, sum
	}
	return nil, 0
}

// highTail returns the high tail and the last outcome below it. It looks for
// the outcome from which on too little mass is left.
func (s series) highTail(limits []*big.Int) (*band, int) {
	left := make([]*big.Int, len(s.totals))
	for i, total := range s.totals {
		left[i] = new(big.Int).Set(total)
	}
	var tail *band
	last := 0
	for x, weights := range s.each {
		switch {
		case tail != nil:
			tail.hi, tail.weights = x, tail.with(weights)
		case allBelow(left, limits):
			tail = &band{lo: x, hi: x, open: above, weights: (*band)(nil).with(weights)}
		default:
			last = x
			for i, w := range weights {
				left[i].Sub(left[i], w)
			}
		}
	}
	return tail, last
}

// with returns the weights of b and of one outcome more; b may be nil.
func (b *band) with(weights []*big.Int) []*big.Int {
	sum := make([]*big.Int, len(weights))
	for i, w := range weights {
		sum[i] = new(big.Int).Set(w)
		if b != nil {
			sum[i].Add(sum[i], b.weights[i])
		}
	}
	return sum
}

// narrowBands folds the tails and what is between them, before any widening.
func (s series) narrowBands() []band {
	t := s.tails()
	f := folder{small: s.thousandths(smallOutcome), chunk: s.thousandths(chunkMass)}
	if t.low != nil {
		f.bands = append(f.bands, *t.low)
	}
	for x, weights := range s.each {
		if t.low != nil && x < t.first || t.high != nil && x > t.last {
			continue
		}
		f.add(x, weights)
	}
	if t.high != nil {
		f.bands = append(f.bands, *t.high)
	}
	return f.bands
}

// A folder puts outcomes, in ascending order, into bands.
type folder struct {
	small, chunk []*big.Int
	bands        []band
	state        folding
	last         []*big.Int // weights of the last outcome, while merging
}

// folding is what the last band of a folder can still take.
type folding uint8

const (
	nothing folding = iota
	chunking
	merging
)

func (f *folder) add(x int, weights []*big.Int) {
	if allBelow(weights, f.small) {
		f.addSmall(x, weights)
	} else {
		f.addLarge(x, weights)
	}
}

// addSmall puts an outcome too small for a row of its own into a chunk.
func (f *folder) addSmall(x int, weights []*big.Int) {
	if f.state == chunking {
		b := &f.bands[len(f.bands)-1]
		if sum := b.with(weights); allBelow(sum, f.chunk) {
			b.hi, b.weights = x, sum
			return
		}
	}
	f.start(x, weights, chunking)
}

// addLarge merges an outcome with the one just before it when their chances
// are equal.
func (f *folder) addLarge(x int, weights []*big.Int) {
	if f.state == merging {
		b := &f.bands[len(f.bands)-1]
		if b.hi == x-1 && allEqual(weights, f.last) {
			b.hi, b.weights = x, b.with(weights)
			return
		}
	}
	f.start(x, weights, merging)
	f.last = append(f.last[:0], weights...)
}

func (f *folder) start(x int, weights []*big.Int, state folding) {
	f.bands = append(f.bands, band{lo: x, hi: x, weights: (*band)(nil).with(weights)})
	f.state = state
}

func allBelow(weights, limits []*big.Int) bool {
	for i, w := range weights {
		if w.Cmp(limits[i]) >= 0 {
			return false
		}
	}
	return true
}

func allEqual(a, b []*big.Int) bool {
	for i := range a {
		if a[i].Cmp(b[i]) != 0 {
			return false
		}
	}
	return true
}
