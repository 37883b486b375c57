package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
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
		return nil, err
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
		if r.err > 0 {
			return nil, badArg("step", "an unlimited roll is behind what follows on state %s, so that a long-run share is not certain", quoted(c.states[i]))
		}
		to[i] = r.to
		ways += int64(len(r.to)) + 8
	}
	if err := ChargeWork(c.ctx, 8*ways); err != nil {
		return nil, err
	}
	var closed []int
	found := components(to)
	in := make([]int, len(to))
	for k, component := range found {
		for _, i := range component {
			in[i] = k
		}
	}
	for k, component := range found {
		if !leads(to, component, in, k) {
			continue
		}
		if closed != nil {
			return nil, badArg("step", "there are several classes of states that are never left, such as those of %s and of %s; where the process ends is chance, and iterate(..., None) answers that",
				quoted(c.states[closed[0]]), quoted(c.states[component[0]]))
		}
		closed = component
	}
	return sortedInts(closed), nil
}

// leads reports whether a component leads nowhere else.
func leads(to [][]int, component, in []int, k int) bool {
	for _, i := range component {
		for _, j := range to[i] {
			if in[j] != k {
				return false
			}
		}
	}
	return true
}

// shares solves v = v P in a class. With u_i = v_i / total_i and u of the first
// state as 1, every other state j has total_j u_j - sum of w_ij u_i = w_0j.
func (c *chain[S]) shares(class []int) ([]*big.Int, error) {
	place := make(map[int]int, len(class))
	for k, i := range class {
		place[i] = k - 1
	}
	n := len(class) - 1
	into := make([]map[int]*big.Int, n) // by column: the coefficients of its equation
	right := make([]*big.Int, n)
	for k := range n {
		into[k] = map[int]*big.Int{k: new(big.Int).Set(c.rows[class[k+1]].total)}
		right[k] = new(big.Int)
	}
	for k, i := range class {
		r := &c.rows[i]
		if err := ChargeTable(c.ctx, int64(len(r.to)), int64(r.w.Words)+8); err != nil {
			return nil, err
		}
		for e, j := range r.to {
			column := place[j]
			switch {
			case column < 0:
			case k == 0:
				right[column] = nat.Natural(r.w.At(e))
			default:
				nat.AddTerm(into[column], k-1, new(big.Int).Neg(nat.View(nat.Trim(r.w.At(e)))))
			}
		}
	}
	eq := &equations{}
	for _, row := range into {
		to := make([]int, 0, len(row))
		for j := range row {
			to = append(to, j)
		}
		coeff := make([]*big.Int, len(row))
		for e, j := range sortedInts(to) {
			coeff[e] = row[j]
		}
		eq.to, eq.coeff = append(eq.to, to), append(eq.coeff, coeff)
	}
	shares := []*big.Int{new(big.Int).Set(c.rows[class[0]].total)}
	if n == 0 {
		return shares, nil
	}
	s, err := newSolver(c.ctx, eq)
	if err != nil {
		return nil, err
	}
	num, den, err := s.solve(right)
	if err != nil {
		return nil, err
	}
	if err := ChargeWork(c.ctx, upper.MulSat(int64(n), int64(nat.WordsFor(den))*4)); err != nil {
		return nil, err
	}
	shares[0].Mul(shares[0], den)
	for k, x := range num {
		shares = append(shares, x.Mul(x, c.rows[class[k+1]].total))
	}
	return shares, nil
}
