package dist

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"

	"pgregory.net/rapid"
)

// eachTupleOf is the oracle of pools: every combination of faces, with its
// chance.
func eachTupleOf(dice []*Dist, visit func(faces []int, p *big.Rat)) {
	faces := make([]int, len(dice))
	var roll func(i int, p *big.Rat)
	roll = func(i int, p *big.Rat) {
		if i == len(dice) {
			visit(faces, p)
			return
		}
		for x, w := range dice[i].All() {
			faces[i] = x
			roll(i+1, new(big.Rat).Mul(p, new(big.Rat).SetFrac(w, dice[i].Total())))
		}
	}
	roll(0, big.NewRat(1, 1))
}

// drawPool draws a pool of few dice of up to three kinds.
func drawPool(t *rapid.T) *Pool {
	kinds := make([]*Dist, rapid.IntRange(1, 3).Draw(t, "kinds"))
	for i := range kinds {
		kinds[i] = drawPoolDie(t)
	}
	var dice []*Dist
	tuples := 1
	for range rapid.IntRange(1, 6).Draw(t, "dice") {
		d := kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")]
		if tuples *= d.Len(); tuples > 3000 && len(dice) > 0 {
			break
		}
		dice = append(dice, d)
	}
	return Must(NewPool(dice...))
}

// drawPoolDie draws a die with few faces: in a row or with holes, negative,
// repeated, weighted (by more than a word, too), or far apart.
func drawPoolDie(t *rapid.T) *Dist {
	if rapid.Bool().Draw(t, "fair") {
		lo := rapid.IntRange(-3, 3).Draw(t, "lo")
		return Must(Uniform(lo, lo+rapid.IntRange(0, 6).Draw(t, "width")))
	}
	face := rapid.OneOf(rapid.IntRange(-5, 5), rapid.IntRange(-5, 5), rapid.SampledFrom([]int{1000, -1 << 40, 1 << 57}))
	weight := rapid.OneOf(rapid.Int64Range(1, 3), rapid.Just[int64](1), rapid.Int64Range(1, math.MaxInt64))
	var faces []int
	var weights []*big.Int
	for range rapid.IntRange(1, 5).Draw(t, "faces") {
		faces = append(faces, face.Draw(t, "face"))
		w := big.NewInt(weight.Draw(t, "weight"))
		if rapid.IntRange(0, 9).Draw(t, "heavy") == 0 {
			w.Mul(w, w).Mul(w, w)
		}
		weights = append(weights, w)
	}
	return Must(Weighted(ctx, faces, weights))
}

// ofPool is an operation on pools and what it means for sorted faces.
type ofPool struct {
	name string
	do   func(p *Pool) (*Dist, error)
	f    func(faces []int) int // sees the faces in ascending order
}

func sumFaces(faces []int) int {
	sum := 0
	for _, x := range faces {
		sum += x
	}
	return sum
}

// sets returns how many dice show each face.
func setsOf(faces []int) map[int]int {
	m := map[int]int{}
	for _, x := range faces {
		m[x]++
	}
	return m
}

func longestRunOf(faces []int) int {
	m, best := setsOf(faces), 0
	for x := range m {
		n := 0
		for m[x+n] > 0 {
			n++
		}
		best = max(best, n)
	}
	return best
}

func poolOperations(n, k int) []ofPool {
	at := func(i int) int { return max(0, min(n, i)) }
	ops := []ofPool{
		{"total", func(p *Pool) (*Dist, error) { return p.Total(ctx) }, sumFaces},
		{"highest", func(p *Pool) (*Dist, error) { return p.Highest(ctx, k) }, func(x []int) int { return sumFaces(x[at(n-k):]) }},
		{"lowest", func(p *Pool) (*Dist, error) { return p.Lowest(ctx, k) }, func(x []int) int { return sumFaces(x[:at(k)]) }},
		{"drop highest", func(p *Pool) (*Dist, error) { return p.DropHighest(ctx, k) }, func(x []int) int { return sumFaces(x[:max(1, n-k)]) }},
		{"drop lowest", func(p *Pool) (*Dist, error) { return p.DropLowest(ctx, k) }, func(x []int) int { return sumFaces(x[min(n-1, k):]) }},
		{"largest set", func(p *Pool) (*Dist, error) { return p.LargestSet(ctx) }, func(x []int) int {
			most := 0
			for _, c := range setsOf(x) {
				most = max(most, c)
			}
			return most
		}},
		{"sets", func(p *Pool) (*Dist, error) { return p.Sets(ctx, k+1) }, func(x []int) int {
			n := 0
			for _, c := range setsOf(x) {
				if c >= k+1 {
					n++
				}
			}
			return n
		}},
		{"pairs", func(p *Pool) (*Dist, error) { return p.Pairs(ctx) }, func(x []int) int {
			n := 0
			for _, c := range setsOf(x) {
				n += c / 2
			}
			return n
		}},
		{"unique", func(p *Pool) (*Dist, error) { return p.Unique(ctx) }, func(x []int) int { return len(setsOf(x)) }},
		{"longest run", func(p *Pool) (*Dist, error) { return p.LongestRun(ctx) }, longestRunOf},
		{"count", func(p *Pool) (*Dist, error) { return p.Count(ctx, From(k)) }, func(x []int) int {
			n := 0
			for _, v := range x {
				if v >= k {
					n++
				}
			}
			return n
		}},
	}
	if k >= 1 && k <= n {
		low := (n - k) / 2
		ops = append(ops,
			ofPool{"middle", func(p *Pool) (*Dist, error) { return p.Middle(ctx, k) }, func(x []int) int { return sumFaces(x[low : low+k]) }},
			ofPool{"order stat", func(p *Pool) (*Dist, error) { return p.OrderStat(ctx, k) }, func(x []int) int { return x[n-k] }},
		)
		for to := k; to <= n; to++ {
			ops = append(ops, ofPool{"ranks", func(p *Pool) (*Dist, error) { return p.Ranks(ctx, k, to) }, func(x []int) int { return sumFaces(x[n-to : n-k+1]) }})
		}
	}
	return ops
}

func TestPoolsAgreeWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPool(t)
		ops := poolOperations(p.Size(), rapid.IntRange(0, 7).Draw(t, "k"))
		want := make([]chances, len(ops))
		for i := range want {
			want[i] = chances{}
		}
		eachTupleOf(Must(p.Dice(ctx)), func(faces []int, chance *big.Rat) {
			sorted := slices.Clone(faces)
			slices.Sort(sorted)
			for i, op := range ops {
				want[i].add(op.f(sorted), chance)
			}
		})
		for i, op := range ops {
			got, err := op.do(p)
			agree(t, op.name, got, err, want[i], true)
		}
	})
}

// Every way of keeping must give the same, whichever is chosen for speed.
func TestWaysOfKeepingAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPool(t)
		high := rapid.IntRange(0, p.Size()-1).Draw(t, "high")
		low := rapid.IntRange(0, p.Size()-1-high).Draw(t, "low")
		want, err := p.keepByStates(ctx, high, low, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.layFaces(ctx, false)
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			t.Skip("scattered faces")
		}
		any := func(string) bool { return true }
		err = f.Each(Must(p.total(ctx)), high, low, any, func(way string, ax axis.Axis, w nat.Vec) {
			if !equal(want, smallDist(ax, w, nil)) {
				t.Fatalf("%s differs", way)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// Middles of equal dice with holes between their faces and different weights.
func TestMiddlesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		faces := rapid.SliceOfNDistinct(rapid.IntRange(-3, 12), 2, 6, rapid.ID[int]).Draw(t, "faces")
		weights := make([]*big.Int, len(faces))
		for i := range weights {
			weights[i] = big.NewInt(rapid.SampledFrom([]int64{1, 1, 1, 2, 3, 1 << 50}).Draw(t, "weight"))
		}
		n := rapid.IntRange(2, 30).Draw(t, "dice")
		p := Must(Repeat(Must(Weighted(ctx, faces, weights)), n))
		k := rapid.IntRange(2, n).Draw(t, "kept")
		high := rapid.IntRange(0, n-k).Draw(t, "dropped high")
		f, ways := Must(p.layFaces(ctx, false)), keptWays(p, high, n-k-high)
		applied := false
		middle := func(way string) bool { return way == "middle" }
		err := f.Each(Must(p.total(ctx)), high, n-k-high, middle, func(way string, ax axis.Axis, w nat.Vec) {
			applied = true
			hasWays(t, way, Must(newDist(ctx, ax, w, nil)), ways)
		})
		if err != nil || !applied {
			t.Fatalf("the middle was computed: %v, with %v", applied, err)
		}
	})
}

// A larger pool has no oracle, but its parts have to fit together.
func TestKeptPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Must(Repeat(drawPoolDie(t), rapid.IntRange(1, 8).Draw(t, "count")))
		if rapid.Bool().Draw(t, "mixed") {
			p = Must(p.Join(Must(Repeat(drawPoolDie(t), rapid.IntRange(1, 4).Draw(t, "more")))))
		}
		n := p.Size()
		k := rapid.IntRange(1, n).Draw(t, "k")
		mean := func(d *Dist, err error) *big.Rat {
			if err != nil {
				t.Fatal(err)
			}
			return d.Mean()
		}
		high := mean(p.Highest(ctx, k))
		ranks := new(big.Rat)
		for i := 1; i <= k; i++ {
			ranks.Add(ranks, mean(p.OrderStat(ctx, i)))
		}
		if ranks.Cmp(high) != 0 {
			t.Fatalf("the mean of the highest %d of %d is %v, of its ranks %v", k, n, high, ranks)
		}
		if k < n {
			high.Add(high, mean(p.Lowest(ctx, n-k)))
			if total := mean(p.Total(ctx)); total.Cmp(high) != 0 {
				t.Fatalf("highest %d and lowest %d of %d have the mean %v, all dice %v", k, n-k, n, high, total)
			}
		}
	})
}

func TestAbilityScores(t *testing.T) {
	d := Must(Must(Repeat(Must(Die(6)), 4)).DropLowest(ctx, 1))
	if d.Mean().Cmp(big.NewRat(15869, 1296)) != 0 || d.PMF(18).Cmp(big.NewRat(21, 1296)) != 0 {
		t.Fatalf("4d6 drop lowest: mean %v, P(18) = %v", d.Mean(), d.PMF(18))
	}
	yahtzee := Must(Must(Repeat(Must(Die(6)), 5)).LargestSet(ctx))
	if yahtzee.PMF(5).Cmp(big.NewRat(6, 7776)) != 0 {
		t.Fatalf("P(five of a kind) = %v", yahtzee.PMF(5))
	}
	straights := Must(Must(Repeat(Must(Die(6)), 5)).LongestRun(ctx))
	if straights.PMF(5).Cmp(big.NewRat(240, 7776)) != 0 {
		t.Fatalf("P(large straight) = %v", straights.PMF(5))
	}
}

func TestPoolsAreOrderedLists(t *testing.T) {
	d4, d6 := Must(Die(4)), Must(Die(6))
	p := Must(Must(NewPool(d6, d4, Must(Die(6)))).Join(Must(Repeat(d4, 2))))
	got := Must(p.Dice(ctx))
	want := []*Dist{d6, d4, d6, d4, d4}
	if !slices.EqualFunc(got, want, equal) || p.Size() != 5 || len(p.groups) != 2 {
		t.Fatalf("%d dice in %d groups", p.Size(), len(p.groups))
	}
	for d, n := range p.Kinds() {
		if want := map[int]int{6: 2, 4: 3}[d.Max()]; n != want {
			t.Errorf("%d d%d, want %d", n, d.Max(), want)
		}
	}
	calls := 0
	q, err := p.Each(func(d *Dist) (*Dist, error) {
		calls++
		return d.Shift(ctx, 1)
	})
	if err != nil || calls != 2 || Must(q.Dice(ctx))[3].Max() != 5 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	stop := errors.New("stop")
	if _, err := p.Each(func(*Dist) (*Dist, error) { return nil, stop }); err != stop {
		t.Fatal(err)
	}
	same, _ := p.Each(func(*Dist) (*Dist, error) { return d4, nil })
	if len(same.groups) != 1 || same.Size() != 5 {
		t.Fatal("equal dice are not put together")
	}
}

func TestPoolArguments(t *testing.T) {
	p := Must(Repeat(Must(Die(6)), 4))
	for name, do := range map[string]func() (*Dist, error){
		"highest":      func() (*Dist, error) { return p.Highest(ctx, -1) },
		"lowest":       func() (*Dist, error) { return p.Lowest(ctx, -1) },
		"drop highest": func() (*Dist, error) { return p.DropHighest(ctx, -1) },
		"drop lowest":  func() (*Dist, error) { return p.DropLowest(ctx, -1) },
		"middle 0":     func() (*Dist, error) { return p.Middle(ctx, 0) },
		"middle 5":     func() (*Dist, error) { return p.Middle(ctx, 5) },
		"order 0":      func() (*Dist, error) { return p.OrderStat(ctx, 0) },
		"order 5":      func() (*Dist, error) { return p.OrderStat(ctx, 5) },
		"ranks 0":      func() (*Dist, error) { return p.Ranks(ctx, 0, 2) },
		"ranks 3 to 2": func() (*Dist, error) { return p.Ranks(ctx, 3, 2) },
		"ranks to 5":   func() (*Dist, error) { return p.Ranks(ctx, 3, 5) },
		"sets":         func() (*Dist, error) { return p.Sets(ctx, 0) },
		"far": func() (*Dist, error) {
			return Must(Repeat(Must(Faces(1, math.MaxInt)), 3)).Highest(ctx, 2)
		},
	} {
		var arg *ArgError
		if _, err := do(); !errors.As(err, &arg) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewPool(); err == nil {
		t.Error("an empty pool")
	}
	if _, err := Repeat(Must(Die(6)), -1); err == nil {
		t.Error("a pool of less than no dice")
	}
	if d := Must(p.Highest(ctx, 0)); !equal(d, Constant(0)) {
		t.Error("keeping none")
	}
	if d := Must(Must(Repeat(Must(Faces(1, math.MaxInt)), 3)).Highest(ctx, 1)); d.Max() != math.MaxInt {
		t.Error("one far die stays in range")
	}
}

// What would take too long or too much is refused before it starts.
func TestHugePoolsAreRefusedAtOnce(t *testing.T) {
	small := WithBudget(ctx, NewBudget(Limits{Work: 1e9, Cells: 1e7, Outcomes: 1e6}))
	p := dice(MaxDice/2, 6)
	wide := dice(MaxDice/2, 1e6)
	mixed := Must(p.Join(wide))
	for name, do := range map[string]func(*Pool) (*Dist, error){
		"total":       func(p *Pool) (*Dist, error) { return p.Total(small) },
		"highest":     func(p *Pool) (*Dist, error) { return p.Highest(small, 1000) },
		"lowest":      func(p *Pool) (*Dist, error) { return p.Lowest(small, 100_000) },
		"middle":      func(p *Pool) (*Dist, error) { return p.Middle(small, 1000) },
		"rank":        func(p *Pool) (*Dist, error) { return p.OrderStat(small, 1000) },
		"count":       func(p *Pool) (*Dist, error) { return p.Count(small, From(3)) },
		"largest set": func(p *Pool) (*Dist, error) { return p.LargestSet(small) },
		"sets":        func(p *Pool) (*Dist, error) { return p.Sets(small, 2) },
		"pairs":       func(p *Pool) (*Dist, error) { return p.Pairs(small) },
		"unique":      func(p *Pool) (*Dist, error) { return p.Unique(small) },
		"longest run": func(p *Pool) (*Dist, error) { return p.LongestRun(small) },
	} {
		for i, pool := range []*Pool{p, wide, mixed} {
			var limit *LimitError
			if _, err := do(pool); !errors.As(err, &limit) {
				t.Errorf("%s, pool %d: %v", name, i, err)
			}
		}
	}
}

func TestEvaluateStopsAtErrors(t *testing.T) {
	stop := errors.New("stop")
	p := Must(NewPool(Must(Die(6)), Must(Die(4)), Must(Die(4))))
	_, err := Evaluate(ctx, p, 0, func(s, face, count int) (int, error) {
		if face == 4 && count == 3 {
			return 0, stop
		}
		if face > 4 && count > 1 {
			t.Errorf("%d dice show %d", count, face)
		}
		return s, nil
	})
	if err != stop {
		t.Fatal(err)
	}
}

// The closed forms for fair dice against the state machine, on pools too large
// for enumeration and with totals of several words.
func TestClosedFormsAgreeWithTheStateMachine(t *testing.T) {
	gaps := Must(Faces(1, 2, 3, 5, 6, 9, 10, 11, 12, 20))
	for _, c := range []struct {
		die   *Dist
		count int
	}{{die(6), 30}, {die(20), 4}, {die(20), 18}, {die(3), 50}, {die(100), 3}, {gaps, 9}, {gaps, 22}, {die(1), 5}} {
		p := Must(Repeat(c.die, c.count))
		most := func(s, _, count int) (int, error) { return max(s, count), nil }
		shown := func(s, _, count int) (int, error) { return s + min(count, 1), nil }
		for name, pair := range map[string][2]func() (*Dist, error){
			"largest set": {func() (*Dist, error) { return p.LargestSet(ctx) }, func() (*Dist, error) { return evaluateNumber(ctx, p.Multiset(), 0, most, same, nil) }},
			"unique":      {func() (*Dist, error) { return p.Unique(ctx) }, func() (*Dist, error) { return evaluateNumber(ctx, p.Multiset(), 0, shown, same, nil) }},
			"longest run": {func() (*Dist, error) { return p.LongestRun(ctx) }, func() (*Dist, error) {
				return evaluateNumber(ctx, p.Multiset(), straight{}, straight.next, straight.longest, nil)
			}},
		} {
			if a, b := Must(pair[0]()), Must(pair[1]()); !equal(a, b) {
				t.Errorf("%s of %d dice with %d faces: %v, want %v", name, c.count, c.die.Len(), chancesOf(a), chancesOf(b))
			}
		}
	}
}

// A map of an unlimited roll looks like the roll where it changes nothing that
// is represented, but its mean is not known, and a pool must not mix the two up.
func TestDiceOfWhichDifferentThingsAreKnownStayApart(t *testing.T) {
	die := Must(Must(Die(6)).Explode(ctx, Only(6), Unlimited))
	twin := Must(die.Map(ctx, func(x int) (int, error) { return x, nil }))
	if !equal(die, twin) {
		t.Fatal("the map changed what is represented")
	}
	for _, p := range []*Pool{Must(NewPool(die, twin)), Must(NewPool(twin, die)), Must(Must(NewPool(die)).Join(Must(NewPool(twin))))} {
		if m := Must(p.Total(ctx)).Mean(); m != nil {
			t.Errorf("the mean is %v, although half of it is not known", m)
		}
	}
}

// The lowest distance from zero may be one that is not represented.
func TestGapsOfUnlimitedRolls(t *testing.T) {
	cut := Must(geometric{-1, 4}.cut(3).Mul(ctx, Must(Faces(-1, 1)))) // 0 is possible, but cut off
	if d := Must(cut.Abs(ctx)); !d.UnboundedBelow() {
		t.Errorf("the lowest is said to be %d", d.Min())
	}
	if _, err := Constant(1).FloorDiv(ctx, cut); err == nil {
		t.Error("a divisor that can be 0 is no error")
	}
}

// A pool that its dice can be named one by one in is bounded where it is made, whatever
// is asked of it.
func TestAPoolHoldsAMillionDice(t *testing.T) {
	most := dice(MaxDice, 6)
	if most.Size() != 1_000_000 {
		t.Errorf("the largest pool has %d dice", most.Size())
	}
	for name, do := range map[string]func() error{
		"repeat":       func() error { _, err := Repeat(die(6), MaxDice+1); return err },
		"repeat, far":  func() error { _, err := Repeat(die(6), math.MaxInt); return err },
		"list":         func() error { _, err := NewPool(slices.Repeat([]*Dist{die(6)}, MaxDice+1)...); return err },
		"join":         func() error { _, err := most.Join(dice(1, 6)); return err },
		"join, before": func() error { _, err := dice(1, 8).Join(most); return err },
		"join halves":  func() error { _, err := dice(MaxDice/2, 6).Join(dice(MaxDice/2+1, 8)); return err },
		"deck":         func() error { _, err := NewDeck([]int{1, 2}, []int{MaxDice, 1}); return err },
	} {
		var wrong *ArgError
		if err := do(); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "1 000 000") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := dice(MaxDice/2, 6).Join(dice(MaxDice/2, 8)); err != nil {
		t.Errorf("two halves: %v", err)
	}
}
