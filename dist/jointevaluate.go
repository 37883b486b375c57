package dist

import (
	"context"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/states"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The multiset state machine over several pools and hands at once: what counts
// is only how many of each show a face. A row holds the weights of one state by
// the nodes at which all lattices stand, so the work grows with the states and
// never with the combinations. (Liu, "Icepool: Efficient Computation of Dice
// Pool Probabilities", AIIDE 2022, evaluates several multisets like that.)

// An Order says which face comes first.
type Order int

const (
	Ascending Order = iota
	Descending
)

// EvaluateTogether visits the faces of all multisets in order. For every face
// that any die or card can show, step is called with the state so far, the face,
// and how many of each multiset show it, which may be none; it returns the next
// state. The result holds the states after the last face, in order of first
// appearance, with their weights. Chances are certain to within the sum of the
// error bounds of the multisets. An error of step ends the evaluation and is
// returned. step is called once for every face, state and counts that can come
// up together, in no order that a rule may rely on, and the slice of counts is
// used again: step must not keep or change it.
//
// Hands of one deal are dependent, and a multiset that stands there twice is the
// same cards when it is a hand and other dice when it is a pool.
//
// Cost: for each face and state, the number of ways in which the dice and cards
// that are not placed yet can show it: for two pools of n and m equal dice
// (n m)²/4 additions of a weight. Dice that differ only in their highest or
// lowest faces cost little more than equal ones.
func EvaluateTogether[S comparable](ctx context.Context, sets []*Multiset, order Order, start S, step func(s S, face int, counts []int) (S, error)) (*Tally[S], error) {
	if len(sets) == 0 {
		t := new(Tally[S])
		t.Add(start, Weight{word: 1})
		return t, nil
	}
	m := &jointMachine[S]{ctx: ctx, tick: work.NewTicker(ctx), step: step, counts: make([]int, len(sets))}
	total, words := big.NewInt(1), int64(0)
	for _, members := range together(sets) {
		chosen := make([]*Multiset, len(members))
		for i, at := range members {
			chosen[i] = sets[at]
		}
		l, err := latticeOf(ctx, chosen)
		if err != nil {
			return nil, err
		}
		words = upper.AddSat(words, int64(nat.WordsFor(l.total)))
		if err := chargeProduct(ctx, words); err != nil {
			return nil, err
		}
		total.Mul(total, l.total)
		m.parts = append(m.parts, newJointPart(l, members, order))
	}
	m.words = nat.WordsFor(total)
	if err := m.begin(start); err != nil {
		return nil, err
	}
	for {
		face, ok := m.nextFace(order)
		if !ok {
			return m.finished(), nil
		}
		if err := m.place(face); err != nil {
			return nil, err
		}
	}
}

// together groups the positions of the multisets that are dealt from one deck;
// pools stand alone.
func together(sets []*Multiset) [][]int {
	var groups [][]int
	of := map[*Deal]int{}
	for i, m := range sets {
		if m.deal == nil {
			groups = append(groups, []int{i})
			continue
		}
		g, ok := of[m.deal]
		if !ok {
			g = len(groups)
			of[m.deal] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// latticeOf draws multisets of one deal, or one of a pool.
func latticeOf(ctx context.Context, sets []*Multiset) (*lattice, error) {
	facets := make([]facet, len(sets))
	for i, m := range sets {
		facets[i] = facet{from: m.from, to: m.to}
	}
	if sets[0].pool != nil {
		return poolLattice(ctx, sets[0].pool, facets)
	}
	deal := sets[0].deal
	if deal.biased != nil {
		return deal.biased.lattice(ctx, deal, facets)
	}
	var sizes []int
	member := map[int]int{}
	for i, m := range sets {
		k, ok := member[m.hand]
		if !ok {
			k = len(sizes)
			member[m.hand] = k
			sizes = append(sizes, deal.sizes[m.hand])
		}
		facets[i].member = k
	}
	return dealLattice(ctx, deal.deck, sizes, facets)
}

// A jointPart is a lattice that is being walked.
type jointPart struct {
	*lattice
	members []int // the positions of what its labels count
	onward  bool  // whether it is walked as it was drawn
	at      int   // the level that it stands at
	edges   *edgeList
	live    []bool // the nodes to come
	stride  int    // of the nodes that it stands at
	next    int    // of the nodes to come
	radix   int    // of its labels
}

func newJointPart(l *lattice, members []int, order Order) *jointPart {
	p := &jointPart{lattice: l, members: members, onward: l.descending == (order == Descending)}
	if !p.onward {
		p.at = len(l.layers)
	}
	return p
}

// face returns the next face, and whether there is one.
func (p *jointPart) face() (int, bool) {
	switch {
	case p.onward && p.at < len(p.layers):
		return p.faces[p.at], true
	case !p.onward && p.at > 0:
		return p.faces[p.at-1], true
	}
	return 0, false
}

// leave takes the edges over the next face.
func (p *jointPart) leave() {
	if p.onward {
		p.edges = &p.layers[p.at].out
		p.at++
	} else {
		p.at--
		p.edges = &p.layers[p.at].back
	}
	p.live = p.lattice.live[p.at]
}

// ends returns the weights of the nodes at one end: the first level has its own,
// the last one has a single node.
func (p *jointPart) ends(first bool) []Weight {
	if first {
		return p.first
	}
	return []Weight{{word: 1}}
}

// A jointMachine holds the weights of the states.
type jointMachine[S comparable] struct {
	ctx    context.Context
	tick   work.Ticker
	parts  []*jointPart
	step   func(s S, face int, counts []int) (S, error)
	counts []int
	words  int
	places int
	state  stateTable[S]

	// Of the face and the state that are being placed.
	from    S
	face    int
	next    stateTable[S]
	room    int         // places to come
	few     []int32     // by label: the row of the next state plus 1
	many    map[int]int // the same when there are too many labels
	scratch []nat.Vec   // by part
}

// begin puts the start state at the ends from which the lattices are walked.
func (m *jointMachine[S]) begin(start S) error {
	places := int64(1)
	for _, p := range m.parts {
		p.stride = int(places)
		places = upper.MulSat(places, int64(p.nodes[p.at]))
		if err := indexable(m.ctx, places); err != nil {
			return err
		}
	}
	m.places, m.room = int(places), int(places)
	m.next = stateTable[S]{index: states.Map[S]{}}
	row, err := m.enter(start)
	if err != nil {
		return err
	}
	at := make([]Weight, m.places)
	m.ways(len(m.parts), 0, Weight{word: 1}, func(p *jointPart) []Weight { return p.ends(p.onward) }, at)
	for u, w := range at {
		w.put(m.next.rows[row][u*m.words : (u+1)*m.words])
	}
	m.state = m.next
	for range m.parts {
		m.scratch = append(m.scratch, nat.NewVec(1, m.words))
	}
	return nil
}

// ways multiplies the weights of the nodes of the first n parts.
func (m *jointMachine[S]) ways(n, place int, w Weight, of func(*jointPart) []Weight, into []Weight) {
	if n == 0 {
		into[place] = w
		return
	}
	p := m.parts[n-1]
	for u, x := range of(p) {
		if !x.IsZero() {
			m.ways(n-1, place+u*p.stride, w.Times(x), of, into)
		}
	}
}

// enter returns the row of a state to come.
func (m *jointMachine[S]) enter(s S) (int, error) {
	if i, ok := m.next.index.Place(s); ok {
		return i, nil
	}
	if err := chargeRoom(m.ctx, int64(m.room), int64(m.words)); err != nil {
		return 0, err
	}
	i := len(m.next.states)
	m.next.index.Put(s, i)
	m.next.states = append(m.next.states, s)
	m.next.rows = append(m.next.rows, make([]nat.Limb, m.room*m.words))
	return i, nil
}

func (m *jointMachine[S]) nextFace(order Order) (int, bool) {
	face, found := 0, false
	for _, p := range m.parts {
		if x, ok := p.face(); ok && (!found || (x < face) == (order == Ascending)) {
			face, found = x, true
		}
	}
	return face, found
}

// fewLabelsAtOnce is up to how many labels of a face a slice knows the next
// states; beyond it a map does.
const fewLabelsAtOnce = 1 << 16

// place moves every state on by one face.
func (m *jointMachine[S]) place(face int) error {
	m.face = face
	room, labels := int64(1), int64(1)
	for _, p := range m.parts {
		p.edges = nil
		nodes := p.nodes[p.at]
		if x, ok := p.face(); ok && x == face {
			p.leave()
			nodes = p.nodes[p.at]
		}
		p.next, p.radix = int(room), int(labels)
		room = upper.MulSat(room, int64(nodes))
		labels = upper.MulSat(labels, int64(len(p.labels)))
		if err := indexable(m.ctx, max(room, labels)); err != nil {
			return err
		}
	}
	m.room = int(room)
	m.few, m.many = nil, nil
	if labels <= fewLabelsAtOnce {
		m.few = make([]int32, labels)
	}
	m.next = stateTable[S]{index: states.Map[S]{}}
	for i, s := range m.state.states {
		if err := m.move(s, m.state.rows[i]); err != nil {
			return err
		}
	}
	m.state, m.places = m.next, m.room
	stride := 1
	for _, p := range m.parts {
		p.stride = stride
		stride *= p.nodes[p.at]
	}
	return nil
}

// move moves one state on.
func (m *jointMachine[S]) move(s S, row []nat.Limb) error {
	if err := m.chargeMove(row); err != nil {
		return err
	}
	m.from = s
	clear(m.few)
	if m.few == nil {
		m.many = map[int]int{}
	}
	for u := range m.places {
		w := row[u*m.words : (u+1)*m.words]
		if nat.IsZero(w) {
			continue
		}
		var err error
		if m.words == 1 {
			err = m.spreadWord(len(m.parts)-1, u, 0, 0, w[0])
		} else {
			err = m.spread(len(m.parts)-1, u, 0, 0, w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// chargeMove charges the ways in which a state can go on.
func (m *jointMachine[S]) chargeMove(row []nat.Limb) error {
	ways := int64(0)
	for u := range m.places {
		if nat.IsZero(row[u*m.words : (u+1)*m.words]) {
			continue
		}
		here, rest := int64(1), u
		for i := len(m.parts) - 1; i >= 0; i-- {
			p := m.parts[i]
			if p.edges != nil {
				from, to := p.edges.of(rest / p.stride)
				here = upper.MulSat(here, int64(to-from))
			}
			rest %= p.stride
		}
		ways = upper.AddSat(ways, here)
	}
	return ChargeWork(m.ctx, upper.AddSat(int64(m.places), upper.MulSat(ways, int64(4*m.words+4))))
}

// spread goes along the edges of part i and of those before it, from the places
// rest of these.
func (m *jointMachine[S]) spread(i, rest, place, label int, w []nat.Limb) error {
	if i < 0 {
		row, err := m.target(label)
		if err != nil {
			return err
		}
		nat.Add(row[place*m.words:(place+1)*m.words], w)
		return m.tick.Tick(4 * m.words)
	}
	p := m.parts[i]
	u := rest / p.stride
	rest %= p.stride
	if p.edges == nil {
		return m.spread(i-1, rest, place+u*p.next, label+int(p.nothing)*p.radix, w)
	}
	for e, end := p.edges.of(u); e < end; e++ {
		v := int(p.edges.to[e])
		if !p.live[v] {
			continue
		}
		x := w
		if f := p.edges.weight[e]; f.wide != nil || f.word != 1 {
			x = m.scratch[i].Data
			clear(x)
			if f.wide != nil {
				nat.AddMul(x, nat.Trim(w), f.wide.Bits())
			} else if t := nat.Trim(w); len(t) < m.words {
				nat.AddMulWord(x, t, f.word)
			} else {
				copy(x, w)
				nat.MulWord(x, f.word)
			}
		}
		if err := m.spread(i-1, rest, place+v*p.next, label+int(p.edges.label[e])*p.radix, x); err != nil {
			return err
		}
	}
	return nil
}

// spreadWord is spread for weights of one word.
func (m *jointMachine[S]) spreadWord(i, rest, place, label int, w nat.Limb) error {
	if i < 0 {
		row, err := m.target(label)
		if err != nil {
			return err
		}
		row[place] += w
		return m.tick.Tick(8)
	}
	p := m.parts[i]
	u := rest / p.stride
	rest %= p.stride
	if p.edges == nil {
		return m.spreadWord(i-1, rest, place+u*p.next, label+int(p.nothing)*p.radix, w)
	}
	for e, end := p.edges.of(u); e < end; e++ {
		v := int(p.edges.to[e])
		if !p.live[v] {
			continue
		}
		_, x := bits.Mul(uint(w), uint(p.edges.weight[e].word))
		if err := m.spreadWord(i-1, rest, place+v*p.next, label+int(p.edges.label[e])*p.radix, nat.Limb(x)); err != nil {
			return err
		}
	}
	return nil
}

// target returns the row of the state that follows on a label, for which step is
// asked once.
func (m *jointMachine[S]) target(label int) ([]nat.Limb, error) {
	if m.few != nil {
		if i := m.few[label]; i > 0 {
			return m.next.rows[i-1], nil
		}
	} else if i := m.many[label]; i > 0 {
		return m.next.rows[i-1], nil
	}
	rest := label
	for i := len(m.parts) - 1; i >= 0; i-- {
		p := m.parts[i]
		for k, c := range p.labels[rest/p.radix] {
			m.counts[p.members[k]] = c
		}
		rest %= p.radix
	}
	s, err := m.step(m.from, m.face, m.counts)
	if err != nil {
		return nil, err
	}
	i, err := m.enter(s)
	if err != nil {
		return nil, err
	}
	if m.few != nil {
		m.few[label] = int32(i) + 1
	} else {
		m.many[label] = i + 1
	}
	return m.next.rows[i], nil
}

// finished adds up the weights of each state over the ends of the lattices.
func (m *jointMachine[S]) finished() *Tally[S] {
	ends := make([]Weight, m.places)
	m.ways(len(m.parts), 0, Weight{word: 1}, func(p *jointPart) []Weight { return p.ends(!p.onward) }, ends)
	t := new(Tally[S])
	for i, s := range m.state.states {
		for u, end := range ends {
			if w := m.state.rows[i][u*m.words : (u+1)*m.words]; !end.IsZero() && !nat.IsZero(w) {
				t.Add(s, weightOfLimbs(w).Times(end))
			}
		}
	}
	return t
}
