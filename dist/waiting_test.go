package dist

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"dicescript/dist/upper"

	"pgregory.net/rapid"
)

// rollOn moves by a die where move says.
func rollOn[S comparable](sides int, move func(s S, face int) S) func(S) (*Outcomes[S], error) {
	return func(s S) (*Outcomes[S], error) {
		var t Tally[S]
		for face := 1; face <= sides; face++ {
			t.Add(move(s, face), Weight{word: 1})
		}
		return TallyOutcomes(ctx, &t, nil, 0)
	}
}

// The board of Milton Bradley's Chutes and Ladders.
var chutesAndLadders = map[int]int{
	1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100,
	16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78,
}

func spin(square, face int) int {
	if square+face > 100 {
		return square
	}
	if to, ok := chutesAndLadders[square+face]; ok {
		return to
	}
	return square + face
}

func TestWaitingTimesThatAreKnown(t *testing.T) {
	reached := func(goal int) func(int) (bool, error) { return func(s int) (bool, error) { return s == goal, nil } }
	faces := func(s, face int) int { return s | 1<<face }
	for _, c := range []struct {
		what           string
		step           func(int) (*Outcomes[int], error)
		goal           int
		mean, variance string // the variance may be left out
	}{
		{"the first six", rollOn(6, func(_, face int) int { return face }), 6, "6", "30"},
		// A run of r successes takes (p^-r - 1) / (1-p); its variance is Feller's,
		// 1/(q p^r)² - (2r+1)/(q p^r) - p/q².
		{"two sixes in a row", rollOn(6, func(s, face int) int {
			if face == 6 {
				return s + 1
			}
			return 0
		}), 2, "42", "1650"},
		{"four sixes in a row", rollOn(6, func(s, face int) int {
			if face == 6 {
				return s + 1
			}
			return 0
		}), 4, "1554", ""},
		{"all six faces", rollOn(6, faces), 1<<7 - 2, "147/10", "38.99"},
		{"chutes and ladders", rollOn(6, spin), 100,
			"225837582538403273407117496273279920181931269186581786048583/5757472998140039232950575874628786131130999406013041613400", ""},
		{"six steps of one", func(s int) (*Outcomes[int], error) { return Certain(s + 1), nil }, 6, "6", "0"},
	} {
		d, err := WaitingTime(ctx, 0, c.step, reached(c.goal))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := d.Mean(); got.Cmp(ratOf(t, c.mean)) != 0 {
			t.Errorf("%s: mean %v, want %s", c.what, got, c.mean)
		}
		if got := d.Variance(); c.variance != "" && got.Cmp(ratOf(t, c.variance)) != 0 {
			t.Errorf("%s: variance %v, want %s", c.what, got, c.variance)
		}
		if e := d.Bound(); e >= math.Ldexp(1, 1-cutBits) || (e == 0) != (c.goal == 6 && c.variance == "0") {
			t.Errorf("%s: error %v", c.what, e)
		}
		// What is represented must give nearly the moments that were solved for.
		m1, m2 := d.cutMoments()
		v := variance(m1, m2)
		exact, _ := d.Mean().Float64()
		near, _ := m1.Float64()
		spread, _ := v.Float64()
		solved, _ := d.Variance().Float64()
		if math.Abs(exact-near) > 1e-15*exact || math.Abs(spread-solved) > 1e-12*solved {
			t.Errorf("%s: moments %v and %v of what is represented, %v and %v of the truth", c.what, near, spread, exact, solved)
		}
	}
}

func TestWaitingTimeIsFirstTimeWithoutLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t, 6)
		c.shorten()
		goals := rapid.SliceOfN(rapid.IntRange(0, len(c.rows)-1), 0, 2).Draw(t, "goals")
		done := func(s int) (bool, error) { return slices.Contains(goals, s), nil }
		got, err := WaitingTime(ctx, 0, c.step, done)
		for s, calls := range c.calls {
			if calls > 1 {
				t.Fatalf("step(%d) was called %d times", s, calls)
			}
		}
		want := Must(FirstTime(ctx, 0, c.step, done, 40))
		if (err != nil) != c.maybeNever(goals) {
			t.Fatalf("error %v", err)
		}
		if err != nil {
			return
		}
		for n := range 41 {
			if off := upper.Abs(new(big.Rat).Sub(got.PMF(n), chanceOf(want, n))); off > got.Bound() {
				t.Fatalf("P(%d) = %v, want %v", n, got.PMF(n), chanceOf(want, n))
			}
		}
		m1, m2 := got.cutMoments()
		d1, d2 := got.moved()
		if off := upper.Abs(m1.Sub(m1, got.Mean())); off > d1 {
			t.Fatalf("the mean of what is represented is off by %v, bound %v", off, d1)
		}
		// |E X² - E Y²| <= E D² + 2 sqrt(E D² E Y²)
		_, whole := got.bothMoments()
		y := upper.Abs(m2)
		if off := upper.Abs(m2.Sub(m2, whole)); off > upper.Up(d2+2*math.Sqrt(d2*y)) {
			t.Fatalf("the second moment of what is represented is off by %v, bound %v", off, d2)
		}
	})
}

// shorten takes weights modulo a small number, so that nothing takes long.
func (c *testChain) shorten() {
	for _, row := range c.rows {
		for j, w := range row {
			row[j] = w%9 + 1
		}
	}
}

// A process that takes for ever is refused before it is followed, and its mean
// asked for all the same where it is absorbed.
func TestHopelessWaitIsRefusedAtOnce(t *testing.T) {
	rare := func(int) (*Outcomes[int], error) {
		return NewOutcomes(ctx, []int{0, 1}, []*big.Int{big.NewInt(1 << 40), big.NewInt(1)}, 0)
	}
	budget := NewBudget(Limits{Work: 1 << 30})
	_, err := WaitingTime(WithBudget(ctx, budget), 0, rare, func(s int) (bool, error) { return s == 1, nil })
	if limit := (*LimitError)(nil); !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
	if used := budget.Used().Work; used > 1<<20 {
		t.Errorf("after %d operations", used)
	}
}

// maybeNever reports whether a state can be reached from which no goal can.
func (c *testChain) maybeNever(goals []int) bool {
	from := func(start int) map[int]bool {
		seen, queue := map[int]bool{start: true}, []int{start}
		for len(queue) > 0 {
			s := queue[0]
			queue = queue[1:]
			if slices.Contains(goals, s) {
				continue
			}
			for j := range c.rows[s] {
				if !seen[j] {
					seen[j] = true
					queue = append(queue, j)
				}
			}
		}
		return seen
	}
	for s := range from(0) {
		reached := from(s)
		if !slices.ContainsFunc(goals, func(g int) bool { return reached[g] }) {
			return true
		}
	}
	return false
}

// The same process with rounded chances agrees to within the errors.
func TestRoundedWaitingTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t, 5)
		c.shorten()
		goal := rapid.IntRange(0, len(c.rows)-1).Draw(t, "goal")
		w := &waiting[int]{walker: newChain(ctx, 0, c.step)}
		w.rests = false
		if err := w.explore(func(s int) (bool, error) { return s == goal, nil }); err != nil {
			t.Fatal(err)
		}
		if w.over(0) || Must(w.graph.Unending(meterOf(ctx))) >= 0 {
			return
		}
		exact, a, err := w.exactly()
		if err != nil || exact == nil {
			return // too long
		}
		rounded, b, err := w.rounded()
		if err != nil {
			t.Fatal(err)
		}
		withinErrors(t, rounded, chancesOf(exact), upper.Add(a.sum(), b.sum()))
		if b.goesOn > upper.Up(math.Ldexp(1, -cutBits)) || b.lost > math.Ldexp(1, -150) {
			t.Fatalf("left %v, lost %v", b.goesOn, b.lost)
		}
	})
}

func TestMeanStepsUntilRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t, 6)
		c.shorten()
		for i := range c.rows {
			if rapid.IntRange(0, 2).Draw(t, "rest") == 0 {
				c.rows[i] = map[int]int64{i: 3}
			}
		}
		s, err := Settle(ctx, 0, c.step)
		if err != nil {
			return
		}
		got, known := s.MeanSteps()
		if !known {
			t.Fatal("the mean is not known")
		}
		rests := func(i int) (bool, error) { return len(c.rows[i]) == 1 && c.rows[i][i] > 0, nil }
		want := Must(WaitingTime(ctx, 0, c.step, rests))
		if got.Cmp(want.Mean()) != 0 {
			t.Fatalf("mean %v, want %v", got, want.Mean())
		}
		if o := Must(Absorb(ctx, 0, c.step)); !Must(sameOutcomes(ctx, o, s.Outcomes)) {
			t.Fatal("it is absorbed elsewhere")
		}
	})
}

// The gambler's ruin: from i of n with even chances i (n-i) steps.
func TestMeanStepsToRuin(t *testing.T) {
	s := Must(Settle(ctx, 30, func(i int) (*Outcomes[int], error) {
		if i == 0 || i == 100 {
			return Certain(i), nil
		}
		return NewOutcomes(ctx, []int{i - 1, i + 1}, []*big.Int{big.NewInt(1), big.NewInt(1)}, 0)
	}))
	if got, _ := s.MeanSteps(); got.Cmp(big.NewRat(2100, 1)) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestStationaryIsWhatAStepLeavesAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t, 7)
		got, err := Stationary(ctx, 0, c.step)
		if (err == nil) != (c.closedClasses() == 1) {
			t.Fatalf("%d classes: %v", c.closedClasses(), err)
		}
		if err != nil {
			return
		}
		v := make([]*big.Rat, len(c.rows))
		for i := range v {
			v[i] = chanceOf(got, i)
		}
		for i, p := range c.once(v) {
			if p.Cmp(v[i]) != 0 {
				t.Fatalf("share of %d is %v, after a step %v", i, v[i], p)
			}
		}
		conforms(t, got)
	})
}

// closedClasses counts the classes that are never left, among the states that
// can be reached.
func (c *testChain) closedClasses() int {
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
	classes := map[int]bool{}
	for i := range n {
		if !reach[0][i] {
			continue
		}
		closed, least := true, i
		for j := range n {
			closed = closed && (!reach[i][j] || reach[j][i])
			if reach[i][j] {
				least = min(least, j)
			}
		}
		if closed {
			classes[least] = true
		}
	}
	return len(classes)
}

func TestStationaryThatIsKnown(t *testing.T) {
	// Ehrenfest's urn has a period of two and the binomial shares.
	urn := Must(Stationary(ctx, 0, func(s int) (*Outcomes[int], error) {
		return NewOutcomes(ctx, []int{s - 1, s + 1}, []*big.Int{big.NewInt(int64(s)), big.NewInt(int64(10 - s))}, 0)
	}))
	for k := range 11 {
		want := new(big.Rat).SetFrac(new(big.Int).Binomial(10, int64(k)), big.NewInt(1024))
		if got := chanceOf(urn, k); got.Cmp(want) != 0 {
			t.Errorf("share of %d is %v, want %v", k, got, want)
		}
	}
	// A token on a ring of places is as often on each.
	ring := Must(Stationary(ctx, 0, rollOn(6, func(s, face int) int { return (s + face) % 40 })))
	if p := chanceOf(ring, 17); p.Cmp(big.NewRat(1, 40)) != 0 {
		t.Errorf("share %v, want 1/40", p)
	}
	_, err := Stationary(ctx, 0, func(s int) (*Outcomes[int], error) {
		if s != 0 {
			return Certain(s), nil
		}
		return NewOutcomes(ctx, []int{-1, 1}, []*big.Int{big.NewInt(1), big.NewInt(1)}, 0)
	})
	if arg := (*ArgError)(nil); !errors.As(err, &arg) {
		t.Errorf("two classes: %v", err)
	}
}

func BenchmarkWaiting(b *testing.B) {
	b.Run("chutes_and_ladders", func(b *testing.B) {
		for b.Loop() {
			d, err := WaitingTime(ctx, 0, rollOn(6, spin), func(s int) (bool, error) { return s == 100, nil })
			if err != nil || d.Mean().Cmp(big.NewRat(39, 1)) < 0 {
				b.Fatal(err)
			}
		}
	})
	b.Run("stationary_ring_1000", func(b *testing.B) {
		for b.Loop() {
			o, err := Stationary(ctx, 0, rollOn(6, func(s, face int) int { return (s + face*face) % 1000 }))
			if err != nil || o.Len() != 1000 {
				b.Fatal(err)
			}
		}
	})
	b.Run("ruin_1000", func(b *testing.B) {
		for b.Loop() {
			s, err := Settle(ctx, 300, func(i int) (*Outcomes[int], error) {
				if i == 0 || i == 1000 {
					return Certain(i), nil
				}
				return NewOutcomes(ctx, []int{i - 1, i + 1}, []*big.Int{big.NewInt(3), big.NewInt(2)}, 0)
			})
			if err != nil {
				b.Fatal(err)
			}
			if _, known := s.MeanSteps(); !known {
				b.Fatal("the mean is not known")
			}
		}
	})
}
