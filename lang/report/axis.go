// The axis of a chart of rolls: which outcomes are drawn, and in what bins.
// Charts are pictures; they use floats and leave out tails that could not be
// seen. The tables beside them are exact.

package report

import (
	"math"
	"math/big"

	"dicescript/dist"
	"dicescript/lang/internal/numeral"
)

const (
	mostBins   = 160    // bars that a chart can show side by side
	unseenTail = 0.0005 // chance at either end that is not drawn when bins are scarce
)

// A plot is one or several rolls in bins over a shared range of outcomes.
type plot struct {
	lo, hi float64     // first and last outcome drawn
	size   float64     // outcomes in a bin
	bins   [][]float64 // bins[k][i] is the chance of bin i in roll k
	from   [][]float64 // from[k][i] is the chance of bin i or anything above
	cut    bool        // whether tails are left out

	rolls   []*dist.Dist
	weights [][]big.Int // of the bins of each roll
	below   []*big.Int  // what is left out below them

	printed []func(i int) string // the chance of bin i of each roll, as a table prints it
}

// cumulate makes the bins of p hold what is shown of them: the chances of at least or
// at most each.
func (p *plot) cumulate(w Show) {
	if w != AtLeast && w != AtMost {
		return
	}
	for k, d := range p.rolls {
		c := newClimb(d.Total())
		levels := make([]numeral.Quotient, len(p.bins[k]))
		c.next(p.below[k])
		for i := range levels {
			levels[i] = w.shown(c.next(&p.weights[k][i]))[0]
			p.bins[k][i] = levels[i].Float()
		}
		p.printed[k] = func(i int) string { return numeral.CertainPercent(levels[i], d.Bound()) }
	}
}

// newPlot puts rolls into bins. It returns nil when there is nothing to draw.
func newPlot(o Options, ds []*dist.Dist) *plot {
	if len(ds) == 0 {
		return nil
	}
	p := &plot{lo: math.Inf(1), hi: math.Inf(-1)}
	for _, d := range ds {
		lo, hi := seenRange(o, d)
		p.lo, p.hi = min(p.lo, lo), max(p.hi, hi)
	}
	for _, d := range ds {
		p.cut = p.cut || float64(d.Min()) < p.lo || float64(d.Max()) > p.hi
	}
	p.size = niceStep((p.hi - p.lo + 1) / mostBins)
	p.lo = math.Floor(p.lo/p.size) * p.size
	for _, d := range ds {
		p.addRoll(o, d)
	}
	return p
}

// seenRange returns the outcomes of d that are worth drawing.
func seenRange(o Options, d *dist.Dist) (lo, hi float64) {
	lo, hi = float64(d.Min()), float64(d.Max())
	if hi-lo < mostRows {
		return lo, hi
	}
	sum, found := 0.0, false
	for x, p := range floats(o, d) {
		if !found && sum+p >= unseenTail {
			lo, found = float64(x), true
		}
		if 1-sum >= unseenTail {
			hi = float64(x)
		}
		sum += p
	}
	return lo, hi
}

// share is a weight as a part of a total.
func share(weight, total *big.Int) float64 {
	p, _ := new(big.Float).Quo(new(big.Float).SetInt(weight), new(big.Float).SetInt(total)).Float64()
	return p
}

// floats yields the outcomes of d with their chances.
func floats(o Options, d *dist.Dist) func(yield func(int, float64) bool) {
	return func(yield func(int, float64) bool) {
		total := d.Total()
		for x, w := range watched(o, d.All()) {
			if !yield(x, share(w, total)) {
				return
			}
		}
	}
}

func (p *plot) addRoll(o Options, d *dist.Dist) {
	n := int((p.hi-p.lo)/p.size) + 1
	bins, from := make([]float64, n), make([]float64, n)
	weights := make([]big.Int, n)
	beyond, below := new(big.Int), new(big.Int)
	for x, weight := range watched(o, d.All()) {
		at := math.Floor((float64(x) - p.lo) / p.size)
		switch {
		case at < 0:
			below.Add(below, weight)
		case at >= float64(n):
			beyond.Add(beyond, weight)
		default:
			weights[int(at)].Add(&weights[int(at)], weight)
		}
	}
	total := d.Total()
	p.printed = append(p.printed, func(i int) string {
		return numeral.CertainPercent(numeral.Over(&weights[i], total), d.Bound())
	})
	for i := n - 1; i >= 0; i-- {
		bins[i] = share(&weights[i], total)
		from[i] = share(beyond.Add(beyond, &weights[i]), total)
	}
	p.bins, p.from = append(p.bins, bins), append(p.from, from)
	p.rolls, p.weights, p.below = append(p.rolls, d), append(p.weights, weights), append(p.below, below)
}

// most returns the largest chance of a bin.
func (p *plot) most() float64 {
	most := 0.0
	for _, bins := range p.bins {
		for _, chance := range bins {
			most = max(most, chance)
		}
	}
	return most
}

// niceStep returns the least 1, 2 or 5 times a power of ten, and at least 1,
// that is not below x.
func niceStep(x float64) float64 {
	if !(x > 1) {
		return 1
	}
	return niceAbove(x)
}

// topOf returns where an axis of chances ends whose largest one is most: little
// above it, at a number that reads well, and its half too.
func topOf(most float64) float64 {
	if !(most > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, m := range []float64{1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8} {
		if m*power >= most*(1-1e-12) {
			return m * power
		}
	}
	return 10 * power
}

// niceAbove returns the least 1, 2 or 5 times a power of ten that is not below
// x, for x above 0.
func niceAbove(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x {
			return m * power
		}
	}
	return 10 * power
}
