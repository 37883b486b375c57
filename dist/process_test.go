package dist

import (
	"errors"
	"math/big"
	"testing"

	"dicescript/dist/internal/gauss"
	"dicescript/dist/upper"

	"pgregory.net/rapid"
)

// A drawnProcess has states with one way each, or a payoff.
type drawnProcess struct {
	edges   [][]Edge
	payoffs []*big.Rat
}

var rewardsToDraw = []*big.Rat{nil, nil, big.NewRat(1, 1), big.NewRat(-2, 1), big.NewRat(1, 2), big.NewRat(3, 1)}

// drawProcess draws a process; inside says whether something may be earned on a way that
// comes back.
func drawProcess(t *rapid.T, inside bool) *drawnProcess {
	d := &drawnProcess{}
	n := rapid.IntRange(2, 9).Draw(t, "states")
	wide := rapid.IntRange(0, 4).Draw(t, "wide") == 0
	for i := range n {
		if i == n-1 || i > 0 && rapid.IntRange(0, 4).Draw(t, "ends") == 0 {
			d.edges = append(d.edges, nil)
			d.payoffs = append(d.payoffs, rapid.SampledFrom(rewardsToDraw).Draw(t, "payoff"))
			continue
		}
		var edges []Edge
		for range rapid.IntRange(1, 4).Draw(t, "edges") {
			w := big.NewInt(rapid.Int64Range(0, 5).Draw(t, "weight"))
			if wide {
				w.Lsh(w, uint(rapid.IntRange(0, 80).Draw(t, "shift")))
			}
			e := Edge{To: rapid.IntRange(0, n-1).Draw(t, "to"), Weight: Must(NewWeight(w))}
			e.Earn = rapid.SampledFrom(rewardsToDraw).Draw(t, "earn")
			edges = append(edges, e)
		}
		edges = append(edges, Edge{To: rapid.IntRange(0, n-1).Draw(t, "at least to"), Weight: Weight{word: 1}})
		d.edges, d.payoffs = append(d.edges, edges), append(d.payoffs, nil)
	}
	if !inside {
		d.earnOutside()
	}
	return d
}

// earnOutside lets nothing be earned on the way to a state that leads back.
func (d *drawnProcess) earnOutside() {
	n := len(d.edges)
	leads := make([][]bool, n)
	for i := range leads {
		leads[i] = make([]bool, n)
		leads[i][i] = true
		for _, e := range d.edges[i] {
			leads[i][e.To] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				leads[i][j] = leads[i][j] || leads[i][k] && leads[k][j]
			}
		}
	}
	for i := range d.edges {
		for e := range d.edges[i] {
			if leads[d.edges[i][e].To][i] {
				d.edges[i][e].Earn = nil
			}
		}
	}
}

func (d *drawnProcess) process() *Process {
	p := &Process{}
	for range d.edges {
		p.State()
	}
	Must(0, p.Explore(ctx, func(s int) error {
		if d.edges[s] == nil {
			p.End(s, d.payoffs[s])
			return nil
		}
		return p.Way(ctx, s, d.edges[s], 0)
	}))
	return p
}

// each visits the edges of a state with their chances.
func (d *drawnProcess) each(s int, visit func(to int, p, earn *big.Rat)) {
	total := new(big.Int)
	for _, e := range d.edges[s] {
		total.Add(total, e.Weight.Int())
	}
	for _, e := range d.edges[s] {
		earn := new(big.Rat)
		if e.Earn != nil {
			earn.Set(e.Earn)
		}
		visit(e.To, new(big.Rat).SetFrac(e.Weight.Int(), total), earn)
	}
}

// expect solves x_i = c_i + sum of p_ij x_j in plain fractions.
func (d *drawnProcess) expect(c func(s int) *big.Rat) []*big.Rat {
	n := len(d.edges)
	rows := make([][]*big.Rat, n)
	for i := range rows {
		for j := range n {
			rows[i] = append(rows[i], new(big.Rat))
			if i == j {
				rows[i][j].SetInt64(1)
			}
		}
		d.each(i, func(to int, p, _ *big.Rat) { rows[i][to].Sub(rows[i][to], p) })
		rows[i] = append(rows[i], c(i))
	}
	return gauss.Solve(rows)
}

func (d *drawnProcess) own(s int) *big.Rat {
	if d.payoffs[s] == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(d.payoffs[s])
}

// ends reports whether an end can be reached from every state.
func (d *drawnProcess) ends() bool {
	ok := make([]bool, len(d.edges))
	for range d.edges {
		for s := range d.edges {
			ok[s] = ok[s] || d.edges[s] == nil
			for _, e := range d.edges[s] {
				ok[s] = ok[s] || !e.Weight.IsZero() && ok[e.To]
			}
		}
	}
	for _, yes := range ok {
		if !yes {
			return false
		}
	}
	return true
}

func TestProcessEndsAsItsEquationsSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawProcess(t, true)
		p := d.process()
		if i := Must(p.Unending(ctx)); (i < 0) != d.ends() {
			t.Fatalf("state %d does not end", i)
		} else if i >= 0 {
			return
		}
		ends := Must(p.Ends(ctx, nil))
		for e := range d.edges {
			want := d.expect(func(s int) *big.Rat {
				if s == e && d.edges[s] == nil {
					return big.NewRat(1, 1)
				}
				return new(big.Rat)
			})[0]
			if got := chanceOf(ends.Outcomes, e); got.Cmp(want) != 0 {
				t.Fatalf("it ends in %d with %v, want %v", e, got, want)
			}
		}
		want := d.expect(func(s int) *big.Rat {
			if d.edges[s] == nil {
				return new(big.Rat)
			}
			return big.NewRat(1, 1)
		})[0]
		if got, known := ends.MeanSteps(); !known || got.Cmp(want) != 0 {
			t.Fatalf("after %v steps, want %v", got, want)
		}
		conforms(t, ends.Outcomes)
	})
}

func TestPayoffIsWhatIsEarned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inside := rapid.Bool().Draw(t, "inside")
		d := drawProcess(t, inside)
		if !d.ends() {
			return
		}
		p := d.process()
		// Where going round is nearly certain, following it meets its budget.
		payoff, err := p.Payoff(WithBudget(ctx, NewBudget(Limits{Work: 1 << 25, Cells: 1 << 22, Outcomes: 1 << 20})), nil)
		if limit := (*LimitError)(nil); inside && errors.As(err, &limit) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !inside && payoff.Chances.Bound() != 0 {
			t.Fatalf("error %v, though nothing is earned by going round", payoff.Chances.Bound())
		}
		// The moments solve their equations.
		mean := d.expect(func(s int) *big.Rat {
			sum := d.own(s)
			d.each(s, func(_ int, p, earn *big.Rat) { sum.Add(sum, p.Mul(p, earn)) })
			return sum
		})
		square := d.expect(func(s int) *big.Rat {
			sum := d.own(s)
			sum.Mul(sum, sum)
			d.each(s, func(to int, p, earn *big.Rat) {
				x := new(big.Rat).Add(mean[to], mean[to])
				x.Add(x, earn).Mul(x, earn)
				sum.Add(sum, x.Mul(x, p))
			})
			return sum
		})
		if m, m2 := payoff.Moments(); m.Cmp(mean[0]) != 0 || m2.Cmp(square[0]) != 0 {
			t.Fatalf("moments %v and %v, want %v and %v", m, m2, mean[0], square[0])
		}
		// Followed step by step, the chances come close from below.
		ended, left := d.follow(12)
		sum := new(big.Rat)
		for i, v := range payoff.Values {
			got, _ := payoff.Chances.P(i)
			sum.Add(sum, got)
			least := new(big.Rat)
			if x := ended[v.RatString()]; x != nil {
				least = x
			}
			delete(ended, v.RatString())
			over := new(big.Rat).Sub(got, least)
			if slack := payoff.Chances.Bound(); over.Sign() < 0 && upper.Abs(over) > slack ||
				upper.Abs(over.Sub(over, left)) > slack && over.Sign() > 0 {
				t.Fatalf("%v has the chance %v, want %v and up to %v more", v, got, least, left)
			}
		}
		for name, x := range ended {
			if upper.Abs(x) > payoff.Chances.Bound() {
				t.Fatalf("%s with the chance %v is missing", name, x)
			}
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Fatalf("the chances add up to %v", sum)
		}
	})
}

// follow goes so many steps and returns what was earned where it has ended, and the chance
// that it goes on.
func (d *drawnProcess) follow(steps int) (ended map[string]*big.Rat, left *big.Rat) {
	type purse struct {
		s      int
		earned string
	}
	add := func(to map[purse]*big.Rat, k purse, p *big.Rat) {
		if to[k] == nil {
			to[k] = new(big.Rat)
		}
		to[k].Add(to[k], p)
	}
	now := map[purse]*big.Rat{{0, "0"}: big.NewRat(1, 1)}
	for range steps {
		next := map[purse]*big.Rat{}
		for k, chance := range now {
			if d.edges[k.s] == nil {
				add(next, k, chance)
				continue
			}
			d.each(k.s, func(to int, p, earn *big.Rat) {
				x, _ := new(big.Rat).SetString(k.earned)
				add(next, purse{to, x.Add(x, earn).RatString()}, p.Mul(p, chance))
			})
		}
		now = next
	}
	ended, left = map[string]*big.Rat{}, new(big.Rat)
	for k, chance := range now {
		if d.edges[k.s] != nil {
			left.Add(left, chance)
			continue
		}
		x, _ := new(big.Rat).SetString(k.earned)
		name := x.Add(x, d.own(k.s)).RatString()
		if ended[name] == nil {
			ended[name] = new(big.Rat)
		}
		ended[name].Add(ended[name], chance)
	}
	return ended, left
}

// Chances whose denominators would be too long are rounded, and are within their bound. A
// ladder of so many steps with totals that have nothing in common has a denominator of
// more than 65 536 bits.
func TestLongChancesAreRounded(t *testing.T) {
	const top = 4000
	total := func(n int) int64 { return int64(1000003 + 2*n*n + 6*n) }
	p := &Process{}
	p.State()
	states := []int{0, -1}
	p.State()
	Must(0, p.Explore(ctx, func(s int) error {
		n := states[s]
		if n < 0 || n == top {
			p.End(s, big.NewRat(int64(max(n, 0)), 1))
			return nil
		}
		states = append(states, n+1)
		return p.Way(ctx, s, []Edge{
			{To: p.State(), Weight: Must(NewWeight(big.NewInt(total(n) - total(n)/5000 - total(n)/3)))},
			{To: s, Weight: Must(NewWeight(big.NewInt(total(n) / 3)))},
			{To: 1, Weight: Must(NewWeight(big.NewInt(total(n) / 5000)))},
		}, 0)
	}))
	want := big.NewRat(1, 1)
	for n := range top {
		up := total(n) - total(n)/5000 - total(n)/3
		want.Num().Mul(want.Num(), big.NewInt(up))
		want.Denom().Mul(want.Denom(), big.NewInt(up+total(n)/5000))
	}
	want = new(big.Rat).SetFrac(want.Num(), want.Denom())
	ends := Must(p.Ends(ctx, nil))
	bound := ends.Bound()
	if bound == 0 || bound > 1e-50 {
		t.Fatalf("error %v", bound)
	}
	for s, n := range states {
		if n != top {
			continue
		}
		if off := upper.Abs(new(big.Rat).Sub(chanceOf(ends.Outcomes, s), want)); off > bound {
			t.Errorf("off by %v, bound %v", off, bound)
		}
	}
	if _, known := ends.MeanSteps(); known {
		t.Error("the mean number of steps of what is rounded is known")
	}
}

// A process is explored until each state is known, and what can't be answered is an error.
func TestProcessRefuses(t *testing.T) {
	p := &Process{}
	p.State()
	if err := p.Explore(ctx, func(int) error { return nil }); !errors.As(err, new(*ArgError)) {
		t.Errorf("a state that is not known: %v", err)
	}
	if err := p.Way(ctx, 0, nil, 0); !errors.As(err, new(*ArgError)) {
		t.Errorf("a way without edges: %v", err)
	}
	// Whoever goes round earns one each time.
	Must(0, p.Way(ctx, 0, []Edge{{To: p.State(), Weight: Weight{word: 1}}}, 0))
	Must(0, p.Way(ctx, 0, []Edge{{To: 0, Weight: Weight{word: 1}, Earn: big.NewRat(1, 1)}}, 0))
	p.End(1, nil)
	gain := (*EndlessGainError)(nil)
	if _, err := p.Best(ctx, false); !errors.As(err, &gain) || gain.State != 0 {
		t.Errorf("a gain without end: %v", err)
	}
	if y, err := p.Best(ctx, true); err != nil || y.Way(0) != 0 || y.Value(0).Sign() != 0 || y.Bound(0) != 0 {
		t.Errorf("the way out: %v", err)
	}
	huge := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 70))
	wide := &Process{}
	wide.State()
	Must(0, wide.Way(ctx, 0, []Edge{{To: wide.State(), Weight: Weight{word: 1}, Earn: huge}}, 0))
	wide.End(1, nil)
	if _, err := wide.Payoff(ctx, nil); !errors.As(err, new(*ArgError)) {
		t.Errorf("an earning of 2^70: %v", err)
	}
}

// What a way may be off by counts as often as the way is taken.
func TestBoundsOfWaysAddUp(t *testing.T) {
	p := &Process{}
	p.State()
	half := Weight{word: 1}
	Must(0, p.Way(ctx, 0, []Edge{{To: 0, Weight: half}, {To: p.State(), Weight: half, Earn: big.NewRat(2, 1)}}, 1e-20))
	p.End(1, nil)
	if got := Must(p.Ends(ctx, nil)).Bound(); got < 2e-20 || got > 2.0001e-20 {
		t.Errorf("error %v, want 2e-20", got)
	}
	y := Must(p.Payoff(ctx, nil))
	if got := y.Chances.Bound(); got < 2e-20 || got > 2.0001e-20 {
		t.Errorf("error of the payoff %v, want 2e-20", got)
	}
	if mean, _ := y.Moments(); mean != nil {
		t.Errorf("a mean of %v of what is not certain", mean)
	}
}
