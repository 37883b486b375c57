// Package keep computes the total of the dice of some ranks of a pool: of all but
// the high highest and the low lowest.
//
// All ways of doing it rest on the lowest kept face, the threshold, or on the pair of
// the lowest and the highest: given those, the dice that are kept above, between and
// below are independent, and a generating function counts their total (conditioning
// on order statistics; David and Nagaraja, "Order Statistics", 2.2). They differ in
// the order in which thresholds and numbers of dice are gone through, and each is the
// fastest for some pools: one end of a pool by Horner's rule (horner.go), of fair dice
// over all thresholds at once (fair.go), of few kept dice with many faces by powers
// (powers.go), the middle of equal dice (middle.go), of different ones (window.go).
//
// The work is polynomial in the numbers of dice and of faces.
package keep

import (
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
)

// Kept returns the weights of the total of the dice without the high highest and the
// low lowest, in the order in which they are laid out. At least two must be left, and
// some dropped. total is the weight of all that the dice can show.
func (f *Faces) Kept(total *big.Int, high, low int) (axis.Axis, nat.Vec, error) {
	f = f.weighed(total)
	w, err := f.run(f.fastest(high, low), high, low)
	if err != nil {
		return axis.Axis{}, nat.Vec{}, err
	}
	if nat.Checking {
		nat.InsistMass(w, f.total, "kept dice")
	}
	if f.mirrored {
		tick := work.NewTicker(f.meter)
		if w, err = w.Reversed(&tick); err != nil {
			return axis.Axis{}, nat.Vec{}, err
		}
	}
	return f.axisOf(f.dice()-high-low, w), w, nil
}

func (f *Faces) weighed(total *big.Int) *Faces {
	weighed := *f
	weighed.total, weighed.words = total, nat.WordsFor(total)
	return &weighed
}

// axisOf is the axis of the total of k dice.
func (f *Faces) axisOf(k int, w nat.Vec) axis.Axis {
	return axis.Axis{Lo: k * f.lo, Step: f.step, N: w.Len()}
}

// A way is how the total is worked out.
type way string

const (
	byHorner way = "horner"
	byFair   way = "fair"
	byPowers way = "powers"
	byMiddle way = "middle"
	byWindow way = "window"
)

// fastest chooses the way with the least work.
func (f *Faces) fastest(high, low int) way {
	k := f.dice() - high - low
	switch {
	case high > 0 && len(f.groups) > 1:
		return byWindow
	case high > 0 && f.middleApplies(k) && f.middleWork(high, k) < f.powersWork(high, k):
		return byMiddle
	case high == 0 && f.fairApplies() && f.fairWork(k) < f.hornerWork(k):
		return byFair
	case high > 0, len(f.groups) == 1 && f.powersWork(0, k) < f.hornerWork(k):
		return byPowers
	}
	return byHorner
}

func (f *Faces) run(by way, high, low int) (nat.Vec, error) {
	k := f.dice() - high - low
	switch by {
	case byWindow:
		return f.window(high, low)
	case byMiddle:
		return f.middle(high, low)
	case byFair:
		return f.fair(k)
	case byPowers:
		return f.powers(high, k)
	}
	return f.horner(k)
}

// Each calls visit with the result of every way that applies and is wanted. It is for
// tests, in which all must agree; the faces must not be mirrored.
func (f *Faces) Each(total *big.Int, high, low int, want func(way string) bool, visit func(way string, ax axis.Axis, w nat.Vec)) error {
	f = f.weighed(total)
	k := f.dice() - high - low
	for _, c := range []struct {
		by      way
		applies bool
	}{
		{byHorner, high == 0},
		{byFair, high == 0 && f.fairApplies()},
		{byPowers, len(f.groups) == 1},
		{byMiddle, f.middleApplies(k)},
		{byWindow, k >= 2},
	} {
		if !c.applies || !want(string(c.by)) {
			continue
		}
		w, err := f.run(c.by, high, low)
		if err != nil {
			return err
		}
		visit(string(c.by), f.axisOf(k, w), w)
	}
	return nil
}
