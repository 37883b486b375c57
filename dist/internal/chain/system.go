package chain

import (
	"math/big"
	"slices"

	"dicescript/dist/internal/linear"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Inside a component, what is wanted solves linear equations. Values x satisfy
//
//	total_i x_i - sum over j inside of w_ij x_j = b_i,
//
// and how often states are left, u, the same with the matrix transposed. Its determinant
// is positive where the component is left surely. A few states are solved by their
// adjugate, in integers; more of them modulo a prime, by lifting (internal/linear).

// A walk goes through a graph by a plan, component by component.
type walk struct {
	*arithmetic
	g        *Graph
	plan     Plan
	adjoints map[few]*system // of components that were met
	place    []int32         // of the states of the component that is being solved, from 1 on; 0 of others
}

func newWalk(a *arithmetic, g *Graph, plan Plan) (*walk, error) {
	if err := a.meter.Table(int64(len(g.States)), 1); err != nil {
		return nil, err
	}
	return &walk{arithmetic: a, g: g, plan: plan, place: make([]int32, len(g.States))}, nil
}

// edges returns the edges that the plan takes from a state that is no end.
func (w *walk) edges(s int32) []Edge { return w.g.edgesOf(w.plan.way(w.g, s)) }

// total returns the total of the way that the plan takes.
func (w *walk) total(s int32) *big.Int { return w.g.Ways[w.plan.way(w.g, s)].Total }

// enclose gives the states of a component their places, and forget takes them back.
func (w *walk) enclose(states []int32) {
	for k, s := range states {
		w.place[s] = int32(k) + 1
	}
}

func (w *walk) forget(states []int32) {
	for _, s := range states {
		w.place[s] = 0
	}
}

// pivot returns the total of a state without the weight of staying there, over what the
// weights that lead away from it have in common.
func (w *walk) pivot(s int32) (pivot *big.Int, common nat.Limb) {
	edges, total := w.edges(s), w.total(s)
	var stays *big.Int
	for i := range edges {
		if edges[i].To == s {
			if stays == nil {
				stays = new(big.Int)
			}
			stays.Add(stays, w.g.weight(&edges[i]).int())
		}
	}
	if stays == nil {
		return total, 1
	}
	rest := stays.Sub(total, stays)
	if !rest.IsUint64() {
		return rest, 1
	}
	g := uint(rest.Uint64())
	for i := range edges {
		e := &edges[i]
		if e.To == s {
			continue
		}
		if e.earn < 0 || g == 1 {
			return rest, 1
		}
		g = nat.GCD(g, uint(e.w))
	}
	return rest.Quo(rest, new(big.Int).SetUint64(uint64(g))), nat.Limb(g)
}

// fewStates is up to how many states the adjugate is taken.
const fewStates = 4

// A system is the equations of a component, ready to be solved.
type system struct {
	*walk
	adjoint    [][]weight // of few states: the solution times den
	transposed bool
	den        *big.Int
	solver     *linear.Solver
}

// system prepares the equations of the component that was enclosed, with the matrix as it
// is or transposed.
func (w *walk) system(states []int32, transposed bool) (*system, error) {
	s := &system{walk: w}
	var err error
	if len(states) > fewStates {
		s.solver, err = w.solver(states, transposed)
		return s, err
	}
	s.transposed = transposed
	s.adjoint, s.den, err = w.adjoint(states)
	return s, err
}

// solve returns the solution for the right sides b, which is to be divided by den. It is
// written into x, which is empty.
func (s *system) solve(b, x []*sum) (den *big.Int, err error) {
	if s.solver == nil {
		return s.den, s.solveFew(b, x)
	}
	right, d, err := s.common(b)
	if err != nil {
		return nil, err
	}
	num, den, err := s.solver.Solve(right)
	if err != nil {
		return nil, err
	}
	for k, n := range num {
		x[k].n.Set(n)
		x[k].d = d
	}
	return den, nil
}

// solveFew multiplies the right sides by the adjugate.
func (s *system) solveFew(b, x []*sum) error {
	for i := range b {
		for j, term := range b {
			c := s.adjoint[i][j]
			if s.transposed {
				c = s.adjoint[j][i]
			}
			if term == nil || term.d == nil || c.isZero() {
				continue
			}
			if err := s.add(x[i], &term.n, term.d, c); err != nil {
				return err
			}
		}
		if x[i].d == nil {
			x[i].n.SetInt64(0)
			x[i].d = s.one
		}
	}
	return nil
}

// solver eliminates the equations of the component.
func (w *walk) solver(states []int32, transposed bool) (*linear.Solver, error) {
	rows := make([]map[int]*big.Int, len(states))
	entries := int64(0)
	for _, s := range states {
		entries += int64(len(w.edges(s))) + 2
	}
	if err := w.meter.Table(entries, 6); err != nil {
		return nil, err
	}
	if err := w.pay(upper.MulSat(entries, 4*work.Visit)); err != nil {
		return nil, err
	}
	for k, s := range states {
		rows[k] = map[int]*big.Int{k: new(big.Int).Set(w.total(s))}
	}
	for k, s := range states {
		edges := w.edges(s)
		for i := range edges {
			at := int(w.place[edges[i].To]) - 1
			switch {
			case at < 0:
			case transposed:
				nat.AddTerm(rows[at], k, new(big.Int).Neg(w.g.weight(&edges[i]).int()))
			default:
				nat.AddTerm(rows[k], at, new(big.Int).Neg(w.g.weight(&edges[i]).int()))
			}
		}
	}
	eq := &linear.Equations{}
	for _, row := range rows {
		eq.Add(row)
	}
	return linear.NewSolver(w.meter, eq)
}

// adjoint returns the adjugate, of which no entry is negative, as weights, and the
// determinant. Cofactors are at most the product of twice the totals of the other
// rows.
func (w *walk) adjoint(states []int32) ([][]weight, *big.Int, error) {
	edges, size := 0, 0
	for _, s := range states {
		edges += len(w.edges(s))
		size += w.total(s).BitLen() + 1
	}
	if err := w.pay(int64(edges+32) * work.Visit); err != nil {
		return nil, nil, err
	}
	if size < 63 {
		return w.smallAdjoint(states)
	}
	return w.largeAdjoint(states)
}

// A few is a small matrix of words.
type few [fewStates][fewStates]int64

// smallAdjoint is adjoint in words.
func (w *walk) smallAdjoint(states []int32) ([][]weight, *big.Int, error) {
	var m few
	n := len(states)
	for i, s := range states {
		m[i][i] = w.total(s).Int64()
	}
	for i, s := range states {
		edges := w.edges(s)
		for k := range edges {
			if at := w.place[edges[k].To]; at > 0 {
				m[i][at-1] -= int64(edges[k].w)
			}
		}
	}
	if known, ok := w.adjoints[m]; ok {
		return known.adjoint, known.den, nil
	}
	if err := w.meter.Table(2, fewStates*fewStates); err != nil {
		return nil, nil, err
	}
	den := m.determinant(n)
	if den <= 0 {
		return nil, nil, linear.ErrSingular
	}
	var c few
	common := uint(den)
	for i := range n {
		for j := range n {
			c[i][j] = m.without(n, j, i).determinant(n - 1)
			if (i+j)%2 == 1 {
				c[i][j] = -c[i][j]
			}
			common = nat.GCD(common, uint(c[i][j]))
		}
	}
	out, cells := make([][]weight, n), make([]weight, n*n)
	for i := range n {
		out[i] = cells[i*n : (i+1)*n]
		for j := range n {
			out[i][j].word = nat.Limb(uint(c[i][j]) / common)
		}
	}
	if w.adjoints == nil {
		w.adjoints = map[few]*system{}
	}
	known := &system{adjoint: out, den: big.NewInt(den / int64(common))}
	w.adjoints[m] = known
	return out, known.den, nil
}

// without returns a matrix without one row and one column.
func (m *few) without(n, row, column int) *few {
	var out few
	for i, x := 0, 0; i < n; i++ {
		if i == row {
			continue
		}
		for j, y := 0, 0; j < n; j++ {
			if j != column {
				out[x][y] = m[i][j]
				y++
			}
		}
		x++
	}
	return &out
}

// determinant expands a matrix by its first row.
func (m *few) determinant(n int) int64 {
	switch n {
	case 0:
		return 1
	case 1:
		return m[0][0]
	case 2:
		return m[0][0]*m[1][1] - m[0][1]*m[1][0]
	}
	sum := int64(0)
	for j := range n {
		if m[0][j] == 0 {
			continue
		}
		if term := m[0][j] * m.without(n, 0, j).determinant(n-1); j%2 == 0 {
			sum += term
		} else {
			sum -= term
		}
	}
	return sum
}

// largeAdjoint is adjoint in long numbers.
func (w *walk) largeAdjoint(states []int32) ([][]weight, *big.Int, error) {
	n := len(states)
	m := make([][]*big.Int, n)
	words := int64(0)
	for i, s := range states {
		words += int64(len(w.total(s).Bits()))
		for range n {
			m[i] = append(m[i], new(big.Int))
		}
		m[i][i].Set(w.total(s))
	}
	if err := w.pay(upper.MulSat(int64(n*n*n), upper.MulSat(words, words))); err != nil {
		return nil, nil, err
	}
	for i, s := range states {
		edges := w.edges(s)
		for k := range edges {
			if at := w.place[edges[k].To]; at > 0 {
				m[i][at-1].Sub(m[i][at-1], w.g.weight(&edges[k]).int())
			}
		}
	}
	den := determinant(m)
	if den.Sign() <= 0 {
		return nil, nil, linear.ErrSingular
	}
	out := make([][]weight, n)
	common := new(big.Int).Set(den)
	for i := range m {
		out[i] = make([]weight, n)
		for j := range m {
			c := determinant(minor(m, j, i))
			if (i+j)%2 == 1 {
				c.Neg(c)
			}
			out[i][j].wide = c
			common.GCD(nil, nil, common, c)
		}
	}
	for _, row := range out {
		for j := range row {
			row[j].wide.Quo(row[j].wide, common)
		}
	}
	return out, den.Quo(den, common), nil
}

// minor returns a matrix without one row and one column.
func minor(m [][]*big.Int, row, column int) [][]*big.Int {
	out := make([][]*big.Int, 0, len(m))
	for i, r := range m {
		if i != row {
			out = append(out, slices.Delete(slices.Clone(r), column, column+1))
		}
	}
	return out
}

// determinant expands a small matrix by its first row.
func determinant(m [][]*big.Int) *big.Int {
	if len(m) == 0 {
		return big.NewInt(1)
	}
	sum := new(big.Int)
	for j, c := range m[0] {
		if c.Sign() == 0 {
			continue
		}
		term := determinant(minor(m, 0, j))
		if term.Mul(term, c); j%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	return sum
}

// common brings sums to one denominator.
func (w *walk) common(sums []*sum) ([]*big.Int, *denominator, error) {
	d := w.one
	for _, s := range sums {
		if s != nil && s.d != nil {
			j, err := w.join(d, s.d)
			if err != nil {
				return nil, nil, err
			}
			d = j.d
		}
	}
	out := make([]*big.Int, len(sums))
	for k, s := range sums {
		out[k] = new(big.Int)
		if s == nil || s.d == nil {
			continue
		}
		j, err := w.join(s.d, d)
		if err != nil {
			return nil, nil, err
		}
		out[k].Set(&s.n)
		if j.fa != nil {
			if err := w.pay(upper.MulSat(d.wordsOf(), int64(len(j.fa.Bits())))); err != nil {
				return nil, nil, err
			}
			out[k].Mul(out[k], j.fa)
		}
	}
	return out, d, nil
}
