package dist

import (
	"context"
	"math/big"
)

// A Markov process moves from state to state, and where it goes next depends
// only on where it is. Its states are found as it reaches them, so it need not
// be known how many there are; each is asked for its step once. Weights stay
// integers: a step multiplies all of them by the least common multiple of the
// totals of the rows that it uses.

// A chain is what is known of a process so far.
type chain[S comparable] struct {
	ctx    context.Context
	step   func(S) (*Outcomes[S], error)
	index  map[S]int
	states []S // in order of first appearance
	rows   []chainRow
}

// A chainRow says where a state goes.
type chainRow struct {
	known     bool
	to        []int // states, with the weights beside them
	w         vec
	total     *big.Int
	err       float64
	absorbing bool // it stays where it is with certainty
}

func newChain[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error)) *chain[S] {
	c := &chain[S]{ctx: ctx, step: step, index: map[S]int{}}
	c.place(start)
	return c
}

// place returns the number of a state.
func (c *chain[S]) place(s S) int {
	i, ok := c.index[s]
	if !ok {
		i = len(c.states)
		c.index[s] = i
		c.states = append(c.states, s)
		c.rows = append(c.rows, chainRow{})
	}
	return i
}

// stateCells is about how many words a state takes beyond the ways that lead on.
const stateCells = 16

// maxStates bounds the states of a process, whatever the budget.
const maxStates = 1 << 24

// expand asks for the step of a state, once.
func (c *chain[S]) expand(i int) error {
	if c.rows[i].known {
		return nil
	}
	if err := ChargeWork(c.ctx, visitCost); err != nil {
		return err
	}
	next, err := c.step(c.states[i])
	if err != nil {
		return err
	}
	if next == nil {
		return badArg("step", "it gave nothing for state %s", quoted(c.states[i]))
	}
	n := len(next.labels)
	if err := ChargeTable(c.ctx, int64(n), int64(next.w.words+1)); err != nil {
		return err
	}
	if err := ChargeTable(c.ctx, 1, stateCells); err != nil {
		return err
	}
	if err := ChargeWork(c.ctx, mulSat(int64(n), visitCost)); err != nil {
		return err
	}
	r := chainRow{known: true, to: make([]int, 0, n), total: next.total, err: next.err}
	r.w = vec{words: next.w.words, data: make([]limb, 0, len(next.w.data))}
	for j, s := range next.labels {
		if w := next.w.at(j); !isZero(w) {
			r.to = append(r.to, c.place(s))
			r.w.data = append(r.w.data, w...)
		}
	}
	r.absorbing = r.err == 0 && len(r.to) == 1 && r.to[0] == i
	c.rows[i] = r
	if len(c.states) > maxStates {
		return &LimitError{Resource: "outcomes", Need: int64(len(c.states)), Limit: maxStates}
	}
	return ChargeTable(c.ctx, int64(len(c.states)), 0)
}

// A march is the distribution of a process over the states of its chain at one
// time: state i has the chance weights.at(i) / denominator.
type march struct {
	weights     vec
	denominator *big.Int
	err         float64 // the sum of the errors of the steps so far
	spare       []limb  // the table of the step before, to be used again
	scaled      []limb
}

// startMarch puts a process at state 0.
func startMarch() *march {
	return &march{weights: vec{words: 1, data: []limb{1}}, denominator: big.NewInt(1)}
}

// resting reports whether no state that the process may be in is ever left.
func (m *march) resting(rows []chainRow) bool {
	for i, n := 0, m.weights.len(); i < n; i++ {
		if !isZero(m.weights.at(i)) && !rows[i].absorbing {
			return false
		}
	}
	return true
}

// expandAll learns the steps of the states that the process may be in.
func expandAll[S comparable](c *chain[S], m *march) error {
	for i, n := 0, m.weights.len(); i < n; i++ {
		if !isZero(m.weights.at(i)) {
			if err := c.expand(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// stepWork is what going from one state to another takes besides the words of
// the weights.
const stepWork = 8

// advance makes one step from states whose rows are known. It returns the
// number by which the denominator grew.
func (m *march) advance(ctx context.Context, rows []chainRow) (*big.Int, error) {
	common, worst, width := big.NewInt(1), 0.0, 0
	mod := new(big.Int)
	for i, n := 0, m.weights.len(); i < n; i++ {
		r := &rows[i]
		if isZero(m.weights.at(i)) {
			continue
		}
		wide := int64(wordsFor(common))
		if wide > maxWords {
			return nil, &LimitError{Resource: "words", Need: wide, Limit: maxWords}
		}
		if err := ChargeWork(ctx, wide*int64(wordsFor(r.total))); err != nil {
			return nil, err
		}
		if common.Cmp(r.total) != 0 && mod.Rem(common, r.total).Sign() != 0 {
			common = lcm(common, r.total)
		}
		worst = max(worst, r.err)
		width += len(r.to) * r.w.words
	}
	denominator := new(big.Int).Mul(m.denominator, common)
	words := wordsFor(denominator)
	if err := ChargeWork(ctx, mulSat(int64(width+m.weights.len()), int64(words)+stepWork)); err != nil {
		return nil, err
	}
	next, err := m.room(ctx, len(rows), words)
	if err != nil {
		return nil, err
	}
	factor := new(big.Int)
	tick := newTicker(ctx)
	for i, n := 0, m.weights.len(); i < n; i++ {
		x := trim(m.weights.at(i))
		if len(x) == 0 {
			continue
		}
		r := &rows[i]
		if err := tick.tick(len(r.to) * (words + stepWork)); err != nil {
			return nil, err
		}
		if common.Cmp(r.total) != 0 {
			x = m.scale(x, factor.Quo(common, r.total), words)
		}
		addRow(next, r, x)
	}
	m.spare, m.weights = m.weights.data, next
	m.denominator = denominator
	m.err = addUp(m.err, worst)
	return common, nil
}

// addRow adds x times the row to the weights of the states that it goes to.
func addRow(next vec, r *chainRow, x []limb) {
	if next.words == 1 {
		for k, j := range r.to {
			next.data[j] += x[0] * r.w.data[k]
		}
		return
	}
	for k, j := range r.to {
		addMulLimbs(next.at(j), x, trim(r.w.at(k)))
	}
}

// room returns an empty table for n states, in the memory of the step before
// last when that is large enough.
func (m *march) room(ctx context.Context, n, words int) (vec, error) {
	if cap(m.spare) < n*words {
		if err := chargeWeights(ctx, int64(n), int64(words)); err != nil {
			return vec{}, err
		}
		if err := ChargeTable(ctx, int64(n), int64(words)); err != nil {
			return vec{}, err
		}
		m.spare = make([]limb, 2*n*words)
	}
	data := m.spare[:n*words]
	clear(data)
	return vec{words: words, data: data}, nil
}

// scale returns factor times x, which fits the given number of words, until the
// next call.
func (m *march) scale(x []limb, factor *big.Int, words int) []limb {
	if cap(m.scaled) < words {
		m.scaled = make([]limb, 2*words)
	}
	s := m.scaled[:words]
	clear(s)
	addMulLimbs(s, x, factor.Bits())
	return trim(s)
}

// reduce takes out what divides all weights, which then also divides the
// denominator, their sum.
func (m *march) reduce(ctx context.Context) error {
	tick := newTicker(ctx)
	g, err := m.weights.content(&tick)
	if err != nil || g.IsInt64() && g.Int64() == 1 {
		return err
	}
	w, err := m.weights.divided(g, &tick)
	if err != nil {
		return err
	}
	m.denominator = new(big.Int).Quo(m.denominator, g)
	m.weights = w.resized(wordsFor(m.denominator))
	return nil
}
