// Package axis says which outcomes a row of weights belongs to, and finds the one
// axis that is canonical for weights: equal distributions have equal axes.
package axis

import (
	"sort"

	"dicescript/dist/internal/nat"
)

// An Axis says which outcomes a row of weights belongs to. Dice put their
// outcomes at equal distances, so most axes are a start, a step and a count;
// scattered outcomes are listed.
type Axis struct {
	Lo, Step, N int   // outcomes lo, lo+step, ..., n of them
	List        []int // or these, ascending, when not nil
}

// MaxOutcomes bounds every table, whatever the budget: beyond it indices into
// limbs would be in danger.
const MaxOutcomes = 1 << 31

// MaxStep bounds the step of an axis, so that it is an int. Outcomes that are
// further apart are listed.
const MaxStep = 1 << (nat.LimbBits - 2)

// Len returns how many outcomes there are, and At those in ascending order.
func (a Axis) Len() int {
	if a.List != nil {
		return len(a.List)
	}
	return a.N
}

func (a Axis) At(i int) int {
	if a.List != nil {
		return a.List[i]
	}
	return a.Lo + i*a.Step
}

// Last returns the highest outcome.
func (a Axis) Last() int { return a.At(a.Len() - 1) }

// Search returns the index of the first outcome that is at least x, which is
// Len when there is none.
func (a Axis) Search(x int) int {
	if a.List != nil {
		return sort.SearchInts(a.List, x)
	}
	if x <= a.Lo {
		return 0
	}
	if x > a.Last() {
		return a.N
	}
	return int((Span(a.Lo, x)-1)/uint(a.Step)) + 1
}

// Find returns the index of the outcome x.
func (a Axis) Find(x int) (int, bool) {
	i := a.Search(x)
	return i, i < a.Len() && a.At(i) == x
}

// Slice returns the outcomes with the indices from <= i < to.
func (a Axis) Slice(from, to int) Axis {
	if a.List != nil {
		return Axis{List: a.List[from:to]}
	}
	return Axis{Lo: a.Lo + from*a.Step, Step: a.Step, N: to - from}
}
