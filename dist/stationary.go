package dist

import (
	"context"
	"math/big"
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
	shares, err := c.shares(class)
	if err != nil {
		return nil, notSingular(err)
	}
	var t Tally[S]
	for k, i := range class {
		t.Add(c.states[i], weightOf(shares[k]))
	}
	return outcomesFrom(ctx, &t, 0, false)
}

// shares returns in what proportions the process is in the states of a class.
func (c *walker[S]) shares(class []int) ([]*big.Int, error) {
	if c.graph.States[class[0]].IsEnd() {
		return []*big.Int{big.NewInt(1)}, nil
	}
	return c.graph.Shares(meterOf(c.ctx), class)
}

// expandReachable learns the steps of all states that can be reached.
func (c *walker[S]) expandReachable() error {
	for i := 0; i < len(c.states); i++ {
		if err := c.expand(i); err != nil {
			return err
		}
		if err := checkStates(c.ctx, len(c.states), maxTransient); err != nil {
			return err
		}
	}
	return nil
}

// closedClass returns the states of the only class that is never left.
func (c *walker[S]) closedClass() ([]int, error) {
	for i := range c.states {
		if c.bound(i) > 0 {
			return nil, badArg("step", "an unlimited roll is behind what follows on state %s, so that a long-run share is not certain", quoted(c.states[i]))
		}
	}
	closed, err := c.graph.Classes(meterOf(c.ctx))
	if err != nil {
		return nil, err
	}
	if len(closed) > 1 {
		return nil, badArg("step", "there are several classes of states that are never left, such as those of %s and of %s; where the process ends is chance, and iterate(..., None) answers that",
			quoted(c.states[closed[0][0]]), quoted(c.states[closed[1][0]]))
	}
	return closed[0], nil
}

// bound returns the error of what follows on a state.
func (c *walker[S]) bound(i int) float64 {
	if s := &c.graph.States[i]; s.First < s.Last {
		return c.graph.Ways[s.First].Err
	}
	return 0
}
