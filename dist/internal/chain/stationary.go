package chain

import (
	"math/big"
	"slices"

	"dicescript/dist/internal/linear"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Classes returns the classes of states that are never left, among those that the start
// leads to: components that lead nowhere else. States are ascending.
func (g *Graph) Classes(meter work.Meter) ([][]int, error) {
	span := wayspan{g: g}
	found, err := g.condense(meter, span, 0)
	if err != nil {
		return nil, err
	}
	in := make([]int32, len(g.States))
	for k := range found.len() {
		for _, s := range found.at(k) {
			in[s] = int32(k)
		}
	}
	var closed [][]int
	for k := range found.len() {
		if !staysIn(span, found.at(k), in) {
			continue
		}
		var class []int
		for _, s := range found.at(k) {
			class = append(class, int(s))
		}
		slices.Sort(class)
		closed = append(closed, class)
	}
	return closed, nil
}

// staysIn reports whether a component leads nowhere else.
func staysIn(span wayspan, states, in []int32) bool {
	for _, s := range states {
		from, to := span.edges(s)
		for _, e := range span.g.Edges[from:to] {
			if in[e.To] != in[s] {
				return false
			}
		}
	}
	return true
}

// Shares solves v = v P in a class, of which no state is an end. With u_i = v_i / total_i
// and u of the first state as 1, every other state j has total_j u_j - sum of w_ij u_i =
// w_0j.
func (g *Graph) Shares(meter work.Meter, class []int) ([]*big.Int, error) {
	place := make(map[int32]int, len(class))
	for k, i := range class {
		place[int32(i)] = k - 1
	}
	n := len(class) - 1
	into := make([]map[int]*big.Int, n) // by column: the coefficients of its equation
	right := make([]*big.Int, n)
	total := func(i int) *big.Int { return g.Ways[g.States[i].First].Total }
	for k := range n {
		into[k] = map[int]*big.Int{k: new(big.Int).Set(total(class[k+1]))}
		right[k] = new(big.Int)
	}
	for k, i := range class {
		edges := g.edgesOf(g.States[i].First)
		if err := meter.Table(int64(len(edges)), int64(nat.WordsFor(total(i)))+8); err != nil {
			return nil, err
		}
		for e := range edges {
			column := place[edges[e].To]
			switch {
			case column < 0:
			case k == 0:
				right[column].Add(right[column], g.weight(&edges[e]).int())
			default:
				nat.AddTerm(into[column], k-1, new(big.Int).Neg(g.weight(&edges[e]).int()))
			}
		}
	}
	shares := []*big.Int{new(big.Int).Set(total(class[0]))}
	if n == 0 {
		return shares, nil
	}
	eq := &linear.Equations{}
	for _, row := range into {
		eq.Add(row)
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
		shares = append(shares, x.Mul(x, total(class[k+1])))
	}
	return shares, nil
}
