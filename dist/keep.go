package dist

import (
	"context"
	"math"
	"math/big"
	"slices"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// Keeping some of the dice of a pool, ordered by what they show. Every kind of
// keeping is a range of ranks, where rank 1 is the highest die:
//
//	highest k    1 .. k          drop the lowest k    1 .. size-k
//	lowest k     size-k+1 .. size
//
// The work is polynomial in the number of dice and of faces for all of them;
// how it is done is told in keephorner.go, keepfair.go, keeppowers.go,
// keepmiddle.go and keepwindow.go.

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
	var w nat.Vec
	switch {
	case high > 0 && len(f.groups) > 1:
		w, err = f.window(ctx, high, low)
	case high > 0 && f.middleApplies(k) && f.middleWork(high, k) < f.powersWork(high, k):
		w, err = f.middle(ctx, high, low)
	case high == 0 && f.fairApplies() && f.fairWork(k) < f.hornerWork(k):
		w, err = f.fair(ctx, k)
	case high > 0, len(f.groups) == 1 && f.powersWork(0, k) < f.hornerWork(k):
		w, err = f.powers(ctx, high, k)
	default:
		w, err = f.horner(ctx, k)
	}
	if err != nil {
		return nil, err
	}
	if nat.Checking {
		nat.InsistMass(w, f.total, "kept dice")
	}
	if mirrored {
		tick := nat.NewTicker(ctx)
		if w, err = w.Reversed(&tick); err != nil {
			return nil, err
		}
	}
	return newDist(ctx, axis.Axis{Lo: k * f.lo, Step: f.step, N: w.Len()}, w, t)
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
	total    *big.Int    // the weight of the whole pool
	words    int         // of it
}

// A keepGroup is a number of equal dice on common places.
type keepGroup struct {
	count   int
	w       nat.Vec      // by place
	changes []nat.Change // the differences of neighbouring weights
	size    int          // places of positive weight
}

// newKeepFaces returns nil when the faces are too scattered.
func newKeepFaces(ctx context.Context, p *Pool, mirrored bool) (*keepFaces, error) {
	lo, hi := p.ends()
	step, size, words := p.commonStep(lo), 0, int64(1)
	for _, g := range p.groups {
		size += g.die.size
		words = upper.AddSat(words, int64(g.die.w.Words+nat.TermCells)) // with the differences
	}
	wide := axis.Span(lo, hi) / step
	if wide >= 16*uint(size)+256 || wide >= axis.MaxOutcomes {
		return nil, nil
	}
	f := &keepFaces{lo: lo, step: int(step), places: int(wide) + 1}
	if err := chargeRoom(ctx, upper.MulSat(int64(f.places), words), 1); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(f.places), words)); err != nil {
		return nil, err
	}
	total, err := p.total(ctx)
	if err != nil {
		return nil, err
	}
	f.total, f.words = total, nat.WordsFor(total)
	shown := make([]bool, f.places)
	for _, g := range p.groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k := keepGroup{count: g.count, w: nat.NewVec(f.places, g.die.w.Words), size: g.die.size}
		for i, n := 0, g.die.axis.Len(); i < n; i++ {
			x := g.die.w.At(i)
			if nat.IsZero(x) {
				continue
			}
			place := int(axis.Span(lo, g.die.axis.At(i)) / step)
			if mirrored {
				place = f.places - 1 - place
			}
			shown[place] = true
			copy(k.w.At(place), x)
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
		step = nat.GCD(step, axis.Span(lo, ax.At(0)))
		if ax.List == nil {
			if ax.N > 1 {
				step = nat.GCD(step, uint(ax.Step))
			}
			continue
		}
		for _, x := range ax.List {
			step = nat.GCD(step, axis.Span(lo, x))
		}
	}
	return max(1, step)
}

func (g *keepGroup) findChanges() {
	difference := new(big.Int)
	for i := 1; i < g.w.Len(); i++ {
		if nat.Cmp(g.w.At(i), g.w.At(i-1)) == 0 {
			continue
		}
		difference.Sub(nat.View(nat.Trim(g.w.At(i))), nat.View(nat.Trim(g.w.At(i-1))))
		g.changes = append(g.changes, nat.Change{
			Place:    i,
			By:       append([]nat.Limb(nil), difference.Bits()...),
			Negative: difference.Sign() < 0,
		})
	}
}

// above returns the multiplier for the faces of g above place t.
func (g *keepGroup) above(t int) nat.Multiplier { return g.between(t, g.w.Len()) }

// between returns the multiplier for the faces of g above place t and below
// place u.
func (g *keepGroup) between(t, u int) nat.Multiplier {
	var m nat.Multiplier
	faces := 0
	for i := t + 1; i < u; i++ {
		if !nat.IsZero(g.w.At(i)) {
			if faces == 0 {
				m.Lowest = i - t
			}
			m.Length = i - t
			faces++
		}
	}
	if faces == 0 {
		return m
	}
	m.Prefix = true
	m.Terms = g.differences(t, u)
	if len(m.Terms) == 2 && len(nat.Trim(m.Terms[0].By)) == 1 && m.Terms[0].By[0] == 1 {
		m.Run = faces
		return m
	}
	if len(m.Terms)+1 < faces {
		return m
	}
	m.Prefix, m.Terms = false, nil
	for i := t + m.Lowest; i <= t+m.Length; i++ {
		if !nat.IsZero(g.w.At(i)) {
			m.Terms = append(m.Terms, nat.Change{Place: i - t, By: g.w.At(i)})
		}
	}
	return m
}

// differences returns the differences of neighbouring weights when those
// outside of t+1 to u-1 count as zero. Places count from t.
func (g *keepGroup) differences(t, u int) []nat.Change {
	terms := make([]nat.Change, 0, 4)
	if !nat.IsZero(g.w.At(t + 1)) {
		terms = append(terms, nat.Change{Place: 1, By: g.w.At(t + 1)})
	}
	for _, c := range g.changes {
		if c.Place > t+1 && c.Place < u {
			terms = append(terms, nat.Change{Place: c.Place - t, By: c.By, Negative: c.Negative})
		}
	}
	if !nat.IsZero(g.w.At(u - 1)) {
		terms = append(terms, nat.Change{Place: u - t, By: g.w.At(u - 1), Negative: true})
	}
	return terms
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
			if w := nat.Trim(f.groups[i].w.At(b.upto)); len(w) > 0 {
				b.sums[i].Add(b.sums[i], nat.View(w))
			}
		}
	}
}
