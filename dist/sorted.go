package dist

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A rule that does not care which die shows what sees the same sorted faces for
// every arrangement of them. Sorted visits each multiset of faces once. The
// dice get their faces in ascending order, and for every group of alike dice it is
// remembered how many have theirs already: one more of a group with m left can
// get a face of weight w in m w ways. A run of c equal faces is counted once for
// each of its c! orders, so the c-th die of a run divides by c.

// Sorted calls visit once for every combination of multisets, one of each pool.
// faces[i] are the faces of pools[i], ascending, and w is in how many ways the
// combination comes up; all weights add up to the product of the totals of all
// dice, and the chance of a result is certain to within the sum of their error
// bounds. The multisets come in lexicographic order, the last pool moving
// fastest.
//
// The slices of faces are used again: visit must not keep or change them. An
// error of visit ends the walk and is returned.
//
// Cost: the number of combinations of multisets, of which there are
// C(n+s-1, n) for n dice of s faces, instead of s^n tuples. It is charged
// before the first visit.
func Sorted(ctx context.Context, pools []*Pool, visit func(faces [][]int, w Weight) error) error {
	visits, rest := int64(1), int64(0)
	for i, p := range pools {
		n := p.Multisets()
		visits = upper.MulSat(visits, n)
		if i > 0 {
			rest = upper.AddSat(rest, upper.MulSat(n, upper.AddSat(int64(p.size), 2)))
		}
	}
	if err := ChargeWork(ctx, upper.MulSat(visits, work.Visit)); err != nil {
		return err
	}
	if err := ChargeTable(ctx, rest, 1); err != nil {
		return err
	}
	if len(pools) == 0 {
		return visit(nil, Weight{word: 1})
	}
	lists := make([]multisetList, len(pools)-1)
	for i := range lists {
		var err error
		if lists[i], err = listMultisets(ctx, pools[i+1]); err != nil {
			return err
		}
	}
	faces := make([][]int, len(pools))
	l, err := newMultisetWalk(ctx, pools[0])
	if err != nil {
		return err
	}
	for l.next() {
		faces[0] = l.faces
		if err := eachOfLists(ctx, lists, faces, l.weight(), visit); err != nil {
			return err
		}
	}
	return l.err
}

// A multisetList holds all multisets of a pool.
type multisetList struct {
	size    int // dice
	faces   []int
	weights []Weight
}

func (m multisetList) at(i int) []int { return m.faces[i*m.size : (i+1)*m.size : (i+1)*m.size] }

func listMultisets(ctx context.Context, p *Pool) (multisetList, error) {
	m := multisetList{size: p.size}
	l, err := newMultisetWalk(ctx, p)
	if err != nil {
		return m, err
	}
	for l.next() {
		m.faces = append(m.faces, l.faces...)
		m.weights = append(m.weights, l.weight())
	}
	return m, l.err
}

// eachOfLists is an odometer over the lists, below a multiset of the first pool.
func eachOfLists(ctx context.Context, lists []multisetList, faces [][]int, first Weight, visit func([][]int, Weight) error) error {
	n := len(lists)
	at := make([]int, n)
	prefix := make([]Weight, n+1)
	prefix[0] = first
	tick := work.NewTicker(ctx)
	for changed := 0; ; {
		for i := changed; i < n; i++ {
			faces[i+1] = lists[i].at(at[i])
			prefix[i+1] = prefix[i].Times(lists[i].weights[at[i]])
		}
		if err := tick.Tick(work.TickEvery >> 10); err != nil {
			return err
		}
		if err := visit(faces, prefix[n]); err != nil {
			return err
		}
		changed = n - 1
		for changed >= 0 && at[changed] == len(lists[changed].weights)-1 {
			at[changed] = 0
			changed--
		}
		if changed < 0 {
			return nil
		}
		at[changed]++
	}
}

// A dieGroup is so many alike dice of a pool.
type dieGroup struct {
	count   int
	weights []Weight // by position in the faces of the whole pool
	highest int      // the position of its highest face
	stride  int      // what one die of it adds to the number of a state
}

// dieGroups takes a pool apart and returns the faces of all its dice, ascending.
func dieGroups(ctx context.Context, p *Pool) (faces []int, groups []dieGroup, err error) {
	for _, g := range p.groups {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		faces = append(faces, g.die.Outcomes()...)
	}
	tick := work.NewTicker(ctx)
	slices.Sort(faces)
	faces = slices.Compact(faces)
	groups = make([]dieGroup, len(p.groups))
	for i, g := range p.groups {
		weights := make([]Weight, len(faces))
		for k, x := range faces {
			if err := tick.Tick(16); err != nil {
				return nil, nil, err
			}
			if at, ok := g.die.axis.Find(x); ok {
				weights[k] = weightOfLimbs(g.die.w.At(at))
			}
		}
		highest, _ := slices.BinarySearch(faces, g.die.Max())
		groups[i] = dieGroup{count: g.count, weights: weights, highest: highest}
	}
	return faces, groups, nil
}

// Multisets returns how many multisets of faces a pool has, or a bound on it
// when its dice differ: there are no more than of as many dice with all the
// faces, and no more than of the groups on their own. What does not fit is the
// largest integer.
func (p *Pool) Multisets() int64 {
	apart, faces := int64(1), int64(0)
	for _, g := range p.groups {
		apart = upper.MulSat(apart, multichoose(g.die.size, g.count))
		faces += int64(g.die.size)
	}
	return min(apart, multichoose(int(faces), p.size))
}

// multichoose is how many multisets of k there are of n faces, C(n+k-1, k), or
// the largest integer when there are more.
func multichoose(n, k int) int64 { return binomialSat(n+k-1, k) }

// binomialSat is C(n, k), or the largest integer when that is larger.
func binomialSat(n, k int) int64 {
	k = min(k, n-k)
	c := uint64(1)
	for i := 1; i <= k; i++ {
		hi, lo := bits.Mul64(c, uint64(n-k+i))
		if hi >= uint64(i) {
			return math.MaxInt64
		}
		if c, _ = bits.Div64(hi, lo, uint64(i)); c > math.MaxInt64 {
			return math.MaxInt64
		}
	}
	return int64(c)
}

// A multisetWalk gives the dice of a pool their faces in ascending order, in
// all ways that differ in faces.
type multisetWalk struct {
	ctx    context.Context
	all    []int // every face that a die of the pool can show
	groups []dieGroup
	faces  []int         // of the dice so far
	at     []int         // their positions in all
	run    []int         // how many faces, up to here, are equal to this one
	levels [][]walkState // levels[p]: by what dice p of them can be, and in how many ways
	where  []int         // scratch: the place of a state in the level being made, plus 1
	work   int
	begun  bool
	err    error
}

// A walkState says how many dice of each group have a face, as a number in
// mixed radix, and in how many ways.
type walkState struct {
	number int
	ways   Weight
}

func newMultisetWalk(ctx context.Context, p *Pool) (*multisetWalk, error) {
	states, faces := int64(1), int64(0)
	for _, g := range p.groups {
		states = upper.MulSat(states, upper.AddSat(int64(g.count), 1))
		faces += int64(g.die.size)
	}
	if states > maxDie {
		return nil, &LimitError{Resource: OutcomesResource, Need: states, Limit: maxDie}
	}
	// A level for each die, and the ways to each state.
	if err := ChargeTable(ctx, states, 8); err != nil {
		return nil, err
	}
	if err := ChargeTable(ctx, 1, upper.MulSat(int64(p.size), 8)); err != nil {
		return nil, err
	}
	if err := ChargeTable(ctx, faces, 3*int64(len(p.groups)+1)); err != nil {
		return nil, err
	}
	all, groups, err := dieGroups(ctx, p)
	if err != nil {
		return nil, err
	}
	stride := 1
	for g := range groups {
		groups[g].stride = stride
		stride *= groups[g].count + 1
	}
	n := p.size
	l := &multisetWalk{
		ctx: ctx, all: all, groups: groups,
		faces: make([]int, n), at: make([]int, n), run: make([]int, n),
		levels: make([][]walkState, n+1), where: make([]int, states),
	}
	l.levels[0] = []walkState{{0, Weight{word: 1}}}
	return l, nil
}

// weight is in how many ways the faces come up.
func (l *multisetWalk) weight() Weight { return l.levels[len(l.faces)][0].ways }

// next moves on to the next multiset. It returns false after the last one and
// when the budget or the context ends, which is in err.
func (l *multisetWalk) next() bool {
	n := len(l.faces)
	if n == 0 {
		first := !l.begun
		l.begun = true
		return first
	}
	p, face := 0, 0
	if l.begun {
		p, face = n-1, l.at[n-1]+1
	}
	l.begun = true
	for p < n {
		for ; face < len(l.all) && !l.place(p, face); face++ {
		}
		if l.err != nil {
			return false
		}
		if face < len(l.all) {
			p++
			continue // with the same face
		}
		if p--; p < 0 {
			return false
		}
		face = l.at[p] + 1
	}
	return true
}

// place gives die p the given face and reports whether that can be, with the dice that are left able to show no lower face.
func (l *multisetWalk) place(p, face int) bool {
	run := 1
	if p > 0 && l.at[p-1] == face {
		run = l.run[p-1] + 1
	}
	from, to := l.levels[p], l.levels[p+1][:0]
	if !l.charge(len(from) * len(l.groups)) {
		return false
	}
	for _, s := range from {
		for g := range l.groups {
			group := &l.groups[g]
			left := group.count - s.number/group.stride%(group.count+1)
			w := group.weights[face]
			if left == 0 || w.IsZero() {
				continue
			}
			number := s.number + group.stride
			ways := s.ways.Times(w).Times(Weight{word: nat.Limb(left)})
			if i := l.where[number]; i > 0 {
				to[i-1].ways = to[i-1].ways.Plus(ways)
				continue
			}
			if l.canEnd(number, face) {
				to = append(to, walkState{number, ways})
				l.where[number] = len(to)
			}
		}
	}
	for i := range to {
		l.where[to[i].number] = 0
		to[i].ways = to[i].ways.over(nat.Limb(run))
	}
	l.levels[p+1] = to
	l.at[p], l.faces[p], l.run[p] = face, l.all[face], run
	return len(to) > 0
}

// canEnd reports whether every die that is left can show the face or a higher
// one.
func (l *multisetWalk) canEnd(number, face int) bool {
	for _, g := range l.groups {
		if g.highest < face && number/g.stride%(g.count+1) < g.count {
			return false
		}
	}
	return true
}

// walkBatch is how many steps of a multisetWalk are charged together.
const walkBatch = 1 << 12

func (l *multisetWalk) charge(n int) bool {
	if l.err != nil {
		return false
	}
	if l.work += n; l.work >= walkBatch {
		l.err = ChargeWork(l.ctx, int64(l.work))
		l.work = 0
	}
	return l.err == nil
}

// over divides a weight by a word that divides it.
func (w Weight) over(c nat.Limb) Weight {
	if c == 1 {
		return w
	}
	if w.wide == nil {
		return Weight{word: w.word / c}
	}
	return weightOf(new(big.Int).Quo(w.wide, new(big.Int).SetUint64(uint64(c))))
}
