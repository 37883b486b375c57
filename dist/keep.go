package dist

import (
	"context"
	"math"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/keep"
	"dicescript/dist/upper"
)

// Keeping some of the dice of a pool, ordered by what they show. Every kind of
// keeping is a range of ranks, where rank 1 is the highest die:
//
//	highest k    1 .. k          drop the lowest k    1 .. size-k
//	lowest k     size-k+1 .. size
//
// The work is polynomial in the number of dice and of faces for all of them;
// how it is done is told in internal/keep.

// Highest returns the total of the k highest dice. Keeping none totals 0, and
// keeping more dice than there are keeps all. Cost: faces times k² times the
// width of a die times words, for equal dice.
func (p *Pool) Highest(ctx context.Context, k int) (*Dist, error) {
	if k < 0 {
		return nil, badArg("keep", "got %d, want at least 0", k)
	}
	return p.keep(ctx, 1, min(k, p.size))
}

// Lowest returns the total of the k lowest dice; see [Pool.Highest].
func (p *Pool) Lowest(ctx context.Context, k int) (*Dist, error) {
	if k < 0 {
		return nil, badArg("keep", "got %d, want at least 0", k)
	}
	return p.keep(ctx, p.size-min(k, p.size)+1, p.size)
}

// DropHighest returns the total of what is left without the k highest dice. At
// least one die, the lowest, always stays.
func (p *Pool) DropHighest(ctx context.Context, k int) (*Dist, error) {
	if k < 0 {
		return nil, badArg("drop", "got %d, want at least 0", k)
	}
	return p.keep(ctx, min(k, max(p.size-1, 0))+1, p.size)
}

// DropLowest returns the total of what is left without the k lowest dice. At
// least one die, the highest, always stays.
func (p *Pool) DropLowest(ctx context.Context, k int) (*Dist, error) {
	if k < 0 {
		return nil, badArg("drop", "got %d, want at least 0", k)
	}
	return p.keep(ctx, 1, p.size-min(k, max(p.size-1, 0)))
}

// Middle returns the total of the keep middle dice: as many are dropped from
// either end, and when that does not come out even, one more from the high end.
func (p *Pool) Middle(ctx context.Context, keep int) (*Dist, error) {
	if keep < 1 || keep > p.size {
		return nil, badArg("keep", "got %d, want 1 to %d, the number of dice", keep, p.size)
	}
	low := (p.size - keep) / 2
	return p.keep(ctx, p.size-low-keep+1, p.size-low)
}

// Ranks returns the total of the dice from rank from to rank to, where the
// highest die has rank 1: Ranks(ctx, 2, 3) is the second and the third highest.
func (p *Pool) Ranks(ctx context.Context, from, to int) (*Dist, error) {
	if from < 1 || from > p.size {
		return nil, badArg("from", "got %d, want 1 to %d, the number of dice", from, p.size)
	}
	if to < from || to > p.size {
		return nil, badArg("to", "got %d, want %d to %d", to, from, p.size)
	}
	return p.keep(ctx, from, to)
}

// keep returns the total of the dice of ranks from to to.
func (p *Pool) keep(ctx context.Context, from, to int) (*Dist, error) {
	switch {
	case to < from:
		return Constant(0), nil
	case from == 1 && to == p.size:
		return p.Total(ctx)
	case from == to:
		return p.rank(ctx, from)
	}
	if err := p.keptInRange(to - from + 1); err != nil {
		return nil, err
	}
	t := p.keptTail(from, to)
	if high, low := from-1, p.size-to; high > low {
		return p.keepOriented(ctx, low, high, true, t)
	} else {
		return p.keepOriented(ctx, high, low, false, t)
	}
}

// keptInRange makes sure that the sum of k dice stays in range.
func (p *Pool) keptInRange(k int) error {
	lo, hi := p.ends()
	_, ok1 := axis.MulInt(lo, k)
	_, ok2 := axis.MulInt(hi, k)
	if !ok1 || !ok2 {
		return errRange("keep")
	}
	return nil
}

// ends returns the lowest and the highest face of all dice.
func (p *Pool) ends() (lo, hi int) {
	lo, hi = p.groups[0].die.Min(), p.groups[0].die.Max()
	for _, g := range p.groups[1:] {
		lo, hi = min(lo, g.die.Min()), max(hi, g.die.Max())
	}
	return lo, hi
}

// keptTail is the tail of the sum of the dice of some ranks. Sorting does not
// move dice further apart than they are (the sum of |x_(i) - y_(i)| is at most
// that of |x_i - y_i|), so what the cut does to the kept dice is bounded by what
// it does to all.
func (p *Pool) keptTail(from, to int) *tail {
	t, root := &tail{}, 0.0
	cut, above, below := false, 0, 0
	// The innermost ends at which dice are cut, and the outermost true ends.
	cutHi, cutLo, hi, lo := math.MaxInt, math.MinInt, math.MinInt, math.MaxInt
	for _, g := range p.groups {
		if g.die.UnboundedAbove() {
			cutHi = min(cutHi, g.die.Max())
		} else {
			hi = max(hi, g.die.Max())
		}
		if g.die.UnboundedBelow() {
			cutLo = max(cutLo, g.die.Min())
		} else {
			lo = min(lo, g.die.Min())
		}
		if g.die.tail == nil {
			continue
		}
		cut = true
		n := float64(g.count)
		d1, d2 := g.die.moved()
		t.err = min(1, upper.Add(t.err, upper.Mul(g.die.Bound(), n)))
		t.d1 = upper.Add(t.d1, upper.Mul(d1, n))
		root = upper.Add(root, upper.Mul(upper.Sqrt(d2), n))
		if g.die.UnboundedAbove() {
			above += g.count
		}
		if g.die.UnboundedBelow() {
			below += g.count
		}
	}
	if !cut {
		return nil
	}
	t.d2 = upper.Mul(root, root)
	// Where every cut is beyond the true ends of the other dice, the kept ranks
	// have the same ends as without the cut unless one of them has none.
	t.above = above >= from || hi > cutHi
	t.below = below >= p.size-to+1 || lo < cutLo
	return t
}

// keepOriented drops the high highest and the low lowest dice, after turning
// every face into its negative when the pool is mirrored.
func (p *Pool) keepOriented(ctx context.Context, high, low int, mirrored bool, t *tail) (*Dist, error) {
	f, err := p.layFaces(ctx, mirrored)
	if err != nil {
		return nil, err
	}
	if f == nil {
		if mirrored {
			high, low = low, high
		}
		return p.keepByStates(ctx, high, low, t)
	}
	total, err := p.total(ctx)
	if err != nil {
		return nil, err
	}
	ax, w, err := f.Kept(total, high, low)
	if err != nil {
		return nil, err
	}
	return newDist(ctx, ax, w, t)
}

// layFaces returns nil when the faces are too scattered for rows of weights.
func (p *Pool) layFaces(ctx context.Context, mirrored bool) (*keep.Faces, error) {
	dice := make([]keep.Dice, len(p.groups))
	for i, g := range p.groups {
		dice[i] = keep.Dice{Count: g.count, Axis: g.die.axis, W: g.die.w, Size: g.die.size}
	}
	return keep.Lay(meterOf(ctx), dice, mirrored)
}

// A keptState is how many dice the state machine has seen and the total of
// those that are kept.
type keptState struct{ seen, sum int }

// keepByStates is for faces that are too scattered for rows of weights.
func (p *Pool) keepByStates(ctx context.Context, high, low int, t *tail) (*Dist, error) {
	step := func(s keptState, face, count int) (keptState, error) {
		kept := min(s.seen+count, p.size-high) - max(s.seen, low)
		if kept > 0 {
			s.sum += kept * face
		}
		s.seen += count
		return s, nil
	}
	finish := func(s keptState) int { return s.sum }
	return evaluateNumber(ctx, p.Multiset(), keptState{}, step, finish, t)
}

// Kept dice are still dice: how many of the three highest of 4d6 show a six is a
// question about the dice that are kept. A die of a lattice knows how many are
// above it, and so whether its rank is among the kept; see lattice.go.

// kept returns the dice or cards of rank from to rank to, where the highest has
// rank 1. No ranks at all, from above to, hold nothing.
func (m *Multiset) kept(from, to int) (*Multiset, error) {
	if from < 1 {
		return nil, badArg("from", "got %d, want at least 1", from)
	}
	if to > m.Size() {
		return nil, badArg("to", "got %d, want at most %d, the size", to, m.Size())
	}
	kept := *m
	kept.from, kept.to = m.from+from-1, m.from+to-1
	kept.to = max(kept.to, kept.from-1)
	return &kept, nil
}

// KeepHighest returns the k highest, all when there are fewer.
func (m *Multiset) KeepHighest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("high", "got %d, want at least 0", k)
	}
	return m.kept(1, min(k, m.Size()))
}

// KeepLowest returns the k lowest, all when there are fewer.
func (m *Multiset) KeepLowest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("low", "got %d, want at least 0", k)
	}
	return m.kept(m.Size()-min(k, m.Size())+1, m.Size())
}

// DropHighest returns what is left without the k highest. At least one, the
// lowest, always stays.
func (m *Multiset) DropHighest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("drop_high", "got %d, want at least 0", k)
	}
	return m.kept(min(k, max(0, m.Size()-1))+1, m.Size())
}

// DropLowest returns what is left without the k lowest. At least one, the
// highest, always stays.
func (m *Multiset) DropLowest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("drop_low", "got %d, want at least 0", k)
	}
	return m.kept(1, m.Size()-min(k, max(0, m.Size()-1)))
}
