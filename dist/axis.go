package dist

import (
	"math"
	"sort"

	"dicescript/dist/internal/nat"
)

// An axis says which outcomes a row of weights belongs to. Dice put their
// outcomes at equal distances, so most axes are a start, a step and a count;
// scattered outcomes are listed.
type axis struct {
	lo, step, n int   // outcomes lo, lo+step, ..., n of them
	list        []int // or these, ascending, when not nil
}

// maxOutcomes bounds every table, whatever the budget: beyond it indices into
// limbs would be in danger.
const maxOutcomes = 1 << 31

// maxStep bounds the step of an axis, so that it is an int. Outcomes that are
// further apart are listed.
const maxStep = 1 << (nat.LimbBits - 2)

func (a axis) len() int {
	if a.list != nil {
		return len(a.list)
	}
	return a.n
}

func (a axis) at(i int) int {
	if a.list != nil {
		return a.list[i]
	}
	return a.lo + i*a.step
}

func (a axis) last() int { return a.at(a.len() - 1) }

// search returns the index of the first outcome that is at least x, which is
// len when there is none.
func (a axis) search(x int) int {
	if a.list != nil {
		return sort.SearchInts(a.list, x)
	}
	if x <= a.lo {
		return 0
	}
	if x > a.last() {
		return a.n
	}
	return int((span(a.lo, x)-1)/uint(a.step)) + 1
}

// find returns the index of the outcome x.
func (a axis) find(x int) (int, bool) {
	i := a.search(x)
	return i, i < a.len() && a.at(i) == x
}

// slice returns the outcomes with the indices from <= i < to.
func (a axis) slice(from, to int) axis {
	if a.list != nil {
		return axis{list: a.list[from:to]}
	}
	return axis{lo: a.lo + from*a.step, step: a.step, n: to - from}
}

// span is the distance between two outcomes lo <= hi, which may exceed an int.
func span(lo, hi int) uint { return uint(hi) - uint(lo) }

// addInt, subInt and mulInt are checked arithmetic on outcomes.
func addInt(a, b int) (int, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func subInt(a, b int) (int, bool) {
	s := a - b
	return s, (s < a) == (b > 0)
}

func mulInt(a, b int) (int, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	p := a * b
	if p/b != a || (a == -1 && b == math.MinInt) || (b == -1 && a == math.MinInt) {
		return 0, false
	}
	return p, true
}
