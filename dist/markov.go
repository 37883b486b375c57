package dist

import (
	"context"

	"dicescript/dist/internal/chain"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
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
	c, m := newChain(ctx, start, step), chain.Start()
	for t := 1; t <= n; t++ {
		if err := expandAll(c, m); err != nil {
			return nil, err
		}
		if m.Ended(&c.graph) {
			break
		}
		if _, err := m.Advance(meterOf(ctx), &c.graph); err != nil {
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
func vectorOutcomes[S comparable](c *walker[S], m *chain.Vector) (*Outcomes[S], error) {
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

// A walker is what is known of a process so far.
type walker[S comparable] struct {
	ctx    context.Context
	step   func(S) (*Outcomes[S], error)
	index  map[S]int
	states []S // in order of first appearance
	graph  chain.Graph
	rests  bool  // whether a state whose step is itself is an end
	earn   int32 // what each step earns
}

func newChain[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error)) *walker[S] {
	c := &walker[S]{ctx: ctx, step: step, index: map[S]int{}, rests: true}
	c.place(start)
	return c
}

// place returns the number of a state.
func (c *walker[S]) place(s S) int {
	i, ok := c.index[s]
	if !ok {
		i = c.graph.Add()
		c.index[s] = i
		c.states = append(c.states, s)
	}
	return i
}

// expand asks for the step of a state, once.
func (c *walker[S]) expand(i int) error {
	if c.graph.States[i].Known {
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
	if c.rests && next.err == 0 && isCertain(next, c.states[i]) {
		c.graph.End(i, nil)
		return nil
	}
	if err := lead(c.ctx, &c.graph, i, next, func(s S) (int, int32) { return c.place(s), c.earn }); err != nil {
		return err
	}
	return checkStates(c.ctx, len(c.states), chain.MaxStates)
}

// isCertain reports whether nothing but a label can happen.
func isCertain[S comparable](o *Outcomes[S], label S) bool {
	for j, s := range o.labels {
		if s != label && !nat.IsZero(o.w.At(j)) {
			return false
		}
	}
	return true
}

// lead adds a way from state i that leads to where next says, to the state of the number
// that place returns, with the number of what is earned there.
func lead[S comparable](ctx context.Context, g *chain.Graph, i int, next *Outcomes[S], place func(S) (to int, earn int32)) error {
	if err := g.Way(meterOf(ctx), i, next.total, next.err, len(next.labels), next.w.Words); err != nil {
		return err
	}
	for j, s := range next.labels {
		if w := next.w.At(j); !nat.IsZero(w) {
			to, earn := place(s)
			g.Edge(to, w, earn)
		}
	}
	return nil
}

// checkStates refuses a process of more states than it may have.
func checkStates(ctx context.Context, n, limit int) error {
	if n > limit {
		return &LimitError{Resource: StatesResource, Need: int64(n), Limit: int64(limit)}
	}
	return ChargeTable(ctx, int64(n), 0)
}

// expandAll learns the steps of the states that the process may be in.
func expandAll[S comparable](c *walker[S], m *chain.Vector) error {
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		if !nat.IsZero(m.Weights.At(i)) {
			if err := c.expand(i); err != nil {
				return err
			}
		}
	}
	return nil
}
