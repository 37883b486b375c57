package dist

import (
	"context"
	"math"
	"math/big"
	"slices"
)

// Keeping some of the dice of a pool, ordered by what they show. Every kind of
// keeping is a range of ranks, where rank 1 is the highest die:
//
//	highest k    1 .. k          drop the lowest k    1 .. size-k
//	lowest k     size-k+1 .. size
//
// The work is polynomial in the number of dice and of faces for all of them;
// how it is done is told in keephorner.go, keeppowers.go and keepwindow.go.

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
	return p.keep(ctx, min(k, p.size-1)+1, p.size)
}

// DropLowest returns the total of what is left without the k lowest dice. At
// least one die, the highest, always stays.
func (p *Pool) DropLowest(ctx context.Context, k int) (*Dist, error) {
	if k < 0 {
		return nil, badArg("drop", "got %d, want at least 0", k)
	}
	return p.keep(ctx, 1, p.size-min(k, p.size-1))
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
	_, ok1 := mulInt(lo, k)
	_, ok2 := mulInt(hi, k)
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
		t.err = min(1, addUp(t.err, mulUp(g.die.ErrorBound(), n)))
		t.d1 = addUp(t.d1, mulUp(d1, n))
		root = addUp(root, mulUp(sqrtUp(d2), n))
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
	t.d2 = mulUp(root, root)
	// Where every cut is beyond the true ends of the other dice, the kept ranks
	// have the same ends as without the cut unless one of them has none.
	t.above = above >= from || hi > cutHi
	t.below = below >= p.size-to+1 || lo < cutLo
	return t
}

// keepOriented drops the high highest and the low lowest dice, after turning
// every face into its negative when the pool is mirrored.
func (p *Pool) keepOriented(ctx context.Context, high, low int, mirrored bool, t *tail) (*Dist, error) {
	f, err := newKeepFaces(ctx, p, mirrored)
	if err != nil {
		return nil, err
	}
	if f == nil {
		if mirrored {
			high, low = low, high
		}
		return p.keepByStates(ctx, high, low, t)
	}
	k := p.size - high - low
	var w vec
	switch {
	case high > 0 && len(f.groups) > 1:
		w, err = f.window(ctx, high, low)
	case high > 0, len(f.groups) == 1 && f.powersWork(0, k) < f.hornerWork(k):
		w, err = f.powers(ctx, high, k)
	default:
		w, err = f.horner(ctx, k)
	}
	if err != nil {
		return nil, err
	}
	if mirrored {
		tick := newTicker(ctx)
		if w, err = w.reversed(&tick); err != nil {
			return nil, err
		}
	}
	return newDist(ctx, axis{lo: k * f.lo, step: f.step, n: w.len()}, w, t)
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
	return evaluateDist(ctx, p, keptState{}, step, finish, t)
}

// A keepFaces lays the faces of all dice of a pool out at equal distances.
// Place i stands for the face lo + step*i or, when mirrored, for the i-th face
// from the other end.
type keepFaces struct {
	lo, step int
	places   int
	faces    []int       // the places that some die can show, ascending
	groups   []keepGroup // those of most dice first
	words    int         // of the weight of the whole pool
}

// A keepGroup is a number of equal dice on common places.
type keepGroup struct {
	count   int
	w       vec      // by place
	changes []change // the differences of neighbouring weights
	size    int      // places of positive weight
}

// A change is the difference between a weight and that one place below.
type change struct {
	place    int
	by       []limb
	negative bool
}

// newKeepFaces returns nil when the faces are too scattered.
func newKeepFaces(ctx context.Context, p *Pool, mirrored bool) (*keepFaces, error) {
	lo, hi := p.ends()
	step, size, words := p.commonStep(lo), 0, int64(1)
	for _, g := range p.groups {
		size += g.die.size
		words = addSat(words, int64(g.die.w.words+termCells)) // with the differences
	}
	wide := span(lo, hi) / step
	if wide >= 16*uint(size)+256 || wide >= maxOutcomes {
		return nil, nil
	}
	f := &keepFaces{lo: lo, step: int(step), places: int(wide) + 1}
	if err := chargeRoom(ctx, mulSat(int64(f.places), words), 1); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, mulSat(int64(f.places), words)); err != nil {
		return nil, err
	}
	total, err := p.total(ctx)
	if err != nil {
		return nil, err
	}
	f.words = wordsFor(total)
	shown := make([]bool, f.places)
	for _, g := range p.groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k := keepGroup{count: g.count, w: newVec(f.places, g.die.w.words), size: g.die.size}
		for i, n := 0, g.die.axis.len(); i < n; i++ {
			x := g.die.w.at(i)
			if isZero(x) {
				continue
			}
			place := int(span(lo, g.die.axis.at(i)) / step)
			if mirrored {
				place = f.places - 1 - place
			}
			shown[place] = true
			copy(k.w.at(place), x)
		}
		k.findChanges()
		f.groups = append(f.groups, k)
	}
	slices.SortStableFunc(f.groups, func(a, b keepGroup) int { return b.count - a.count })
	for i, s := range shown {
		if s {
			f.faces = append(f.faces, i)
		}
	}
	return f, nil
}

// commonStep is the greatest common divisor of the distances of all faces from
// lo.
func (p *Pool) commonStep(lo int) uint {
	step := uint(0)
	for _, g := range p.groups {
		ax := g.die.axis
		step = gcdUint(step, span(lo, ax.at(0)))
		if ax.list == nil {
			if ax.n > 1 {
				step = gcdUint(step, uint(ax.step))
			}
			continue
		}
		for _, x := range ax.list {
			step = gcdUint(step, span(lo, x))
		}
	}
	return max(1, step)
}

func (g *keepGroup) findChanges() {
	difference := new(big.Int)
	for i := 1; i < g.w.len(); i++ {
		if cmpLimbs(g.w.at(i), g.w.at(i-1)) == 0 {
			continue
		}
		difference.Sub(view(trim(g.w.at(i))), view(trim(g.w.at(i-1))))
		g.changes = append(g.changes, change{
			place:    i,
			by:       append([]limb(nil), difference.Bits()...),
			negative: difference.Sign() < 0,
		})
	}
}

// below returns the weights of showing at most a place, for every group.
type below struct {
	sums []*big.Int
	upto int
}

func newBelow(f *keepFaces) *below {
	b := &below{}
	for range f.groups {
		b.sums = append(b.sums, new(big.Int))
	}
	return b
}

// advance moves on to the weights of showing at most place.
func (b *below) advance(f *keepFaces, place int) {
	for ; b.upto <= place; b.upto++ {
		for i := range f.groups {
			if w := trim(f.groups[i].w.at(b.upto)); len(w) > 0 {
				b.sums[i].Add(b.sums[i], view(w))
			}
		}
	}
}
