package dist

import (
	"cmp"
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
// every arrangement of them. Sorted visits each multiset of faces once, with the weight
// of all paths through the lattice (lattice.go) that show it: for every face, from the
// lowest up, it goes through how many show it, and keeps the nodes at which those paths
// can be.

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
	visits := int64(1)
	for _, p := range pools {
		visits = upper.MulSat(visits, p.Multisets())
	}
	if err := ChargeWork(ctx, upper.MulSat(visits, work.Visit)); err != nil {
		return err
	}
	if len(pools) == 0 {
		return visit(nil, Weight{word: 1})
	}
	lists := make([]multisetList, len(pools)-1)
	for i := range lists {
		var err error
		if lists[i], err = listMultisets(ctx, pools[i+1].Multiset()); err != nil {
			return err
		}
	}
	all := make([][]int, len(pools))
	return eachMultiset(ctx, pools[0].Multiset(), func(faces []int, w Weight) error {
		all[0] = faces
		return eachOfLists(ctx, lists, w, func(faces [][]int, w Weight) error {
			copy(all[1:], faces)
			return visit(all, w)
		})
	})
}

// A multisetList holds multisets of as many dice or cards.
type multisetList struct {
	size    int // dice
	faces   []int
	weights []Weight
}

func (m *multisetList) at(i int) []int { return m.faces[i*m.size : (i+1)*m.size : (i+1)*m.size] }

// listMultisets lists all multisets of m.
func listMultisets(ctx context.Context, m *Multiset) (multisetList, error) {
	list := multisetList{size: m.Size()}
	paid := 0
	err := eachMultiset(ctx, m, func(faces []int, w Weight) error {
		if len(list.weights) == paid {
			paid += listedAtOnce
			if err := ChargeTable(ctx, listedAtOnce, int64(list.size)+2); err != nil {
				return err
			}
		}
		list.faces = append(list.faces, faces...)
		list.weights = append(list.weights, w)
		return nil
	})
	return list, err
}

// listedAtOnce is how many entries of a list are charged together.
const listedAtOnce = 1 << 6

// eachOfLists is an odometer over lists, the last of which moves fastest; w is the
// weight of what stands before them.
func eachOfLists(ctx context.Context, lists []multisetList, w Weight, visit func(faces [][]int, w Weight) error) error {
	n := len(lists)
	at, faces := make([]int, n), make([][]int, n)
	prefix := make([]Weight, n+1)
	prefix[0] = w
	tick := work.NewTicker(ctx)
	for changed := 0; ; {
		for i := changed; i < n; i++ {
			faces[i] = lists[i].at(at[i])
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
		groups[i] = dieGroup{count: g.count, weights: weights}
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

// eachMultiset visits the multisets of m, each once with its weight, in lexicographic
// order of their ascending faces. The slice of faces is used again.
//
// Cost: a step for each multiset of the lowest dice and each way in which a face can
// come next, charged as it goes.
func eachMultiset(ctx context.Context, m *Multiset, visit func(faces []int, w Weight) error) error {
	l, err := latticeOf(ctx, []*Multiset{m}, Ascending, false)
	if err != nil {
		return err
	}
	walk := &multisetWalk{ctx: ctx, visit: visit}
	p := newPart(l, []int{0}, Ascending)
	walk.labels = p.labels
	first := p.ends(p.onward)
	for {
		face, ok := p.face()
		if !ok {
			break
		}
		p.leave()
		walk.faces = append(walk.faces, face)
		walk.levels = append(walk.levels, walkLevel{p.edges, p.nodes[p.at]})
	}
	if err := walk.weighEnds(p.ends(!p.onward), len(first)); err != nil {
		return err
	}
	// A walk goes as deep as there are dice, and fewer when all faces are visited.
	depth := upper.AddSat(int64(min(m.Size(), len(walk.faces))), 2)
	if err := ChargeTable(ctx, depth, 16); err != nil {
		return err
	}
	if err := ChargeTable(ctx, 1, upper.MulSat(int64(m.Size()), 8)); err != nil {
		return err
	}
	walk.rooms, walk.shown = make([]walkRoom, depth), make([]int, 0, m.Size())
	var at []walkNode
	for u, w := range first {
		if !w.IsZero() && !walk.ends[0][u].IsZero() {
			at = append(at, walkNode{node: int32(u), ways: w})
		}
	}
	return walk.from(0, 0, m.Size(), at)
}

// A multisetWalk gives the dice or cards of a multiset their faces in ascending order,
// in all ways that differ in faces.
type multisetWalk struct {
	ctx    context.Context
	visit  func(faces []int, w Weight) error
	faces  []int // by level
	levels []walkLevel
	labels [][]int
	ends   [][]Weight // by level and node: the weight of all paths from there on
	rooms  []walkRoom // by depth
	shown  []int      // the faces so far
	steps  int64      // that are not charged
}

// A walkLevel is the edges over a face.
type walkLevel struct {
	edges *edgeList
	nodes int // to come
}

// A walkRoom is the memory of one depth of a walk.
type walkRoom struct {
	next, rest []walkNode
}

// A walkNode is a node at which paths that show the faces so far can be, with their
// weight, and how many of the multiset showed the last face.
type walkNode struct {
	node  int32
	count int
	ways  Weight
}

// weighEnds adds up the weights of all paths from each node on.
func (l *multisetWalk) weighEnds(last []Weight, first int) error {
	l.ends = make([][]Weight, len(l.levels)+1)
	l.ends[len(l.levels)] = last
	tick := work.NewTicker(l.ctx)
	for i := len(l.levels) - 1; i >= 0; i-- {
		edges, n := l.levels[i].edges, first
		if i > 0 {
			n = l.levels[i-1].nodes
		}
		if err := ChargeTable(l.ctx, int64(n), 2); err != nil {
			return err
		}
		if err := ChargeWork(l.ctx, int64(len(edges.to))*work.Visit); err != nil {
			return err
		}
		ends := make([]Weight, n)
		for u := range ends {
			for e, end := edges.of(u); e < end; e++ {
				if then := l.ends[i+1][edges.to[e]]; !then.IsZero() {
					ends[u] = ends[u].Plus(then.Times(edges.weight[e]))
					if err := tick.Tick(16 * ends[u].words()); err != nil {
						return err
					}
				}
			}
		}
		l.ends[i] = ends
	}
	return nil
}

// from goes on from a level with so many left to be placed.
func (l *multisetWalk) from(level, depth, left int, at []walkNode) error {
	if left == 0 {
		var sum Weight
		for _, x := range at {
			sum = sum.Plus(x.ways.Times(l.ends[level][x.node]))
		}
		if sum.IsZero() {
			return nil
		}
		return l.visit(l.shown, sum)
	}
	room := &l.rooms[depth]
	for ; level < len(l.levels) && len(at) > 0; level++ {
		next := l.spread(level, at, room)
		if err := l.charge(len(next)); err != nil {
			return err
		}
		for len(next) > 0 && next[0].count > 0 {
			count, n := next[0].count, 1
			for n < len(next) && next[n].count == next[0].count {
				n++
			}
			held := len(l.shown)
			for range count {
				l.shown = append(l.shown, l.faces[level])
			}
			if err := l.from(level+1, depth+1, left-count, next[:n]); err != nil {
				return err
			}
			l.shown, next = l.shown[:held], next[n:]
		}
		room.rest = append(room.rest[:0], next...)
		at = room.rest
	}
	return nil
}

// spread returns where the nodes lead over a face, those first that most show the face.
func (l *multisetWalk) spread(level int, at []walkNode, room *walkRoom) []walkNode {
	edges, ends := l.levels[level].edges, l.ends[level+1]
	next := room.next[:0]
	inOrder := true
	for _, x := range at {
		from, to := edges.of(int(x.node))
		for e := to - 1; e >= from; e-- {
			v := edges.to[e]
			if ends[v].IsZero() {
				continue
			}
			y := walkNode{v, l.labels[edges.label[e]][0], x.ways.Times(edges.weight[e])}
			if n := len(next); n > 0 && compareWalkNodes(next[n-1], y) >= 0 {
				inOrder = false
			}
			next = append(next, y)
		}
	}
	if !inOrder {
		slices.SortStableFunc(next, compareWalkNodes)
		merged := next[:1]
		for _, y := range next[1:] {
			if last := &merged[len(merged)-1]; compareWalkNodes(*last, y) == 0 {
				last.ways = last.ways.Plus(y.ways)
				continue
			}
			merged = append(merged, y)
		}
		next = merged
	}
	room.next = next
	return next
}

func compareWalkNodes(x, y walkNode) int {
	return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(x.node, y.node))
}

// walkBatch is how many steps of a walk are charged together.
const walkBatch = 1 << 12

func (l *multisetWalk) charge(n int) error {
	if l.steps += int64(n) + 1; l.steps < walkBatch {
		return nil
	}
	steps := l.steps
	l.steps = 0
	return ChargeWork(l.ctx, steps)
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
