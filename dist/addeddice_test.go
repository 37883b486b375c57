package dist

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"dicescript/dist/upper"
	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

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
			"highest": {func(q *Pool) (*Dist, error) { return q.Highest(ctx, k) }, Must(p.HighestAgain(ctx, again, k))},
			"count":   {func(q *Pool) (*Dist, error) { return q.Count(ctx, match) }, Must(p.CountAgain(ctx, match, again))},
		} {
			got := Must(p.Added(ctx, AgainOn(again), c.of))
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
	got := Must(p.Added(ctx, AgainOnTop(), func(q *Pool) (*Dist, error) { return q.DropLowest(ctx, 1) }))
	withinErrors(t, got, want, upper.Add(got.Bound(), upper.Abs(left)))
	if upper.Abs(left) > 0.05 {
		t.Errorf("the oracle leaves out %v", left.FloatString(6))
	}
}

func TestEndlessDiceAreRefused(t *testing.T) {
	_, err := dice(2, 6).Added(context.Background(), AgainOn(From(1)), func(q *Pool) (*Dist, error) { return q.Total(ctx) })
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
