package dist

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"

	"pgregory.net/rapid"
)

// Every constructor and every operation that makes a distribution is listed
// here, and all of them must keep the same laws: weights are positive, outcomes
// ascend, the total is the sum of the weights and nothing divides them all, the
// two sides of a distribution make one, moments agree with enumeration, the
// inputs stay as they were, the same inputs give the same result, a budget and
// a context that are done end in their errors, and what is said about the error
// of a cut roll holds. A new operation is one more line.

// A constructor draws its arguments and calls the constructor.
var constructors = []struct {
	name string
	make func(t *rapid.T) (*Dist, error)
}{
	{"Die", func(t *rapid.T) (*Dist, error) { return Die(rapid.IntRange(-1, 200).Draw(t, "sides")) }},
	{"Uniform", func(t *rapid.T) (*Dist, error) {
		lo := drawInt(t, "lo")
		hi, ok := axis.AddInt(lo, rapid.IntRange(-2, 60).Draw(t, "length"))
		if !ok {
			hi = math.MaxInt
		}
		return Uniform(lo, hi)
	}},
	{"Constant", func(t *rapid.T) (*Dist, error) { return Constant(drawInt(t, "n")), nil }},
	{"Faces", func(t *rapid.T) (*Dist, error) { return Faces(drawFaces(t, "d")...) }},
	{"Weighted", func(t *rapid.T) (*Dist, error) { return drawDist(t, "d"), nil }},
	{"Coin", func(t *rapid.T) (*Dist, error) {
		return Coin(big.NewRat(rapid.Int64Range(-1, 9).Draw(t, "num"), rapid.Int64Range(1, 9).Draw(t, "den")))
	}},
	{"TallyDist", func(t *rapid.T) (*Dist, error) {
		var tally Tally[int]
		for _, x := range drawFaces(t, "d") {
			tally.Add(x, Weight{word: nat.Limb(rapid.Uint64().Draw(t, "weight"))})
		}
		return TallyDist(ctx, &tally, rapid.Float64Range(0, 2).Draw(t, "err"))
	}},
}

// An operation draws its other arguments and returns what it does to two rolls.
type operation struct {
	name string
	draw func(t *rapid.T) func(ctx context.Context, a, b *Dist) (*Dist, error)
}

var operations = slices.Concat(basicOperations, transforms)

var basicOperations = []operation{
	always("Neg", func(ctx context.Context, a, _ *Dist) (*Dist, error) { return a.Neg(ctx) }),
	always("Abs", func(ctx context.Context, a, _ *Dist) (*Dist, error) { return a.Abs(ctx) }),
	always("Add", func(ctx context.Context, a, b *Dist) (*Dist, error) { return a.Add(ctx, b) }),
	always("Sub", func(ctx context.Context, a, b *Dist) (*Dist, error) { return a.Sub(ctx, b) }),
	always("Mul", func(ctx context.Context, a, b *Dist) (*Dist, error) { return a.Mul(ctx, b) }),
	always("FloorDiv", func(ctx context.Context, a, b *Dist) (*Dist, error) { return a.FloorDiv(ctx, b) }),
	always("Mod", func(ctx context.Context, a, b *Dist) (*Dist, error) { return a.Mod(ctx, b) }),
	withInt("Shift", drawInt, func(ctx context.Context, a, _ *Dist, n int) (*Dist, error) { return a.Shift(ctx, n) }),
	withInt("Scale", drawInt, func(ctx context.Context, a, _ *Dist, n int) (*Dist, error) { return a.Scale(ctx, n) }),
	withInt("Times", drawCount, func(ctx context.Context, a, _ *Dist, n int) (*Dist, error) { return a.Times(ctx, n) }),
	onPool("Pool.Total", func(ctx context.Context, p *Pool, _ int) (*Dist, error) { return p.Total(ctx) }),
	onPool("Pool.Highest", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.Highest(ctx, k) }),
	onPool("Pool.Lowest", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.Lowest(ctx, k) }),
	onPool("Pool.DropHighest", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.DropHighest(ctx, k) }),
	onPool("Pool.DropLowest", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.DropLowest(ctx, k) }),
	onPool("Pool.Middle", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.Middle(ctx, k) }),
	onPool("Pool.Ranks", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.Ranks(ctx, k, k+1) }),
	onPool("Pool.OrderStat", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.OrderStat(ctx, k) }),
	onPool("Pool.Count", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.Count(ctx, From(k)) }),
	onPool("Pool.LargestSet", func(ctx context.Context, p *Pool, _ int) (*Dist, error) { return p.LargestSet(ctx) }),
	onPool("Pool.Sets", func(ctx context.Context, p *Pool, k int) (*Dist, error) { return p.Sets(ctx, k) }),
	onPool("Pool.Pairs", func(ctx context.Context, p *Pool, _ int) (*Dist, error) { return p.Pairs(ctx) }),
	onPool("Pool.LongestRun", func(ctx context.Context, p *Pool, _ int) (*Dist, error) { return p.LongestRun(ctx) }),
	onPool("Pool.Unique", func(ctx context.Context, p *Pool, _ int) (*Dist, error) { return p.Unique(ctx) }),
	onPool("Evaluate", func(ctx context.Context, p *Pool, k int) (*Dist, error) {
		t, err := Evaluate(ctx, p, 0, func(s, face, count int) (int, error) { return (s + face%7*count) % 100, nil })
		if err != nil {
			return nil, err
		}
		return TallyDist(ctx, t, p.Bound())
	}),
	onPool("Sorted", func(ctx context.Context, p *Pool, k int) (*Dist, error) {
		var t Tally[int]
		err := Sorted(ctx, []*Pool{p}, func(faces [][]int, w Weight) error {
			t.Add(faces[0][p.Size()/2], w)
			return nil
		})
		if err != nil {
			return nil, err
		}
		return TallyDist(ctx, &t, p.Bound())
	}),
	always("Tuples", func(ctx context.Context, a, b *Dist) (*Dist, error) {
		var t Tally[int]
		err := Tuples(ctx, []*Dist{a, b}, func(faces []int, w Weight) error {
			t.Add(max(faces[0], faces[1]), w)
			return nil
		})
		if err != nil {
			return nil, err
		}
		return TallyDist(ctx, &t, upper.Add(a.Bound(), b.Bound()))
	}),
	always("Classify", func(ctx context.Context, a, _ *Dist) (*Dist, error) {
		o, err := Classify(ctx, a, []string{"miss", "hit"}, func(x int) (string, error) {
			if x > 3 {
				return "hit", nil
			}
			return "miss", nil
		})
		if err != nil {
			return nil, err
		}
		return o.Values(ctx, func(l string) (int, error) { return len(l), nil })
	}),
	always("MixOutcomes", func(ctx context.Context, a, b *Dist) (*Dist, error) {
		o, err := MixOutcomes(ctx, []OutcomesPart[int]{
			{Weight: big.NewRat(1, 3), Outcomes: DistOutcomes(a)},
			{Weight: big.NewRat(2, 3), Outcomes: DistOutcomes(b)},
		})
		if err != nil {
			return nil, err
		}
		return o.Values(ctx, func(x int) (int, error) { return x, nil })
	}),
	withInt("Iterate", drawCount, func(ctx context.Context, a, _ *Dist, n int) (*Dist, error) {
		o, err := Iterate(ctx, 0, func(s int) (*Outcomes[int], error) {
			return Relabel(ctx, DistOutcomes(a), func(x int) (int, error) { return (s + x) % 7, nil })
		}, n)
		if err != nil {
			return nil, err
		}
		return o.Values(ctx, func(x int) (int, error) { return x, nil })
	}),
	withInt("FirstTime", drawCount, func(ctx context.Context, a, b *Dist, n int) (*Dist, error) {
		o, err := FirstTime(ctx, 0, func(s int) (*Outcomes[int], error) {
			return Relabel(ctx, DistOutcomes(a), func(x int) (int, error) { return (s*3 + x) % 11, nil })
		}, func(s int) (bool, error) { return s < 0 || s == 5, nil }, n)
		if err != nil {
			return nil, err
		}
		return o.Values(ctx, func(x int) (int, error) { return x, nil })
	}),
	always("Absorb", func(ctx context.Context, a, b *Dist) (*Dist, error) {
		o, err := Absorb(ctx, 0, func(s int) (*Outcomes[int], error) {
			if s > 3 || s < -3 {
				return Certain(s), nil
			}
			return Relabel(ctx, DistOutcomes(a), func(x int) (int, error) { return x%5 + s, nil })
		})
		if err != nil {
			return nil, err
		}
		return o.Values(ctx, func(x int) (int, error) { return x, nil })
	}),
}

func always(name string, do func(ctx context.Context, a, b *Dist) (*Dist, error)) operation {
	return operation{name, func(*rapid.T) func(context.Context, *Dist, *Dist) (*Dist, error) { return do }}
}

func withInt(name string, draw func(*rapid.T, string) int, do func(ctx context.Context, a, b *Dist, n int) (*Dist, error)) operation {
	return operation{name, func(t *rapid.T) func(context.Context, *Dist, *Dist) (*Dist, error) {
		n := draw(t, "n")
		return func(ctx context.Context, a, b *Dist) (*Dist, error) { return do(ctx, a, b, n) }
	}}
}

// onPool makes a pool of both rolls, one of them several times.
func onPool(name string, do func(ctx context.Context, p *Pool, k int) (*Dist, error)) operation {
	return operation{name, func(t *rapid.T) func(context.Context, *Dist, *Dist) (*Dist, error) {
		k, n := drawCount(t, "k"), rapid.IntRange(1, 3).Draw(t, "dice")
		return func(ctx context.Context, a, b *Dist) (*Dist, error) {
			return do(ctx, Must(Must(Repeat(a, n)).Join(Must(NewPool(b)))), k)
		}
	}}
}

// drawInt draws small integers, multiples of large powers, and the ends.
func drawInt(t *rapid.T, label string) int {
	return rapid.OneOf(
		rapid.IntRange(-9, 9),
		rapid.SampledFrom([]int{math.MinInt, math.MinInt + 1, -1 << 62, 1 << 31, 1 << 62, math.MaxInt}),
		rapid.Int(),
	).Draw(t, label)
}

func drawCount(t *rapid.T, label string) int { return rapid.IntRange(-1, 6).Draw(t, label) }

func TestConstructorsConform(t *testing.T) {
	for _, c := range constructors {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d, err := c.make(t)
				if err != nil {
					mustBeArgError(t, err)
					return
				}
				lawful(t, d)
			})
		})
	}
}

func TestOperationsConform(t *testing.T) {
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := drawDist(t, "a"), drawDist(t, "b")
				if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
					a = drawGeometric(t).cut(5)
				}
				do := op.draw(t)
				ctx := WithBudget(ctx, NewBudget(Limits{Work: 1e7, Cells: 1e6}))
				beforeA, beforeB := deepCopy(a), deepCopy(b)
				d, err := do(ctx, a, b)
				if !equal(a, beforeA) || !equal(b, beforeB) {
					t.Fatalf("an input was changed")
				}
				if limit := (*LimitError)(nil); errors.As(err, &limit) {
					return
				}
				ctx = WithBudget(ctx, NewBudget(Limits{}))
				again, errAgain := do(ctx, a, b)
				if (err == nil) != (errAgain == nil) {
					t.Fatalf("got %v, then %v", err, errAgain)
				}
				if err != nil {
					mustBeArgError(t, err)
					return
				}
				lawful(t, d)
				if !equal(d, again) {
					t.Fatalf("got %v, then %v", chancesOf(d), chancesOf(again))
				}
				if !equal(a, beforeA) || !equal(b, beforeB) {
					t.Fatalf("the result is tied to an input")
				}
			})
		})
	}
}

func mustBeArgError(t *rapid.T, err error) {
	t.Helper()
	var arg *ArgError
	if !errors.As(err, &arg) || arg.Param == "" || arg.Problem == "" {
		t.Fatalf("got %T %v, want an ArgError", err, err)
	}
}

// deepCopy shares nothing with d.
func deepCopy(d *Dist) *Dist {
	e := *d
	e.axis.List = slices.Clone(d.axis.List)
	e.w.Data = slices.Clone(d.w.Data)
	e.total = new(big.Int).Set(d.total)
	if d.tail != nil {
		tail := *d.tail
		e.tail = &tail
	}
	return &e
}

// A geometric process counts the tosses of a coin before the first tail, with
// its outcomes stretched and moved. It has no end, and everything about it is
// known: P(X >= k) = 2^-k, mean 1, variance 2.
type geometric struct{ scale, shift int }

func drawGeometric(t *rapid.T) geometric {
	return geometric{rapid.SampledFrom([]int{1, 2, -1, -3}).Draw(t, "scale"), rapid.IntRange(-5, 5).Draw(t, "shift")}
}

// cut returns the process as at most n tosses, min(X, n), with what is known of
// the rest: P(X > n) = 2^-(n+1), E (X-n)+ = 2^-n and E (X-n)+² = 3/2^n.
func (g geometric) cut(n int) *Dist {
	w := nat.NewVec(n+1, 1)
	for i := range w.Data {
		w.Data[i] = 1 << max(0, n-1-i)
	}
	left := math.Ldexp(1, -n)
	d := smallDist(axis.Axis{Lo: 0, Step: 1, N: n + 1}, w, &tail{
		err: left / 2, above: true,
		m1: big.NewRat(1, 1), m2: big.NewRat(3, 1),
		d1: left, d2: 3 * left,
	})
	d = Must(d.Scale(ctx, g.scale))
	return Must(d.Shift(ctx, g.shift))
}

// What is said of a roll that is cut early must hold of the same roll cut so
// late that hardly anything is missing.
func TestErrorsOfCutRollsHold(t *testing.T) {
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := drawGeometric(t)
				b := drawTame(t, "b")
				do := op.draw(t)
				swap := rapid.Bool().Draw(t, "swap")
				both := rapid.Bool().Draw(t, "both")
				run := func(cut int) (*Dist, error) {
					x, y := g.cut(cut), b
					if both {
						y = geometric{1, 2}.cut(cut)
					}
					if swap {
						x, y = y, x
					}
					return do(WithBudget(ctx, NewBudget(Limits{Work: 1e7, Cells: 1e6})), x, y)
				}
				early, err := run(rapid.IntRange(3, 9).Draw(t, "cut"))
				if err != nil {
					return
				}
				late, err := run(20)
				if err != nil {
					return
				}
				mustBeWithin(t, early, late)
			})
		})
	}
}

// drawTame draws a small exact roll.
func drawTame(t *rapid.T, label string) *Dist {
	return Must(Faces(rapid.SliceOfN(rapid.IntRange(-4, 8), 1, 4).Draw(t, label)...))
}

// mustBeWithin checks the bounds of a roll against a better version of it.
func mustBeWithin(t *rapid.T, early, late *Dist) {
	t.Helper()
	lawful(t, late)
	distance := new(big.Rat)
	a, b := chancesOf(early), chancesOf(late)
	for x, p := range a {
		diff := new(big.Rat).Set(p)
		if q, ok := b[x]; ok {
			diff.Sub(diff, q)
		}
		distance.Add(distance, diff.Abs(diff))
	}
	for x, q := range b {
		if _, ok := a[x]; !ok {
			distance.Add(distance, q)
		}
	}
	distance.Mul(distance, big.NewRat(1, 2))
	slack := early.Bound() + late.Bound()
	if far, _ := distance.Float64(); far > slack*(1+1e-12) {
		t.Fatalf("%v is %g away from %v, more than %g", a, far, b, slack)
	}
	for _, x := range late.Outcomes() {
		if x > early.Max() && !early.UnboundedAbove() && late.PMF(x).Sign() > 0 {
			t.Fatalf("%d can happen, above the end %d", x, early.Max())
		}
		if x < early.Min() && !early.UnboundedBelow() {
			t.Fatalf("%d can happen, below the end %d", x, early.Min())
		}
	}
	m, err := early.Moments(ctx)
	if err != nil {
		return
	}
	n, err := late.Moments(ctx)
	if err != nil {
		t.Fatalf("moments are known of the early cut only: %v", err)
	}
	near := func(what string, x, y *big.Rat, slack float64) {
		f, _ := new(big.Rat).Sub(x, y).Float64()
		if math.Abs(f) > slack*(1+1e-9) {
			t.Fatalf("%s %v is %g away from %v, more than %g", what, x, f, y, slack)
		}
	}
	near("mean", m.Mean, n.Mean, m.MeanBound+n.MeanBound)
	near("variance", m.Variance, n.Variance, m.VarianceBound+n.VarianceBound)
}

func TestOperationsStopAtTheirBudget(t *testing.T) {
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := drawDist(t, "a"), drawDist(t, "b")
				do := op.draw(t)
				want, wantErr := do(WithBudget(ctx, NewBudget(Limits{Work: 1e7, Cells: 1e6})), a, b)
				small := WithBudget(ctx, NewBudget(Limits{
					Work:     rapid.Int64Range(1, 400).Draw(t, "work"),
					Cells:    rapid.Int64Range(1, 60).Draw(t, "cells"),
					Outcomes: rapid.Int64Range(1, 30).Draw(t, "outcomes"),
				}))
				got, err := do(small, a, b)
				var limit *LimitError
				switch {
				case errors.As(err, &limit):
					if limit.Need <= limit.Limit {
						t.Fatalf("%v, which is not more", limit)
					}
				case (err == nil) != (wantErr == nil):
					t.Fatalf("got %v, with a large budget %v", err, wantErr)
				case err == nil && !equal(got, want):
					t.Fatalf("got %v, with a large budget %v", chancesOf(got), chancesOf(want))
				}
			})
		})
	}
}

// However large the request, an operation under a budget answers soon.
func TestHugeRequestsAreRefusedAtOnce(t *testing.T) {
	big1 := Must(Die(maxDie))
	scattered := Must(Faces(1, 1000, 1000000, 12345678901, 3))
	for name, do := range map[string]func(ctx context.Context) error{
		"times":           func(ctx context.Context) error { _, err := big1.Times(ctx, 1<<30); return err },
		"many coins":      func(ctx context.Context) error { _, err := Must(Die(2)).Times(ctx, 1<<30); return err },
		"scattered":       func(ctx context.Context) error { _, err := scattered.Times(ctx, 1<<20); return err },
		"product":         func(ctx context.Context) error { _, err := big1.Mul(ctx, big1); return err },
		"sum of wide":     func(ctx context.Context) error { _, err := big1.Add(ctx, scattered); return err },
		"explode":         func(ctx context.Context) error { return second(big1.Explode(ctx, From(2), 1000)) },
		"explode far":     func(ctx context.Context) error { return second(scattered.Explode(ctx, From(2), 1000)) },
		"explode forever": func(ctx context.Context) error { return second(big1.Explode(ctx, From(2), Unlimited)) },
		"open-ended":      func(ctx context.Context) error { return second(OpenEnded(ctx, big1, Only(1), From(2), From(2), 99)) },
		"reroll":          func(ctx context.Context) error { return second(scattered.Reroll(ctx, Only(1), 1<<40)) },
		"times rolled":    func(ctx context.Context) error { return second(TimesRolled(ctx, big1, scattered)) },
		"success pool":    func(ctx context.Context) error { return second(SuccessPool(ctx, 1<<20, 6, OnesRemove, 48)) },
		"success waves":   func(ctx context.Context) error { return second(SuccessPool(ctx, 9, 6, OnesCancel, 1<<20)) },
		"tuples": func(ctx context.Context) error {
			return Tuples(ctx, []*Dist{big1, big1, big1}, func([]int, Weight) error { return nil })
		},
		"sorted endless": func(ctx context.Context) error {
			return Sorted(ctx, []*Pool{Must(Repeat(Constant(1), MaxDice))}, func([][]int, Weight) error { return nil })
		},
		"sorted": func(ctx context.Context) error {
			return Sorted(ctx, []*Pool{Must(Repeat(big1, 2))}, func([][]int, Weight) error { return nil })
		},
	} {
		err := do(WithBudget(ctx, NewBudget(Limits{Work: 1e7, Cells: 1e7, Outcomes: 1e6})))
		var limit *LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: got %v, want a limit error", name, err)
		}
	}
	// Without a budget, what no machine holds is refused too.
	if _, err := Must(Die(2)).Times(ctx, 1<<30); err == nil {
		t.Error("2^30 coins: no error")
	}
}

func TestOperationsLookAtTheirContext(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	a, b := Must(Die(40000)), Must(Faces(1, 5, 10000, 77777))
	for _, op := range []string{"Add", "Mul", "FloorDiv", "Times", "Tuples", "Sorted", "Classify", "Keep", "Max", "Mixture", "Explode", "Reroll"} {
		for _, o := range operations {
			if o.name != op {
				continue
			}
			rapid.Check(t, func(t *rapid.T) {
				do := o.draw(t)
				if d, err := do(done, a, b); err != nil && !errors.Is(err, context.Canceled) {
					mustBeArgError(t, err)
				} else if err == nil && d.Len() > 40000 {
					t.Fatalf("%s: %d outcomes from a cancelled context", op, d.Len())
				}
			})
		}
	}
}

func FuzzConstructors(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		c := rapid.SampledFrom(constructors).Draw(t, "constructor")
		if d, err := c.make(t); err == nil {
			lawful(t, d)
		}
	}))
}

func FuzzOperations(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		small := WithBudget(ctx, NewBudget(Limits{Work: 20000, Cells: 4000, Outcomes: 500}))
		a, b := drawDist(t, "a"), drawDist(t, "b")
		for range rapid.IntRange(1, 4).Draw(t, "operations") {
			d, err := rapid.SampledFrom(operations).Draw(t, "operation").draw(t)(small, a, b)
			if err != nil {
				return
			}
			lawful(t, d)
			a, b = b, d
		}
	}))
}
