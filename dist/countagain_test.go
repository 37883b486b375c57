package dist

import (
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
		withinErrors(t, Must(p.HighestAgain(ctx, again, k)), high, upper.Add(bound, 1e-20))
		withinErrors(t, Must(p.LowestAgain(ctx, again, k)), low, upper.Add(bound, 1e-20))
	})
}

// Of one d6 that adds dice on a 6, the highest is below 6 with chance 5/6.
func TestHighestOfAddedDice(t *testing.T) {
	got := Must(dice(1, 6).HighestAgain(ctx, Only(6), 2))
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
	if _, err := dice(2, 6).HighestAgain(ctx, Everything, 1); err == nil {
		t.Error("a pool without end is no error")
	}
}
