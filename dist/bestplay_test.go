package dist

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"dicescript/dist/internal/gauss"
	"dicescript/dist/upper"

	"pgregory.net/rapid"
)

// A drawnGame has states 0 to n-1, each with ways to go on or a payoff.
type drawnGame struct {
	ways    [][]map[int]int64
	payoffs []*big.Rat
	against []bool
	lowest  bool
	rewards [][]int64 // of moves
	extra   []int64   // of coming to a state
}

// reward is what a move earns that leads to a state.
func (g *drawnGame) reward(s, move, to int) int64 { return g.rewards[s][move] + g.extra[to] }

func drawGame(t *rapid.T, forward bool) *drawnGame {
	n := rapid.IntRange(2, 5).Draw(t, "states")
	g := &drawnGame{lowest: rapid.Bool().Draw(t, "lowest")}
	two, rewards := rapid.Bool().Draw(t, "two sides"), rapid.Bool().Draw(t, "rewards")
	g.extra = make([]int64, n)
	if rewards && rapid.Bool().Draw(t, "by chance") {
		for i := range g.extra {
			g.extra[i] = rapid.Int64Range(-2, 2).Draw(t, "extra")
		}
	}
	for i := range n {
		g.against = append(g.against, two && rapid.Bool().Draw(t, "against"))
		if i == n-1 || i > 0 && rapid.IntRange(0, 2).Draw(t, "ends") == 0 {
			g.ways, g.rewards = append(g.ways, nil), append(g.rewards, nil)
			g.payoffs = append(g.payoffs, big.NewRat(rapid.Int64Range(-5, 5).Draw(t, "payoff"), rapid.SampledFrom([]int64{1, 3, 1 << 50}).Draw(t, "over")))
			continue
		}
		g.payoffs = append(g.payoffs, nil)
		var ways []map[int]int64
		var earned []int64
		for range rapid.IntRange(1, 3).Draw(t, "moves") {
			reward := int64(0)
			if rewards {
				reward = rapid.Int64Range(-4, 4).Draw(t, "reward")
			}
			earned = append(earned, reward)
			way := map[int]int64{}
			lo := 0
			if forward {
				lo = i + 1
			}
			for range rapid.IntRange(1, 3).Draw(t, "faces") {
				way[rapid.IntRange(lo, n-1).Draw(t, "to")] += rapid.Int64Range(1, 4).Draw(t, "weight")
			}
			ways = append(ways, way)
		}
		g.ways, g.rewards = append(g.ways, ways), append(g.rewards, earned)
	}
	return g
}

func (g *drawnGame) game() Game[int, int] {
	return Game[int, int]{
		Lowest:  g.lowest,
		Against: func(s int) (bool, error) { return g.against[s], nil },
		Turn: func(s int) (Turn[int, int], error) {
			t := Turn[int, int]{Payoff: g.payoffs[s]}
			for name, way := range g.ways[s] {
				var labels []int
				var weights []*big.Int
				for to := range g.ways {
					if w := way[to]; w > 0 {
						labels, weights = append(labels, to), append(weights, big.NewInt(w))
					}
				}
				move := Move[int, int]{Name: name, Next: Must(NewOutcomes(ctx, labels, weights, 0))}
				if r := g.rewards[s][name]; r != 0 {
					move.Reward = big.NewRat(r, 1)
				}
				if slices.ContainsFunc(g.extra, func(x int64) bool { return x != 0 }) {
					move.Earning = Must(Relabel(ctx, move.Next, func(to int) (Earned[int], error) {
						return Earned[int]{Reward: big.NewRat(g.extra[to], 1), To: to}, nil
					}))
				}
				t.Moves = append(t.Moves, move)
			}
			return t, nil
		},
	}
}

// worth values a plan by plain elimination; nil when it need not end.
func (g *drawnGame) worth(plan []int) []*big.Rat {
	n := len(g.ways)
	ends := make([]bool, n)
	for range n {
		for i := range n {
			ends[i] = ends[i] || g.payoffs[i] != nil
			if g.payoffs[i] == nil {
				for to := range g.ways[i][plan[i]] {
					ends[i] = ends[i] || ends[to]
				}
			}
		}
	}
	if slices.Contains(ends, false) {
		return nil
	}
	var rows []map[int]int64
	var right []*big.Int
	scale := big.NewInt(3 << 50)
	for i := range n {
		if g.payoffs[i] != nil {
			x := new(big.Int).Mul(g.payoffs[i].Num(), new(big.Int).Quo(scale, g.payoffs[i].Denom()))
			rows, right = append(rows, map[int]int64{i: 1}), append(right, x)
			continue
		}
		row, earned := map[int]int64{}, int64(0)
		for to, w := range g.ways[i][plan[i]] {
			row[to] -= w
			row[i] += w
			earned += w * g.reward(i, plan[i], to)
		}
		rows, right = append(rows, row), append(right, new(big.Int).Mul(scale, big.NewInt(earned)))
	}
	x := solved(rows, right)
	for _, v := range x {
		v.Quo(v, new(big.Rat).SetInt(scale))
	}
	return x
}

// solved solves equations in plain fractions.
func solved(rows []map[int]int64, b []*big.Int) []*big.Rat {
	m := make([][]*big.Rat, len(b))
	for i := range m {
		for j := range m {
			m[i] = append(m[i], big.NewRat(rows[i][j], 1))
		}
		m[i] = append(m[i], new(big.Rat).SetInt(b[i]))
	}
	return gauss.Solve(m)
}

// plans visits every plan of the states of one side, beside the moves of the
// other.
func (g *drawnGame) plans(against bool, plan []int, visit func()) {
	var from func(i int)
	from = func(i int) {
		for i < len(plan) && (g.payoffs[i] != nil || g.against[i] != against) {
			i++
		}
		if i == len(plan) {
			visit()
			return
		}
		for m := range g.ways[i] {
			plan[i] = m
			from(i + 1)
		}
	}
	from(0)
}

// best is the best value of the start that a side can make sure of, over all
// plans of both sides; ends is false when some of them need not end.
func (g *drawnGame) best() (value *big.Rat, ends bool) {
	sign := 1
	if g.lowest {
		sign = -1
	}
	plan := make([]int, len(g.ways))
	ends = true
	g.plans(false, plan, func() {
		var worst *big.Rat
		g.plans(true, plan, func() {
			x := g.worth(plan)
			if x == nil {
				ends = false
				return
			}
			if worst == nil || x[0].Cmp(worst)*sign < 0 {
				worst = x[0]
			}
		})
		if worst != nil && (value == nil || worst.Cmp(value)*sign > 0) {
			value = worst
		}
	})
	return value, ends
}

func TestBestPlayIsTheBestOfAllPlans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, rapid.Bool().Draw(t, "forward"))
		plan, err := BestPlay(ctx, 0, g.game())
		if err != nil {
			// Where play can end, one side gains without end, and so has a plan that does
			// not end.
			if _, ends := g.best(); strings.Contains(err.Error(), "there is no best plan") && ends {
				t.Fatalf("all plans end, and yet: %v", err)
			}
			return // see below
		}
		g.obeysBellman(t, plan)
		reached := plan.index
		for i := range g.ways {
			if _, ok := reached[i]; !ok {
				g.ways[i], g.payoffs[i] = nil, new(big.Rat) // it does not matter
			}
		}
		want, ends := g.best()
		if two := slices.Contains(g.against, true); two && !ends {
			return // where play need not end, the other side's refusal has no value
		}
		if got := plan.Value(); got.Cmp(want) != 0 {
			t.Fatalf("value %v, want %v", got, want)
		}
		// Under the plan it is what is earned and what the ends are worth.
		payoff := Must(plan.Payoff(ctx))
		mean, _ := payoff.Moments()
		if mean.Cmp(want) != 0 || plan.Bound() != 0 {
			t.Fatalf("played: %v, want %v; error %v", mean, want, plan.Bound())
		}
	})
}

// Of equal moves the first one is taken, but where play would go round for ever.
func TestFirstOfEqualMoves(t *testing.T) {
	end, coin := Certain("end"), Must(NewOutcomes(ctx, []string{"end", "a"}, []*big.Int{big.NewInt(1), big.NewInt(1)}, 0))
	again := Must(NewOutcomes(ctx, []string{"end", "d"}, []*big.Int{big.NewInt(1), big.NewInt(2)}, 0))
	moves := map[string][]Move[string, string]{
		"a": {{Name: "wait", Next: Certain("a")}, {Name: "to b", Next: Certain("b")}, {Name: "toss", Next: coin}, {Name: "stop", Next: end}},
		"b": {{Name: "to a", Next: Certain("a")}, {Name: "stop", Next: end}},
		"d": {{Name: "toss", Next: again}, {Name: "stop", Next: end}},
		"c": {{Name: "toss", Next: coin}, {Name: "to b", Next: Certain("b")}},
	}
	start := Must(NewOutcomes(ctx, []string{"a", "b", "c", "d"}, []*big.Int{big.NewInt(1), big.NewInt(1), big.NewInt(1), big.NewInt(1)}, 0))
	plan := Must(BestPlay(ctx, "start", Game[string, string]{Turn: func(s string) (Turn[string, string], error) {
		switch s {
		case "start":
			return Turn[string, string]{Moves: []Move[string, string]{{Name: "go", Next: start}}}, nil
		case "end":
			return Turn[string, string]{Payoff: big.NewRat(1, 1)}, nil
		}
		return Turn[string, string]{Moves: moves[s]}, nil
	}}))
	for _, s := range []string{"c", "d"} {
		if got, _ := plan.Best(s); got != "toss" {
			t.Errorf("in %s: %s, want the first", s, got)
		}
	}
	ends := Must(plan.Play(ctx))
	if p := chanceOf(ends, "end"); p.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("play ends with the chance %v", p)
	}
	if got, _ := plan.Best("a"); got == "wait" {
		t.Error("in a: it waits for ever")
	}
}

// obeysBellman checks that no move of any state is better than the best.
func (g *drawnGame) obeysBellman(t *rapid.T, plan *Plan[int, int]) {
	for s, v := range plan.All() {
		if g.payoffs[s] != nil {
			if v.Cmp(g.payoffs[s]) != 0 {
				t.Fatalf("the end %d is worth %v, want %v", s, v, g.payoffs[s])
			}
			continue
		}
		best, _ := plan.Best(s)
		for m, way := range g.ways[s] {
			sum, total := new(big.Rat), int64(0)
			for to, w := range way {
				next, _ := plan.ValueOf(to)
				next.Add(next, big.NewRat(g.reward(s, m, to), 1))
				sum.Add(sum, next.Mul(next, big.NewRat(w, 1)))
				total += w
			}
			c := sum.Quo(sum, big.NewRat(total, 1)).Cmp(v)
			if g.lowest != g.against[s] {
				c = -c
			}
			if c > 0 || m == best && c != 0 {
				t.Fatalf("state %d is worth %v, move %d (best %d) %v", s, v, m, best, sum)
			}
		}
	}
}

func TestBestPlayRefusesPlayThatCannotEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, false)
		_, err := BestPlay(ctx, 0, g.game())
		// Play that can end, but earns more by not ending, is refused for that alone.
		gains := err != nil && strings.Contains(err.Error(), "there is no best plan")
		// From every state that can be reached an end must be in reach.
		to := func(s int) (all []int) {
			for _, way := range g.ways[s] {
				for j := range way {
					all = append(all, j)
				}
			}
			return all
		}
		reach := func(s int) map[int]bool {
			seen, queue := map[int]bool{s: true}, []int{s}
			for len(queue) > 0 {
				for _, j := range to(queue[0]) {
					if !seen[j] {
						seen[j] = true
						queue = append(queue, j)
					}
				}
				queue = queue[1:]
			}
			return seen
		}
		stuck := false
		for s := range reach(0) {
			ends := false
			for e := range reach(s) {
				ends = ends || g.payoffs[e] != nil
			}
			stuck = stuck || !ends
		}
		if (err != nil && !gains) != stuck {
			t.Fatalf("got %v, want an error: %v", err, stuck)
		}
	})
}

// Yahtzee: five dice, three rolls, any dice may be kept between. The chances of
// a straight under the best play for it are published.
type yahtzee struct {
	left int
	dice [5]int8 // sorted; 0 for a die that is to be rolled
}

func yahtzeeTurn(straight int) func(yahtzee) (Turn[yahtzee, yahtzee], error) {
	return func(s yahtzee) (Turn[yahtzee, yahtzee], error) {
		if s.left == 0 {
			faces := map[int8]bool{}
			for _, x := range s.dice {
				faces[x] = true
			}
			run, best := 0, 0
			for x := int8(1); x <= 6; x++ {
				run++
				if !faces[x] {
					run = 0
				}
				best = max(best, run)
			}
			payoff := new(big.Rat)
			if best >= straight {
				payoff.SetInt64(1)
			}
			return Turn[yahtzee, yahtzee]{Payoff: payoff}, nil
		}
		var t Turn[yahtzee, yahtzee]
		seen := map[yahtzee]bool{}
		for keep := range 32 {
			kept := yahtzee{left: s.left}
			for i, x := range s.dice {
				if keep>>i&1 == 1 {
					kept.dice[i] = x
				}
			}
			slices.Sort(kept.dice[:])
			if seen[kept] {
				continue
			}
			seen[kept] = true
			t.Moves = append(t.Moves, Move[yahtzee, yahtzee]{Name: kept, Next: rolledAgain(kept)})
		}
		return t, nil
	}
}

// rolledAgain rolls the dice that are 0.
func rolledAgain(kept yahtzee) *Outcomes[yahtzee] {
	n := 0
	for _, x := range kept.dice {
		if x == 0 {
			n++
		}
	}
	var t Tally[yahtzee]
	add := func(faces [][]int, w Weight) error {
		next := yahtzee{left: kept.left - 1, dice: kept.dice}
		for i := range n {
			next.dice[i] = int8(faces[0][i])
		}
		slices.Sort(next.dice[:])
		t.Add(next, w)
		return nil
	}
	if n == 0 {
		add([][]int{{}}, Weight{word: 1})
	} else {
		Must(0, Sorted(ctx, []*Pool{dice(n, 6)}, add))
	}
	return Must(TallyOutcomes(ctx, &t, nil, 0))
}

func TestStraightsOfYahtzee(t *testing.T) {
	for straight, want := range map[int]string{5: "319695199/1224440064", 4: "753572225/1224440064"} {
		plan, err := BestPlay(ctx, yahtzee{left: 3}, Game[yahtzee, yahtzee]{Turn: yahtzeeTurn(straight)})
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Value(); got.Cmp(ratOf(t, want)) != 0 || plan.Bound() != 0 {
			t.Errorf("a straight of %d: %v, want %s", straight, got, want)
		}
	}
}

// Pig: roll and add, a one loses the turn's points, hold banks them.
type pig struct {
	me, you, turn int16
	against       bool
	over          bool
}

func pigGame(goal int16) Game[pig, string] {
	one := big.NewRat(1, 1)
	return Game[pig, string]{
		Against: func(s pig) (bool, error) { return s.against, nil },
		Turn: func(s pig) (Turn[pig, string], error) {
			if s.over {
				if s.against {
					return Turn[pig, string]{Payoff: new(big.Rat)}, nil
				}
				return Turn[pig, string]{Payoff: one}, nil
			}
			var rolled Tally[pig]
			rolled.Add(pig{me: s.you, you: s.me, against: !s.against}, Weight{word: 1})
			for face := int16(2); face <= 6; face++ {
				next := s
				if next.turn += face; next.me+next.turn >= goal {
					next = pig{against: s.against, over: true}
				}
				rolled.Add(next, Weight{word: 1})
			}
			return Turn[pig, string]{Moves: []Move[pig, string]{
				{Name: "hold", Next: Certain(pig{me: s.you, you: s.me + s.turn, against: !s.against})},
				{Name: "roll", Next: Must(outcomesFrom(ctx, &rolled, 0, false))},
			}}, nil
		},
	}
}

// Of Pig to 2 one roll wins with chance 5/6 against 1/6: 6/7 for the first.
func TestPigOfTwo(t *testing.T) {
	plan := Must(BestPlay(ctx, pig{}, pigGame(2)))
	if got := plan.Value(); got.Cmp(big.NewRat(6, 7)) != 0 {
		t.Errorf("got %v, want 6/7", got)
	}
	if move, _ := plan.Best(pig{}); move != "roll" {
		t.Errorf("the first move is to %s", move)
	}
}

// Values that are rounded are within the error of those that are not. A ladder of steps
// with totals that have nothing in common has values of thousands of digits; whether to
// climb or to take what there is depends on the step.
func TestRoundedValuesAreWithinTheirError(t *testing.T) {
	const top = 400
	worth := func(n int) *big.Rat { return big.NewRat(int64(n*n), 7) }
	totals := func(n int) int64 { return int64(1000003 + 2*n*n + 6*n) }
	plan := Must(BestPlay(ctx, 0, Game[int, string]{Turn: func(n int) (Turn[int, string], error) {
		if n < 0 || n == top {
			return Turn[int, string]{Payoff: worth(max(0, -n-1))}, nil
		}
		t := totals(n)
		climb := Must(NewOutcomes(ctx, []int{n, n + 1, -1}, []*big.Int{big.NewInt(t / 3), big.NewInt(t - t/3 - t/2000), big.NewInt(t / 2000)}, 0))
		return Turn[int, string]{Moves: []Move[int, string]{{Name: "climb", Next: climb}, {Name: "stop", Next: Certain(-n - 2)}}}, nil
	}}))
	if bound := plan.Bound(); bound == 0 || bound > 1e-30 {
		t.Fatalf("error %v", bound)
	}
	value := new(big.Rat) // at the top nothing is paid
	for n := top - 1; n >= 0; n-- {
		t1 := totals(n)
		value.Mul(value, big.NewRat(t1-t1/3-t1/2000, t1-t1/3))
		move := "climb"
		if stop := worth(n + 1); stop.Cmp(value) >= 0 {
			value.Set(stop)
			move = "stop"
		}
		got, _ := plan.ValueOf(n)
		if off := upper.Abs(got.Sub(got, value)); off > plan.Bound() {
			t.Fatalf("step %d is off by %v, bound %v", n, off, plan.Bound())
		}
		if best, _ := plan.Best(n); best != move {
			t.Fatalf("at step %d: %s, want %s", n, best, move)
		}
	}
}

// A ladder to press one's luck on: each step adds one and falls with chance 1/6,
// which loses all. It pays to go on while (5/6)(n+1) > n, up to 5.
func TestPressYourLuck(t *testing.T) {
	plan := Must(BestPlay(ctx, 0, Game[int, string]{Turn: func(n int) (Turn[int, string], error) {
		if n < 0 {
			return Turn[int, string]{Payoff: big.NewRat(int64(-n-1), 1)}, nil
		}
		return Turn[int, string]{Moves: []Move[int, string]{
			{Name: "stop", Next: Certain(-n - 1)},
			{Name: "climb", Next: Must(NewOutcomes(ctx, []int{-1, min(20, n+1)}, []*big.Int{big.NewInt(1), big.NewInt(5)}, 0))},
		}}, nil
	}}))
	if want := big.NewRat(5*5*5*5*5*5, 6*6*6*6*6); plan.Value().Cmp(want) != 0 {
		t.Errorf("got %v, want %v", plan.Value(), want)
	}
	for n := range 10 {
		if got, _ := plan.Best(n); (got == "climb") != (n < 5) {
			t.Errorf("at %d: %s", n, got)
		}
	}
}

func TestBestPlayRefusesWhatHasNoValue(t *testing.T) {
	end := func(int) (Turn[int, string], error) { return Turn[int, string]{}, nil }
	cut := Must(dice(1, 6).Multiset().Count(ctx, Only(6)))
	unlimited := DistOutcomes(Must(Must(Die(6)).Explode(ctx, Only(6), Unlimited)))
	for what, turn := range map[string]func(int) (Turn[int, string], error){
		"neither moves nor payoff": end,
		"a loop": func(s int) (Turn[int, string], error) {
			return Turn[int, string]{Moves: []Move[int, string]{{Name: "wait", Next: Certain(s)}}}, nil
		},
		"nothing follows": func(int) (Turn[int, string], error) {
			return Turn[int, string]{Moves: []Move[int, string]{{Name: "go"}}}, nil
		},
		"an unlimited roll": func(s int) (Turn[int, string], error) {
			if s > 0 {
				return Turn[int, string]{Payoff: cut.PMF(1)}, nil
			}
			return Turn[int, string]{Moves: []Move[int, string]{{Name: "roll", Next: unlimited}}}, nil
		},
	} {
		if _, err := BestPlay(ctx, 0, Game[int, string]{Turn: turn}); !errors.As(err, new(*ArgError)) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	_, err := BestPlay(WithBudget(ctx, NewBudget(Limits{Work: 10000})), pig{}, pigGame(20))
	if !errors.As(err, new(*LimitError)) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkBestPlay(b *testing.B) {
	for _, goal := range []int16{20, 50, 100} {
		b.Run(fmt.Sprint("pig_", goal), func(b *testing.B) {
			for b.Loop() {
				plan, err := BestPlay(ctx, pig{}, pigGame(goal))
				if err != nil {
					b.Fatal(err)
				}
				p, _ := plan.Value().Float64()
				b.ReportMetric(float64(len(plan.states)), "states")
				// Neller and Presser, "Optimal Play of the Dice Game Pig", 2004.
				if goal == 100 && math.Abs(p-0.5306) > 0.00005 {
					b.Fatal(p)
				}
			}
		})
	}
	b.Run("yahtzee_straight", func(b *testing.B) {
		for b.Loop() {
			plan, err := BestPlay(ctx, yahtzee{left: 3}, Game[yahtzee, yahtzee]{Turn: yahtzeeTurn(5)})
			if err != nil || plan.Bound() != 0 {
				b.Fatal(err)
			}
		}
	})
}
