package dist

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"dicescript/dist/internal/axis"
)

// A fuzz program makes rolls and pools and puts them together at random: whatever
// is asked of the engine, it answers or refuses, never panics, and what it answers
// has the mass, the mean and the variance that another route gives.

// A machineOfRolls runs a program of bytes over a few registers.
type machineOfRolls struct {
	t       *testing.T
	ctx     context.Context
	program []byte
	rolls   [4]*Dist
	pools   [4]*Pool
}

// byte is the next byte of the program; it goes on with zeros.
func (m *machineOfRolls) byte() int {
	if len(m.program) == 0 {
		return 0
	}
	b := m.program[0]
	m.program = m.program[1:]
	return int(b)
}

func (m *machineOfRolls) small() int { return int(int8(m.byte())) }

// number is often near the middle of things and sometimes enormous.
func (m *machineOfRolls) number() int {
	switch b := m.byte(); {
	case b < 200:
		return b
	case b < 250:
		return b*256 + m.byte()
	}
	return []int{-1, -1 << 63, 1<<63 - 1, 1 << 40, -300, 1 << 31}[m.byte()%6]
}

func (m *machineOfRolls) roll() *Dist { return m.rolls[m.byte()%len(m.rolls)] }
func (m *machineOfRolls) pool() *Pool { return m.pools[m.byte()%len(m.pools)] }

func (m *machineOfRolls) weight() *big.Int {
	w := big.NewInt(int64(m.byte()))
	if bits := uint(m.byte()); bits > 128 {
		w.Add(w, new(big.Int).Lsh(big.NewInt(1), bits-128))
	}
	return w.Add(w, big.NewInt(int64(m.small()%2)))
}

func (m *machineOfRolls) set() Set {
	a, b := m.small(), m.small()
	switch m.byte() % 5 {
	case 0:
		return Only(a, b)
	case 1:
		return From(a)
	case 2:
		return UpTo(b)
	case 3:
		return m.roll().TopFace()
	}
	return Must(Through(min(a, b), max(a, b))).Not()
}

// limit is a number of times, none or endless.
func (m *machineOfRolls) limit() int {
	if b := m.byte(); b < 240 {
		return b
	}
	return Unlimited
}

// run does one thing after the other until the program ends.
func (m *machineOfRolls) run() {
	for i := range m.rolls {
		m.rolls[i] = die(i + 2)
		m.pools[i] = dice(3*i+2, 6)
	}
	for range 12 {
		if len(m.program) == 0 {
			return
		}
		op := m.byte()
		name, d, err := m.do(op)
		m.refuses(name, err)
		if err != nil || d == nil {
			continue
		}
		m.consistent(name, d)
		m.rolls[m.byte()%len(m.rolls)] = d
	}
}

// refuses fails for errors that are neither about an argument nor about a limit.
func (m *machineOfRolls) refuses(name string, err error) {
	var limit *LimitError
	var arg *ArgError
	if err != nil && !errors.As(err, &limit) && !errors.As(err, &arg) {
		m.t.Fatalf("%s: %v", name, err)
	}
}

// do does one thing and returns the roll that it made, if it made one.
func (m *machineOfRolls) do(op int) (string, *Dist, error) {
	a, b, p, ctx := m.roll(), m.roll(), m.pool(), m.ctx
	made := func(name string) func(*Dist, error) (string, *Dist, error) {
		return func(d *Dist, err error) (string, *Dist, error) { return name, d, err }
	}
	// law holds the result against a mean and a variance that follow from others.
	law := func(name string, mean, variance func() *big.Rat) func(*Dist, error) (string, *Dist, error) {
		return func(d *Dist, err error) (string, *Dist, error) {
			if err == nil && d.tail == nil {
				m.has(name, d, mean, variance)
			}
			return name, d, err
		}
	}
	switch op % 42 {
	case 0:
		return made("die")(Die(m.number()))
	case 1:
		return made("uniform")(Uniform(m.small(), m.number()))
	case 2:
		return made("faces")(Faces(m.small(), m.number(), m.small()))
	case 3:
		return made("weighted")(Weighted(ctx, []int{m.small(), m.small(), m.number()}, []*big.Int{m.weight(), m.weight(), m.weight()}))
	case 4:
		return made("coin")(Coin(new(big.Rat).SetFrac(m.weight(), new(big.Int).Add(m.weight(), big.NewInt(2)))))
	case 5:
		return law("add", sumOfMeans(a, b), sumOfVariances(a, b))(a.Add(ctx, b))
	case 6:
		return made("sub")(a.Sub(ctx, b))
	case 7:
		return law("mul", func() *big.Rat { return new(big.Rat).Mul(a.Mean(), b.Mean()) }, nil)(a.Mul(ctx, b))
	case 8:
		return made("floor div")(a.FloorDiv(ctx, b))
	case 9:
		return made("mod")(a.Mod(ctx, b))
	case 10:
		n := m.number()
		times := func(f func(*Dist) *big.Rat) func() *big.Rat {
			return func() *big.Rat { return new(big.Rat).Mul(big.NewRat(int64(n), 1), f(a)) }
		}
		return law("times", times((*Dist).Mean), times((*Dist).Variance))(a.Times(ctx, n))
	case 11:
		return made("times rolled")(TimesRolled(ctx, a, b))
	case 12:
		return made("keep")(a.Keep(ctx, m.set()))
	case 13:
		return made("convert")(a.Convert(ctx, m.set(), m.number()))
	case 14:
		return made("clamp")(a.Clamp(ctx, m.small(), m.number()))
	case 15:
		return made("explode")(a.Explode(ctx, m.set(), m.limit()))
	case 16:
		return made("reroll")(a.Reroll(ctx, m.set(), m.limit()))
	case 17:
		return made("open ended")(OpenEnded(ctx, a, m.set(), m.set(), m.set(), m.limit()))
	case 18:
		return made("success pool")(SuccessPool(ctx, m.number(), m.number(), SuccessModes()[m.byte()%4], m.limit()))
	case 19:
		x, y := new(big.Rat).SetInt(m.weight()), new(big.Rat).SetInt(m.weight())
		return made("mixture")(Mixture(ctx, []Part{{Weight: x, Roll: a}, {Weight: y, Roll: b}}))
	case 20:
		return m.extremes(a, b)
	case 21, 22, 23:
		pool, err := Repeat(a, m.number())
		if err == nil {
			m.pools[m.byte()%len(m.pools)] = pool
		}
		return "repeat", nil, err
	case 24:
		if q := m.pool(); p.Size()+q.Size() <= MaxDice && len(p.groups)+len(q.groups) < 9 {
			m.pools[m.byte()%len(m.pools)] = Must(p.Join(q))
		}
		return "join", nil, nil
	case 25:
		return made("total")(p.Total(ctx))
	case 26, 27, 28:
		k := m.number()
		return m.kept("highest", p, 0, p.size-min(max(k, 0), p.size))(p.Highest(ctx, k))
	case 29:
		k := m.number()
		return m.kept("lowest", p, p.size-min(max(k, 0), p.size), 0)(p.Lowest(ctx, k))
	case 30:
		k := m.number()
		return m.kept("drop highest", p, min(max(k, 0), p.size-1), 0)(p.DropHighest(ctx, k))
	case 31:
		k := m.number()
		return m.kept("drop lowest", p, 0, min(max(k, 0), p.size-1))(p.DropLowest(ctx, k))
	case 32:
		k := m.number()
		low := (p.size - k) / 2
		return m.kept("middle", p, p.size-low-k, low)(p.Middle(ctx, k))
	case 33:
		k := m.number()
		return m.kept("order stat", p, k-1, p.size-k)(p.OrderStat(ctx, k))
	case 34:
		return m.counted(p, m.set())
	case 35:
		return made("largest set")(p.LargestSet(ctx))
	case 36:
		return made("sets")(p.Sets(ctx, m.number()))
	case 37:
		return made("pairs")(p.Pairs(ctx))
	case 38:
		return made("unique")(p.Unique(ctx))
	case 39:
		return made("longest run")(p.LongestRun(ctx))
	case 40:
		return m.walked(a)
	}
	return made("neg")(a.Neg(ctx))
}

func sumOfMeans(a, b *Dist) func() *big.Rat {
	return func() *big.Rat { return new(big.Rat).Add(a.Mean(), b.Mean()) }
}

func sumOfVariances(a, b *Dist) func() *big.Rat {
	return func() *big.Rat { return new(big.Rat).Add(a.Variance(), b.Variance()) }
}

// has fails unless d has the mean and the variance.
func (m *machineOfRolls) has(name string, d *Dist, mean, variance func() *big.Rat) {
	if want := mean(); d.Mean().Cmp(want) != 0 {
		m.t.Fatalf("%s: mean %v, want %v", name, d.Mean(), want)
	}
	if variance == nil {
		return
	}
	if want := variance(); d.Variance().Cmp(want) != 0 {
		m.t.Fatalf("%s: variance %v, want %v", name, d.Variance(), want)
	}
}

// extremes compares a and b: what the higher and the lower have together is what
// both have, and the two chances of a comparison and of a tie are one.
func (m *machineOfRolls) extremes(a, b *Dist) (string, *Dist, error) {
	high, err := Max(m.ctx, a, b)
	if err != nil {
		return "max", nil, err
	}
	low, err := Min(m.ctx, a, b)
	if err != nil {
		return "min", nil, err
	}
	if high.tail == nil && low.tail == nil {
		if both := sumOfMeans(high, low)(); both.Cmp(sumOfMeans(a, b)()) != 0 {
			m.t.Fatalf("max and min: means %v together, want %v", both, sumOfMeans(a, b)())
		}
	}
	c, err := Compare(m.ctx, a, b)
	if err == nil {
		sum := new(big.Rat).Add(c.Less, c.Equal)
		if sum.Add(sum, c.Greater).Cmp(big.NewRat(1, 1)) != 0 {
			m.t.Fatalf("comparison: the chances add up to %v", sum)
		}
	}
	return "max", high, err
}

// kept checks the sum of dice without the high highest and the low lowest by the
// packed oracle where that is quick, and by its mean where not.
func (m *machineOfRolls) kept(name string, p *Pool, high, low int) func(*Dist, error) (string, *Dist, error) {
	return func(d *Dist, err error) (string, *Dist, error) {
		if err != nil {
			return name, d, err
		}
		if p.size == 0 {
			if err == nil && !equal(d, Constant(0)) {
				m.t.Fatalf("%s of no dice: got %v", name, chancesOf(d))
			}
			return name, d, err
		}
		lo, hi := p.ends()
		faces, states := 0, 1
		for _, g := range p.groups {
			faces += g.die.size
			states = min(states*(min(g.count, 1<<20)+1), 1<<20)
		}
		small := faces <= 200 && p.size <= 400 && states <= 2000 && axis.Span(lo, hi) <= 200
		if small && len(p.groups) <= 3 && oracleCost(p) < 2_000_000 && high+low < p.size {
			hasWays(m.t, fmt.Sprintf("%s of %d", name, p.size), d, keptWays(p, high, low))
		} else if g := p.groups[0]; len(p.groups) == 1 && d.tail == nil && faces <= 200 && p.size <= 2000 && axis.Span(lo, hi) <= 2000 {
			m.has(name, d, func() *big.Rat { return keptMean(g.die, g.count, high, low) }, nil)
		}
		return name, d, nil
	}
}

// keptMean adds up, over every step from the lowest face on, how many of the kept
// dice are expected at or above it.
func keptMean(d *Dist, n, high, low int) *big.Rat {
	k := n - high - low
	sum := new(big.Rat).SetInt64(int64(k) * int64(d.Min()))
	above := d.Total()
	outcomes := d.Outcomes()
	for i, x := range outcomes[:len(outcomes)-1] {
		above.Sub(above, d.weightOf(x))
		gap := int64(outcomes[i+1] - x)
		below := new(big.Int).Sub(d.total, above)
		expected, term, power := new(big.Int), new(big.Int), new(big.Int)
		for j := high + 1; j <= n; j++ {
			term.Binomial(int64(n), int64(j))
			term.Mul(term, power.Exp(above, big.NewInt(int64(j)), nil))
			term.Mul(term, power.Exp(below, big.NewInt(int64(n-j)), nil))
			expected.Add(expected, term.Mul(term, big.NewInt(int64(min(j-high, k))*gap)))
		}
		sum.Add(sum, new(big.Rat).SetFrac(expected, power.Exp(d.total, big.NewInt(int64(n)), nil)))
	}
	return sum
}

// counted checks a count by the chances of the single dice.
func (m *machineOfRolls) counted(p *Pool, s Set) (string, *Dist, error) {
	d, err := p.Count(m.ctx, s)
	if err == nil && d.tail == nil {
		mean, variance := new(big.Rat), new(big.Rat)
		for _, g := range p.groups {
			chance, n := g.die.In(s), new(big.Rat).SetInt64(int64(g.count))
			mean.Add(mean, new(big.Rat).Mul(n, chance))
			miss := new(big.Rat).Sub(big.NewRat(1, 1), chance)
			variance.Add(variance, n.Mul(n, miss.Mul(miss, chance)))
		}
		m.has("count", d, func() *big.Rat { return mean }, func() *big.Rat { return variance })
	}
	return "count", d, err
}

// walked takes some steps of a, whose place is the sum of as many.
func (m *machineOfRolls) walked(a *Dist) (string, *Dist, error) {
	n := m.byte() % 40
	places, err := Iterate(m.ctx, 0, func(at int) (*Outcomes[int], error) {
		next, err := a.Shift(m.ctx, at)
		if err != nil {
			return nil, err
		}
		return DistOutcomes(next), nil
	}, n)
	if err != nil {
		return "iterate", nil, err
	}
	sum, err := a.Times(m.ctx, n)
	if err != nil || sum.tail != nil {
		return "iterate", nil, err
	}
	chance := new(big.Rat)
	for x, w := range places.All() {
		if chance.SetFrac(w, places.total); chance.Cmp(sum.PMF(x)) != 0 {
			m.t.Fatalf("a walk of %d steps: P(%d) = %v, want %v", n, x, chance, sum.PMF(x))
		}
	}
	return "iterate", sum, nil
}

// consistent checks the form of a roll, and its mean and variance by definition.
func (m *machineOfRolls) consistent(name string, d *Dist) {
	if d.Len() > 20_000 || d.w.Words > 200 {
		m.rolls[0] = die(6)
		return
	}
	mass, s1, s2 := new(big.Int), new(big.Int), new(big.Int)
	x, term := new(big.Int), new(big.Int)
	n, last := 0, 0
	for face, w := range d.All() {
		if n > 0 && face <= last || w.Sign() <= 0 {
			m.t.Fatalf("%s: outcome %d of weight %v after %d", name, face, w, last)
		}
		last, n = face, n+1
		mass.Add(mass, w)
		x.SetInt64(int64(face))
		s1.Add(s1, term.Mul(x, w))
		s2.Add(s2, term.Mul(term, x))
	}
	if mass.Cmp(d.total) != 0 || n != d.Len() {
		m.t.Fatalf("%s: %d outcomes of mass %v, want %d of %v", name, n, mass, d.Len(), d.total)
	}
	if d.tail == nil {
		mean := new(big.Rat).SetFrac(s1, mass)
		square := new(big.Rat).SetFrac(s2, mass)
		m.has(name, d, func() *big.Rat { return mean }, func() *big.Rat { return square.Sub(square, new(big.Rat).Mul(mean, mean)) })
	}
	for _, ask := range []func(context.Context) (float64, error){d.Skewness, d.Kurtosis, d.Entropy} {
		_, err := ask(m.ctx)
		m.refuses(name, err)
	}
	_, err := d.Quantile(ctx, big.NewRat(int64(m.byte()), 255))
	m.refuses(name, err)
}

func FuzzEngine(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 2, 0, 21, 0, 0, 0, 125, 0, 26, 0, 0, 0, 60})            // 125d2 highest 60
	f.Add([]byte{0, 0, 0, 0, 3, 0, 21, 0, 0, 0, 200, 77, 0, 32, 0, 0, 0, 101, 0})    // many d3, the middle of them
	f.Add([]byte{3, 1, 1, 1, 1, 192, 255, 2, 1, 191, 1, 5, 5, 5, 0, 10, 0, 0, 0, 9}) // loaded dice
	f.Add([]byte{15, 0, 0, 0, 1, 1, 3, 250, 0, 5, 0, 0, 0, 19, 0, 1, 0, 4, 130, 1, 9, 131, 0, 2})
	f.Add([]byte{24, 0, 0, 1, 2, 3, 33, 0, 0, 3, 4, 1, 35, 0, 0, 3, 0, 39, 0, 0, 3, 1, 40, 1, 0, 0, 35, 2})
	f.Fuzz(func(t *testing.T, program []byte) {
		budget := NewBudget(Limits{Work: 20_000_000, Cells: 2_000_000, Outcomes: 20_000})
		m := machineOfRolls{t: t, ctx: WithBudget(context.Background(), budget), program: program}
		m.run()
	})
}
