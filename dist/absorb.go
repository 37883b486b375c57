package dist

import (
	"context"
	"math/big"
)

// A state whose step is itself with certainty is absorbing. Where a process is
// absorbed, and after how many steps on average, follows from taking the other
// states out of it one by one (Kemeny and Snell, "Finite Markov Chains", 1960).

// maxTransient bounds the states of a process that is followed until it is
// absorbed.
const maxTransient = 1 << 18

// Absorb returns the distribution of the absorbing state in which a process
// ends: one whose step is itself with certainty. It is solved exactly, not by
// repetition. step is called once for every state that can be reached. The labels
// of the result are the absorbing states in the order in which they were first
// reached.
//
// It is an error when some state can be reached from which no absorbing state
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
	return absorb(newChain(ctx, start, step))
}

// absorb follows a chain that has only its start yet.
func absorb[S comparable](c *chain[S]) (*Outcomes[S], error) {
	if err := c.expandReachable(); err != nil {
		return nil, err
	}
	if i := unabsorbed(c.rows); i >= 0 {
		return nil, badArg("step", "the process need not end: from state %s it never does", quoted(c.states[i]))
	}
	if c.rows[0].absorbing {
		return Certain(c.states[0]), nil
	}
	e, err := newElimination(c.ctx, c.rows)
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
	return outcomesFrom(c.ctx, &t, row.err, false)
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

// A Settled process is where it is absorbed, and how many steps that takes.
type Settled[S comparable] struct {
	*Outcomes[S]
	chain *chain[S]
}

// Settle is [Absorb], with the mean number of steps to be asked for.
func Settle[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error)) (*Settled[S], error) {
	c := newChain(ctx, start, step)
	rest, err := absorb(c)
	if err != nil {
		return nil, err
	}
	return &Settled[S]{Outcomes: rest, chain: c}, nil
}

// MeanSteps returns the exact mean number of steps until the process is absorbed,
// and whether it is known: it is not when a step carries an error bound. Cost:
// the elimination of a sparse matrix in machine words, and as many substitutions
// as the mean has digits.
func (s *Settled[S]) MeanSteps(ctx context.Context) (mean *big.Rat, known bool, err error) {
	rows := s.chain.rows
	if rows[0].absorbing {
		return new(big.Rat), true, nil
	}
	for _, r := range rows {
		if r.err > 0 {
			return nil, false, nil
		}
	}
	eq, states, err := transient(ctx, rows, func(i int) bool { return rows[i].absorbing })
	if err != nil {
		return nil, false, err
	}
	solver, err := newSolver(ctx, eq)
	if err != nil {
		return nil, false, err
	}
	num, den, err := meanSteps(solver, rows, states)
	if err != nil {
		return nil, false, err
	}
	return new(big.Rat).SetFrac(num[0], den), true, nil
}
