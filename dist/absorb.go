package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/chain"
)

// A state whose step is itself with certainty is absorbing. Where a process is absorbed,
// and after how many steps on average, follows from sending the chance of its start
// forward, component by component (internal/chain).

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
// The error bound of the result is the sum over all states of their expected visits times
// the error of their row. Where exact chances would be longer than 65 536 bits, they are
// rounded to 256 bits, and what is lost by that is part of the bound too.
//
// Cost: for states that do not come back, one multiplication for each way to go on; those
// that lead to each other take the elimination of their sparse matrix in machine words,
// and as many substitutions as the chances have digits.
func Absorb[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error)) (*Outcomes[S], error) {
	s, err := settle(ctx, start, step, false)
	if err != nil {
		return nil, err
	}
	return s.Outcomes, nil
}

// A Settled process is where it is absorbed, and how many steps that takes.
type Settled[S comparable] struct {
	*Outcomes[S]
	steps *big.Rat
}

// Settle is [Absorb] with the mean number of steps.
func Settle[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error)) (*Settled[S], error) {
	return settle(ctx, start, step, true)
}

// MeanSteps returns the exact mean number of steps until the process is absorbed,
// and whether it is known: it is not when a step carries an error bound, or when chances
// were rounded.
func (s *Settled[S]) MeanSteps() (mean *big.Rat, known bool) {
	if s.steps == nil {
		return nil, false
	}
	return new(big.Rat).Set(s.steps), true
}

func settle[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error), steps bool) (*Settled[S], error) {
	c := newChain(ctx, start, step)
	if err := c.expandReachable(); err != nil {
		return nil, err
	}
	i, err := c.graph.Unending(meterOf(ctx))
	if err != nil {
		return nil, err
	}
	if i >= 0 {
		return nil, badArg("step", "the process need not end: from state %s it never does", quoted(c.states[i]))
	}
	return endsOf(ctx, &c.graph, nil, steps, func(i int) S { return c.states[i] })
}

// endsOf returns where a process ends by a plan, by the names of its states.
func endsOf[S comparable](ctx context.Context, g *chain.Graph, plan chain.Plan, steps bool, name func(int) S) (*Settled[S], error) {
	a, err := g.Absorb(meterOf(ctx), plan, steps)
	if err != nil {
		return nil, notSingular(err)
	}
	var t Tally[S]
	for k, i := range a.Ends {
		t.Add(name(i), weightOf(a.W[k]))
	}
	o, err := outcomesFrom(ctx, &t, a.Err, false)
	return &Settled[S]{o, a.Steps}, err
}
