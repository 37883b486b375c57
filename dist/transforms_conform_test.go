package dist

import (
	"context"
	"math"
	"math/big"

	"pgregory.net/rapid"
)

// The transformations and processes among the operations that conform.
var transforms = []operation{
	withSet("Keep", func(ctx context.Context, a, _ *Dist, s Set, _ int) (*Dist, error) { return a.Keep(ctx, s) }),
	withSet("Remove", func(ctx context.Context, a, _ *Dist, s Set, _ int) (*Dist, error) { return a.Remove(ctx, s) }),
	withSet("Convert", func(ctx context.Context, a, _ *Dist, s Set, n int) (*Dist, error) { return a.Convert(ctx, s, n) }),
	withSet("Reroll", func(ctx context.Context, a, _ *Dist, s Set, n int) (*Dist, error) { return a.Reroll(ctx, s, n) }),
	withSet("Explode", func(ctx context.Context, a, _ *Dist, s Set, n int) (*Dist, error) {
		return a.Explode(ctx, s, max(0, min(n, 3)))
	}),
	always("Explode without limit", func(ctx context.Context, a, _ *Dist) (*Dist, error) {
		on := Only(2, 3)
		if a.In(on).Cmp(big.NewRat(1, 2)) > 0 {
			return nil, badArg("on", "too likely for this test")
		}
		return a.Explode(ctx, on, Unlimited)
	}),
	withSet("OpenEnded", func(ctx context.Context, a, _ *Dist, s Set, n int) (*Dist, error) {
		return OpenEnded(ctx, a, Only(0), s, From(2), max(0, min(n, 3)))
	}),
	withInt("Clamp", drawInt, func(ctx context.Context, a, _ *Dist, n int) (*Dist, error) {
		return a.Clamp(ctx, n, max(n, 5))
	}),
	withInt("Clamp below", drawInt, func(ctx context.Context, a, _ *Dist, n int) (*Dist, error) {
		return a.Clamp(ctx, n, math.MaxInt)
	}),
	always("Map", func(ctx context.Context, a, _ *Dist) (*Dist, error) {
		return a.Map(ctx, func(x int) (int, error) { return x % 4, nil })
	}),
	always("Max", func(ctx context.Context, a, b *Dist) (*Dist, error) { return Max(ctx, a, b, a) }),
	always("Min", func(ctx context.Context, a, b *Dist) (*Dist, error) { return Min(ctx, a, b, a) }),
	withInt("Mixture", drawCount, func(ctx context.Context, a, b *Dist, n int) (*Dist, error) {
		return Mixture(ctx, []Part{
			{Weight: big.NewRat(int64(n), 3), Roll: a},
			{Weight: big.NewRat(2, 7), Roll: b},
			{Weight: big.NewRat(1, 2), Roll: a},
		})
	}),
	withInt("TimesRolled", drawCount, func(ctx context.Context, a, b *Dist, n int) (*Dist, error) {
		return TimesRolled(ctx, Must(Faces(0, 1, n)), a)
	}),
	always("TimesRolled of both", func(ctx context.Context, a, b *Dist) (*Dist, error) {
		count, err := a.Clamp(ctx, 0, 20)
		if err != nil {
			return nil, err
		}
		return TimesRolled(ctx, count, b)
	}),
	withInt("SuccessPool", drawCount, func(ctx context.Context, _, _ *Dist, n int) (*Dist, error) {
		return SuccessPool(ctx, 2, n, OnesCancel, 5)
	}),
}

// withSet draws a set and a small number.
func withSet(name string, do func(ctx context.Context, a, b *Dist, s Set, n int) (*Dist, error)) operation {
	return operation{name, func(t *rapid.T) func(context.Context, *Dist, *Dist) (*Dist, error) {
		n := drawCount(t, "n")
		lo, hi := rapid.IntRange(-5, 6).Draw(t, "near"), 6
		if rapid.Bool().Draw(t, "far") {
			lo = drawInt(t, "lo")
			hi = max(lo, drawInt(t, "hi"))
		}
		s := rapid.SampledFrom([]Set{From(lo), UpTo(lo), Must(Through(lo, hi)), Only(lo, hi, 1, 2), Everything, Nothing}).Draw(t, "set")
		if rapid.Bool().Draw(t, "inverted") {
			s = s.Not()
		}
		return func(ctx context.Context, a, b *Dist) (*Dist, error) { return do(ctx, a, b, s, n) }
	}}
}
