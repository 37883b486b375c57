package dist

import (
	"context"
	"slices"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A rule about sorted dice often sees little of them: the best two, or how many
// show a six. All multisets that agree in what it sees are then one to it. They
// form a class, whose weight is the sum of theirs: of 2002 multisets of 5d10 there
// are 55 classes for a rule about the best two. The classes of equal dice are
// found face by face, as in [Evaluate], without a look at every multiset.

// A View says what a rule sees of the faces of a pool, sorted ascending.
type View struct {
	Places []int // the faces at these places: 0 is the lowest, -1 the highest; those beyond the dice are not there
	Sum    bool  // the sum of all faces
	Counts []Set // how many faces are in each of these sets
	All    bool  // every face
}

// maxSights is how many numbers a view may consist of. One that sees more sees
// everything.
const maxSights = 8

// A sight is what a view shows of one multiset, or of its lowest faces.
type sight [maxSights]int

// same reports whether two views show the same of every pool.
func (v View) same(w View) bool {
	return v.Sum == w.Sum && v.All == w.All && slices.Equal(v.Places, w.Places) &&
		slices.EqualFunc(v.Counts, w.Counts, func(s, t Set) bool { return s.String() == t.String() })
}

// places are the places of a view among n dice, without those beyond them.
func (v View) places(n int) []int {
	var places []int
	for _, p := range v.Places {
		if p < 0 {
			p += n
		}
		if p >= 0 && p < n && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return places
}

// A lens is a view of n dice.
type lens struct {
	places []int
	sum    bool
	counts []Set
}

func (v View) lens(n int) (l lens, ok bool) {
	l = lens{places: v.places(n), sum: v.Sum, counts: v.Counts}
	return l, !v.All && len(l.places)+1+len(l.counts) <= maxSights
}

// more returns what is seen when, on top of so many dice that are seen already,
// others show a face that is not lower.
func (l *lens) more(s sight, seen, face, count int) sight {
	for i, p := range l.places {
		if seen <= p && p < seen+count {
			s[i] = face
		}
	}
	at := len(l.places)
	if l.sum {
		s[at] += face * count
	}
	for i, set := range l.counts {
		if set.Contains(face) {
			s[at+1+i] += count
		}
	}
	return s
}

// Classes are the multisets of a pool, those that look the same in a view taken
// together.
type Classes struct {
	pool *Pool
	view View
	list multisetList // the first multiset of each class, in lexicographic order
}

// Len returns how many classes there are.
func (c *Classes) Len() int64 { return int64(len(c.list.weights)) }

// Are reports whether c are the classes of a pool of the same dice in the same
// view.
func (c *Classes) Are(p *Pool, v View) bool {
	if !c.view.same(v) || c.pool.size != p.size || len(c.pool.groups) != len(p.groups) {
		return false
	}
	for i, g := range p.groups {
		if own := c.pool.groups[i]; own.count != g.count || own.key != g.key || !own.die.same(g.die) {
			return false
		}
	}
	return true
}

// Classes returns the classes of the multisets of p in a view.
//
// Cost: for equal dice, faces times partial sights times dice; otherwise a look at
// every multiset. It is charged as it goes.
func (p *Pool) Classes(ctx context.Context, v View) (*Classes, error) {
	c := &Classes{pool: p, view: v}
	l, narrow := v.lens(p.size)
	var err error
	switch {
	case !narrow:
		err = chargeMultisets(ctx, p)
		if err == nil {
			c.list, err = listMultisets(ctx, p)
		}
	case len(p.groups) == 1:
		c.list, err = classesOfEqual(ctx, p.groups[0], l)
	default:
		c.list, err = classesOfAny(ctx, p, l)
	}
	return c, err
}

// EachClass calls visit for every combination of a class of each pool, with the
// faces of its first multiset; w is in how many ways one of the combination comes
// up. The order is that of the first multisets in [Sorted], and so is everything
// else. The number of combinations is charged before the first visit.
func EachClass(ctx context.Context, classes []*Classes, visit func(faces [][]int, w Weight) error) error {
	visits := int64(1)
	for _, c := range classes {
		visits = upper.MulSat(visits, c.Len())
	}
	if err := ChargeWork(ctx, upper.MulSat(visits, work.Visit)); err != nil {
		return err
	}
	if len(classes) == 0 {
		return visit(nil, Weight{word: 1})
	}
	rest := make([]multisetList, len(classes)-1)
	for i := range rest {
		rest[i] = classes[i+1].list
	}
	faces := make([][]int, len(classes))
	first := classes[0].list
	for i, w := range first.weights {
		faces[0] = first.at(i)
		if err := eachOfLists(ctx, rest, faces, w, visit); err != nil {
			return err
		}
	}
	return nil
}

// chargeMultisets charges a list of all multisets of p.
func chargeMultisets(ctx context.Context, p *Pool) error {
	n := p.Multisets()
	if err := ChargeWork(ctx, upper.MulSat(n, work.Visit)); err != nil {
		return err
	}
	return ChargeTable(ctx, n, int64(p.size)+2)
}

// classesOfAny looks at every multiset.
func classesOfAny(ctx context.Context, p *Pool, l lens) (multisetList, error) {
	out := multisetList{size: p.size}
	if err := ChargeWork(ctx, upper.MulSat(p.Multisets(), work.Visit)); err != nil {
		return out, err
	}
	laid, err := newMultisetWalk(ctx, p)
	if err != nil {
		return out, err
	}
	index := map[sight]int{}
	for laid.next() {
		var s sight
		for i, x := range laid.faces {
			s = l.more(s, i, x, 1)
		}
		i, known := index[s]
		if known {
			out.weights[i] = out.weights[i].Plus(laid.weight())
			continue
		}
		if err := ChargeTable(ctx, 1, int64(p.size)+classWords); err != nil {
			return out, err
		}
		index[s] = len(out.weights)
		out.faces = append(out.faces, laid.faces...)
		out.weights = append(out.weights, laid.weight())
	}
	return out, laid.err
}

// classWords is what a class takes besides its faces.
const classWords = 2*maxSights + 4

// A partial class is what is seen of the lowest dice.
type partial struct {
	seen  int
	sight sight
}

// A partialClass has the lexicographically first faces of its dice, and in how
// many ways they and the like come up.
type partialClass struct {
	partial
	faces []int
	ways  Weight
}

// classesOfEqual puts equal dice on the faces from the lowest to the highest. Of r
// dice that are left, c show a face of weight w in C(r, c) w^c ways.
func classesOfEqual(ctx context.Context, g group, l lens) (multisetList, error) {
	n := g.count
	tick := work.NewTicker(ctx)
	faces, err := facesOf(g.die, &tick)
	if err != nil {
		return multisetList{}, err
	}
	choices := pascal(n)
	now := []partialClass{{ways: Weight{word: 1}}}
	for k, face := range faces.faces {
		powers := powersUpTo(faces.weights[k], n)
		index := make(map[partial]int, len(now))
		var then []partialClass
		for i := range now {
			s := &now[i]
			rest := n - s.seen
			least := 0
			if k == len(faces.faces)-1 {
				least = rest
			}
			if err := ChargeWork(ctx, int64(rest-least+1)*classWork); err != nil {
				return multisetList{}, err
			}
			for c := least; c <= rest; c++ {
				t := partial{s.seen + c, l.more(s.sight, s.seen, face, c)}
				ways := s.ways.Times(choices[rest][c]).Times(powers[c])
				at, known := index[t]
				if !known {
					if err := ChargeTable(ctx, 1, int64(n)+classWords); err != nil {
						return multisetList{}, err
					}
					index[t] = len(then)
					then = append(then, partialClass{partial: t, faces: laidOn(s.faces, face, c), ways: ways})
					continue
				}
				class := &then[at]
				class.ways = class.ways.Plus(ways)
				if comesBefore(s.faces, face, class.faces) {
					class.faces = laidOn(s.faces, face, c)
				}
			}
		}
		now = then
	}
	slices.SortFunc(now, func(a, b partialClass) int { return slices.Compare(a.faces, b.faces) })
	out := multisetList{size: n}
	for _, s := range now {
		out.faces = append(out.faces, s.faces...)
		out.weights = append(out.weights, s.ways)
	}
	return out, nil
}

// classWork is what one step from a partial class to the next is charged.
const classWork = 16

// laidOn are faces with so many more on top.
func laidOn(faces []int, face, count int) []int {
	out := make([]int, len(faces), len(faces)+count)
	copy(out, faces)
	for range count {
		out = append(out, face)
	}
	return out
}

// comesBefore reports whether low, filled up with face to the length of other,
// comes before it.
func comesBefore(low []int, face int, other []int) bool {
	for i, x := range other {
		y := face
		if i < len(low) {
			y = low[i]
		}
		if x != y {
			return y < x
		}
	}
	return false
}

// pascal holds the binomial coefficients C(r, c) for r up to n.
func pascal(n int) [][]Weight {
	rows := make([][]Weight, n+1)
	for r := range rows {
		rows[r] = make([]Weight, r+1)
		rows[r][0], rows[r][r] = Weight{word: 1}, Weight{word: 1}
		for c := 1; c < r; c++ {
			rows[r][c] = rows[r-1][c-1].Plus(rows[r-1][c])
		}
	}
	return rows
}

// powersUpTo holds the powers of w up to the n-th.
func powersUpTo(w Weight, n int) []Weight {
	powers := make([]Weight, n+1)
	powers[0] = Weight{word: 1}
	for i := 1; i <= n; i++ {
		powers[i] = powers[i-1].Times(w)
	}
	return powers
}
