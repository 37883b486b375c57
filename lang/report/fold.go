// Folding of long distributions into bands. Everything is decided on exact
// weights:
//
//   - up to 64 outcomes are all listed;
//   - above that, each tail is one band while its mass stays below 0.5 %;
//   - between the tails, runs of outcomes below 0.1 % are cut into chunks that
//     stay below 0.5 %, and outcomes of equal chance at consecutive integers
//     are merged;
//   - where more than 64 bands are left, the outcomes between the tails are put
//     into bins of one width instead; see bins.go.
//
// Several distributions can share the bands; a limit must then hold for each.

package report

import (
	"iter"
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
	o      Options
	totals []*big.Int
	size   int // how many outcomes there are, 0 when that is not known
	// Whether the true rolls have outcomes below and above those of each.
	belowAll, aboveAll bool

	each iter.Seq2[int, []*big.Int] // repeatable; the slice holds only during its step
}

// A band is a range of outcomes with its weight in each distribution.
type band struct {
	lo, hi  int
	open    openEnd
	endless bool // whether there are outcomes beyond those that are listed
	count   int  // how many outcomes of the series it holds
	weights []*big.Int
}

// openEnd tells whether a band is a whole tail.
type openEnd uint8

const (
	closed openEnd = iota
	below          // all outcomes up to hi
	above          // all outcomes from lo on
)

// label names the band: "7", "-7..3", and for the tails of more than one outcome
// "<a" and ">b", where next is the nearest outcome that is not in the tail.
func (b band) label(next int) string {
	switch {
	case b.lo == b.hi && !b.endless:
		return strconv.Itoa(b.lo)
	case b.open == below:
		return "<" + strconv.Itoa(next)
	case b.open == above:
		return ">" + strconv.Itoa(next)
	}
	return strconv.Itoa(b.lo) + ".." + strconv.Itoa(b.hi)
}

// rollSeries returns the series of one distribution.
func rollSeries(o Options, d *dist.Dist) series {
	return series{o: o, totals: []*big.Int{d.Total()}, size: d.Len(), belowAll: d.UnboundedBelow(), aboveAll: d.UnboundedAbove(), each: func(yield func(int, []*big.Int) bool) {
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
	s := series{o: o}
	for _, d := range ds {
		s.totals = append(s.totals, d.Total())
		s.belowAll = s.belowAll || d.UnboundedBelow()
		s.aboveAll = s.aboveAll || d.UnboundedAbove()
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
	weights, none := make([]*big.Int, len(ds)), new(big.Int)
	for {
		x, ok := lowest(heads)
		if !ok {
			return
		}
		for i, h := range heads {
			weights[i] = none
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
	if s.size > 0 {
		return min(s.size, limit)
	}
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
		if !yield(band{lo: x, hi: x, count: 1, weights: append([]*big.Int(nil), weights...)}) {
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

// mostRemembered is how many weights are remembered from one pass over a series to
// the next, and mostWeightBits how long they may be.
const (
	mostRemembered = 1 << 14
	mostWeightBits = 1 << 12
)

// remembered returns s with its weights at hand, when they are few.
func (s series) remembered() series {
	k := len(s.totals)
	for _, total := range s.totals {
		if total.BitLen() > mostWeightBits {
			return s
		}
	}
	var xs []int
	var weights []*big.Int
	for x, w := range s.each {
		if len(weights)+k > mostRemembered {
			return s
		}
		xs, weights = append(xs, x), append(weights, w...)
	}
	s.each = watched(s.o, func(yield func(int, []*big.Int) bool) {
		for i, x := range xs {
			if !yield(x, weights[i*k:(i+1)*k]) {
				return
			}
		}
	})
	return s
}

// fold returns the bands of s; widen tells whether they become bins of one width
// when more than so many rows are left.
func (s series) fold(widen bool, most int) []band {
	s = s.remembered()
	bands := s.narrowBands()
	if !widen || len(bands) <= most {
		return bands
	}
	return s.bins(most)
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
	sum := make([]*big.Int, len(s.totals))
	for i := range sum {
		sum[i] = new(big.Int)
	}
	for x, weights := range s.each {
		addTo(sum, weights)
		if !allBelow(sum, limits) {
			takeFrom(sum, weights)
			return tail, x
		}
		if tail == nil {
			tail = &band{lo: x, open: below, endless: s.belowAll, weights: sum}
		}
		tail.hi = x
		tail.count++
	}
	return nil, 0
}

// highTail returns the high tail and the last outcome below it. It looks for
// the outcome from which on too little mass is left.
func (s series) highTail(limits []*big.Int) (*band, int) {
	left := copied(s.totals)
	var tail *band
	last := 0
	for x, weights := range s.each {
		switch {
		case tail != nil:
			tail.hi = x
			tail.count++
		case allBelow(left, limits):
			tail = &band{lo: x, hi: x, count: 1, open: above, endless: s.aboveAll, weights: left}
		default:
			last = x
			takeFrom(left, weights)
		}
	}
	return tail, last
}

// copied returns weights that can be changed.
func copied(weights []*big.Int) []*big.Int {
	own := make([]*big.Int, len(weights))
	for i, w := range weights {
		own[i] = new(big.Int).Set(w)
	}
	return own
}

// addTo adds the weights of an outcome to a sum.
func addTo(sum, weights []*big.Int) {
	for i, w := range weights {
		sum[i].Add(sum[i], w)
	}
}

// takeFrom takes the weights of an outcome from a sum.
func takeFrom(sum, weights []*big.Int) {
	for i, w := range weights {
		sum[i].Sub(sum[i], w)
	}
}

// narrowBands folds the tails and what is between them, before any widening.
func (s series) narrowBands() []band {
	t := s.tails()
	// Outcomes of equal chance differ in their chances of at least and at most.
	f := folder{small: s.thousandths(smallOutcome), chunk: s.thousandths(chunkMass), merges: s.o.show() == Exactly}
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
	merges       bool // whether outcomes of equal chance share a row
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
		addTo(b.weights, weights)
		if allBelow(b.weights, f.chunk) {
			b.hi = x
			b.count++
			return
		}
		takeFrom(b.weights, weights)
	}
	f.start(x, weights, chunking)
}

// addLarge merges an outcome with the one just before it when their chances
// are equal.
func (f *folder) addLarge(x int, weights []*big.Int) {
	if f.state == merging && f.merges {
		b := &f.bands[len(f.bands)-1]
		if b.hi == x-1 && allEqual(weights, f.last) {
			b.hi = x
			b.count++
			addTo(b.weights, weights)
			return
		}
	}
	f.start(x, weights, merging)
	f.last = append(f.last[:0], weights...)
}

func (f *folder) start(x int, weights []*big.Int, state folding) {
	f.bands = append(f.bands, band{lo: x, hi: x, count: 1, weights: copied(weights)})
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
