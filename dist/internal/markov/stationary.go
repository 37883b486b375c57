package markov

import (
	"math/big"

	"dicescript/dist/internal/linear"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// ClosedClasses returns the classes of states that are never left, in the order of
// [Components].
func ClosedClasses(to [][]int) [][]int {
	found := Components(to)
	in := make([]int, len(to))
	for k, component := range found {
		for _, i := range component {
			in[i] = k
		}
	}
	var closed [][]int
	for k, component := range found {
		if staysIn(to, component, in, k) {
			closed = append(closed, component)
		}
	}
	return closed
}

// staysIn reports whether a component leads nowhere else.
func staysIn(to [][]int, component, in []int, k int) bool {
	for _, i := range component {
		for _, j := range to[i] {
			if in[j] != k {
				return false
			}
		}
	}
	return true
}

// Shares solves v = v P in a class. With u_i = v_i / total_i and u of the first
// state as 1, every other state j has total_j u_j - sum of w_ij u_i = w_0j.
func Shares(meter work.Meter, rows []Row, class []int) ([]*big.Int, error) {
	place := make(map[int]int, len(class))
	for k, i := range class {
		place[i] = k - 1
	}
	n := len(class) - 1
	into := make([]map[int]*big.Int, n) // by column: the coefficients of its equation
	right := make([]*big.Int, n)
	for k := range n {
		into[k] = map[int]*big.Int{k: new(big.Int).Set(rows[class[k+1]].Total)}
		right[k] = new(big.Int)
	}
	for k, i := range class {
		r := &rows[i]
		if err := meter.Table(int64(len(r.To)), int64(r.W.Words)+8); err != nil {
			return nil, err
		}
		for e, j := range r.To {
			column := place[j]
			switch {
			case column < 0:
			case k == 0:
				right[column] = nat.Natural(r.W.At(e))
			default:
				nat.AddTerm(into[column], k-1, new(big.Int).Neg(nat.View(nat.Trim(r.W.At(e)))))
			}
		}
	}
	eq := &linear.Equations{}
	for _, row := range into {
		eq.Add(row)
	}
	shares := []*big.Int{new(big.Int).Set(rows[class[0]].Total)}
	if n == 0 {
		return shares, nil
	}
	s, err := linear.NewSolver(meter, eq)
	if err != nil {
		return nil, err
	}
	num, den, err := s.Solve(right)
	if err != nil {
		return nil, err
	}
	if err := meter.Work(upper.MulSat(int64(n), int64(nat.WordsFor(den))*4)); err != nil {
		return nil, err
	}
	shares[0].Mul(shares[0], den)
	for k, x := range num {
		shares = append(shares, x.Mul(x, rows[class[k+1]].Total))
	}
	return shares, nil
}
