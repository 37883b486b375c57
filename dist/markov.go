package dist

import (
	"context"

	"dicescript/dist/internal/markov"
	"dicescript/dist/internal/nat"
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
