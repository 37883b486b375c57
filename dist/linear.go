package dist

import (
	"container/heap"
	"context"
	"math/big"
	"math/bits"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Linear equations with integer coefficients are solved exactly without an
// elimination in long numbers: modulo a prime p the equations are eliminated
// once, in machine words, and the solution is then found digit by digit in base
// p. With x = x_0 + p x', A x = b leaves A x' = (b - A x_0)/p, and every digit
// costs one substitution (Dixon, "Exact solution of linear equations using
// p-adic expansions", 1982). Enough digits determine the fractions. They are
// multiplied out at the end, so that what is returned is certain: equations that
// have one solution modulo p have at most one in fractions.

// equations are A x = b, row by row. Every diagonal coefficient is a good pivot:
// those of a process that leaves all its states are (its matrix is an M-matrix).
type equations struct {
	to    [][]int // the columns of a row, ascending
	coeff [][]*big.Int
}

// primes are below 2^60, so that products of two stay below 2^120. Equations
// that happen to have no solution modulo one of them have one modulo another.
var primes = []uint64{1<<60 - 93, 1<<60 - 107, 1<<60 - 173, 1<<60 - 179, 1<<60 - 257, 1<<60 - 279}

// A solver holds equations that are eliminated modulo a prime.
type solver struct {
	ctx    context.Context
	eq     *equations
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

// newSolver eliminates the equations. Cost: that of the elimination of the
// sparse matrix in words, the row and column with the least traffic first.
func newSolver(ctx context.Context, eq *equations) (*solver, error) {
	for _, p := range primes {
		s := &solver{ctx: ctx, eq: eq, p: p}
		ok, err := s.eliminate()
		if err != nil {
			return nil, err
		}
		if ok {
			s.fitSmall()
			return s, nil
		}
	}
	return nil, badArg("step", "its equations have no single solution")
}

// An elimination in words, row by row.
type modElimination struct {
	*solver
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
func (s *solver) eliminate() (bool, error) {
	n := len(s.eq.to)
	entries := int64(n)
	for _, to := range s.eq.to {
		entries += int64(len(to))
	}
	if err := ChargeTable(s.ctx, entries, 4); err != nil {
		return false, err
	}
	if err := ChargeWork(s.ctx, upper.MulSat(entries, 16)); err != nil {
		return false, err
	}
	e := modElimination{solver: s, rows: make([]modRow, n), from: make([][]int, n), done: make([]bool, n)}
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
	if err := ChargeWork(e.ctx, upper.AddSat(upper.MulSat(touched, 16), 64)); err != nil {
		return false, err
	}
	for _, i := range e.from[k] {
		if i == k {
			continue
		}
		if err := ChargeTable(e.ctx, int64(len(rest.to)), 2); err != nil {
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
func (s *solver) modulo(b []uint64) {
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
func (s *solver) fitSmall() {
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

// solve returns the solution x = num / den.
func (s *solver) solve(b []*big.Int) (num []*big.Int, den *big.Int, err error) {
	words := int64(1)
	for _, x := range b {
		words = max(words, int64(len(x.Bits())))
	}
	l := s.newLifting(b)
	for digits := 2; ; digits += digits/2 + 1 {
		for l.length < digits {
			if err := ChargeWork(s.ctx, s.work+int64(len(b))*16); err != nil {
				return nil, nil, err
			}
			if err := ChargeTable(s.ctx, int64(len(b)), 1); err != nil {
				return nil, nil, err
			}
			l.lift()
		}
		if err := ChargeWork(s.ctx, upper.MulSat(int64(len(b)), upper.MulSat(int64(digits), int64(digits)+8))); err != nil {
			return nil, nil, err
		}
		if num, den, ok, err := l.fractions(); err != nil || ok {
			return num, den, err
		}
	}
}

// A lifting finds the digits of the solution in base p.
type lifting struct {
	*solver
	b      []*big.Int
	digits [][]uint64 // by unknown
	length int
	x      []uint64

	carry []int64    // with small coefficients: what is left of the right side but for its digits to come
	right [][]uint64 // the digits of the right side
	rest  []*big.Int // with large coefficients: what is left of the right side
}

func (s *solver) newLifting(b []*big.Int) *lifting {
	l := &lifting{solver: s, b: b, digits: make([][]uint64, len(b)), x: make([]uint64, len(b))}
	if s.small == nil {
		for _, v := range b {
			l.rest = append(l.rest, new(big.Int).Set(v))
		}
		return l
	}
	l.carry, l.right = make([]int64, len(b)), make([][]uint64, len(b))
	p, digit := new(big.Int).SetUint64(s.p), new(big.Int)
	for i, v := range b {
		if v.IsInt64() && max(v.Int64(), -v.Int64()) < 1<<60 && v.Int64() != -1<<63 {
			l.carry[i] = v.Int64()
			continue
		}
		for rest := new(big.Int).Abs(v); rest.Sign() > 0; {
			rest.QuoRem(rest, p, digit)
			l.right[i] = append(l.right[i], digit.Uint64())
		}
	}
	return l
}

// lift finds one more digit.
func (l *lifting) lift() {
	if l.small == nil {
		l.liftLarge()
	} else {
		l.liftSmall()
	}
	for i, x := range l.x {
		l.digits[i] = append(l.digits[i], x)
	}
	l.length++
}

func (l *lifting) liftSmall() {
	p := l.p
	for i := range l.b {
		if l.length < len(l.right[i]) {
			// A carry of the size of a row and one digit stay below 2^62.
			if d := int64(l.right[i][l.length]); l.b[i].Sign() < 0 {
				l.carry[i] -= d
			} else {
				l.carry[i] += d
			}
		}
		r := l.carry[i] % int64(p)
		if r < 0 {
			r += int64(p)
		}
		l.x[i] = uint64(r)
	}
	l.modulo(l.x)
	for i, to := range l.eq.to {
		hi, lo := uint64(l.carry[i]>>63), uint64(l.carry[i])
		for k, j := range to {
			c := l.small[i][k]
			if c < 0 {
				h, m := bits.Mul64(uint64(-c), l.x[j])
				var carry uint64
				lo, carry = bits.Add64(lo, m, 0)
				hi, _ = bits.Add64(hi, h, carry)
				continue
			}
			h, m := bits.Mul64(uint64(c), l.x[j])
			var borrow uint64
			lo, borrow = bits.Sub64(lo, m, 0)
			hi, _ = bits.Sub64(hi, h, borrow)
		}
		negative := int64(hi) < 0
		if negative {
			var borrow uint64
			lo, borrow = bits.Sub64(0, lo, 0)
			hi, _ = bits.Sub64(0, hi, borrow)
		}
		q, _ := bits.Div64(hi, lo, p)
		l.carry[i] = int64(q)
		if negative {
			l.carry[i] = -int64(q)
		}
	}
}

func (l *lifting) liftLarge() {
	for i, r := range l.rest {
		l.x[i] = intMod(r, l.p)
	}
	l.modulo(l.x)
	p, term := new(big.Int).SetUint64(l.p), new(big.Int)
	for i, to := range l.eq.to {
		for k, j := range to {
			l.rest[i].Sub(l.rest[i], term.Mul(l.eq.coeff[i][k], term.SetUint64(l.x[j])))
		}
		l.rest[i].Quo(l.rest[i], p)
	}
}

// slack is how many bits a fraction must be shorter than what determines it, to
// be worth multiplying out.
const slack = 64

// fractions finds fractions over one denominator from the digits so far, and
// reports whether they solve the equations.
func (l *lifting) fractions() (num []*big.Int, den *big.Int, ok bool, err error) {
	base := newDigitBase(l.p, l.length)
	whole := base.power(l.length)
	half := new(big.Int).Rsh(whole, 1)
	den = big.NewInt(1)
	dens := make([]*big.Int, len(l.b)) // the denominator when an unknown was found
	num = make([]*big.Int, len(l.b))
	tick := work.NewTicker(l.ctx)
	for i := range l.b {
		if err := tick.Tick(l.length*l.length + 16); err != nil {
			return nil, nil, false, err
		}
		x := base.number(l.digits[i])
		x.Mod(x.Mul(x, den), whole)
		if x.Cmp(half) > 0 {
			x.Sub(x, whole)
		}
		if x.BitLen()+den.BitLen()+slack > whole.BitLen() {
			n, d, err := reconstruct(&tick, x, whole)
			if err != nil {
				return nil, nil, false, err
			}
			if n.BitLen()+d.BitLen()+den.BitLen()+slack > whole.BitLen() {
				return nil, nil, false, nil
			}
			x = n
			den = new(big.Int).Mul(den, d)
		}
		num[i], dens[i] = x, den
	}
	for i, d := range dens {
		if d != den {
			num[i].Mul(num[i], new(big.Int).Quo(den, d))
		}
	}
	ok, err = l.verify(num, den, &tick)
	return num, den, ok, err
}

// verify multiplies out.
func (l *lifting) verify(num []*big.Int, den *big.Int, tick *work.Ticker) (bool, error) {
	sum, term := new(big.Int), new(big.Int)
	for i, to := range l.eq.to {
		sum.SetInt64(0)
		for k, j := range to {
			sum.Add(sum, term.Mul(l.eq.coeff[i][k], num[j]))
		}
		if sum.Cmp(term.Mul(den, l.b[i])) != 0 {
			return false, nil
		}
		if err := tick.Tick(len(to) * (len(den.Bits()) + 8)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// reconstruct finds the fraction n/d of least size with n = d x modulo m: the
// remainders of Euclid's algorithm are such fractions (Wang, 1981).
func reconstruct(tick *work.Ticker, x, m *big.Int) (n, d *big.Int, err error) {
	limit := m.BitLen() / 2
	r0, r1 := new(big.Int).Set(m), new(big.Int).Mod(x, m)
	d0, d1 := new(big.Int), big.NewInt(1)
	q, t := new(big.Int), new(big.Int)
	for r1.BitLen() > limit {
		q.QuoRem(r0, r1, t)
		r0, r1, t = r1, t, r0
		d0.Sub(d0, t.Mul(q, d1))
		d0, d1 = d1, d0
		if err := tick.Tick(8 * len(m.Bits())); err != nil {
			return nil, nil, err
		}
	}
	if d1.Sign() < 0 {
		r1.Neg(r1)
		d1.Neg(d1)
	}
	return r1, d1, nil
}

// A digitBase puts digits of base p together, halves first.
type digitBase struct {
	p      uint64
	powers []*big.Int // p^(2^k)
}

func newDigitBase(p uint64, length int) *digitBase {
	b := &digitBase{p: p, powers: []*big.Int{new(big.Int).SetUint64(p)}}
	for n := 1; 2*n <= length; n *= 2 {
		last := b.powers[len(b.powers)-1]
		b.powers = append(b.powers, new(big.Int).Mul(last, last))
	}
	return b
}

func (b *digitBase) power(n int) *big.Int {
	out := big.NewInt(1)
	for k := 0; n>>k > 0; k++ {
		if n>>k&1 == 1 {
			out.Mul(out, b.powers[k])
		}
	}
	return out
}

func (b *digitBase) number(digits []uint64) *big.Int {
	if len(digits) == 1 {
		return new(big.Int).SetUint64(digits[0])
	}
	k := bits.Len(uint(len(digits)-1)) - 1
	high := b.number(digits[1<<k:])
	return high.Add(high.Mul(high, b.powers[k]), b.number(digits[:1<<k]))
}
