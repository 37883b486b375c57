package dist

import (
	"context"
	"slices"

	"dicescript/dist/internal/markov"
)

// The long-run share of a state is how often a process is there, of all its
// steps, when it goes on for ever. States that are left for good have none. When
// the others all lead to each other, their shares solve v = v P, whatever the
// start; with a period, that is the share over time (Kemeny and Snell, "Finite
// Markov Chains", 1960).

// Stationary returns the long-run share of each state of a process, exactly. The
// labels of the result are the states that the process keeps coming back to, in
// the order in which they were first reached. step is called once for every
// state that can be reached.
//
// It is an error when there are several classes of states that are never left,
// since the share then depends on chance, when there are more than 262 144
// states, and when a step carries an error bound.
//
// Cost: the elimination of a sparse matrix in machine words, and as many
// substitutions as the shares have digits.
func Stationary[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error)) (*Outcomes[S], error) {
	c := newChain(ctx, start, step)
	if err := c.expandReachable(); err != nil {
		return nil, err
	}
	class, err := c.closedClass()
	if err != nil {
		return nil, err
	}
	shares, err := markov.Shares(meterOf(ctx), c.rows, class)
	if err != nil {
		return nil, notSingular(err)
	}
	var t Tally[S]
	for k, i := range class {
		t.Add(c.states[i], weightOf(shares[k]))
	}
	return outcomesFrom(ctx, &t, 0, false)
}

// expandReachable learns the steps of all states that can be reached.
func (c *chain[S]) expandReachable() error {
	for i := 0; i < len(c.states); i++ {
		if err := c.expand(i); err != nil {
			return err
		}
		if n := len(c.states); n > maxTransient {
			return &LimitError{Resource: StatesResource, Need: int64(n), Limit: maxTransient}
		}
	}
	return nil
}

// closedClass returns the states of the only class that is never left.
func (c *chain[S]) closedClass() ([]int, error) {
	to := make([][]int, len(c.rows))
	ways := int64(0)
	for i, r := range c.rows {
		if r.Err > 0 {
			return nil, badArg("step", "an unlimited roll is behind what follows on state %s, so that a long-run share is not certain", quoted(c.states[i]))
		}
		to[i] = r.To
		ways += int64(len(r.To)) + 8
	}
	if err := ChargeWork(c.ctx, 8*ways); err != nil {
		return nil, err
	}
	closed := markov.ClosedClasses(to)
	if len(closed) > 1 {
		return nil, badArg("step", "there are several classes of states that are never left, such as those of %s and of %s; where the process ends is chance, and iterate(..., None) answers that",
			quoted(c.states[closed[0][0]]), quoted(c.states[closed[1][0]]))
	}
	slices.Sort(closed[0])
	return closed[0], nil
}
