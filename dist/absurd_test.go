package dist

import (
	"context"
	"errors"
	"math"
	"math/big"
	"runtime"
	"testing"
	"time"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
)

// Hosts run recipes of strangers, so every operation is asked for absurd
// things. Under a small budget each must answer, or refuse, without filling
// memory that was not charged.

type absurdity struct {
	name string
	run  func(ctx context.Context) error
}

// ask makes an absurdity of something that returns a value and an error.
func ask[T any](name string, run func(ctx context.Context) (T, error)) absurdity {
	return absurdity{name, func(ctx context.Context) error {
		_, err := run(ctx)
		return err
	}}
}

// wideFraction is a chance whose denominator has so many bits.
func wideFraction(bits uint) *big.Rat {
	den := new(big.Int).Lsh(big.NewInt(1), bits)
	return new(big.Rat).SetFrac(big.NewInt(1), den.Add(den, big.NewInt(1)))
}

// heavyDie shows 0, 1 or 5, and 0 in so many ways, more than a constructor takes.
func heavyDie(most *big.Int) *Dist {
	w := nat.NewVec(3, nat.WordsFor(most)+1)
	for i, n := range []*big.Int{most, big.NewInt(1), big.NewInt(12345)} {
		nat.PutInt(w.At(i), n)
	}
	total := new(big.Int).Add(most, big.NewInt(12346))
	return newPrimitive(axis.Axis{List: []int{0, 1, 5}}, w, total, nil)
}

// absurdities asks for the impossible, where a large die has so many sides.
func absurdities(sides int) []absurdity {
	d6, wide := die(6), die(sides)
	ragged := Must(Weighted(ctx, []int{0, 1, 3, 4, 7}, []*big.Int{big.NewInt(3), big.NewInt(1), big.NewInt(4), big.NewInt(1), big.NewInt(5)}))
	scattered := Must(Faces(-1<<40, 3, 1<<20, 1<<41+7))
	endless := Must(d6.Explode(ctx, d6.TopFace(), Unlimited))
	million := dice(1_000_000, 6)
	wideDice := dice(10_000, 10_000)
	coins := dice(MaxDice, 2)
	sure := dice(MaxDice, 1)
	kinds := make([]*Dist, 3000)
	for i := range kinds {
		kinds[i] = Must(Faces(1, i+2, 2*i+7))
	}
	mixed := Must(NewPool(kinds...))
	constants := make([]*Dist, 10_000)
	for i := range constants {
		constants[i] = Constant(i)
	}
	sureDice := Must(NewPool(constants...))
	tiny := wideFraction(1_000_000)
	heavy := Must(Coin(tiny))
	heavier := heavyDie(tiny.Denom())
	manyFaces := func() *Dist {
		faces, weights := make([]int, 5000), make([]*big.Int, 5000)
		for i := range faces {
			faces[i], weights[i] = i, big.NewInt(int64(i*i%977+1))
		}
		return Must(Weighted(ctx, faces, weights))
	}()
	walk := func(s int) (*Outcomes[int], error) {
		return DistOutcomes(Must(Faces(s-1, s+1, s+2))), nil
	}
	denominators := func(s int) (*Outcomes[int], error) {
		return NewOutcomes(ctx, []int{0, s + 1}, []*big.Int{big.NewInt(1), big.NewInt(int64(2*s + 2))}, 0)
	}
	blink := func(s int) (*Outcomes[int], error) { return Certain(1 - s), nil }
	never := func(int) (bool, error) { return false, nil }
	count := func(s, _, c int) (int, error) { return s*31 + c, nil }
	return []absurdity{
		ask("times 1e9", func(ctx context.Context) (*Dist, error) { return d6.Times(ctx, 1_000_000_000) }),
		ask("times 1e15", func(ctx context.Context) (*Dist, error) { return d6.Times(ctx, 1e15) }),
		ask("times max", func(ctx context.Context) (*Dist, error) { return d6.Times(ctx, math.MaxInt) }),
		ask("times of scattered", func(ctx context.Context) (*Dist, error) { return scattered.Times(ctx, 400_000) }),
		ask("times of ragged", func(ctx context.Context) (*Dist, error) { return ragged.Times(ctx, 1_000_000) }),
		ask("times of wide", func(ctx context.Context) (*Dist, error) { return wide.Times(ctx, 100) }),
		ask("times of many faces", func(ctx context.Context) (*Dist, error) { return manyFaces.Times(ctx, 300) }),
		ask("times of heavy", func(ctx context.Context) (*Dist, error) { return heavy.Times(ctx, 1000) }),
		ask("times of heavier", func(ctx context.Context) (*Dist, error) { return heavier.Times(ctx, 3) }),
		ask("times of endless", func(ctx context.Context) (*Dist, error) { return endless.Times(ctx, 1_000_000) }),
		ask("add", func(ctx context.Context) (*Dist, error) { return wide.Add(ctx, wide) }),
		ask("add heavy", func(ctx context.Context) (*Dist, error) { return heavy.Add(ctx, heavier) }),
		ask("mul", func(ctx context.Context) (*Dist, error) { return wide.Mul(ctx, wide) }),
		ask("mul heavy", func(ctx context.Context) (*Dist, error) { return heavier.Mul(ctx, heavier) }),
		ask("floor div", func(ctx context.Context) (*Dist, error) { return wide.FloorDiv(ctx, wide) }),
		ask("mod", func(ctx context.Context) (*Dist, error) { return wide.Mod(ctx, wide) }),
		ask("neg", func(ctx context.Context) (*Dist, error) { return wide.Neg(ctx) }),
		ask("scale", func(ctx context.Context) (*Dist, error) { return wide.Scale(ctx, 3) }),
		ask("scale listed", func(ctx context.Context) (*Dist, error) { return wide.Scale(ctx, 1<<38) }),
		ask("abs", func(ctx context.Context) (*Dist, error) { return wide.Abs(ctx) }),
		ask("map", func(ctx context.Context) (*Dist, error) {
			return wide.Map(ctx, func(x int) (int, error) { return x * x, nil })
		}),
		ask("keep", func(ctx context.Context) (*Dist, error) { return wide.Keep(ctx, From(7)) }),
		ask("convert", func(ctx context.Context) (*Dist, error) { return wide.Convert(ctx, From(7), 1<<50) }),
		ask("clamp", func(ctx context.Context) (*Dist, error) { return wide.Clamp(ctx, 5, sides/2) }),
		ask("max of two", func(ctx context.Context) (*Dist, error) { return Max(ctx, wide, wide) }),
		ask("min of many", func(ctx context.Context) (*Dist, error) { return Min(ctx, kinds...) }),
		ask("max of constants", func(ctx context.Context) (*Dist, error) { return Max(ctx, constants...) }),
		ask("max of heavy", func(ctx context.Context) (*Dist, error) { return Max(ctx, heavier, heavy, heavier, heavy) }),
		ask("compare", func(ctx context.Context) (Comparison, error) { return Compare(ctx, wide, wide) }),
		ask("compare heavy", func(ctx context.Context) (Comparison, error) { return Compare(ctx, heavier, heavier) }),
		ask("explode deep", func(ctx context.Context) (*Dist, error) { return d6.Explode(ctx, Only(6), 1_000_000_000) }),
		ask("explode max", func(ctx context.Context) (*Dist, error) { return d6.Explode(ctx, Only(6), math.MaxInt) }),
		ask("explode deep, many", func(ctx context.Context) (*Dist, error) { return d6.Explode(ctx, From(2), 1_000_000) }),
		ask("explode many", func(ctx context.Context) (*Dist, error) { return wide.Explode(ctx, From(2), Unlimited) }),
		ask("explode sixteen", func(ctx context.Context) (*Dist, error) { return wide.Explode(ctx, From(sides-15), Unlimited) }),
		ask("explode nearly always", func(ctx context.Context) (*Dist, error) {
			return Must(Coin(wideFraction(30))).Explode(ctx, Only(0), Unlimited)
		}),
		ask("explode almost surely", func(ctx context.Context) (*Dist, error) { return heavy.Explode(ctx, Only(0), Unlimited) }),
		ask("explode almost never", func(ctx context.Context) (*Dist, error) { return heavy.Explode(ctx, Only(1), 100_000) }),
		ask("explode both", func(ctx context.Context) (*Dist, error) { return heavier.Explode(ctx, Only(1, 5), Unlimited) }),
		ask("reroll", func(ctx context.Context) (*Dist, error) { return d6.Reroll(ctx, Only(1), 1_000_000_000) }),
		ask("reroll max", func(ctx context.Context) (*Dist, error) { return d6.Reroll(ctx, Only(1), math.MaxInt) }),
		ask("reroll wide", func(ctx context.Context) (*Dist, error) { return wide.Reroll(ctx, UpTo(5), 3) }),
		ask("reroll heavy", func(ctx context.Context) (*Dist, error) { return heavy.Reroll(ctx, Only(0), 1000) }),
		ask("open ended", func(ctx context.Context) (*Dist, error) {
			return OpenEnded(ctx, wide, UpTo(5), From(sides-5), From(2), Unlimited)
		}),
		ask("open ended deep", func(ctx context.Context) (*Dist, error) {
			return OpenEnded(ctx, die(100), UpTo(5), From(96), From(96), 1_000_000)
		}),
		ask("mixture", func(ctx context.Context) (*Dist, error) {
			return Mixture(ctx, []Part{{Weight: tiny, Roll: d6}, {Weight: wideFraction(999_983), Roll: wide}})
		}),
		ask("mixture of many", func(ctx context.Context) (*Dist, error) {
			var parts []Part
			for i := range 1000 {
				parts = append(parts, Part{Weight: wideFraction(10_000 + uint(i)), Roll: d6})
			}
			return Mixture(ctx, parts)
		}),
		ask("random sum", func(ctx context.Context) (*Dist, error) { return TimesRolled(ctx, wide, d6) }),
		ask("random sum, huge", func(ctx context.Context) (*Dist, error) {
			return TimesRolled(ctx, Must(Faces(1, 1_000_000_000)), d6)
		}),
		ask("random sum of heavy", func(ctx context.Context) (*Dist, error) { return TimesRolled(ctx, die(100), heavier) }),
		ask("success pool", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 1e6, 1e6, Baseline, 48) }),
		ask("success pool, waves", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 10, 6, Baseline, 1e9) }),
		ask("success pool, one side", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 1e9, 1, OnesRemove, 1e9) }),
		ask("ones cancel", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 1e6, 1e6, OnesCancel, 1e6) }),
		ask("ones cancel, unlimited", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 1e6, 2, OnesCancel, Unlimited) }),
		ask("ones cancel, one die", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 1, 6, OnesCancel, 1e9) }),
		ask("implode", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 1e6, 2, Implode, Unlimited) }),
		ask("total", million.Total),
		ask("total of mixed", mixed.Total),
		ask("total of constants", sureDice.Total),
		ask("highest", func(ctx context.Context) (*Dist, error) { return million.Highest(ctx, 500_000) }),
		ask("highest of mixed", func(ctx context.Context) (*Dist, error) { return mixed.Highest(ctx, 1000) }),
		ask("highest two of mixed", func(ctx context.Context) (*Dist, error) { return mixed.Highest(ctx, 2) }),
		ask("highest of constants", func(ctx context.Context) (*Dist, error) { return sureDice.Highest(ctx, 2) }),
		ask("highest of wide", func(ctx context.Context) (*Dist, error) { return Must(Repeat(wide, 3)).Highest(ctx, 2) }),
		ask("highest of heavy", func(ctx context.Context) (*Dist, error) { return Must(Repeat(heavier, 4)).Highest(ctx, 2) }),
		ask("highest of scattered", func(ctx context.Context) (*Dist, error) { return Must(Repeat(scattered, 1000)).Highest(ctx, 500) }),
		ask("lowest of wide dice", func(ctx context.Context) (*Dist, error) { return wideDice.Lowest(ctx, 1) }),
		ask("lowest two of wide dice", func(ctx context.Context) (*Dist, error) { return wideDice.Lowest(ctx, 2) }),
		ask("one-sided dice without the lowest", func(ctx context.Context) (*Dist, error) { return sure.DropLowest(ctx, 1) }),
		ask("one-sided dice without many of the lowest", func(ctx context.Context) (*Dist, error) { return sure.DropLowest(ctx, 157) }),
		ask("the middle of one-sided dice", func(ctx context.Context) (*Dist, error) { return sure.Middle(ctx, 1000) }),
		ask("all wide dice but the lowest", func(ctx context.Context) (*Dist, error) { return wideDice.DropLowest(ctx, 1) }),
		ask("lowest of a million", func(ctx context.Context) (*Dist, error) { return million.Lowest(ctx, 1) }),
		ask("all of a million but the lowest", func(ctx context.Context) (*Dist, error) { return million.DropLowest(ctx, 1) }),
		ask("middle of wide dice", func(ctx context.Context) (*Dist, error) { return wideDice.Middle(ctx, 5000) }),
		ask("middle of many", func(ctx context.Context) (*Dist, error) { return dice(2000, 20).Middle(ctx, 1000) }),
		ask("middle", func(ctx context.Context) (*Dist, error) { return million.Middle(ctx, 500_000) }),
		ask("middle of mixed", func(ctx context.Context) (*Dist, error) { return mixed.Middle(ctx, 2) }),
		ask("order stat", func(ctx context.Context) (*Dist, error) { return million.OrderStat(ctx, 500_000) }),
		ask("highest die of many", func(ctx context.Context) (*Dist, error) { return million.OrderStat(ctx, 1) }),
		ask("order stat of mixed", func(ctx context.Context) (*Dist, error) { return mixed.OrderStat(ctx, 1500) }),
		ask("highest die of mixed", func(ctx context.Context) (*Dist, error) { return mixed.OrderStat(ctx, 1) }),
		ask("highest die of constants", func(ctx context.Context) (*Dist, error) { return sureDice.OrderStat(ctx, 1) }),
		ask("middle die of constants", func(ctx context.Context) (*Dist, error) { return sureDice.OrderStat(ctx, 5000) }),
		ask("count", func(ctx context.Context) (*Dist, error) { return million.Count(ctx, Only(6)) }),
		ask("count of mixed", func(ctx context.Context) (*Dist, error) { return mixed.Count(ctx, Only(1)) }),
		ask("largest set", million.LargestSet),
		ask("largest set of wide", Must(Repeat(wide, 20_000)).LargestSet),
		ask("largest set of coins", coins.LargestSet),
		ask("largest set of mixed", mixed.LargestSet),
		ask("sets", func(ctx context.Context) (*Dist, error) { return million.Sets(ctx, 2) }),
		ask("sets, all", func(ctx context.Context) (*Dist, error) { return million.Sets(ctx, 1_000_000) }),
		ask("sets, wide", func(ctx context.Context) (*Dist, error) { return million.Sets(ctx, math.MaxInt) }),
		ask("pairs", million.Pairs),
		ask("pairs of mixed", mixed.Pairs),
		ask("unique", million.Unique),
		ask("unique of coins", coins.Unique),
		ask("unique of wide", Must(Repeat(wide, 1_000_000)).Unique),
		ask("longest run", million.LongestRun),
		ask("longest run of coins", coins.LongestRun),
		ask("longest run of wide", Must(Repeat(wide, 1_000_000)).LongestRun),
		ask("longest run of thousands", Must(Repeat(die(1000), 100_000)).LongestRun),
		ask("evaluate", func(ctx context.Context) (*Tally[int], error) { return Evaluate(ctx, million, 0, count) }),
		ask("evaluate thousand", func(ctx context.Context) (*Tally[int], error) { return Evaluate(ctx, dice(1000, 6), 0, count) }),
		ask("evaluate mixed", func(ctx context.Context) (*Tally[int], error) { return Evaluate(ctx, mixed, 0, count) }),
		ask("evaluate wide", func(ctx context.Context) (*Tally[int], error) { return Evaluate(ctx, Must(Repeat(wide, 2)), 0, count) }),
		{"sorted", func(ctx context.Context) error {
			return Sorted(ctx, []*Pool{million, million}, func([][]int, Weight) error { return nil })
		}},
		{"sorted constant", func(ctx context.Context) error {
			return Sorted(ctx, []*Pool{sure}, func([][]int, Weight) error { return nil })
		}},
		{"sorted constants", func(ctx context.Context) error {
			return Sorted(ctx, []*Pool{Must(NewPool(constants[:20]...))}, func([][]int, Weight) error { return nil })
		}},
		{"sorted wide", func(ctx context.Context) error {
			return Sorted(ctx, []*Pool{Must(Repeat(wide, 1))}, func([][]int, Weight) error { return nil })
		}},
		{"tuples", func(ctx context.Context) error {
			return Tuples(ctx, []*Dist{wide, wide}, func([]int, Weight) error { return nil })
		}},
		{"tuples of one", func(ctx context.Context) error {
			return Tuples(ctx, []*Dist{wide}, func([]int, Weight) error { return nil })
		}},
		{"tuples of kinds", func(ctx context.Context) error {
			return Tuples(ctx, kinds, func([]int, Weight) error { return nil })
		}},
		ask("iterate", func(ctx context.Context) (*Outcomes[int], error) { return Iterate(ctx, 0, walk, 1_000_000_000) }),
		ask("iterate to and fro", func(ctx context.Context) (*Outcomes[int], error) { return Iterate(ctx, 0, blink, 1_000_000_000) }),
		ask("iterate with denominators", func(ctx context.Context) (*Outcomes[int], error) {
			return Iterate(ctx, 0, denominators, 1_000_000_000)
		}),
		ask("absorb without end", func(ctx context.Context) (*Outcomes[int], error) { return Absorb(ctx, 0, walk) }),
		ask("first time", func(ctx context.Context) (*Outcomes[int], error) { return FirstTime(ctx, 0, walk, never, 1<<24) }),
		ask("first time to and fro", func(ctx context.Context) (*Outcomes[int], error) { return FirstTime(ctx, 0, blink, never, 1<<24) }),
		ask("classify", func(ctx context.Context) (*Outcomes[int], error) {
			return Classify(ctx, wide, nil, func(x int) (int, error) { return x, nil })
		}),
		ask("mix outcomes", func(ctx context.Context) (*Outcomes[int], error) {
			var parts []OutcomesPart[int]
			for i := range 1000 {
				parts = append(parts, OutcomesPart[int]{Weight: wideFraction(10_000 + uint(i)), Outcomes: Certain(i)})
			}
			return MixOutcomes(ctx, parts)
		}),
		ask("skewness of heavier", heavier.Skewness),
		ask("kurtosis of heavier", heavier.Kurtosis),
		ask("sampler", wide.Sampler),
		ask("quantile", func(ctx context.Context) (int, error) { return heavier.Quantile(ctx, wideFraction(1_000_000)) }),
		ask("quantile of endless", func(ctx context.Context) (int, error) { return endless.Quantile(ctx, wideFraction(1_000_000)) }),
	}
}

// soon is when an absurd request has hung, also on a machine that is busy with
// other things; most take microseconds.
const soon = 2 * time.Minute

// answers runs a, and fails with its name when it hangs.
func answers(t *testing.T, ctx context.Context, a absurdity) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- a.run(ctx) }()
	select {
	case err := <-done:
		return err
	case <-time.After(soon):
		t.Fatalf("%s hangs", a.name)
		return nil
	}
}

func TestAbsurdRequestsKeepToTheirBudget(t *testing.T) {
	limits := Limits{Work: 1_000_000, Cells: 100_000, Outcomes: 10_000}
	const most = 64 << 20 // bytes, with all that is thrown away on the way
	for _, a := range absurdities(1 << 24) {
		b := NewBudget(limits)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := answers(t, WithBudget(ctx, b), a)
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > most {
			t.Errorf("%s: took %d MB for %d cells and %d steps of work", a.name, bytes>>20, b.Used().Cells, b.Used().Work)
		}
		if used := b.Used(); used.Work > limits.Work || used.Cells > limits.Cells {
			t.Errorf("%s: used %+v of %+v", a.name, used, limits)
		}
		var limit *LimitError
		var arg *ArgError
		if err != nil && !errors.As(err, &limit) && !errors.As(err, &arg) {
			t.Errorf("%s: %v", a.name, err)
		}
	}
}

// A patience is a context that is done after it has been looked at a few times:
// a deadline that does not depend on the speed of the machine.
type patience struct {
	context.Context
	left *int
}

func patient(looks int) patience { return patience{context.Background(), &looks} }

func (p patience) Err() error {
	if *p.left--; *p.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestAbsurdRequestsLookAtTheContext(t *testing.T) {
	for _, looks := range []int{0, 1, 20} {
		for _, a := range absurdities(1 << 18) {
			memory := NewBudget(Limits{Cells: 1 << 24}) // and any work
			answers(t, WithBudget(patient(looks), memory), a)
		}
	}
}
