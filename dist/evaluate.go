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

// The multiset state machine looks at a pool face by face instead of die by
// die: what counts is only how many dice show each face. Of n equal dice of
// which u are placed already, c of the others show the next face in C(n-u, c)
// ways, each of weight w^c. So it is enough to know the weight of every
// combination of a state and the numbers of dice placed, and the work grows
// with the number of states, not with the number of combinations. (The technique is
// that of Icepool's multiset evaluators; Liu, "Icepool: Efficient Computation of Dice Pool
// Probabilities", AIIDE 2022.)

// Evaluate visits the faces of p in ascending order. For every face that any die
// can show, step is called with the state so far, the face, and how many dice
// show it, which may be none; it returns the next state. The result holds the
// states after the last face, in order of first appearance, with their weights,
// which add up to the product of the totals of all dice. Chances are certain to
// within the sum of the error bounds of the dice. An error of step ends the
// evaluation and is returned. step is called once for every face, state and
// count that can come up, in no order that a rule may rely on.
//
// Cost: for n equal dice, faces times states times n²/2 additions of a weight;
// with several kinds of dice, the product of such squares over the kinds: many
// dice of few kinds are cheap, many kinds are not.
func Evaluate[S comparable](ctx context.Context, p *Pool, start S, step func(s S, face, count int) (S, error)) (*Tally[S], error) {
	states, w, err := evaluateWeights(ctx, p, start, step)
	if err != nil {
		return nil, err
	}
	t := new(Tally[S])
	for i, s := range states {
		t.Add(s, weightOfLimbs(w.At(i)))
	}
	return t, nil
}

// evaluateWeights runs the state machine over the faces of p in ascending order and returns
// the states reached after the last face, in order of first appearance, with
// their weights out of p.total().
func evaluateWeights[S comparable](ctx context.Context, p *Pool, start S, step func(s S, face, count int) (S, error)) ([]S, nat.Vec, error) {
	m, err := newMachine[S](ctx, p)
	if err != nil {
		return nil, nat.Vec{}, err
	}
	m.step = step
	i, err := m.enter(start)
	if err != nil {
		return nil, nat.Vec{}, err
	}
	m.next.rows[i][0] = 1
	for {
		face, ok := m.nextFace()
		if !ok {
			break
		}
		if err := m.place(face); err != nil {
			return nil, nat.Vec{}, err
		}
	}
	return m.finished()
}

// finished returns the states in which all dice are placed.
func (m *machine[S]) finished() ([]S, nat.Vec, error) {
	last := (m.places - 1) * m.words
	w := nat.Vec{Words: m.words}
	var states []S
	for i, row := range m.next.rows {
		if x := row[last : last+m.words]; !nat.IsZero(x) {
			states = append(states, m.next.states[i])
			w.Data = append(w.Data, x...)
		}
	}
	if nat.Checking {
		nat.InsistMass(w, m.total, "the state machine")
	}
	return states, w, nil
}

// A machine holds the weights of the states over the numbers of dice placed.
// The numbers placed of each group make up one index in a mixed radix.
type machine[S comparable] struct {
	ctx    context.Context
	tick   work.Ticker
	step   func(s S, face, count int) (S, error)
	groups []machineGroup
	places int      // combinations of numbers placed
	total  *big.Int // the weight of the whole pool
	words  int      // of it
	next   stateTable[S]
	last   int           // the state that was entered last
	before stateTable[S] // of the face before, whose memory is used again
	spare  []nat.Limb    // for rows
	size   int
}

type machineGroup struct {
	die    *Dist
	count  int
	stride int // of the mixed radix
	at     int // the next face
}

// A stateTable is a list of states, each with a row of weights by numbers of
// dice placed.
type stateTable[S comparable] struct {
	index  states.Index[S]
	states []S
	rows   [][]nat.Limb // with rows of a face before in their room
}

// emptied is the table without states, but with their memory.
func (t stateTable[S]) emptied() stateTable[S] {
	if t.index == nil {
		t.index = states.NewIndex[S]()
	}
	t.index.Empty()
	return stateTable[S]{index: t.index, states: t.states[:0], rows: t.rows[:0]}
}

func newMachine[S comparable](ctx context.Context, p *Pool) (*machine[S], error) {
	m := &machine[S]{ctx: ctx, tick: work.NewTicker(ctx), size: p.size}
	places := int64(1)
	for _, g := range p.groups {
		m.groups = append(m.groups, machineGroup{die: g.die, count: g.count, stride: int(places)})
		places = upper.MulSat(places, upper.AddSat(int64(g.count), 1))
		if err := indexable(ctx, places); err != nil {
			return nil, err
		}
	}
	if err := chargeRoom(ctx, places, p.wordsBound()); err != nil {
		return nil, err
	}
	total, err := p.total(ctx)
	if err != nil {
		return nil, err
	}
	m.places = int(places)
	m.total, m.words = total, nat.WordsFor(total)
	m.next.index = states.NewIndex[S]()
	return m, nil
}

// enter returns the row of a state, which it adds when it is new.
func (m *machine[S]) enter(s S) (int, error) {
	if n := len(m.next.states); m.last < n && m.next.states[m.last] == s {
		return m.last, nil // mostly the same again
	}
	if i, ok := m.next.index.Place(s); ok {
		m.last = i
		return i, nil
	}
	if err := chargeRoom(m.ctx, int64(m.places), int64(m.words)); err != nil {
		return 0, err
	}
	i := len(m.next.states)
	m.last = i
	m.next.index.Put(s, i)
	m.next.states = append(m.next.states, s)
	if i < cap(m.next.rows) {
		if row := m.next.rows[:i+1][i]; row != nil {
			clear(row)
			m.next.rows = m.next.rows[:i+1]
			return i, nil
		}
	}
	n := m.places * m.words
	if len(m.spare) < n {
		m.spare = make([]nat.Limb, max(n, spareWords))
	}
	m.next.rows = append(m.next.rows, m.spare[:n:n])
	m.spare = m.spare[n:]
	return i, nil
}

// spareWords is for how many words of short rows room is made at once.
const spareWords = 1 << 9

// nextFace returns the lowest face that has not been visited.
func (m *machine[S]) nextFace() (int, bool) {
	face, ok := 0, false
	for i := range m.groups {
		g := &m.groups[i]
		for g.at < g.die.axis.Len() && nat.IsZero(g.die.w.At(g.at)) {
			g.at++
		}
		if g.at == g.die.axis.Len() {
			continue
		}
		if x := g.die.axis.At(g.at); !ok || x < face {
			face, ok = x, true
		}
	}
	return face, ok
}

// A showing is a group that can show the face that is being placed.
type showing struct {
	*machineGroup
	weight []nat.Limb
	last   bool // no higher face is left, so all dice must be placed
}

// place moves every state on by one face.
func (m *machine[S]) place(face int) error {
	shows := m.showing(face)
	if err := ChargeWork(m.ctx, m.faceWork(shows)); err != nil {
		return err
	}
	from := m.next
	m.next, m.before = m.before.emptied(), from
	targets := make([]int, m.size+1)
	// So many dice of a word have one face each, and no table is made for them.
	if len(shows) == 1 && m.words == 1 && shows[0].count < nat.LimbBits {
		return m.placeWords(face, shows[0], from, targets)
	}
	spread := newSpread(m, shows)
	for i, s := range from.states {
		for c := range targets {
			targets[c] = -1
		}
		for u := 0; u < m.places; u++ {
			w := from.rows[i][u*m.words : (u+1)*m.words]
			if nat.IsZero(w) {
				continue
			}
			if err := spread.run(u, w, func(count, place int, weight []nat.Limb) error {
				if targets[count] < 0 {
					t, err := m.step(s, face, count)
					if err != nil {
						return err
					}
					if targets[count], err = m.enter(t); err != nil {
						return err
					}
				}
				row := m.next.rows[targets[count]]
				nat.Add(row[place*m.words:(place+1)*m.words], weight)
				return m.tick.Tick(4 * m.words)
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeWords is place for the dice of one group, when all weights are of one word.
// In how many ways c of r dice show the face is worked out once for all states.
func (m *machine[S]) placeWords(face int, g showing, from stateTable[S], targets []int) error {
	ways := waysOfWords(g)
	for i, s := range from.states {
		for c := range targets {
			targets[c] = -1
		}
		for u, w := range from.rows[i] {
			if w == 0 {
				continue
			}
			rest := g.count - u/g.stride%(g.count+1)
			first := 0
			if g.last {
				first = rest
			}
			ways := ways[rest]
			for c := first; c <= rest; c++ {
				if targets[c] < 0 {
					t, err := m.step(s, face, c)
					if err != nil {
						return err
					}
					if targets[c], err = m.enter(t); err != nil {
						return err
					}
				}
				if nat.Checking {
					hi, _ := bits.Mul(uint(w), uint(ways[c]))
					nat.Insist(hi == 0, "a weight of the state machine")
				}
				m.next.rows[targets[c]][u+c*g.stride] += w * ways[c]
			}
			if err := m.tick.Tick(4 * (rest - first + 1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// waysOfWords returns for every number r of dice that are left, and c of them, the
// weight of c dice that show the face: C(r, c) w^c, or w^r alone where no higher
// face is left. They fit a word because they are no more than the weight of the pool.
func waysOfWords(g showing) [][]nat.Limb {
	ways := make([][]nat.Limb, g.count+1)
	room := make([]nat.Limb, (g.count+1)*(g.count+2)/2)
	for r := range ways {
		ways[r], room = room[:r+1], room[r+1:]
		ways[r][0] = 1
		for c := 1; c <= r; c++ {
			// C(r, c) = C(r-1, c) + C(r-1, c-1)
			above := nat.Limb(0)
			if c < r && !g.last {
				above = ways[r-1][c]
			}
			ways[r][c] = above + ways[r-1][c-1]*g.weight[0]
		}
	}
	return ways
}

func (m *machine[S]) showing(face int) []showing {
	var shows []showing
	for i := range m.groups {
		g := &m.groups[i]
		if n := g.die.axis.Len(); g.at < n && g.die.axis.At(g.at) == face {
			shows = append(shows, showing{machineGroup: g, weight: nat.Trim(g.die.w.At(g.at)), last: g.at == n-1})
			g.at++
		}
	}
	return shows
}

// faceWork is the number of additions that the next face needs at most.
func (m *machine[S]) faceWork(shows []showing) int64 {
	ways := int64(m.places)
	for _, s := range shows {
		if !s.last {
			ways = upper.MulSat(ways, int64(s.count)/2+1)
		}
	}
	return upper.MulSat(upper.MulSat(ways, int64(len(m.next.states))), int64(4*m.words+4))
}

// A spread goes through the ways in which dice can show a face, given how many
// have been placed. The weight of c dice follows from that of c-1 by one
// multiplication and one exact division: C(r, c) = C(r, c-1) (r-c+1)/c.
type spread struct {
	shows   []showing
	words   int
	weights [][]nat.Limb // the weight after each of the groups; one word of headroom
	counts  []int        // dice of each group that show the face
	rest    []int        // dice of each group that are not placed yet
}

func newSpread[S comparable](m *machine[S], shows []showing) *spread {
	s := &spread{shows: shows, words: m.words}
	for range shows {
		most := 2
		for _, g := range shows {
			most = max(most, len(g.weight)+1)
		}
		s.weights = append(s.weights, make([]nat.Limb, m.words+most))
	}
	s.counts = make([]int, len(shows))
	s.rest = make([]int, len(shows))
	return s
}

// run calls visit for every way to go on from the index u of weight w.
func (s *spread) run(u int, w []nat.Limb, visit func(count, place int, weight []nat.Limb) error) error {
	if len(s.shows) == 0 {
		return visit(0, u, w)
	}
	for i, g := range s.shows {
		s.rest[i] = g.count - u/g.stride%(g.count+1)
	}
	total, place := 0, u
	s.enter(0, w)
	i := 0
	for {
		if !s.shows[i].last || s.counts[i] == s.rest[i] {
			c := s.counts[i]
			total, place = total+c, place+c*s.shows[i].stride
			if i+1 < len(s.shows) {
				i++
				s.enter(i, s.weights[i-1][:s.words])
				continue
			}
			if err := visit(total, place, s.weights[i][:s.words]); err != nil {
				return err
			}
			total, place = total-c, place-c*s.shows[i].stride
		}
		for s.counts[i] == s.rest[i] {
			if i == 0 {
				return nil
			}
			i--
			total, place = total-s.counts[i], place-s.counts[i]*s.shows[i].stride
		}
		s.more(i)
	}
}

// enter starts group i with no die on the face.
func (s *spread) enter(i int, w []nat.Limb) {
	s.counts[i] = 0
	clear(s.weights[i][copy(s.weights[i], w):])
}

// more puts one more die of group i on the face. On the last face of the group
// nothing is chosen, since all of its dice that are left end up there.
func (s *spread) more(i int) {
	s.counts[i]++
	x := s.weights[i]
	nat.MulInPlace(x, s.shows[i].weight)
	if !s.shows[i].last {
		nat.MulWord(x, nat.Limb(s.rest[i]-s.counts[i]+1))
		nat.NewExactDivisor(nat.Limb(s.counts[i])).Divide(x)
	}
	if nat.Checking {
		nat.Insist(nat.IsZero(x[s.words:]), "a weight of the state machine")
	}
}

// evaluateDist runs the state machine and collects an integer of each final
// state.
func evaluateDist[S comparable](ctx context.Context, p *Pool, start S, step func(s S, face, count int) (S, error), finish func(S) int, t *tail) (*Dist, error) {
	states, w, err := evaluateWeights(ctx, p, start, step)
	if err != nil {
		return nil, err
	}
	var tally Tally[int]
	for i, s := range states {
		tally.Add(finish(s), weightOfLimbs(w.At(i)))
	}
	return distFrom(ctx, &tally, t)
}
