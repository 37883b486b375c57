package dist

import (
	"context"
	"errors"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/states"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The multiset state machine looks at pools and hands face by face instead of die by
// die: what counts is only how many of each show a face. A row holds the weights of
// one state by the nodes of the lattices that it can be at, so the work grows with
// the states and never with the combinations. (The technique is that of Icepool's
// multiset evaluators; Liu, "Icepool: Efficient Computation of Dice Pool
// Probabilities", AIIDE 2022.)

// An Order says which face comes first.
type Order int

const (
	Ascending Order = iota
	Descending
)

// Evaluate is [EvaluateTogether] for one pool, whose faces are visited in ascending
// order: step is told how many dice show the face.
func Evaluate[S comparable](ctx context.Context, p *Pool, start S, step func(s S, face, count int) (S, error)) (*Tally[S], error) {
	return evaluateOne(ctx, p.Multiset(), start, step)
}

func evaluateOne[S comparable](ctx context.Context, m *Multiset, start S, step func(s S, face, count int) (S, error)) (*Tally[S], error) {
	return EvaluateTogether(ctx, []*Multiset{m}, Ascending, start, func(s S, face int, counts []int) (S, error) {
		return step(s, face, counts[0])
	})
}

// evaluateNumber runs the state machine over one multiset and collects an
// integer of each final state.
func evaluateNumber[S comparable](ctx context.Context, m *Multiset, start S, step func(s S, face, count int) (S, error), finish func(S) int, t *tail) (*Dist, error) {
	states, err := evaluateOne(ctx, m, start, step)
	if err != nil {
		return nil, err
	}
	var tally Tally[int]
	for s, w := range states.All() {
		tally.Add(finish(s), w)
	}
	return distFrom(ctx, &tally, t)
}

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
	m, err := newMachine(ctx, sets, order, false, step)
	if err != nil {
		return nil, err
	}
	if err := m.run(start); err != nil {
		return nil, err
	}
	return m.finished(), nil
}

// newMachine draws the lattices of the multisets. A ranked machine tells step, after how
// many of each show the face, how many of each show a lower one; of what can't show the
// face at all both are 0.
func newMachine[S comparable](ctx context.Context, sets []*Multiset, order Order, ranked bool, step func(s S, face int, counts []int) (S, error)) (*machine[S], error) {
	m := &machine[S]{ctx: ctx, tick: work.NewTicker(ctx), order: order, step: step, counts: make([]int, len(sets))}
	if ranked {
		m.counts = make([]int, 2*len(sets))
	}
	total, words := new(big.Int), int64(0)
	for _, members := range together(sets) {
		chosen := make([]*Multiset, len(members))
		for i, at := range members {
			chosen[i] = sets[at]
		}
		l, err := latticeOf(ctx, chosen, order, ranked)
		if err != nil {
			return nil, err
		}
		words = upper.AddSat(words, int64(nat.WordsFor(l.total)))
		if err := chargeProduct(ctx, words); err != nil {
			return nil, err
		}
		if len(m.parts) == 0 {
			total = l.total
		} else {
			total = new(big.Int).Mul(total, l.total)
		}
		if ranked {
			for _, at := range members {
				members = append(members, len(sets)+at)
			}
		}
		m.parts = append(m.parts, newPart(l, members, order))
	}
	m.words = nat.WordsFor(total)
	return m, nil
}

// run goes over all faces.
func (m *machine[S]) run(start S) error {
	if err := m.begin(start); err != nil {
		return err
	}
	for {
		face, ok := m.nextFace(m.order)
		if !ok {
			return nil
		}
		if err := m.place(face); err != nil {
			return err
		}
	}
}

// together groups the positions of the multisets that are dealt from one deck;
// pools stand alone.
func together(sets []*Multiset) [][]int {
	if len(sets) == 1 {
		return [][]int{{0}}
	}
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

// latticeOf draws multisets of one deal, or one of a pool, to be walked in an order; ranked
// says whether its labels tell places too.
func latticeOf(ctx context.Context, sets []*Multiset, order Order, ranked bool) (*lattice, error) {
	facets := make([]facet, len(sets))
	for i, m := range sets {
		facets[i] = facet{from: m.from, to: m.to}
	}
	if sets[0].pool != nil {
		return poolLattice(ctx, sets[0].pool, order, facets, ranked)
	}
	deal := sets[0].deal
	if deal.biased != nil {
		return deal.biased.lattice(ctx, deal, facets, ranked)
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
	return dealLattice(ctx, deal.deck, sizes, facets, ranked)
}

// A part is a lattice that is being walked.
type part struct {
	*lattice
	members []int // the positions of what its labels count
	onward  bool  // whether it is walked as it was drawn
	at      int   // the level that it stands at
	edges   *edgeList
	live    []bool // the nodes to come, nil when a path goes through all
	stride  int    // of the nodes that it stands at
	next    int    // of the nodes to come
	radix   int    // of its labels
}

func newPart(l *lattice, members []int, order Order) *part {
	p := &part{lattice: l, members: members, onward: l.descending == (order == Descending)}
	if !p.onward {
		p.at = len(l.layers)
	}
	return p
}

// face returns the next face, and whether there is one.
func (p *part) face() (int, bool) {
	switch {
	case p.onward && p.at < len(p.layers):
		return p.faces[p.at], true
	case !p.onward && p.at > 0:
		return p.faces[p.at-1], true
	}
	return 0, false
}

// leave takes the edges over the next face.
func (p *part) leave() {
	if p.onward {
		p.edges = &p.layers[p.at].out
		p.at++
	} else {
		p.at--
		p.edges = p.layers[p.at].backward()
	}
	if p.lattice.live != nil {
		p.live = p.lattice.live[p.at]
	}
}

// ends returns the weights of the nodes at one end: the first level has its own,
// the last one has a single node.
func (p *part) ends(first bool) []Weight {
	if first {
		return p.first
	}
	return []Weight{{word: 1}}
}

// A machine holds the weights of the states over the nodes at which all lattices
// stand.
type machine[S comparable] struct {
	ctx    context.Context
	tick   work.Ticker
	parts  []*part
	order  Order
	step   func(s S, face int, counts []int) (S, error)
	counts []int
	words  int
	places int
	index  states.Index[S] // of the states to come
	state  stateTable[S]

	// Of the face and the state that are being placed.
	from    S
	face    int
	next    stateTable[S]
	last    int         // the state that was entered last
	room    int         // places to come
	few     []int32     // by label: the row of the next state plus 1
	many    map[int]int // the same when there are too many labels
	scratch []nat.Vec   // by part
	spare   []nat.Limb  // for rows
	trail   *trail      // remembers ways to the states, nil when nobody asks for them
	ways    int64       // that have been gone in all
	most    int64       // of them, 0 for any number
}

// errTooManyWays ends a machine that has gone more ways than it may.
var errTooManyWays = errors.New("dist: too many ways to go")

// A stateTable is a list of states, each with a row of weights by places.
type stateTable[S comparable] struct {
	states []S
	rows   [][]nat.Limb // with rows of a face before in their room
}

// empty empties the table of the states to come, whose memory is used again.
func (m *machine[S]) empty() {
	m.index.Empty()
	m.next.states, m.next.rows = m.next.states[:0], m.next.rows[:0]
}

// begin puts the start state at the ends from which the lattices are walked.
func (m *machine[S]) begin(start S) error {
	places := int64(1)
	for _, p := range m.parts {
		p.stride = int(places)
		places = upper.MulSat(places, int64(p.nodes[p.at]))
		if err := indexable(m.ctx, places); err != nil {
			return err
		}
	}
	m.places, m.room = int(places), int(places)
	m.index = states.NewIndex[S]()
	for _, t := range []*stateTable[S]{&m.state, &m.next} {
		t.states, t.rows = make([]S, 0, fewStates), make([][]nat.Limb, 0, fewStates)
	}
	row, err := m.enter(start)
	if err != nil {
		return err
	}
	if m.trail != nil {
		m.trail.begin()
	}
	at := make([]Weight, m.places)
	m.multiply(len(m.parts), 0, Weight{word: 1}, func(p *part) []Weight { return p.ends(p.onward) }, at)
	for u, w := range at {
		w.put(m.next.rows[row][u*m.words : (u+1)*m.words])
	}
	m.state, m.next = m.next, m.state
	for range len(m.parts) - 1 {
		m.scratch = append(m.scratch, nat.NewVec(1, m.words))
	}
	return nil
}

// multiply multiplies the weights of the nodes of the first n parts.
func (m *machine[S]) multiply(n, place int, w Weight, of func(*part) []Weight, into []Weight) {
	if n == 0 {
		into[place] = w
		return
	}
	p := m.parts[n-1]
	for u, x := range of(p) {
		if !x.IsZero() {
			m.multiply(n-1, place+u*p.stride, w.Times(x), of, into)
		}
	}
}

// enter returns the row of a state to come.
func (m *machine[S]) enter(s S) (int, error) {
	if n := len(m.next.states); m.last < n && m.next.states[m.last] == s {
		return m.last, nil // mostly the same again
	}
	if i, ok := m.index.Place(s); ok {
		m.last = i
		return i, nil
	}
	if err := chargeRoom(m.ctx, int64(m.room), int64(m.words)); err != nil {
		return 0, err
	}
	if m.trail != nil {
		if err := m.trail.enter(m.ctx, m.room); err != nil {
			return 0, err
		}
	}
	i := len(m.next.states)
	m.last = i
	m.index.Put(s, i)
	m.next.states = append(m.next.states, s)
	n := m.room * m.words
	if i < cap(m.next.rows) {
		if row := m.next.rows[:i+1][i]; cap(row) >= n {
			row = row[:n]
			clear(row)
			m.next.rows = append(m.next.rows, row)
			return i, nil
		}
	}
	if len(m.spare) < n {
		m.spare = make([]nat.Limb, max(n, spareWords))
	}
	m.next.rows = append(m.next.rows, m.spare[:n:n])
	m.spare = m.spare[n:]
	return i, nil
}

// fewStates is for how many states room is made at once.
const fewStates = 8

// spareWords is for how many words of short rows room is made at once.
const spareWords = 1 << 7

func (m *machine[S]) nextFace(order Order) (int, bool) {
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
func (m *machine[S]) place(face int) error {
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
	m.many = nil
	if labels > fewLabelsAtOnce {
		m.few = nil
	} else if int(labels) > len(m.few) {
		m.few = make([]int32, labels)
	}
	m.empty()
	for i, s := range m.state.states {
		if m.trail != nil {
			m.trail.row = i * m.places
		}
		if err := m.move(s, m.state.rows[i]); err != nil {
			return err
		}
	}
	if m.trail != nil {
		if err := m.trail.pass(m.ctx, face); err != nil {
			return err
		}
	}
	m.state, m.next, m.places = m.next, m.state, m.room
	stride := 1
	for _, p := range m.parts {
		p.stride = stride
		stride *= p.nodes[p.at]
	}
	return nil
}

// move moves one state on.
func (m *machine[S]) move(s S, row []nat.Limb) error {
	if err := m.chargeMove(row); err != nil {
		return err
	}
	m.from = s
	clear(m.few)
	if m.few == nil {
		m.many = map[int]int{}
	}
	if m.words == 1 && len(m.parts) == 1 && m.few != nil && m.trail == nil {
		return m.moveWords(row)
	}
	for u := range m.places {
		w := row[u*m.words : (u+1)*m.words]
		if nat.IsZero(w) {
			continue
		}
		if m.trail != nil {
			m.trail.from = m.trail.row + u
		}
		var err error
		if m.words == 1 {
			err = m.spreadWord(len(m.parts)-1, u, 0, 0, w[0])
		} else {
			err = m.spread(len(m.parts)-1, u, 0, 0, nat.Trim(w))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveWords is move over one lattice, for weights of one word.
func (m *machine[S]) moveWords(row []nat.Limb) error {
	p := m.parts[0]
	edges, live, rows := p.edges, p.live, m.next.rows
	for u, w := range row {
		if w == 0 {
			continue
		}
		from, to := edges.of(u)
		for e := from; e < to; e++ {
			v := edges.to[e]
			if live != nil && !live[v] {
				continue
			}
			ways := edges.weight[e].word
			if nat.Checking {
				hi, _ := bits.Mul(uint(w), uint(ways))
				nat.Insist(hi == 0, "a weight of the state machine")
			}
			label := edges.label[e]
			if m.few[label] == 0 {
				if err := m.follow(int(label)); err != nil {
					return err
				}
				rows = m.next.rows
			}
			rows[m.few[label]-1][v] += w * ways
		}
		if err := m.tick.Tick(8 * (to - from)); err != nil {
			return err
		}
	}
	return nil
}

// chargeMove charges the ways in which a state can go on.
func (m *machine[S]) chargeMove(row []nat.Limb) error {
	ways := int64(0)
	if m.words == 1 && len(m.parts) == 1 {
		for u, w := range row {
			if w != 0 {
				from, to := m.parts[0].edges.of(u)
				ways += int64(to - from)
			}
		}
		return m.charge(ways)
	}
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
	return m.charge(ways)
}

func (m *machine[S]) charge(ways int64) error {
	m.ways = upper.AddSat(m.ways, ways)
	if m.most > 0 && m.ways > m.most {
		return errTooManyWays
	}
	return ChargeWork(m.ctx, upper.AddSat(int64(m.places), upper.MulSat(ways, int64(4*m.words+4))))
}

// spread goes along the edges of part i and of those before it, from the places
// rest of these.
func (m *machine[S]) spread(i, rest, place, label int, w []nat.Limb) error {
	p := m.parts[i]
	u := rest / p.stride
	rest %= p.stride
	if p.edges == nil {
		place, label = place+u*p.next, label+int(p.nothing)*p.radix
		if i > 0 {
			return m.spread(i-1, rest, place, label, w)
		}
		row, err := m.target(label, place)
		if err != nil {
			return err
		}
		nat.Add(row[place*m.words:(place+1)*m.words], w)
		return m.tick.Tick(4 * m.words)
	}
	for e, end := p.edges.of(u); e < end; e++ {
		v := int(p.edges.to[e])
		if p.live != nil && !p.live[v] {
			continue
		}
		place, label := place+v*p.next, label+int(p.edges.label[e])*p.radix
		if i == 0 {
			row, err := m.target(label, place)
			if err != nil {
				return err
			}
			addTimes(row[place*m.words:(place+1)*m.words], w, p.edges.weight[e])
			if err := m.tick.Tick(4 * m.words); err != nil {
				return err
			}
			continue
		}
		x := w
		if f := p.edges.weight[e]; f.wide != nil || f.word != 1 {
			x = m.scratch[i-1].Data
			clear(x)
			addTimes(x, w, f)
			x = nat.Trim(x)
		}
		if err := m.spread(i-1, rest, place, label, x); err != nil {
			return err
		}
	}
	return nil
}

// addTimes adds a product to a row that has room for the sum.
func addTimes(row, w []nat.Limb, f Weight) {
	switch {
	case f.wide != nil:
		nat.AddMul(row, w, f.wide.Bits())
	case f.word == 1:
		nat.Add(row, w)
	default:
		nat.AddMulWord(row, w, f.word)
	}
}

// spreadWord is spread for weights of one word.
func (m *machine[S]) spreadWord(i, rest, place, label int, w nat.Limb) error {
	p := m.parts[i]
	u := rest / p.stride
	rest %= p.stride
	if p.edges == nil {
		place, label = place+u*p.next, label+int(p.nothing)*p.radix
		if i > 0 {
			return m.spreadWord(i-1, rest, place, label, w)
		}
		row, err := m.target(label, place)
		if err != nil {
			return err
		}
		row[place] += w
		return m.tick.Tick(8)
	}
	from, to := p.edges.of(u)
	for e := from; e < to; e++ {
		v := int(p.edges.to[e])
		if p.live != nil && !p.live[v] {
			continue
		}
		if nat.Checking {
			hi, _ := bits.Mul(uint(w), uint(p.edges.weight[e].word))
			nat.Insist(hi == 0, "a weight of the state machine")
		}
		x := w * p.edges.weight[e].word
		place, label := place+v*p.next, label+int(p.edges.label[e])*p.radix
		if i > 0 {
			if err := m.spreadWord(i-1, rest, place, label, x); err != nil {
				return err
			}
			continue
		}
		row, err := m.target(label, place)
		if err != nil {
			return err
		}
		row[place] += x
	}
	if i > 0 {
		return nil
	}
	return m.tick.Tick(8 * (to - from))
}

// target returns the row of the state that follows on a label, at one of whose places the
// way ends.
func (m *machine[S]) target(label, place int) ([]nat.Limb, error) {
	i := 0
	if m.few != nil {
		i = int(m.few[label])
	} else {
		i = m.many[label]
	}
	if i == 0 {
		if err := m.follow(label); err != nil {
			return nil, err
		}
		return m.target(label, place)
	}
	if m.trail != nil {
		m.trail.offer(i-1, place, label)
	}
	return m.next.rows[i-1], nil
}

// follow asks step once for the state that follows on a label.
func (m *machine[S]) follow(label int) error {
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
		return err
	}
	i, err := m.enter(s)
	if err != nil {
		return err
	}
	if m.few != nil {
		m.few[label] = int32(i) + 1
	} else {
		m.many[label] = i + 1
	}
	return nil
}

// shown returns how many of a multiset show the face of a label.
func (m *machine[S]) shown(label, set int) int {
	for i := len(m.parts) - 1; i >= 0; i-- {
		p := m.parts[i]
		for k, c := range p.labels[label/p.radix] {
			if p.members[k] == set {
				return c
			}
		}
		label %= p.radix
	}
	return 0
}

// ends visits each state in which the machine ends, with its weight over all places at
// which it can; the slice of places is used again.
func (m *machine[S]) ends(visit func(row int, at []int, w Weight) error) error {
	ends := make([]Weight, m.places)
	m.multiply(len(m.parts), 0, Weight{word: 1}, func(p *part) []Weight { return p.ends(!p.onward) }, ends)
	at := make([]int, 0, m.places)
	for i, row := range m.state.rows {
		var sum Weight
		at = at[:0]
		for u, end := range ends {
			if w := row[u*m.words : (u+1)*m.words]; !end.IsZero() && !nat.IsZero(w) {
				sum = sum.Plus(weightOfLimbs(w).Times(end))
				at = append(at, u)
			}
		}
		if len(at) == 0 {
			continue
		}
		if err := visit(i, at, sum); err != nil {
			return err
		}
	}
	return nil
}

// finished returns the states in which the machine ends.
func (m *machine[S]) finished() *Tally[S] {
	t := new(Tally[S])
	_ = m.ends(func(row int, _ []int, w Weight) error {
		t.Add(m.state.states[row], w)
		return nil
	})
	return t
}
