package markov

import (
	"math/big"

	"dicescript/dist/internal/linear"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// How long a process takes until it comes to some states. From state i on, the time
// T_i and its square have the means
//
//	E T_i  = 1 + sum over j of p_ij E T_j
//	E T_i² = 1 + 2 sum of p_ij E T_j + sum of p_ij E T_j²
//
// over the states where it is not there yet: two systems of equations with one
// matrix (first passage times; Kemeny and Snell, "Finite Markov Chains", 1960, 3.2).

// Times are the equations of how long a process takes.
type Times struct {
	meter  work.Meter
	rows   []Row
	states []int // those where it is not over, which the unknowns belong to
	solver *linear.Solver
}

// Until eliminates the equations total_i x_i minus the sum of w_ij x_j of the states
// that are not over, of which there is one at least. From all of them the process must
// come to one that is.
func Until(meter work.Meter, rows []Row, over func(i int) bool) (*Times, error) {
	t := &Times{meter: meter, rows: rows}
	at := make([]int, len(rows))
	entries := int64(0)
	for i, r := range rows {
		at[i] = -1
		if !over(i) {
			at[i] = len(t.states)
			t.states = append(t.states, i)
			entries += int64(len(r.To)+1) * int64(r.W.Words+4)
		}
	}
	if err := meter.Table(entries, 2); err != nil {
		return nil, err
	}
	if err := meter.Work(upper.MulSat(entries, 8)); err != nil {
		return nil, err
	}
	eq := &linear.Equations{}
	for k, i := range t.states {
		r := &rows[i]
		row := map[int]*big.Int{k: new(big.Int).Set(r.Total)}
		for e, j := range r.To {
			if at[j] >= 0 {
				nat.AddTerm(row, at[j], new(big.Int).Neg(nat.View(nat.Trim(r.W.At(e)))))
			}
		}
		eq.Add(row)
	}
	var err error
	t.solver, err = linear.NewSolver(meter, eq)
	return t, err
}

// Mean returns the mean number of steps from each state where it is not over, over
// den.
func (t *Times) Mean() (num []*big.Int, den *big.Int, err error) {
	right := make([]*big.Int, len(t.states))
	for k, i := range t.states {
		right[k] = t.rows[i].Total
	}
	return t.solver.Solve(right)
}

// Square returns the means of the square from those of the time: total_i E T_i² - sum of w_ij E T_j² = total_i + 2 sum of
// w_ij E T_j, and the sum is total_i (E T_i - 1).
func (t *Times) Square(mean []*big.Int, meanDen *big.Int) (num []*big.Int, den *big.Int, err error) {
	right := make([]*big.Int, len(mean))
	for k, i := range t.states {
		x := new(big.Int).Lsh(mean[k], 1)
		x.Sub(x, meanDen)
		right[k] = x.Mul(x, t.rows[i].Total)
		if err := t.meter.Work(int64(4*nat.WordsFor(meanDen)) + 16); err != nil {
			return nil, nil, err
		}
	}
	if num, den, err = t.solver.Solve(right); err != nil {
		return nil, nil, err
	}
	return num, den.Mul(den, meanDen), nil
}
