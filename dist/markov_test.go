package dist

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A testChain is a random process over the states 0 to n-1.
type testChain struct {
	rows  []map[int]int64
	calls map[int]int
}

func (c *testChain) step(s int) (*Outcomes[int], error) {
	c.calls[s]++
	var labels []int
	var weights []*big.Int
	for to := range c.rows {
		if w, ok := c.rows[s][to]; ok {
			labels = append(labels, to)
			weights = append(weights, big.NewInt(w))
		}
	}
	return NewOutcomes(ctx, labels, weights, 0)
}

func (c *testChain) p(from, to int) *big.Rat {
	sum := int64(0)
	for _, w := range c.rows[from] {
		sum += w
	}
	return big.NewRat(c.rows[from][to], sum)
}

func drawChain(t *rapid.T, mostStates int) *testChain {
	c := &testChain{calls: map[int]int{}}
	n := rapid.IntRange(1, mostStates).Draw(t, "states")
	top := rapid.SampledFrom([]int64{1, 6, 1 << 40}).Draw(t, "top")
	for range n {
		row := map[int]int64{}
		for range rapid.IntRange(1, 4).Draw(t, "ways") {
			row[rapid.IntRange(0, n-1).Draw(t, "to")] += rapid.Int64Range(1, top).Draw(t, "weight")
		}
		c.rows = append(c.rows, row)
	}
	return c
}

// after is p(0) P^n in plain fractions.
func (c *testChain) after(n int) []*big.Rat {
	p := make([]*big.Rat, len(c.rows))
	for i := range p {
		p[i] = new(big.Rat)
	}
	p[0].SetInt64(1)
	for range n {
		p = c.once(p)
	}
	return p
}

func (c *testChain) once(p []*big.Rat) []*big.Rat {
	q := make([]*big.Rat, len(p))
	for j := range q {
		q[j] = new(big.Rat)
		for i := range p {
			q[j].Add(q[j], new(big.Rat).Mul(p[i], c.p(i, j)))
		}
	}
	return q
}

func chanceOf[L comparable](o *Outcomes[L], l L) *big.Rat {
	if p, ok := o.P(l); ok {
		return p
	}
	return new(big.Rat)
}

func TestIterateIsAPowerOfTheMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t, 6)
		n := rapid.IntRange(0, 40).Draw(t, "n")
		o, err := Iterate(ctx, 0, c.step, n)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.after(n) {
			if got := chanceOf(o, i); got.Cmp(want) != 0 {
				t.Fatalf("P(%d) = %v, want %v", i, got, want)
			}
		}
		for s, calls := range c.calls {
			if calls != 1 {
				t.Fatalf("step(%d) was called %d times", s, calls)
			}
		}
		conforms(t, o)
	})
}

func TestAbsorbSolvesTheLinearSystem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t, 8)
		for i := range c.rows {
			if rapid.IntRange(0, 2).Draw(t, "rest") == 0 {
				c.rows[i] = map[int]int64{i: 3}
			}
		}
		want := c.absorption()
		o, err := Absorb(ctx, 0, c.step)
		if want == nil {
			if err == nil {
				t.Fatal("no error, although the process need not be absorbed")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range want {
			if got := chanceOf(o, i); got.Cmp(p) != 0 {
				t.Fatalf("P(%d) = %v, want %v", i, got, p)
			}
		}
		conforms(t, o)
	})
}

// absorption solves h = P h for every resting state by Gauss-Jordan elimination
// in plain fractions; it returns nil when the process need not be absorbed.
func (c *testChain) absorption() []*big.Rat {
	n := len(c.rows)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		reach[i][i] = true
		for j := range c.rows[i] {
			reach[i][j] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	rests := func(i int) bool { return len(c.rows[i]) == 1 && c.rows[i][i] > 0 }
	for i := range n {
		ends := false
		for j := range n {
			ends = ends || reach[i][j] && rests(j)
		}
		if reach[0][i] && !ends {
			return nil
		}
	}
	// Rows (I - Q | R), over the states that can be reached.
	m := make([][]*big.Rat, n)
	for i := range m {
		m[i] = make([]*big.Rat, 2*n)
		for j := range n {
			m[i][j], m[i][n+j] = new(big.Rat), new(big.Rat)
			if i == j {
				m[i][j].SetInt64(1)
			}
			switch {
			case !reach[0][i]:
			case rests(i) && i == j:
				m[i][n+j].SetInt64(1)
			case rests(i):
			default:
				m[i][j].Sub(m[i][j], c.p(i, j))
			}
		}
	}
	for k := range n {
		at := k
		for m[at][k].Sign() == 0 {
			at++
		}
		m[k], m[at] = m[at], m[k]
		inverse := new(big.Rat).Inv(m[k][k])
		for j := range m[k] {
			m[k][j].Mul(m[k][j], inverse)
		}
		for i := range n {
			if f := new(big.Rat).Set(m[i][k]); i != k && f.Sign() != 0 {
				for j := range m[i] {
					m[i][j].Sub(m[i][j], new(big.Rat).Mul(f, m[k][j]))
				}
			}
		}
	}
	return m[0][n:]
}

func TestFirstTimeTakesOffWhatIsDone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t, 6)
		goals := map[int]bool{}
		for i := range c.rows {
			goals[i] = rapid.IntRange(0, 3).Draw(t, "goal") == 0
		}
		limit := rapid.IntRange(0, 30).Draw(t, "limit")
		asked := map[int]int{}
		o, err := FirstTime(ctx, 0, c.step, func(s int) (bool, error) {
			asked[s]++
			return goals[s], nil
		}, limit)
		if err != nil {
			t.Fatal(err)
		}
		if o.Len() != limit+2 {
			t.Fatalf("%d labels for limit %d", o.Len(), limit)
		}
		p, left := c.after(0), big.NewRat(1, 1)
		for n := range limit + 1 {
			hit := new(big.Rat)
			for i := range p {
				if goals[i] {
					hit.Add(hit, p[i])
					p[i] = new(big.Rat)
				}
			}
			left.Sub(left, hit)
			if got, _ := o.P(n); got.Cmp(hit) != 0 {
				t.Fatalf("P(%d) = %v, want %v", n, got, hit)
			}
			p = c.once(p)
		}
		if got, _ := o.P(limit + 1); got.Cmp(left) != 0 {
			t.Fatalf("P(later) = %v, want %v", got, left)
		}
		for s, n := range asked {
			if n != 1 || goals[s] && c.calls[s] > 0 {
				t.Fatalf("state %d: done called %d times, step %d times", s, n, c.calls[s])
			}
		}
		conforms(t, o)
	})
}

// The gambler's ruin with fair bets: from i of n the fortune n is reached with
// chance i/n.
func TestGamblersRuin(t *testing.T) {
	for _, n := range []int{2, 10, 101, 1000} {
		start := n/3 + 1
		o, err := Absorb(ctx, start, func(s int) (*Outcomes[int], error) {
			if s == 0 || s == n {
				return Certain(s), nil
			}
			return NewOutcomes(ctx, []int{s - 1, s + 1}, []*big.Int{big.NewInt(1), big.NewInt(1)}, 0)
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := chanceOf(o, n); got.Cmp(big.NewRat(int64(start), int64(n))) != 0 {
			t.Errorf("from %d of %d: got %v", start, n, got)
		}
	}
}

func TestAbsorbAtOnce(t *testing.T) {
	o, err := Absorb(ctx, "here", func(s string) (*Outcomes[string], error) { return Certain(s), nil })
	if err != nil || !Must(sameOutcomes(ctx, o, Certain("here"))) {
		t.Errorf("got %v, %v", o, err)
	}
}

// A walk without end has a new state at every step; the budget ends it.
func TestEndlessWalkEndsAtTheBudget(t *testing.T) {
	walk := func(s int) (*Outcomes[int], error) {
		return NewOutcomes(ctx, []int{s - 1, s + 1}, []*big.Int{big.NewInt(1), big.NewInt(1)}, 0)
	}
	var limit *LimitError
	for _, l := range []Limits{{Work: 1e5}, {Cells: 1e5}, {Outcomes: 1000}} {
		small := WithBudget(ctx, NewBudget(l))
		if _, err := Absorb(small, 0, walk); !errors.As(err, &limit) {
			t.Errorf("%+v: absorb: got %v, want a limit error", l, err)
		}
		if _, err := Iterate(small, 0, walk, 1e9); !errors.As(err, &limit) {
			t.Errorf("%+v: iterate: got %v, want a limit error", l, err)
		}
		never := func(int) (bool, error) { return false, nil }
		if _, err := FirstTime(small, 0, walk, never, maxDie); !errors.As(err, &limit) {
			t.Errorf("%+v: first time: got %v, want a limit error", l, err)
		}
	}
}

func TestErrorsOfStepsAreReturned(t *testing.T) {
	broken := errors.New("broken")
	step := func(s int) (*Outcomes[int], error) {
		if s == 3 {
			return nil, broken
		}
		return Certain(s + 1), nil
	}
	never := func(int) (bool, error) { return false, nil }
	if _, err := Iterate(ctx, 0, step, 3); err != nil {
		t.Errorf("the step of the state after 3 steps is not needed, got %v", err)
	}
	if _, err := Iterate(ctx, 0, step, 4); err != broken {
		t.Errorf("iterate: got %v", err)
	}
	if _, err := Absorb(ctx, 0, step); err != broken {
		t.Errorf("absorb: got %v", err)
	}
	if _, err := FirstTime(ctx, 0, step, never, 4); err != broken {
		t.Errorf("first time: got %v", err)
	}
	if _, err := FirstTime(ctx, 0, step, func(int) (bool, error) { return false, broken }, 4); err != broken {
		t.Errorf("first time: got %v", err)
	}
}

// Each visit of a state whose step is uncertain by e may go astray with chance
// e: a state that is left with chance 1/4 is visited four times on average.
func TestAbsorbAddsUpTheErrorsOfVisits(t *testing.T) {
	step := func(s string) (*Outcomes[string], error) {
		if s == "try" {
			return NewOutcomes(ctx, []string{"try", "won", "lost"}, []*big.Int{big.NewInt(6), big.NewInt(1), big.NewInt(1)}, 1e-20)
		}
		return Certain(s), nil
	}
	o, err := Absorb(ctx, "try", step)
	if err != nil || o.Bound() < 4e-20 || o.Bound() > 4.0001e-20 {
		t.Errorf("error %g, %v; want 4e-20", o.Bound(), err)
	}
	for _, n := range []int{1, 7} {
		o, err := Iterate(ctx, "try", step, n)
		if want := float64(n) * 1e-20; err != nil || o.Bound() < want || o.Bound() > 1.0001*want {
			t.Errorf("after %d steps: error %g, %v; want %g", n, o.Bound(), err, want)
		}
	}
}

// conforms checks what must hold of all Outcomes.
func conforms[L comparable](t interface{ Fatalf(string, ...any) }, o *Outcomes[L]) {
	sum, g, p := new(big.Int), new(big.Int), new(big.Rat)
	labels, i := o.Labels(), 0
	for l, w := range o.All() {
		if w.Sign() < 0 {
			t.Fatalf("weight %v", w)
		}
		if l != labels[i] {
			t.Fatalf("label %v at %d, want %v", l, i, labels[i])
		}
		sum.Add(sum, w)
		g.GCD(nil, nil, g, w)
		x, _ := o.P(l)
		p.Add(p, x)
		most, _ := o.AtMost(l)
		least, _ := o.AtLeast(l)
		if most.Cmp(p) != 0 {
			t.Fatalf("P(at most %v) = %v, want %v", l, most, p)
		}
		if both := new(big.Rat).Add(most, least); both.Sub(both, x).Cmp(big.NewRat(1, 1)) != 0 {
			t.Fatalf("P(at most %v) and P(at least %v) do not meet", l, l)
		}
		i++
	}
	if i != len(labels) || i != o.Len() {
		t.Fatalf("%d of %d labels", i, len(labels))
	}
	if sum.Cmp(o.Total()) != 0 || g.Cmp(big.NewInt(1)) != 0 {
		t.Fatalf("total %v of weights that add up to %v, common divisor %v", o.Total(), sum, g)
	}
}

// walk101 moves on a line of 101 places by one of the six differences of a d6
// and its mean, held at the ends.
func walk101(s int) (*Outcomes[int], error) {
	var t Tally[int]
	for face := 1; face <= 6; face++ {
		move := face - 3
		if move <= 0 {
			move--
		}
		t.Add(min(100, max(0, s+move)), Weight{word: 1})
	}
	return TallyOutcomes(ctx, &t, nil, 0)
}

func BenchmarkIterate(b *testing.B) {
	for _, n := range []int{30, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o, err := Iterate(ctx, 50, walk101, n)
				if err != nil || o.Len() != 101 {
					b.Fatal(o.Len(), err)
				}
			}
		})
	}
}

func BenchmarkAbsorb(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint("line_", n), func(b *testing.B) {
			for b.Loop() {
				_, err := Absorb(ctx, n/2, func(s int) (*Outcomes[int], error) {
					if s <= 0 || s >= n {
						return Certain(s), nil
					}
					return NewOutcomes(ctx, []int{s - 2, s - 1, s + 1}, []*big.Int{big.NewInt(1), big.NewInt(1), big.NewInt(3)}, 0)
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, n := range []int{30, 100} {
		b.Run(fmt.Sprint("dense_", n), func(b *testing.B) {
			for b.Loop() {
				_, err := Absorb(ctx, 0, func(s int) (*Outcomes[int], error) {
					if s >= n {
						return Certain(s), nil
					}
					labels, weights := make([]int, n+2), make([]*big.Int, n+2)
					for j := range labels {
						labels[j], weights[j] = j, big.NewInt(int64((s*7+j*j*3)%11+1))
					}
					return NewOutcomes(ctx, labels, weights, 0)
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
