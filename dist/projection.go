package dist

import (
	"cmp"
	"context"
	"slices"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A rule about sorted faces often sees little of them: the best two, how many show a six,
// whether the highest of one pool beats the highest of another. All multisets that agree in
// what it sees are one to it. They form a class, whose weight is the sum of theirs: of 2002
// multisets of 5d10 there are 55 classes for a rule about the best two, and of the four
// million pairs of them 32 for one that compares each die of one with one of the other. What is
// seen of the faces so far is the state of a machine (evaluate.go), and a trail (trail.go)
// leads back to the first multisets of each class, with which the rule can be asked.
//
// The seam to whatever runs rules: it says what a rule sees as a [View] of each multiset and
// a list of [PlacePair], or learns it from [Project], which shows the rule one multiset
// after the other and is told what the rule has looked at. What is told may be too much and
// must never be too little: a rule that looks at a face in any other way than to ask whether
// it is in a set, or below or equal to another face, has seen the face.

// A View says what a rule sees of the faces of a multiset, sorted ascending.
type View struct {
	Places []int     // the faces at these places: 0 is the lowest, -1 the highest; those beyond the dice are not there
	Sum    bool      // the sum of all faces
	Counts []Set     // how many faces are in each of these sets
	Within []PlaceIn // whether the face at a place is in a set
	All    bool      // every face
}

// A PlaceIn is the question whether the face at a place is in a set.
type PlaceIn struct {
	Place int
	Set   Set
}

// A PlacePair is the question whether the face at a place of a multiset is below that at a
// place of another one, or, if Equal, whether they are equal.
type PlacePair struct {
	Set, Place        int
	Other, OtherPlace int
	Equal             bool
}

func (p PlacePair) compare(q PlacePair) int {
	return cmp.Or(cmp.Compare(p.Set, q.Set), cmp.Compare(p.Place, q.Place), cmp.Compare(p.Other, q.Other), cmp.Compare(p.OtherPlace, q.OtherPlace))
}

// What a state can hold of one block of multisets. A rule that sees more sees everything.
const (
	mostSeenNumbers = 8
	mostSeenAnswers = 2 * answersInWord
	answersInWord   = 32 // of two bits each: not known yet, yes, no
)

// A sight is what is seen of multisets, or of their lowest faces.
type sight struct {
	numbers [mostSeenNumbers]int
	answers [mostSeenAnswers / answersInWord]uint64
}

const (
	yes = 1
	no  = 2
)

func (s *sight) answer(i int) uint64 {
	return s.answers[i/answersInWord] >> (i % answersInWord * 2) & 3
}

func (s *sight) say(i int, a uint64) { s.answers[i/answersInWord] |= a << (i % answersInWord * 2) }

// Classes are the combinations of multisets, those together that look the same.
type Classes struct {
	sets   []*Multiset
	blocks []block
}

// A block is neighbouring multisets that are seen together, with their classes. The
// blocks are seen independently of each other.
type block struct {
	from, to  int // of the multisets
	relations []PlacePair
	all       bool // every multiset is a class
	list      multisetList
}

// ClassesOf returns the classes of independent multisets under a view of each and under
// relations between their places.
//
// Cost: that of [EvaluateTogether] with a state for each way to look so far, at most that
// of a visit to every multiset.
func ClassesOf(ctx context.Context, sets []*Multiset, views []View, relations []PlacePair) (*Classes, error) {
	if err := independent(sets); err != nil {
		return nil, err
	}
	c := &Classes{sets: sets}
	related := make([]bool, len(sets)+1) // to the one before
	for _, r := range relations {
		for i := min(r.Set, r.Other) + 1; i <= max(r.Set, r.Other); i++ {
			related[i] = true
		}
	}
	for from, to := 0, 1; from < len(sets); from, to = to, to+1 {
		for related[to] {
			to++
		}
		b := block{from: from, to: to}
		for _, r := range relations {
			if from <= r.Set && r.Set < to {
				b.relations = append(b.relations, r)
			}
		}
		err := b.find(ctx, sets, views)
		if err != nil && err != errTooManyWays {
			return nil, err
		}
		if err == nil {
			c.blocks = append(c.blocks, b)
			continue
		}
		for i := from; i < to; i++ {
			b := block{from: i, to: i + 1, all: true}
			if i > 0 { // the first are visited as they come
				if b.list, err = listMultisets(ctx, sets[i]); err != nil {
					return nil, err
				}
			}
			c.blocks = append(c.blocks, b)
		}
	}
	return c, nil
}

// independent refuses hands of one deal.
func independent(sets []*Multiset) error {
	for i, m := range sets {
		for _, other := range sets[:i] {
			if m.deal != nil && m.deal == other.deal {
				return badArg("sets", "got two hands of one deal, want independent multisets")
			}
		}
	}
	return nil
}

// Len returns how many combinations of classes there are, of blocks of which every multiset
// is one a bound on it.
func (c *Classes) Len() int64 {
	n := int64(1)
	for _, b := range c.blocks {
		if b.list.weights == nil {
			n = upper.MulSat(n, c.sets[b.from].multisets())
		} else {
			n = upper.MulSat(n, int64(len(b.list.weights)))
		}
	}
	return n
}

// Each calls visit for every combination of classes, with the faces of its first multisets; w
// is in how many ways one of the combination comes up. The order is that of the first
// multisets in [Sorted], and so is everything else. The number of combinations is charged
// before the first visit.
func (c *Classes) Each(ctx context.Context, visit func(faces [][]int, w Weight) error) error {
	if err := ChargeWork(ctx, upper.MulSat(c.Len(), work.Visit)); err != nil {
		return err
	}
	faces := make([][]int, len(c.sets))
	lists := make([]multisetList, len(c.blocks))
	for i, b := range c.blocks {
		lists[i] = b.list
	}
	show := func(b block, list []int) {
		for i := b.from; i < b.to; i++ {
			n := c.sets[i].Size()
			faces[i], list = list[:n:n], list[n:]
		}
	}
	each := func(blocks []block, lists []multisetList, w Weight) error {
		return eachOfLists(ctx, lists, w, func(all [][]int, w Weight) error {
			for i, list := range all {
				show(blocks[i], list)
			}
			return visit(faces, w)
		})
	}
	if len(c.blocks) == 0 || lists[0].weights != nil {
		return each(c.blocks, lists, Weight{word: 1})
	}
	return eachMultiset(ctx, c.sets[0], func(first []int, w Weight) error {
		faces[0] = first
		return each(c.blocks[1:], lists[1:], w)
	})
}

// A lens says where a state holds what is seen of one multiset.
type lens struct {
	places []int // the k-th is number k of the lens
	sum    bool
	counts []Set
	within []PlaceIn
	number int // the first of its numbers
	answer int // the first of its answers
}

// places are places among n dice, without those beyond them.
func placesAmong(list []int, n int) []int {
	var places []int
	for _, p := range list {
		if p < 0 {
			p += n
		}
		if p >= 0 && p < n && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return places
}

// find finds the classes of a block.
func (b *block) find(ctx context.Context, sets []*Multiset, views []View) error {
	sets, views = sets[b.from:b.to], views[b.from:b.to]
	if slices.ContainsFunc(views, func(v View) bool { return v.All }) {
		return errTooManyWays
	}
	numbers, answers := 0, len(b.relations)
	lenses := make([]lens, len(sets))
	every := int64(1)
	for i, v := range views {
		n := sets[i].Size()
		l := lens{places: placesAmong(v.Places, n), sum: v.Sum, counts: v.Counts, number: numbers, answer: answers}
		for _, w := range v.Within {
			if p := placesAmong([]int{w.Place}, n); p != nil {
				l.within = append(l.within, PlaceIn{p[0], w.Set})
			}
		}
		numbers += len(l.places) + len(l.counts)
		if l.sum {
			numbers++
		}
		answers += len(l.within)
		every = upper.MulSat(every, sets[i].multisets())
		lenses[i] = l
		b.list.size += n
	}
	if numbers > mostSeenNumbers || answers > mostSeenAnswers {
		return errTooManyWays
	}
	relations := make([]PlacePair, len(b.relations))
	for i, r := range b.relations {
		r.Set, r.Other = r.Set-b.from, r.Other-b.from
		places, others := placesAmong([]int{r.Place}, sets[r.Set].Size()), placesAmong([]int{r.OtherPlace}, sets[r.Other].Size())
		if places == nil || others == nil {
			return errTooManyWays
		}
		r.Place, r.OtherPlace = places[0], others[0]
		relations[i] = r
	}
	look := func(s sight, face int, counts []int) (sight, error) {
		for i := range lenses {
			if n := counts[i]; n > 0 {
				lenses[i].look(&s, face, n, counts[len(sets)+i])
			}
		}
		for i, r := range relations {
			if s.answer(i) == 0 {
				s.say(i, r.look(counts))
			}
		}
		return s, nil
	}
	m, err := newMachine(ctx, sets, Ascending, true, look)
	if err != nil {
		return err
	}
	m.most = max(fewWays, every)
	return b.run(ctx, m)
}

// fewWays is how many ways are gone for any rule.
const fewWays = 1 << 14

// look adds what a lens sees of count dice that show a face, on top of others that show
// lower ones.
func (l *lens) look(s *sight, face, count, below int) {
	at := l.number
	for _, p := range l.places {
		if below <= p && p < below+count {
			s.numbers[at] = face
		}
		at++
	}
	for _, set := range l.counts {
		if set.Contains(face) {
			s.numbers[at] += count
		}
		at++
	}
	if l.sum {
		s.numbers[at] += face * count
	}
	for i, w := range l.within {
		if below <= w.Place && w.Place < below+count && w.Set.Contains(face) {
			s.say(l.answer+i, yes)
		}
	}
}

// look answers a relation of which neither place has been reached before, 0 where neither
// is reached now.
func (r *PlacePair) look(counts []int) uint64 {
	reached := func(set, place int) bool {
		n, below := counts[set], counts[len(counts)/2+set]
		return below <= place && place < below+n
	}
	own, other := reached(r.Set, r.Place), reached(r.Other, r.OtherPlace)
	switch {
	case !own && !other:
		return 0
	case own && other:
		if r.Equal {
			return yes
		}
		return no
	case own && !r.Equal:
		return yes
	}
	return no
}

// run lists the classes in the order of their first multisets.
func (b *block) run(ctx context.Context, m *machine[sight]) error {
	t := &trail{sets: b.to - b.from, counts: m.shown}
	m.trail = t
	if err := m.run(sight{}); err != nil {
		return err
	}
	type class struct {
		cell   int
		weight Weight
	}
	var classes []class
	err := m.ends(func(row int, at []int, w Weight) error {
		best := at[0]
		for _, u := range at[1:] {
			if t.compare(row*m.places+u, row*m.places+best) < 0 {
				best = u
			}
		}
		classes = append(classes, class{row*m.places + best, w})
		return nil
	})
	if err != nil {
		return err
	}
	if err := ChargeTable(ctx, int64(len(classes)), int64(b.list.size)+4); err != nil {
		return err
	}
	if err := ChargeWork(ctx, int64(len(classes))*int64(len(t.levels)+b.list.size)*work.Visit); err != nil {
		return err
	}
	slices.SortFunc(classes, func(x, y class) int { return t.compare(x.cell, y.cell) })
	for _, c := range classes {
		for set := range t.sets {
			b.list.faces = append(b.list.faces, t.faces(set, c.cell, b.list.size)...)
		}
		b.list.weights = append(b.list.weights, c.weight)
	}
	return nil
}
