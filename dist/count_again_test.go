package dist

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"dicescript/dist/upper"

	"pgregory.net/rapid"
)

// Ten-again: five d10, 8 or more are successes, a 10 adds a die.
func TestTenAgain(t *testing.T) {
	got := Must(dice(5, 10).CountAgain(ctx, From(8), Only(10)))
	if got.Mean().Cmp(big.NewRat(5, 3)) != 0 {
		t.Errorf("mean %v, want 5/3", got.Mean())
	}
	// One die: N = [8..10] + [10] N', so Var N = (3/10 + 2 (1/10)(1/3) ) / (9/10) - 1/9.
	if want := big.NewRat(5*8, 27); got.Variance().Cmp(want) != 0 {
		t.Errorf("variance %v, want %v", got.Variance(), want)
	}
	if e := got.Bound(); e <= 0 || e > math.Ldexp(5, -cutBits) {
		t.Errorf("error %v", e)
	}
}

func TestCountAgainIsTheSuccessPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides, count := rapid.IntRange(2, 12).Draw(t, "sides"), rapid.IntRange(1, 8).Draw(t, "count")
		match := []int{sides}
		for x := 2; x < sides; x += 2 {
			match = append(match, x)
		}
		got := Must(dice(count, sides).CountAgain(ctx, Only(match...), Only(sides)))
		want := Must(SuccessPool(ctx, count, sides, Baseline, Unlimited))
		if got.Mean().Cmp(want.Mean()) != 0 || got.Variance().Cmp(want.Variance()) != 0 {
			t.Fatalf("mean %v and %v, variance %v and %v", got.Mean(), want.Mean(), got.Variance(), want.Variance())
		}
		withinErrors(t, got, chancesOf(want), upper.Add(got.Bound(), want.Bound()))
	})
}

// withinErrors fails when a chance is further off than the bound.
func withinErrors(t fataler, got *Dist, want chances, bound float64) {
	t.Helper()
	off := new(big.Rat)
	for _, x := range append(got.Outcomes(), keysOf(want)...) {
		p := want[x]
		if p == nil {
			p = new(big.Rat)
		}
		if off.Sub(got.PMF(x), p); upper.Abs(off) > upper.Up(bound) {
			t.Fatalf("P(%d) = %v, want %v, within %v", x, got.PMF(x).FloatString(30), p.FloatString(30), bound)
		}
	}
}

func keysOf(c chances) []int {
	var xs []int
	for x := range c {
		xs = append(xs, x)
	}
	return xs
}

// againRolls visits every way in which a pool falls with at most depth added
// dice, as a list of faces, and returns the chance of what it leaves out.
func againRolls(pool []*Dist, again Set, depth int, faces []int, p *big.Rat, visit func(faces []int, p *big.Rat)) *big.Rat {
	if len(pool) == 0 {
		visit(faces, p)
		return new(big.Rat)
	}
	left := new(big.Rat)
	for x, w := range pool[0].All() {
		q := new(big.Rat).SetFrac(w, pool[0].total)
		q.Mul(q, p)
		rest, more := pool[1:], depth
		if again.Contains(x) {
			if depth == 0 {
				left.Add(left, q)
				continue
			}
			rest, more = append([]*Dist{pool[0]}, rest...), depth-1
		}
		left.Add(left, againRolls(rest, again, more, append(slices.Clone(faces), x), q, visit))
	}
	return left
}

func TestAddedDiceAreRolledOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pool []*Dist
		for range rapid.IntRange(1, 2).Draw(t, "dice") {
			pool = append(pool, rapid.SampledFrom([]*Dist{die(4), die(3), Must(Faces(1, 2, 2, 6, -1))}).Draw(t, "die"))
		}
		again := rapid.SampledFrom([]Set{Only(4, 3), Only(1), Only(6), Nothing, Only(2)}).Draw(t, "again")
		match := drawSet(t, "match", die(4))
		k := rapid.IntRange(0, 3).Draw(t, "keep")
		counts, high, low := chances{}, chances{}, chances{}
		left := againRolls(pool, again, 5, nil, big.NewRat(1, 1), func(faces []int, p *big.Rat) {
			n := 0
			for _, x := range faces {
				if match.Contains(x) {
					n++
				}
			}
			counts.add(n, p)
			sorted := slices.Sorted(slices.Values(faces))
			low.add(sumInts(sorted[:min(k, len(sorted))]), p)
			high.add(sumInts(sorted[max(0, len(sorted)-k):]), p)
		})
		p := Must(NewPool(pool...))
		bound := upper.Abs(left)
		withinErrors(t, Must(p.CountAgain(ctx, match, again)), counts, upper.Add(bound, 1e-20))
		withinErrors(t, Must(p.HighestAgain(ctx, AgainOn(again), k)), high, upper.Add(bound, 1e-20))
		withinErrors(t, Must(p.LowestAgain(ctx, AgainOn(again), k)), low, upper.Add(bound, 1e-20))
	})
}

// Of one d6 that adds dice on a 6, the highest is below 6 with chance 5/6.
func TestHighestOfAddedDice(t *testing.T) {
	got := Must(dice(1, 6).HighestAgain(ctx, AgainOn(Only(6)), 2))
	// A single die stays alone, or a 6 has others beside it: 7..11 from one 6 and
	// one other, 12 from two sixes.
	for x, want := range map[int]*big.Rat{3: big.NewRat(1, 6), 9: big.NewRat(1, 36), 12: big.NewRat(1, 36)} {
		if off := upper.Abs(new(big.Rat).Sub(got.PMF(x), want)); off > got.Bound() {
			t.Errorf("P(%d) = %v, want %v", x, got.PMF(x).FloatString(12), want)
		}
	}
	if _, err := dice(2, 6).CountAgain(ctx, From(5), Everything); err == nil {
		t.Error("a count without end is no error")
	}
	if _, err := dice(2, 6).HighestAgain(ctx, AgainOn(Everything), 1); err == nil {
		t.Error("a pool without end is no error")
	}
}

// What has another route gives the same by it.
func TestAddedDiceByTwoRoutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides, count := rapid.IntRange(2, 8).Draw(t, "sides"), rapid.IntRange(0, 4).Draw(t, "count")
		p, again := dice(count, sides), From(rapid.IntRange(2, sides+1).Draw(t, "again"))
		k, match := rapid.IntRange(0, 5).Draw(t, "keep"), From(rapid.IntRange(1, sides).Draw(t, "match"))
		for _, c := range map[string]struct {
			of   func(*Pool) (*Dist, error)
			want *Dist
		}{
			"highest": {func(q *Pool) (*Dist, error) { return q.Highest(ctx, k) }, Must(p.HighestAgain(ctx, AgainOn(again), k))},
			"count":   {func(q *Pool) (*Dist, error) { return q.Count(ctx, match) }, Must(p.CountAgain(ctx, match, again))},
		} {
			got := Must(p.Added(ctx, AgainOn(again), Everything, c.of))
			withinErrors(t, got, chancesOf(c.want), upper.Add(got.Bound(), c.want.Bound()))
		}
	})
}

// The oracle rolls every sequence of faces of up to so many dice, where each kind
// of die adds dice on its own highest face.
func TestAddedDiceByEnumeration(t *testing.T) {
	const most = 8
	want, left := chances{}, new(big.Rat)
	kinds := []int{3, 4}
	var roll func(waiting, shown []int, p *big.Rat)
	roll = func(waiting, shown []int, p *big.Rat) {
		switch {
		case len(waiting) == 0:
			faces := slices.Sorted(slices.Values(shown))
			sum := 0
			for _, f := range faces[1:] {
				sum += f
			}
			if want[sum] == nil {
				want[sum] = new(big.Rat)
			}
			want[sum].Add(want[sum], p)
			return
		case len(shown) == most:
			left.Add(left, p)
			return
		}
		sides, rest := waiting[0], waiting[1:]
		q := new(big.Rat).Mul(p, big.NewRat(1, int64(sides)))
		for face := 1; face <= sides; face++ {
			next := slices.Clone(rest)
			if face == sides {
				next = append(next, sides)
			}
			roll(next, append(slices.Clone(shown), face), q)
		}
	}
	roll(kinds, nil, big.NewRat(1, 1))
	p := Must(NewPool(Must(Die(3)), Must(Die(4))))
	got := Must(p.Added(ctx, AgainOnTop(), Everything, func(q *Pool) (*Dist, error) { return q.DropLowest(ctx, 1) }))
	withinErrors(t, got, want, upper.Add(got.Bound(), upper.Abs(left)))
	if upper.Abs(left) > 0.05 {
		t.Errorf("the oracle leaves out %v", left.FloatString(6))
	}
}

func TestEndlessDiceAreRefused(t *testing.T) {
	_, err := dice(2, 6).Added(context.Background(), AgainOn(From(1)), Everything, func(q *Pool) (*Dist, error) { return q.Total(ctx) })
	if err == nil {
		t.Error("dice that always add a die came to an end")
	}
}

// Few dice and many of another kind, whose binomials are longer than the weights
// of what is kept. The other route is the state machine over the faces.
func TestManyAddedDiceAreKept(t *testing.T) {
	die := Must(Die(6))
	for m := 150; m <= 170; m += 2 {
		b := newPoolBuilder()
		b.add(Must(die.Keep(ctx, UpTo(4))), 4)
		b.add(Must(die.Keep(ctx, From(5))), m)
		got := Must(b.pool.DropLowest(ctx, 2))
		type state struct{ seen, sum int }
		tally, err := Evaluate(ctx, &b.pool, state{}, func(s state, face, count int) (state, error) {
			s.sum += face * (max(s.seen+count, 2) - max(s.seen, 2))
			s.seen += count
			return s, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var sums Tally[int]
		for s, w := range tally.All() {
			sums.Add(s.sum, w)
		}
		if want := Must(TallyDist(ctx, &sums, 0)); !equal(got, want) {
			t.Errorf("%d dice more: mean %v, want %v", m, got.Mean().FloatString(9), want.Mean().FloatString(9))
		}
	}
}
