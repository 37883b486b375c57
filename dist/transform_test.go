package dist

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestKeepIsConditioning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDie(t, "die")
		s := drawSet(t, "set", d)
		for _, c := range []struct {
			name string
			keep func(context.Context, Set) (*Dist, error)
			in   func(int) bool
		}{
			{"keep", d.Keep, s.Contains},
			{"remove", d.Remove, s.Not().Contains},
		} {
			got, err := c.keep(ctx, s)
			want, ok := chancesOf(d).given(c.in)
			if (err == nil) != ok {
				t.Fatalf("%s %v: %v", c.name, s, err)
			}
			if ok {
				agrees(t, c.name, got, want)
			}
		}
	})
}

func TestRelabelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDie(t, "die")
		s := drawSet(t, "set", d)
		to := rapid.IntRange(-8, 20).Draw(t, "to")
		relabel := func(f func(int) int) chances {
			return chancesOf(d).then(func(x int) chances { return sure(f(x)) })
		}
		convert := func(x int) int {
			if s.Contains(x) {
				return to
			}
			return x
		}
		agrees(t, "convert", Must(d.Convert(ctx, s, to)), relabel(convert))
		lo := rapid.IntRange(-8, 8).Draw(t, "lo")
		hi := lo + rapid.IntRange(0, 9).Draw(t, "width")
		clamp := func(x int) int { return min(max(x, lo), hi) }
		agrees(t, "clamp", Must(d.Clamp(ctx, lo, hi)), relabel(clamp))
		third := func(x int) int { return x%3*to + 1 }
		mapped := Must(d.Map(ctx, func(x int) (int, error) { return third(x), nil }))
		agrees(t, "map", mapped, relabel(third))
	})
}

func TestHighestAndLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawDie(t, "a"), drawDie(t, "b"), drawDie(t, "c")
		highest, lowest := chances{}, chances{}
		chancesOf(a).each(chancesOf(b), func(x, y int, p *big.Rat) {
			for z, q := range chancesOf(c) {
				r := new(big.Rat).Mul(p, q)
				highest.add(max(x, y, z), r)
				lowest.add(min(x, y, z), r)
			}
		})
		agrees(t, "max", Must(Max(ctx, a, b, c)), highest)
		agrees(t, "min", Must(Min(ctx, a, b, c)), lowest)
	})
}

func TestMixtureIsTheWeightedSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []Part
		sum, want := new(big.Rat), chances{}
		for range rapid.IntRange(1, 5).Draw(t, "parts") {
			w := big.NewRat(rapid.Int64Range(0, 9).Draw(t, "num"), rapid.Int64Range(1, 9).Draw(t, "den"))
			parts = append(parts, Part{Weight: w, Roll: drawDie(t, "die")})
			sum.Add(sum, w)
		}
		got, err := Mixture(ctx, parts)
		if (err != nil) != (sum.Sign() == 0) {
			t.Fatalf("weights that sum to %v: %v", sum, err)
		}
		if err != nil {
			return
		}
		for _, p := range parts {
			for x, q := range chancesOf(p.Roll) {
				if p.Weight.Sign() > 0 {
					r := new(big.Rat).Mul(q, p.Weight)
					want.add(x, r.Quo(r, sum))
				}
			}
		}
		agrees(t, "mixture", got, want)
	})
}

func TestTimesRolledIsARandomSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := Must(Faces(rapid.SliceOfN(rapid.IntRange(0, 5), 1, 4).Draw(t, "count")...))
		roll := drawDie(t, "roll")
		got := Must(TimesRolled(ctx, count, roll))
		one := chancesOf(roll)
		want := chancesOf(count).then(func(n int) chances {
			sum := sure(0)
			for range n {
				sum = sum.plus(one)
			}
			return sum
		})
		agrees(t, "times", got, want)
		m1, m2 := waldMoments(count, roll)
		if m1.Cmp(got.Mean()) != 0 || variance(m1, m2).Cmp(got.Variance()) != 0 {
			t.Fatalf("Wald: %v, %v; want %v, %v", m1, variance(m1, m2), got.Mean(), got.Variance())
		}
	})
}

func TestRerollKeepsTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDie(t, "die")
		s := drawSet(t, "set", d)
		times := rapid.IntRange(0, 4).Draw(t, "times")
		one := chancesOf(d)
		want := one
		for range times {
			want = want.then(func(x int) chances {
				if s.Contains(x) {
					return one
				}
				return sure(x)
			})
		}
		agrees(t, "reroll", Must(d.Reroll(ctx, s, times)), want)
		got, err := d.Reroll(ctx, s, Unlimited)
		if want, ok := one.given(s.Not().Contains); ok {
			agrees(t, "reroll without limit", got, want)
		} else if err == nil {
			t.Fatalf("a reroll of everything ended")
		}
	})
}

// Rerolling often comes as near to rerolling without a limit as the chance of
// matching every time.
func TestRerollOften(t *testing.T) {
	d := Must(Must(Die(6)).Reroll(ctx, Only(1, 2), 1000))
	left := d.In(Only(1, 2))
	if want := powRat(big.NewRat(1, 3), 1001); left.Cmp(want) != 0 {
		t.Errorf("got %v", left)
	}
}

func TestTransformsReject(t *testing.T) {
	d6 := Must(Die(6))
	exploding := Must(d6.Explode(ctx, Only(6), Unlimited))
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(d6.Keep(ctx, From(7))), "spec: no outcome is left"},
		{second(d6.Remove(ctx, Everything)), "spec: no outcome is left"},
		{second(exploding.Keep(ctx, From(170))), "not safely above the error"},
		{second(exploding.Keep(ctx, From(2000))), "not safely above the error"},
		{second(d6.Clamp(ctx, 3, 2)), "hi: got 2, want at least lo, which is 3"},
		{second(Max(ctx)), "rolls: got none"},
		{second(Mixture(ctx, nil)), "parts: got none of positive weight"},
		{second(Mixture(ctx, []Part{{Weight: big.NewRat(-1, 2), Roll: d6}})), "the weight of part 1 is -1/2"},
		{second(d6.Reroll(ctx, Only(1), -2)), "times: got -2"},
		{second(d6.Reroll(ctx, From(1), Unlimited)), "can never end"},
		{second(d6.Explode(ctx, Only(6), -3)), "max_depth: got -3"},
		{second(d6.Explode(ctx, Everything, Unlimited)), "on: got every face"},
		{second(OpenEnded(ctx, d6, Only(1, 2), Only(2, 6), Only(6), 3)), "high: 2 is in the low trigger too"},
		{second(OpenEnded(ctx, d6, Only(1), Only(6), Everything, Unlimited)), "chain: got every face"},
		{second(OpenEnded(ctx, d6, Only(1), Only(6), Only(6), -2)), "max_chain: got -2"},
		{second(OpenEnded(ctx, exploding, Only(1), Only(6), Only(6), 1)), "die: it is an unlimited roll itself"},
		{second(SuccessPool(ctx, -1, 6, Baseline, 1)), "count: got -1"},
		{second(SuccessPool(ctx, 1, 0, Baseline, 1)), "sides: got 0"},
		{second(SuccessPool(ctx, 1, 6, Baseline, 0)), "waves: got 0"},
		{second(SuccessPool(ctx, 1, 6, 9, 1)), "mode: got 9"},
		{second(SuccessPool(ctx, 1, 1, Implode, Unlimited)), "waves: every die shows its top face"},
	} {
		var arg *ArgError
		if c.err == nil || !errors.As(c.err, &arg) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
