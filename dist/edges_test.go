package dist

import (
	"context"
	"math"
	"math/big"
	"testing"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"

	"pgregory.net/rapid"
)

// Weights grow by machine words, and what goes wrong goes wrong where they begin
// to need one more. Here the numbers of dice, sides and kept dice and the weights
// of faces are chosen so that totals lie at 2^64k - 1, 2^64k and just above.

// Pools whose multipliers once outgrew the rows that they went into: where no
// face lies above the threshold, powers of the others have no bound.
func TestPoolsAtTheEdgesOfWords(t *testing.T) {
	for _, c := range []struct {
		name      string
		pool      *Pool
		high, low int // dropped
	}{
		{"125d2 highest 60", dice(125, 2), 0, 65},
		{"250d4 highest 100", dice(250, 4), 0, 150},
		{"200d3 lowest 168", dice(200, 3), 32, 0},
		{"309d2 drop lowest 196", dice(309, 2), 0, 196},
		{"349d3 drop highest 8", dice(349, 3), 8, 0},
		{"237d3 and 22d3 highest 98", Must(dice(237, 3).Join(dice(22, 3))), 0, 161},
		{"64d2 and 20d3 highest 41", Must(dice(64, 2).Join(dice(20, 3))), 0, 43},
		{"128d2 middle 60", dice(128, 2), 34, 34},
	} {
		d, err := c.pool.keep(ctx, c.high+1, c.pool.size-c.low)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		hasWays(t, c.name, d, keptWays(c.pool, c.high, c.low))
	}
}

// nearWords draws how many dice of so many sides have a total of about so many
// words, one way or the other.
func nearWords(t *rapid.T, sides, words int, name string) int {
	exact := 64 * float64(words) / math.Log2(float64(sides))
	return max(1, int(exact)+rapid.IntRange(-1, 2).Draw(t, name))
}

// nearPower draws a number at or next to a power of 2 that fills words.
func nearPower(t *rapid.T, name string) *big.Int {
	bits := rapid.SampledFrom([]uint{62, 63, 64, 128}).Draw(t, name+" bits")
	n := new(big.Int).Lsh(big.NewInt(1), bits)
	return n.Add(n, big.NewInt(int64(rapid.IntRange(-1, 1).Draw(t, name+" off"))))
}

// loadedEdge draws a die of two or three faces whose weights, or whose total, lie
// at the edge of a word.
func loadedEdge(t *rapid.T, name string) *Dist {
	faces := rapid.SliceOfNDistinct(rapid.IntRange(-2, 5), 2, 3, rapid.ID[int]).Draw(t, name+" faces")
	weights := make([]*big.Int, len(faces))
	for i := range weights {
		weights[i] = nearPower(t, name)
		if rapid.Bool().Draw(t, name+" is small") {
			weights[i] = big.NewInt(int64(rapid.IntRange(1, 3).Draw(t, name+" weight")))
		}
	}
	if rapid.Bool().Draw(t, name+" by its total") { // what is missing to the edge
		rest := new(big.Int).Sub(nearPower(t, name+" total"), weights[0])
		if rest.Sign() > 0 && len(weights) == 2 {
			weights[1] = rest
		}
	}
	return Must(Weighted(ctx, faces, weights))
}

// factorsOfAWord are the prime factors of 2^64 - 1.
var factorsOfAWord = []int64{3, 5, 17, 257, 641, 65537, 6700417}

// edgePool draws a pool whose total lies at the edge of a word. cost bounds what
// the oracles take for it.
func edgePool(t *rapid.T, cost int) *Pool {
	p := drawEdgePool(t)
	for oracleCost(p) > cost {
		p = drawEdgePool(t)
	}
	return p
}

func drawEdgePool(t *rapid.T) *Pool {
	sides := func(name string) int { return rapid.SampledFrom([]int{2, 3, 4, 5, 6, 10, 20}).Draw(t, name) }
	words := rapid.IntRange(1, 6).Draw(t, "words")
	switch rapid.SampledFrom([]string{"equal", "loaded", "mixed", "full"}).Draw(t, "kind") {
	case "equal":
		s := sides("sides")
		return dice(nearWords(t, s, words, "dice"), s)
	case "loaded":
		return Must(Repeat(loadedEdge(t, "die"), rapid.IntRange(1, 7).Draw(t, "dice")))
	case "mixed":
		s, few := sides("sides"), sides("sides of the few")
		n := rapid.IntRange(1, 3).Draw(t, "few")
		taken := float64(n) * math.Log2(float64(few)) / math.Log2(float64(s))
		return Must(dice(max(1, nearWords(t, s, words, "dice")-int(taken)), s).Join(dice(n, few)))
	}
	// A total of 2^64 - 1 exactly: one die of each of three factors.
	cut := rapid.IntRange(1, 5).Draw(t, "cut")
	totals := []*big.Int{big.NewInt(1), big.NewInt(1)}
	for i, f := range factorsOfAWord {
		totals[min(1, i/cut)].Mul(totals[min(1, i/cut)], big.NewInt(f))
	}
	pool := dice(rapid.IntRange(1, 2).Draw(t, "and"), 2)
	for _, total := range totals {
		one := big.NewInt(int64(rapid.IntRange(1, 2).Draw(t, "weight")))
		pool = Must(pool.Join(Must(NewPool(Must(Weighted(ctx, []int{1, 2}, []*big.Int{one, new(big.Int).Sub(total, one)}))))))
	}
	return pool
}

// oracleCost is about how many words keptWays goes over.
func oracleCost(p *Pool) int {
	states, faces := 1, 0
	for _, g := range p.groups {
		states *= g.count + 1
		faces += g.die.size
	}
	lo, hi := p.ends()
	return faces * states * p.size / 2 * p.size * (hi - lo) / 4 * int(p.wordsBound())
}

func TestKeepingAtTheEdgesOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := edgePool(t, 20_000_000)
		high := rapid.IntRange(0, p.size-1).Draw(t, "drop high")
		low := rapid.IntRange(0, p.size-1-high).Draw(t, "drop low")
		if rapid.Bool().Draw(t, "one end") {
			high = 0
		}
		want := keptWays(p, high, low)
		d, err := p.keep(ctx, high+1, p.size-low)
		if err != nil {
			t.Fatal(err)
		}
		hasWays(t, "kept", d, want)
		hasWays(t, "total", Must(p.Total(ctx)), sumWays(p))
		for name, w := range waysOfKeeping(t, p, high, low) {
			hasWays(t, name, w, want)
		}
	})
}

// The mean of kept dice is the sum of the means of their ranks, also for dice of
// thousands of sides, and a moderate budget is enough for both.
func TestKeepingDiceOfManySides(t *testing.T) {
	for _, c := range []struct{ count, sides, from, to int }{
		{100, 10_000, 99, 100},
		{100, 10_000, 1, 3},
		{4, 10_000, 1, 3},
		{3, 100_000, 1, 2},
		{3, 100_000, 2, 3},
		{20, 1_000, 1, 19},
		{1_000, 100, 991, 1_000},
	} {
		ctx := WithBudget(ctx, NewBudget(Limits{Work: 100_000_000, Cells: 40_000_000}))
		p := dice(c.count, c.sides)
		kept, err := p.Ranks(ctx, c.from, c.to)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		want := new(big.Rat)
		for k := c.from; k <= c.to; k++ {
			want.Add(want, Must(p.OrderStat(context.Background(), k)).Mean())
		}
		if got := kept.Mean(); got.Cmp(want) != 0 {
			t.Errorf("%+v: mean %v, want %v", c, got, want)
		}
	}
}

// waysOfKeeping keeps the same dice by every algorithm that can.
func waysOfKeeping(t *rapid.T, p *Pool, high, low int) map[string]*Dist {
	out := map[string]*Dist{}
	want := func(way string) bool { return way != "window" || high+low > 0 && p.size <= 20 }
	err := Must(p.layFaces(ctx, false)).Each(Must(p.total(ctx)), high, low, want, func(way string, ax axis.Axis, w nat.Vec) {
		out[way] = Must(newDist(ctx, ax, w, nil))
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMatchesAtTheEdgesOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := edgePool(t, 1_000_000)
		var kth [3]int
		k := rapid.IntRange(1, p.size).Draw(t, "k")
		least := rapid.IntRange(1, 6).Draw(t, "least")
		for _, c := range []struct {
			name   string
			run    func() (*Dist, error)
			step   func(v [3]int, face, count int) [3]int
			finish func(v [3]int) int
		}{
			{"order stat", func() (*Dist, error) { return p.OrderStat(ctx, k) },
				func(v [3]int, face, count int) [3]int { // the first place at or after size-k
					if v[0] <= p.size-k && p.size-k < v[0]+count {
						v[1] = face
					}
					v[0] += count
					return v
				}, func(v [3]int) int { return v[1] }},
			{"count", func() (*Dist, error) { return p.Count(ctx, From(least)) },
				func(v [3]int, face, count int) [3]int {
					if face >= least {
						v[0] += count
					}
					return v
				}, func(v [3]int) int { return v[0] }},
			{"largest set", func() (*Dist, error) { return p.LargestSet(ctx) },
				func(v [3]int, _, count int) [3]int { v[0] = max(v[0], count); return v },
				func(v [3]int) int { return v[0] }},
			{"sets", func() (*Dist, error) { return p.Sets(ctx, least) },
				func(v [3]int, _, count int) [3]int {
					if count >= least {
						v[0]++
					}
					return v
				}, func(v [3]int) int { return v[0] }},
			{"pairs", func() (*Dist, error) { return p.Pairs(ctx) },
				func(v [3]int, _, count int) [3]int { v[0] += count / 2; return v },
				func(v [3]int) int { return v[0] }},
			{"unique", func() (*Dist, error) { return p.Unique(ctx) },
				func(v [3]int, _, count int) [3]int { v[0] += min(1, count); return v },
				func(v [3]int) int { return v[0] }},
			{"longest run", func() (*Dist, error) { return p.LongestRun(ctx) },
				func(v [3]int, face, count int) [3]int { // so far, the last face, the longest
					switch {
					case count == 0:
						v[0] = 0
					case v[0] > 0 && v[1] == face-1:
						v[0]++
					default:
						v[0] = 1
					}
					v[1], v[2] = face, max(v[2], v[0])
					return v
				}, func(v [3]int) int { return v[2] }},
		} {
			d, err := c.run()
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			hasWays(t, c.name, d, matchWays(p, kth, c.step, c.finish))
		}
	})
}

// powersOf returns 1/s, 1/s^2, ... as chances.
func powersOf(s, n int) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(int64(s)), big.NewInt(int64(n)), nil))
}

func TestChainsOfRollsAtTheEdgesOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]int{2, 3, 4, 6, 10, 20}).Draw(t, "sides")
		n := nearWords(t, s, rapid.IntRange(1, 4).Draw(t, "words"), "rolls")
		d := die(s)

		exploded := chances{}
		for i := 0; i <= n; i++ {
			for face := 1; face <= s; face++ {
				if face < s || i == n {
					exploded.add(i*s+face, powersOf(s, i+1))
				}
			}
		}
		agrees(t, "exploded", Must(d.Explode(ctx, d.TopFace(), n)), exploded)

		rerolled, often := chances{}, new(big.Rat).Sub(big.NewRat(1, 1), powersOf(s, n+1))
		rerolled.add(1, powersOf(s, n+1))
		for face := 2; face <= s; face++ {
			rerolled.add(face, new(big.Rat).Mul(often, big.NewRat(1, int64(s-1))))
		}
		agrees(t, "rerolled", Must(d.Reroll(ctx, Only(1), n)), rerolled)

		// A walk that goes up with chance 1/s has a binomial place.
		walk := func(at int) (*Outcomes[int], error) {
			return NewOutcomes(ctx, []int{at, at + 1}, []*big.Int{big.NewInt(int64(s - 1)), big.NewInt(1)}, 0)
		}
		coin := Must(Weighted(ctx, []int{0, 1}, []*big.Int{big.NewInt(int64(s - 1)), big.NewInt(1)}))
		places := Must(Iterate(ctx, 0, walk, n))
		var tally Tally[int]
		for label, w := range places.All() {
			tally.Add(label, Must(NewWeight(w)))
		}
		hasWays(t, "walk", Must(TallyDist(ctx, &tally, 0)), sumWays(Must(Repeat(coin, n))))

		// The first step up comes after t steps with chance (1-p)^(t-1) p.
		steps := Must(FirstTime(ctx, 0, walk, func(at int) (bool, error) { return at == 1, nil }, n))
		p, stay := big.NewRat(1, int64(s)), big.NewRat(int64(s-1), int64(s))
		at := new(big.Rat).Set(p)
		for i := 1; i <= n; i++ {
			if got, _ := steps.P(i); got.Cmp(at) != 0 {
				t.Fatalf("first step up after %d: %v, want %v", i, got, at)
			}
			at.Mul(at, stay)
		}

		// The gambler's ruin: from i of N up to N comes with chance
		// (1 - r^i) / (1 - r^N), where r is the odds of down against up.
		most := min(n, 70)
		up := big.NewInt(int64(s + 1))
		ruin := Must(Absorb(ctx, most/2, func(at int) (*Outcomes[int], error) {
			if at == 0 || at == most {
				return Certain(at), nil
			}
			return NewOutcomes(ctx, []int{at - 1, at + 1}, []*big.Int{big.NewInt(int64(s)), up}, 0)
		}))
		if most >= 2 {
			odds := new(big.Rat).SetFrac(big.NewInt(int64(s)), up)
			one := big.NewRat(1, 1)
			want := new(big.Rat).Quo(new(big.Rat).Sub(one, powRat(odds, most/2)), new(big.Rat).Sub(one, powRat(odds, most)))
			if got, _ := ruin.P(most); got.Cmp(want) != 0 {
				t.Fatalf("ruin of %d: %v, want %v", most, got, want)
			}
		}
	})
}

func TestLoadedDiceAtTheEdgesOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := loadedEdge(t, "a"), loadedEdge(t, "b")
		ca, cb := chancesOf(a), chancesOf(b)
		agrees(t, "sum", Must(a.Add(ctx, b)), ca.plus(cb))

		product, higher := chances{}, chances{}
		less := new(big.Rat)
		ca.each(cb, func(x, y int, p *big.Rat) {
			product.add(x*y, p)
			higher.add(max(x, y), p)
			if x < y {
				less.Add(less, p)
			}
		})
		agrees(t, "product", Must(a.Mul(ctx, b)), product)
		agrees(t, "max", Must(Max(ctx, a, b)), higher)
		if got := Must(Compare(ctx, a, b)).Less; got.Cmp(less) != 0 {
			t.Fatalf("less: %v, want %v", got, less)
		}

		weight, other := nearPower(t, "weight"), nearPower(t, "other weight")
		both := new(big.Rat).SetInt(new(big.Int).Add(weight, other))
		mixed := chances{}
		for c, w := range map[*chances]*big.Int{&ca: weight, &cb: other} {
			for x, p := range *c {
				share := new(big.Rat).Quo(new(big.Rat).SetInt(w), both)
				mixed.add(x, share.Mul(share, p))
			}
		}
		agrees(t, "mixture", Must(Mixture(ctx, []Part{
			{Weight: new(big.Rat).SetInt(weight), Roll: a},
			{Weight: new(big.Rat).SetInt(other), Roll: b},
		})), mixed)

		for _, counts := range [][]int{{0, 1, 3}, {-2, 0, 3}, {-3, -1, 2}, {-4, -3, -1}, {-2, -1, 0}} {
			count := Must(Weighted(ctx, counts, []*big.Int{weight, other, big.NewInt(1)}))
			rolled := chancesOf(count).then(func(n int) chances {
				sum := sure(0)
				for range n {
					sum = sum.plus(ca)
				}
				for range -n {
					sum = sum.plus(ca.negated())
				}
				return sum
			})
			agrees(t, "random sum", Must(TimesRolled(ctx, count, a)), rolled)
		}

		n := rapid.IntRange(2, 40).Draw(t, "dice")
		p := Must(Repeat(a, n))
		hasWays(t, "many", Must(p.Total(ctx)), sumWays(p))
	})
}
