package dist

import (
	"context"
	"slices"

	"dicescript/dist/internal/markov"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The distribution of a Markov process after n steps is its starting state
// multiplied n times by the matrix of its steps: p(t+1) = p(t) P.

// reduceEvery is after how many steps the common divisor of the weights is
// looked for: rarely, since there mostly is none, but often enough that weights
// that shrink stay small.
const reduceEvery = 16

// Iterate returns the distribution of the state of a process after n steps. It
// begins at start; step gives the distribution of the next state and is called
// once for every state that is reached before step n. The labels of the result
// are the states that are possible after n steps, in the order in which they
// were first reached.
//
// The error bound of the result is the sum over the steps of the largest error
// among the rows that they use. It is an error when n is negative, and errors
// of step are returned.
//
// Cost: in every step, one multiplication for each way to go from each state
// that the process may be in, by weights that grow by a factor at each step. A
// process that is absorbed ends the work early.
func Iterate[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error), n int) (*Outcomes[S], error) {
	if n < 0 {
		return nil, badArg("n", "got %d, want at least 0", n)
	}
	c, m := newChain(ctx, start, step), markov.Start()
	for t := 1; t <= n; t++ {
		if err := expandAll(c, m); err != nil {
			return nil, err
		}
		if m.Absorbed(c.rows) {
			break
		}
		if _, err := m.Advance(meterOf(ctx), c.rows); err != nil {
			return nil, err
		}
		if t%reduceEvery == 0 && !m.Weights.IsWord() {
			if err := m.Reduce(meterOf(ctx)); err != nil {
				return nil, err
			}
		}
	}
	return vectorOutcomes(c, m)
}

// vectorOutcomes names the states that the process may be in.
func vectorOutcomes[S comparable](c *chain[S], m *markov.Vector) (*Outcomes[S], error) {
	if err := chargeWeights(c.ctx, int64(m.Weights.Len()), int64(m.Weights.Words)); err != nil {
		return nil, err
	}
	var labels []S
	w := nat.Vec{Words: m.Weights.Words}
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		if x := m.Weights.At(i); !nat.IsZero(x) {
			labels = append(labels, c.states[i])
			w.Data = append(w.Data, x...)
		}
	}
	return newOutcomes(c.ctx, labels, w, m.Err, false)
}

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
	rows   []markov.Row
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
		c.rows = append(c.rows, markov.Row{})
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
	if c.rows[i].Known {
		return nil
	}
	if err := ChargeWork(c.ctx, work.Visit); err != nil {
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
	if err := ChargeWork(c.ctx, upper.MulSat(int64(n), work.Visit)); err != nil {
		return err
	}
	r := markov.Row{Known: true, To: make([]int, 0, n), Total: next.total, Words: nat.WordsFor(next.total), Err: next.err}
	r.W = nat.Vec{Words: next.w.Words, Data: make([]nat.Limb, 0, len(next.w.Data))}
	for j, s := range next.labels {
		if w := next.w.At(j); !nat.IsZero(w) {
			r.To = append(r.To, c.place(s))
			r.W.Data = append(r.W.Data, w...)
		}
	}
	r.Absorbing = r.Err == 0 && len(r.To) == 1 && r.To[0] == i
	c.rows[i] = r
	if len(c.states) > maxStates {
		return &LimitError{Resource: OutcomesResource, Need: int64(len(c.states)), Limit: maxStates}
	}
	return ChargeTable(c.ctx, int64(len(c.states)), 0)
}

// expandAll learns the steps of the states that the process may be in.
func expandAll[S comparable](c *chain[S], m *markov.Vector) error {
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		if !nat.IsZero(m.Weights.At(i)) {
			if err := c.expand(i); err != nil {
				return err
			}
		}
	}
	return nil
}
