package dist

import (
	"context"
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
// process that comes to rest ends the work early.
func Iterate[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error), n int) (*Outcomes[S], error) {
	if n < 0 {
		return nil, badArg("n", "got %d, want at least 0", n)
	}
	c, m := newChain(ctx, start, step), startMarch()
	for t := 1; t <= n; t++ {
		if err := expandAll(c, m); err != nil {
			return nil, err
		}
		if m.resting(c.rows) {
			break
		}
		if _, err := m.advance(ctx, c.rows); err != nil {
			return nil, err
		}
		if t%reduceEvery == 0 && !m.weights.isWord() {
			if err := m.reduce(ctx); err != nil {
				return nil, err
			}
		}
	}
	return marchOutcomes(c, m)
}

// marchOutcomes names the states that the process may be in.
func marchOutcomes[S comparable](c *chain[S], m *march) (*Outcomes[S], error) {
	if err := chargeWeights(c.ctx, int64(m.weights.len()), int64(m.weights.words)); err != nil {
		return nil, err
	}
	var labels []S
	w := vec{words: m.weights.words}
	for i, n := 0, m.weights.len(); i < n; i++ {
		if x := m.weights.at(i); !isZero(x) {
			labels = append(labels, c.states[i])
			w.data = append(w.data, x...)
		}
	}
	return newOutcomes(c.ctx, labels, w, m.err, false)
}

// maxUnsettled bounds the states of a process that is followed until it comes
// to rest.
const maxUnsettled = 1 << 18

// Absorb returns the distribution of the state in which a process comes to
// rest: a state whose step is itself with certainty. It is solved exactly, not
// by repetition. step is called once for every state that can be reached. The
// labels of the result are the resting states in the order in which they were
// first reached.
//
// It is an error when some state can be reached from which no resting state
// can, and when there are more than 262 144 states: such a process most
// likely never ends.
//
// The error bound of the result is the sum over all states of their expected
// visits times the error of their row.
//
// Cost: states are eliminated one by one; at worst, when every state leads to
// every other, the cube of their number, much less when each leads to a few
// neighbours.
func Absorb[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error)) (*Outcomes[S], error) {
	c := newChain(ctx, start, step)
	for i := 0; i < len(c.states); i++ {
		if err := c.expand(i); err != nil {
			return nil, err
		}
		if n := len(c.states); n > maxUnsettled {
			return nil, &LimitError{Resource: "states", Need: int64(n), Limit: maxUnsettled}
		}
	}
	if i := unabsorbed(c.rows); i >= 0 {
		return nil, badArg("step", "the process need not come to rest: from state %s it never does", quoted(c.states[i]))
	}
	if c.rows[0].absorbing {
		return Certain(start), nil
	}
	e, err := newElimination(ctx, c.rows)
	if err != nil {
		return nil, err
	}
	if err := e.run(); err != nil {
		return nil, err
	}
	var t Tally[S]
	row := e.rows[0]
	for k, j := range row.to {
		t.Add(c.states[j], weightOf(row.w[k]))
	}
	return outcomesFrom(ctx, &t, row.err, false)
}

// unabsorbed returns a state from which no absorbing one can be reached, or -1.
func unabsorbed(rows []chainRow) int {
	from := make([][]int, len(rows))
	reached := make([]bool, len(rows))
	var queue []int
	for i, r := range rows {
		for _, j := range r.to {
			from[j] = append(from[j], i)
		}
		if r.absorbing {
			reached[i] = true
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		j := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range from[j] {
			if !reached[i] {
				reached[i] = true
				queue = append(queue, i)
			}
		}
	}
	for i := range rows {
		if !reached[i] {
			return i
		}
	}
	return -1
}
