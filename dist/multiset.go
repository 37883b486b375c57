package dist

import (
	"context"
	"slices"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/work"
)

// A multiset is several dice or cards of which only matters how many show each
// face: a pool, the kept part of one, a hand of cards. What is asked of it goes
// through its faces instead of its combinations; see lattice.go.

// A Multiset is the dice of a pool, the kept ones of them, or a hand of a deal.
// It is immutable.
//
// Two multisets of pools are independent, also when they are made of the same
// one: a value is a distribution. Hands of one [Deal] hold different cards of
// one deck, and the same hand is always the same cards.
type Multiset struct {
	pool     *Pool // or
	deal     *Deal
	hand     int // of the deal
	from, to int // the ranks that are in it, 1 the highest
}

// Multiset returns the dice of the pool.
func (p *Pool) Multiset() *Multiset { return &Multiset{pool: p, from: 1, to: p.size} }

// Size returns how many dice or cards are in it.
func (m *Multiset) Size() int { return m.to - m.from + 1 }

// Bound returns an upper bound on the chance that any die is not as
// represented. Cards have none.
func (m *Multiset) Bound() float64 {
	if m.pool == nil {
		return 0
	}
	return m.pool.Bound()
}

// Total returns the sum of all faces. Cost: that of [Pool.Ranks] for dice; for
// cards that of [EvaluateTogether] with a state for every sum.
func (m *Multiset) Total(ctx context.Context) (*Dist, error) { return m.ranks(ctx, 1, m.Size()) }

// Highest returns the sum of the k highest, of all when there are fewer; see
// [Multiset.Total].
func (m *Multiset) Highest(ctx context.Context, k int) (*Dist, error) {
	if k < 0 {
		return nil, badArg("keep", "got %d, want at least 0", k)
	}
	return m.ranks(ctx, 1, min(k, m.Size()))
}

// Lowest returns the sum of the k lowest, of all when there are fewer; see
// [Multiset.Total].
func (m *Multiset) Lowest(ctx context.Context, k int) (*Dist, error) {
	if k < 0 {
		return nil, badArg("keep", "got %d, want at least 0", k)
	}
	return m.ranks(ctx, m.Size()-min(k, m.Size())+1, m.Size())
}

// OrderStat returns the k-th highest; see [Multiset.Total].
func (m *Multiset) OrderStat(ctx context.Context, k int) (*Dist, error) {
	if k < 1 || k > m.Size() {
		return nil, badArg("k", "got %d, want 1 to %d, the size", k, m.Size())
	}
	return m.ranks(ctx, k, k)
}

// ranks returns the sum of those of rank from to rank to, where the highest has
// rank 1. No ranks add up to 0.
func (m *Multiset) ranks(ctx context.Context, from, to int) (*Dist, error) {
	if to < from {
		return Constant(0), nil
	}
	kept, err := m.kept(from, to)
	if err != nil {
		return nil, err
	}
	if m.pool != nil {
		return m.pool.keep(ctx, kept.from, kept.to)
	}
	lo, hi := m.deal.deck.ends()
	if _, ok := axis.MulInt(lo, kept.Size()); !ok {
		return nil, errRange("total")
	}
	if _, ok := axis.MulInt(hi, kept.Size()); !ok {
		return nil, errRange("total")
	}
	step := func(sum, face, count int) (int, error) { return sum + face*count, nil }
	return evaluateNumber(ctx, kept, 0, step, same, nil)
}

// Count returns how many show a face in s. Cost: that of [Pool.Count] for all
// dice of a pool; one product of two binomials for each number of cards; for
// kept dice that of [EvaluateTogether] with a state for each number.
func (m *Multiset) Count(ctx context.Context, s Set) (*Dist, error) {
	switch {
	case m.Size() == 0:
		return Constant(0), nil
	case m.pool != nil && m.Size() == m.pool.size:
		return m.pool.Count(ctx, s)
	case m.deal != nil && m.deal.biased == nil && m.Size() == m.deal.sizes[m.hand]:
		return m.deal.deck.count(ctx, s, m.Size())
	}
	step := func(n, face, count int) (int, error) {
		if s.Contains(face) {
			n += count
		}
		return n, nil
	}
	return evaluateNumber(ctx, m, 0, step, same, m.countTail(0, m.Size()))
}

// LargestSet returns how many are in the largest set of equal faces. Cost: that
// of [Pool.LargestSet] for all dice of a pool, otherwise that of
// [EvaluateTogether] with at most size states.
func (m *Multiset) LargestSet(ctx context.Context) (*Dist, error) {
	if m.whole() {
		return m.pool.LargestSet(ctx)
	}
	step := func(most, _, count int) (int, error) { return max(most, count), nil }
	return evaluateNumber(ctx, m, 0, step, same, m.countTail(min(1, m.Size()), m.Size()))
}

// Sets returns how many faces are shown by at least width; see
// [Multiset.LargestSet].
func (m *Multiset) Sets(ctx context.Context, width int) (*Dist, error) {
	if width < 1 {
		return nil, badArg("width", "got %d, want at least 1", width)
	}
	if m.whole() {
		return m.pool.Sets(ctx, width)
	}
	step := func(sets, _, count int) (int, error) {
		if count >= width {
			sets++
		}
		return sets, nil
	}
	return evaluateNumber(ctx, m, 0, step, same, m.countTail(0, m.Size()/width))
}

// Unique returns how many different faces show; see [Multiset.LargestSet].
func (m *Multiset) Unique(ctx context.Context) (*Dist, error) { return m.Sets(ctx, 1) }

// Pairs returns the number of disjoint pairs of equal faces: four of a kind are
// two pairs. See [Multiset.LargestSet].
func (m *Multiset) Pairs(ctx context.Context) (*Dist, error) {
	if m.whole() {
		return m.pool.Pairs(ctx)
	}
	step := func(pairs, _, count int) (int, error) { return pairs + count/2, nil }
	return evaluateNumber(ctx, m, 0, step, same, m.countTail(0, m.Size()/2))
}

// LongestRun returns the length of the longest straight: the most consecutive
// integers that all show; see [Multiset.LargestSet].
func (m *Multiset) LongestRun(ctx context.Context) (*Dist, error) {
	if m.whole() {
		return m.pool.LongestRun(ctx)
	}
	return evaluateNumber(ctx, m, straight{}, straight.next, straight.longest, m.countTail(min(1, m.Size()), m.Size()))
}

// multisets returns how many combinations of faces there are, or a bound on it.
func (m *Multiset) multisets() int64 {
	if m.whole() {
		return m.pool.Multisets()
	}
	return multichoose(len(m.Faces()), m.Size())
}

// whole reports whether it is all dice of a pool.
func (m *Multiset) whole() bool { return m.pool != nil && m.Size() == m.pool.size }

func (m *Multiset) countTail(lo, hi int) *tail { return boundedTail(m.Bound(), lo, hi) }

// Sorted calls visit for the faces of the multiset in ascending order, with the
// number of ways in which they come up; the total of all weights is that of the
// dice or of the deals. Each multiset is visited once, in lexicographic order.
//
// The slice of faces is used again: visit must not keep or change it. An error
// of visit ends the walk and is returned. Cost: one visit for each multiset, and
// a step for each face between.
func (m *Multiset) Sorted(ctx context.Context, visit func(faces []int, w Weight) error) error {
	return eachMultiset(ctx, m, func(faces []int, w Weight) error {
		if err := ChargeWork(ctx, work.Visit); err != nil {
			return err
		}
		return visit(faces, w)
	})
}

// Faces returns every face that a die or card of it can show, ascending.
func (m *Multiset) Faces() []int {
	if m.deal != nil {
		return slices.Clone(m.deal.deck.faces)
	}
	var faces []int
	for _, g := range m.pool.groups {
		faces = append(faces, g.die.Outcomes()...)
	}
	slices.Sort(faces)
	return slices.Compact(faces)
}
