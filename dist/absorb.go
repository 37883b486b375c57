package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/markov"
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
	if i := markov.Unabsorbed(c.rows); i >= 0 {
		return nil, badArg("step", "the process need not end: from state %s it never does", quoted(c.states[i]))
	}
	if c.rows[0].Absorbing {
		return Certain(c.states[0]), nil
	}
	ends, err := markov.Absorb(meterOf(c.ctx), c.rows)
	if err != nil {
		return nil, err
	}
	var t Tally[S]
	for k, j := range ends.To {
		t.Add(c.states[j], weightOf(ends.W[k]))
	}
	return outcomesFrom(c.ctx, &t, ends.Err, false)
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
	if rows[0].Absorbing {
		return new(big.Rat), true, nil
	}
	for _, r := range rows {
		if r.Err > 0 {
			return nil, false, nil
		}
	}
	times, err := timesUntil(ctx, rows, func(i int) bool { return rows[i].Absorbing })
	if err != nil {
		return nil, false, err
	}
	num, den, err := times.Mean()
	if err != nil {
		return nil, false, err
	}
	return new(big.Rat).SetFrac(num[0], den), true, nil
}
