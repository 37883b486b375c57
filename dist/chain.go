package dist

import (
	"context"
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
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
	w         nat.Vec
	total     *big.Int
	words     int // of the total
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
		if i == cap(c.rows) {
			c.rows = slices.Grow(c.rows, max(firstStates, 3*i))
			c.states = slices.Grow(c.states, max(firstStates, 3*i))
		}
		c.states = append(c.states, s)
		c.rows = append(c.rows, chainRow{})
	}
	return i
}

// firstStates is for how many states a process has room at once.
const firstStates = 16

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
	if err := ChargeTable(c.ctx, int64(n), int64(next.w.Words+1)); err != nil {
		return err
	}
	if err := ChargeTable(c.ctx, 1, stateCells); err != nil {
		return err
	}
	if err := ChargeWork(c.ctx, upper.MulSat(int64(n), visitCost)); err != nil {
		return err
	}
	r := chainRow{known: true, to: make([]int, 0, n), total: next.total, words: nat.WordsFor(next.total), err: next.err}
	r.w = nat.Vec{Words: next.w.Words, Data: make([]nat.Limb, 0, len(next.w.Data))}
	for j, s := range next.labels {
		if w := next.w.At(j); !nat.IsZero(w) {
			r.to = append(r.to, c.place(s))
			r.w.Data = append(r.w.Data, w...)
		}
	}
	r.absorbing = r.err == 0 && len(r.to) == 1 && r.to[0] == i
	c.rows[i] = r
	if len(c.states) > maxStates {
		return &LimitError{Resource: OutcomesResource, Need: int64(len(c.states)), Limit: maxStates}
	}
	return ChargeTable(c.ctx, int64(len(c.states)), 0)
}

// A state vector is the distribution of a process over the states of its chain at one
// time: state i has the chance weights.at(i) / denominator.
type stateVector struct {
	weights     nat.Vec
	denominator *big.Int
	err         float64    // the sum of the errors of the steps so far
	spare       []nat.Limb // the table of the step before, to be used again
	scaled      []nat.Limb
}

// initialVector puts a process at state 0.
func initialVector() *stateVector {
	return &stateVector{weights: nat.Vec{Words: 1, Data: []nat.Limb{1}}, denominator: big.NewInt(1)}
}

// absorbed reports whether no state that the process may be in is ever left.
func (m *stateVector) absorbed(rows []chainRow) bool {
	for i, n := 0, m.weights.Len(); i < n; i++ {
		if !nat.IsZero(m.weights.At(i)) && !rows[i].absorbing {
			return false
		}
	}
	return true
}

// expandAll learns the steps of the states that the process may be in.
func expandAll[S comparable](c *chain[S], m *stateVector) error {
	for i, n := 0, m.weights.Len(); i < n; i++ {
		if !nat.IsZero(m.weights.At(i)) {
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
func (m *stateVector) advance(ctx context.Context, rows []chainRow) (*big.Int, error) {
	var common *big.Int // of the rows so far
	wide := int64(0)    // the words of it
	worst, width := 0.0, 0
	mod := new(big.Int)
	for i, n := 0, m.weights.Len(); i < n; i++ {
		r := &rows[i]
		if nat.IsZero(m.weights.At(i)) {
			continue
		}
		if common == nil {
			common, wide = r.total, int64(r.words)
		}
		if wide > maxWords {
			return nil, &LimitError{Resource: WordsResource, Need: wide, Limit: maxWords}
		}
		if err := ChargeWork(ctx, wide*int64(r.words)); err != nil {
			return nil, err
		}
		if common.Cmp(r.total) != 0 && mod.Rem(common, r.total).Sign() != 0 {
			common = lcm(common, r.total)
			wide = int64(nat.WordsFor(common))
		}
		worst = max(worst, r.err)
		width += len(r.to) * r.w.Words
	}
	if common == nil { // it is nowhere
		common = big.NewInt(1)
	}
	denominator := new(big.Int).Mul(m.denominator, common)
	words := nat.WordsFor(denominator)
	if err := ChargeWork(ctx, upper.MulSat(int64(width+m.weights.Len()), int64(words)+stepWork)); err != nil {
		return nil, err
	}
	next, err := m.room(ctx, len(rows), words)
	if err != nil {
		return nil, err
	}
	factor := new(big.Int)
	tick := work.NewTicker(ctx)
	for i, n := 0, m.weights.Len(); i < n; i++ {
		x := nat.Trim(m.weights.At(i))
		if len(x) == 0 {
			continue
		}
		r := &rows[i]
		if err := tick.Tick(len(r.to) * (words + stepWork)); err != nil {
			return nil, err
		}
		if common.Cmp(r.total) != 0 {
			x = m.scale(x, factor.Quo(common, r.total), words)
		}
		addRow(next, r, x)
	}
	if nat.Checking {
		nat.InsistMass(next, new(big.Int).Mul(m.weights.Sum(), common), "a step of a process")
	}
	m.spare, m.weights = m.weights.Data, next
	m.denominator = denominator
	m.err = upper.Add(m.err, worst)
	return common, nil
}

// addRow adds x times the row to the weights of the states that it goes to.
func addRow(next nat.Vec, r *chainRow, x []nat.Limb) {
	if next.Words == 1 {
		for k, j := range r.to {
			if nat.Checking {
				nat.InsistScaledFits(next.Data[j:j+1], x[:1], r.w.Data[k], "a step of a process")
			}
			next.Data[j] += x[0] * r.w.Data[k]
		}
		return
	}
	for k, j := range r.to {
		nat.AddMul(next.At(j), x, nat.Trim(r.w.At(k)))
	}
}

// room returns an empty table for n states, in the memory of the step before
// last when that is large enough.
func (m *stateVector) room(ctx context.Context, n, words int) (nat.Vec, error) {
	if cap(m.spare) < n*words {
		if err := chargeWeights(ctx, int64(n), int64(words)); err != nil {
			return nat.Vec{}, err
		}
		if err := ChargeTable(ctx, int64(n), int64(words)); err != nil {
			return nat.Vec{}, err
		}
		m.spare = make([]nat.Limb, 2*n*words)
	}
	data := m.spare[:n*words]
	clear(data)
	return nat.Vec{Words: words, Data: data}, nil
}

// scale returns factor times x, which fits the given number of words, until the
// next call.
func (m *stateVector) scale(x []nat.Limb, factor *big.Int, words int) []nat.Limb {
	if cap(m.scaled) < words {
		m.scaled = make([]nat.Limb, 2*words)
	}
	s := m.scaled[:words]
	clear(s)
	nat.AddMul(s, x, factor.Bits())
	return nat.Trim(s)
}

// reduce takes out what divides all weights, which then also divides the
// denominator, their sum.
func (m *stateVector) reduce(ctx context.Context) error {
	tick := work.NewTicker(ctx)
	g, err := m.weights.Content(&tick)
	if err != nil || g.IsInt64() && g.Int64() == 1 {
		return err
	}
	w, err := m.weights.Divided(g, &tick)
	if err != nil {
		return err
	}
	m.denominator = new(big.Int).Quo(m.denominator, g)
	m.weights = w.Resized(nat.WordsFor(m.denominator))
	return nil
}
