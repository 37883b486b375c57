package linear

import (
	"container/heap"
	"math/big"
	"math/bits"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// primes are below 2^60, so that products of two stay below 2^120. Equations
// that happen to have no solution modulo one of them have one modulo another.
var primes = []uint64{1<<60 - 93, 1<<60 - 107, 1<<60 - 173, 1<<60 - 179, 1<<60 - 257, 1<<60 - 279}

// A Solver holds equations that are eliminated modulo a prime.
type Solver struct {
	meter  work.Meter
	eq     *Equations
	p      uint64
	order  []int // in which states are eliminated
	pivots []uint64
	upper  []modRow // by row: what is left of it when it is eliminated
	lower  []modRow // by column: what was taken off later rows
	small  [][]int64
	work   int64 // of one digit
}

type modRow struct {
	to []int
	v  []uint64
}

func mulMod(a, b, p uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, p)
	return r
}

func subMod(a, b, p uint64) uint64 {
	if a >= b {
		return a - b
	}
	return a + p - b
}

func inverseMod(a, p uint64) uint64 {
	x, n := uint64(1), p-2
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			x = mulMod(x, a, p)
		}
		a = mulMod(a, a, p)
	}
	return x
}

func intMod(n *big.Int, p uint64) uint64 {
	r := uint64(nat.ModWord(nat.Trim(n.Bits()), uint(p)))
	if n.Sign() < 0 && r > 0 {
		return p - r
	}
	return r
}

// NewSolver eliminates the equations. Cost: that of the elimination of the
// sparse matrix in words, the row and column with the least traffic first.
func NewSolver(meter work.Meter, eq *Equations) (*Solver, error) {
	for _, p := range primes {
		s := &Solver{meter: meter, eq: eq, p: p}
		ok, err := s.eliminate()
		if err != nil {
			return nil, err
		}
		if ok {
			s.fitSmall()
			return s, nil
		}
	}
	return nil, ErrSingular
}

// An elimination in words, row by row.
type modElimination struct {
	*Solver
	rows  []modRow
	from  [][]int // rows that may have an entry in the column
	done  []bool
	queue trafficQueue
}

type traffic struct {
	state int
	cost  int64
}

type trafficQueue []traffic

func (q trafficQueue) Len() int { return len(q) }
func (q trafficQueue) Less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].state < q[j].state
}
func (q trafficQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *trafficQueue) Push(x any)   { *q = append(*q, x.(traffic)) }
func (q *trafficQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// eliminate returns false when a pivot is zero modulo the prime.
func (s *Solver) eliminate() (bool, error) {
	n := len(s.eq.to)
	entries := int64(n)
	for _, to := range s.eq.to {
		entries += int64(len(to))
	}
	if err := s.meter.Table(entries, 4); err != nil {
		return false, err
	}
	if err := s.meter.Work(upper.MulSat(entries, 16)); err != nil {
		return false, err
	}
	e := modElimination{Solver: s, rows: make([]modRow, n), from: make([][]int, n), done: make([]bool, n)}
	s.pivots, s.upper, s.lower = make([]uint64, n), make([]modRow, n), make([]modRow, n)
	for i, to := range s.eq.to {
		e.rows[i].to = slices.Clone(to)
		for k, j := range to {
			e.rows[i].v = append(e.rows[i].v, intMod(s.eq.coeff[i][k], s.p))
			e.from[j] = append(e.from[j], i)
		}
	}
	for i := range n {
		e.queue = append(e.queue, traffic{i, e.cost(i)})
	}
	heap.Init(&e.queue)
	for len(e.queue) > 0 {
		next := heap.Pop(&e.queue).(traffic)
		if e.done[next.state] {
			continue
		}
		if now := e.cost(next.state); now != next.cost {
			heap.Push(&e.queue, traffic{next.state, now})
			continue
		}
		if ok, err := e.pivot(next.state); !ok || err != nil {
			return false, err
		}
	}
	for i := range n {
		s.work += int64(len(s.upper[i].to)+len(s.lower[i].to))*12 + 24 + int64(len(s.eq.to[i]))*4
	}
	return true, nil
}

// cost is how many entries the elimination of a state touches at most.
func (e *modElimination) cost(k int) int64 {
	from := slices.DeleteFunc(e.from[k], func(i int) bool { return e.done[i] })
	e.from[k] = from
	return int64(len(from)-1) * int64(len(e.rows[k].to)-1)
}

// pivot eliminates a state.
func (e *modElimination) pivot(k int) (bool, error) {
	row := e.rows[k]
	at, ok := slices.BinarySearch(row.to, k)
	if !ok || row.v[at] == 0 {
		return false, nil
	}
	inverse := inverseMod(row.v[at], e.p)
	rest := modRow{to: slices.Delete(slices.Clone(row.to), at, at+1), v: slices.Delete(slices.Clone(row.v), at, at+1)}
	touched := upper.MulSat(int64(len(e.from[k])), int64(len(rest.to)+1))
	if err := e.meter.Work(upper.AddSat(upper.MulSat(touched, 16), 64)); err != nil {
		return false, err
	}
	for _, i := range e.from[k] {
		if i == k {
			continue
		}
		if err := e.meter.Table(int64(len(rest.to)), 2); err != nil {
			return false, err
		}
		at, _ := slices.BinarySearch(e.rows[i].to, k)
		factor := mulMod(e.rows[i].v[at], inverse, e.p)
		e.lower[k].to = append(e.lower[k].to, i)
		e.lower[k].v = append(e.lower[k].v, factor)
		e.rows[i] = e.minus(i, at, factor, rest)
	}
	e.order = append(e.order, k)
	e.pivots[k], e.upper[k] = inverse, rest
	e.done[k] = true
	e.rows[k] = modRow{}
	return true, nil
}

// minus returns row i without its entry at place skip and minus factor times the
// other row.
func (e *modElimination) minus(i, skip int, factor uint64, other modRow) modRow {
	row := e.rows[i]
	out := modRow{to: make([]int, 0, len(row.to)+len(other.to)), v: make([]uint64, 0, len(row.to)+len(other.to))}
	a, b := 0, 0
	for a < len(row.to) || b < len(other.to) {
		switch {
		case a == skip:
			a++
			continue
		case b == len(other.to) || a < len(row.to) && row.to[a] < other.to[b]:
			out.to, out.v = append(out.to, row.to[a]), append(out.v, row.v[a])
			a++
		case a == len(row.to) || other.to[b] < row.to[a]:
			out.to = append(out.to, other.to[b])
			out.v = append(out.v, subMod(0, mulMod(factor, other.v[b], e.p), e.p))
			e.from[other.to[b]] = append(e.from[other.to[b]], i)
			b++
		default:
			out.to = append(out.to, row.to[a])
			out.v = append(out.v, subMod(row.v[a], mulMod(factor, other.v[b], e.p), e.p))
			a, b = a+1, b+1
		}
	}
	return out
}

// modulo solves the equations modulo the prime, in place.
func (s *Solver) modulo(b []uint64) {
	for _, k := range s.order {
		if b[k] == 0 {
			continue
		}
		l := &s.lower[k]
		for e, i := range l.to {
			b[i] = subMod(b[i], mulMod(l.v[e], b[k], s.p), s.p)
		}
	}
	for at := len(s.order) - 1; at >= 0; at-- {
		k := s.order[at]
		u := &s.upper[k]
		x := b[k]
		for e, j := range u.to {
			x = subMod(x, mulMod(u.v[e], b[j], s.p), s.p)
		}
		b[k] = mulMod(x, s.pivots[k], s.p)
	}
}

// fitSmall takes the coefficients as words when those of a row add up to less
// than 2^61.
func (s *Solver) fitSmall() {
	small := make([][]int64, len(s.eq.coeff))
	for i, row := range s.eq.coeff {
		sum := int64(0)
		for _, c := range row {
			if c.BitLen() > 61 {
				return
			}
			v := c.Int64()
			small[i] = append(small[i], v)
			sum += max(v, -v)
			if sum >= 1<<61 {
				return
			}
		}
	}
	s.small = small
}
