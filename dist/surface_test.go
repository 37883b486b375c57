package dist

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Whatever takes a context charges for what it does before it does it and ends
// when the context is done. Each entry is asked for something of some size.

// A surfaceCall is one exported function or method that takes a context. Those
// that are free take no time and nothing of the budget.
type surfaceCall struct {
	name string
	free bool
	run  func(ctx context.Context) error
}

func calls[T any](name string, run func(ctx context.Context) (T, error)) surfaceCall {
	return surfaceCall{name: name, run: func(ctx context.Context) error {
		_, err := run(ctx)
		return err
	}}
}

func free[T any](name string, run func(ctx context.Context) (T, error)) surfaceCall {
	c := calls(name, run)
	c.free = true
	return c
}

// rugged is a die of many faces with uneven weights and holes between the faces.
func rugged(n int) *Dist {
	var faces []int
	var weights []*big.Int
	for i := range n {
		faces = append(faces, i+i%3)
		weights = append(weights, big.NewInt(int64(i*i%97+1)))
	}
	return Must(Weighted(ctx, faces, weights))
}

// surface are all of them, whose arguments take a second to make.
var surface = sync.OnceValue(func() []surfaceCall {
	d, e := rugged(300), rugged(299)
	pool := Must(NewPool(d, d, e, die(20), die(20)))
	fair := dice(40, 20)
	labels := Must(Classify(ctx, d, nil, func(x int) (int, error) { return x, nil }))
	numbers, ones := make([]int, 300), make([]*big.Int, 300)
	points := make([][]int, 300)
	for i := range numbers {
		numbers[i], ones[i], points[i] = i, big.NewInt(int64(i+1)), []int{i, i % 7}
	}
	var tally Tally[int]
	for i := range 300 {
		tally.Add(i, Must(NewWeight(big.NewInt(int64(i+1)))))
	}
	deck := Must(NewDeck(numbers, slices.Repeat([]int{4}, 300)))
	deal := Must(deck.Deal(5, 5))
	hand := deal.Hand(0)
	classes := Must(ClassesOf(ctx, []*Multiset{fair.Multiset()}, []View{{Sum: true}}, nil))
	vectors := Must(NewVectors(ctx, points, ones, 0))
	walk := func(s int) (*Outcomes[int], error) {
		return Relabel(ctx, DistOutcomes(die(3)), func(x int) (int, error) { return min(max(0, s+x-2), 40), nil })
	}
	climb := func(s int) (*Outcomes[int], error) {
		return Relabel(ctx, DistOutcomes(die(3)), func(x int) (int, error) { return min(40, s+x-1), nil })
	}
	top := func(s int) (bool, error) { return s == 40, nil }
	count := func(s, _, c int) (int, error) { return s + c, nil }
	countBoth := func(s, _ int, c []int) (int, error) { return s + c[0], nil }
	game := Game[int, int]{Turn: func(s int) (Turn[int, int], error) {
		if s == 40 {
			return Turn[int, int]{Payoff: big.NewRat(1, 1)}, nil
		}
		next, err := climb(s)
		return Turn[int, int]{Moves: []Move[int, int]{{Name: 1, Next: next}}}, err
	}}
	plan := Must(BestPlay(ctx, 0, game))
	process := Must(fightProcess(9))
	policy := Must(process.Best(ctx, false))
	payoff := Must(process.Payoff(ctx, policy))
	return []surfaceCall{
		{"ChargeTable", true, func(ctx context.Context) error { return ChargeTable(ctx, 1000, 1) }},
		{"ChargeAgain", true, func(ctx context.Context) error { return ChargeAgain(ctx, d, Limits{Work: 1000, Cells: 1000}) }},
		{"ChargeWork", true, func(ctx context.Context) error { return ChargeWork(ctx, 1000) }},
		free("BudgetOf", func(ctx context.Context) (*Budget, error) { return BudgetOf(ctx), nil }),
		free("WithBudget", func(ctx context.Context) (context.Context, error) { return WithBudget(ctx, nil), nil }),
		free("WithHeld", func(ctx context.Context) (context.Context, error) { return WithHeld(ctx, 1), nil }),
		calls("Same", func(ctx context.Context) (bool, error) { return Same(ctx, d, rugged(300)) }),
		{"Sorted", false, func(ctx context.Context) error {
			return Sorted(ctx, []*Pool{fair}, func([][]int, Weight) error { return nil })
		}},
		{"Tuples", false, func(ctx context.Context) error {
			return Tuples(ctx, []*Dist{d, e}, func([]int, Weight) error { return nil })
		}},
		{"Rows", false, func(ctx context.Context) error {
			return Rows(ctx, []*Dist{d, e}, func([]int, Weight, Row) error { return nil })
		}},
		calls("Compare", func(ctx context.Context) (Comparison, error) { return Compare(ctx, d, e) }),
		calls("CompareSorted", func(ctx context.Context) (*Vectors, error) {
			return CompareSorted(ctx, fair.Multiset(), fair.Multiset(), 2, Descending)
		}),
		calls("Max", func(ctx context.Context) (*Dist, error) { return Max(ctx, d, e) }),
		calls("Min", func(ctx context.Context) (*Dist, error) { return Min(ctx, d, e) }),
		calls("Mixture", func(ctx context.Context) (*Dist, error) {
			return Mixture(ctx, []Part{{Weight: big.NewRat(1, 3), Roll: d}, {Weight: big.NewRat(1, 3), Roll: e}})
		}),
		calls("OpenEnded", func(ctx context.Context) (*Dist, error) {
			return OpenEnded(ctx, d, UpTo(5), From(290), From(290), 3)
		}),
		calls("SuccessPool", func(ctx context.Context) (*Dist, error) { return SuccessPool(ctx, 40, 20, Implode, 20) }),
		calls("TallyDist", func(ctx context.Context) (*Dist, error) { return TallyDist(ctx, &tally, 0) }),
		calls("TimesRolled", func(ctx context.Context) (*Dist, error) { return TimesRolled(ctx, die(9), d) }),
		calls("TwoPoints", func(ctx context.Context) (*Dist, error) { return TwoPoints(ctx, 1, 3, 5, 9) }),
		calls("Versus", func(ctx context.Context) (*big.Rat, error) {
			p, _, err := Versus(ctx, d, Less|Equal, e)
			return p, err
		}),
		calls("Near", func(ctx context.Context) (*Dist, error) { return Near(ctx, numbers, ones, 0.5, nil, nil) }),
		calls("Weighted", func(ctx context.Context) (*Dist, error) { return Weighted(ctx, numbers, ones) }),
		calls("Dist.Abs", d.Abs),
		calls("Dist.Add", func(ctx context.Context) (*Dist, error) { return d.Add(ctx, e) }),
		calls("Dist.Clamp", func(ctx context.Context) (*Dist, error) { return d.Clamp(ctx, 5, 200) }),
		calls("Dist.Convert", func(ctx context.Context) (*Dist, error) { return d.Convert(ctx, From(9), 1) }),
		calls("Dist.Entropy", d.Entropy),
		calls("Dist.Explode", func(ctx context.Context) (*Dist, error) { return d.Explode(ctx, From(290), 3) }),
		calls("Dist.Fingerprint", d.Fingerprint),
		calls("Dist.FloorDiv", func(ctx context.Context) (*Dist, error) { return d.FloorDiv(ctx, Constant(3)) }),
		calls("Dist.Keep", func(ctx context.Context) (*Dist, error) { return d.Keep(ctx, From(9)) }),
		calls("Dist.Kurtosis", d.Kurtosis),
		calls("Dist.Map", func(ctx context.Context) (*Dist, error) {
			return d.Map(ctx, func(x int) (int, error) { return x, nil })
		}),
		calls("Dist.Median", d.Median),
		calls("Dist.Mod", func(ctx context.Context) (*Dist, error) { return d.Mod(ctx, Constant(7)) }),
		calls("Dist.Mode", d.Mode),
		calls("Dist.Moments", d.Moments),
		calls("Dist.Mul", func(ctx context.Context) (*Dist, error) { return d.Mul(ctx, e) }),
		calls("Dist.Neg", d.Neg),
		calls("Dist.Quantile", func(ctx context.Context) (int, error) { return d.Quantile(ctx, big.NewRat(1, 3)) }),
		calls("Dist.Remove", func(ctx context.Context) (*Dist, error) { return d.Remove(ctx, From(9)) }),
		calls("Dist.Reroll", func(ctx context.Context) (*Dist, error) { return d.Reroll(ctx, From(9), 2) }),
		calls("Dist.Rounded", func(ctx context.Context) (*Dist, error) {
			r, _, err := d.Rounded(ctx, 200)
			return r, err
		}),
		calls("Dist.SD", d.SD),
		calls("Dist.Sampler", d.Sampler),
		calls("Dist.Scale", func(ctx context.Context) (*Dist, error) { return d.Scale(ctx, 3) }),
		free("Dist.Shift", func(ctx context.Context) (*Dist, error) { return d.Shift(ctx, 3) }),
		calls("Dist.Skewness", d.Skewness),
		calls("Dist.Sub", func(ctx context.Context) (*Dist, error) { return d.Sub(ctx, e) }),
		calls("Dist.Support", d.Support),
		calls("Dist.Times", func(ctx context.Context) (*Dist, error) { return d.Times(ctx, 9) }),
		calls("Absorb", func(ctx context.Context) (*Outcomes[int], error) { return Absorb(ctx, 0, climb) }),
		calls("BestPlay", func(ctx context.Context) (*Plan[int, int], error) { return BestPlay(ctx, 0, game) }),
		calls("Plan.Play", plan.Play),
		calls("Plan.Payoff", plan.Payoff),
		calls("Process.Best", func(ctx context.Context) (*Policy, error) { return process.Best(ctx, true) }),
		calls("Process.Ends", func(ctx context.Context) (*Settled[int], error) { return process.Ends(ctx, policy) }),
		{"Process.Explore", false, func(ctx context.Context) error {
			p := &Process{}
			p.State()
			return p.Explore(ctx, func(s int) error {
				if s == 40 {
					p.End(s, nil)
					return nil
				}
				return p.Way(ctx, s, []Edge{{To: p.State(), Weight: Weight{word: 1}}}, 0)
			})
		}},
		calls("Process.Payoff", func(ctx context.Context) (*Payoff, error) { return process.Payoff(ctx, nil) }),
		calls("Process.Unending", process.Unending),
		{"Process.Way", false, func(ctx context.Context) error {
			p := &Process{}
			p.State()
			return p.Way(ctx, 0, slices.Repeat([]Edge{{Weight: Weight{word: 1}}}, 1000), 0)
		}},
		calls("Payoff.Dist", func(ctx context.Context) (*Dist, error) {
			d, _, err := payoff.Dist(ctx)
			return d, err
		}),
		calls("Classify", func(ctx context.Context) (*Outcomes[int], error) {
			return Classify(ctx, d, nil, func(x int) (int, error) { return x, nil })
		}),
		{"Classes.Each", false, func(ctx context.Context) error {
			return classes.Each(ctx, func([][]int, Weight) error { return nil })
		}},
		calls("Evaluate", func(ctx context.Context) (*Tally[int], error) { return Evaluate(ctx, pool, 0, count) }),
		calls("EvaluateTogether", func(ctx context.Context) (*Tally[int], error) {
			return EvaluateTogether(ctx, []*Multiset{hand}, Ascending, 0, countBoth)
		}),
		calls("FirstTime", func(ctx context.Context) (*Outcomes[int], error) { return FirstTime(ctx, 0, climb, top, 30) }),
		calls("Given", func(ctx context.Context) (*Outcomes[int], error) {
			return Given(ctx, labels, func(x int) (bool, error) { return x > 9, nil })
		}),
		calls("Iterate", func(ctx context.Context) (*Outcomes[int], error) { return Iterate(ctx, 0, walk, 30) }),
		calls("MixOutcomes", func(ctx context.Context) (*Outcomes[int], error) {
			return MixOutcomes(ctx, []OutcomesPart[int]{{Weight: big.NewRat(1, 3), Outcomes: labels}, {Weight: big.NewRat(2, 3), Outcomes: labels}})
		}),
		calls("NewOutcomes", func(ctx context.Context) (*Outcomes[int], error) { return NewOutcomes(ctx, numbers, ones, 0) }),
		calls("NewVectors", func(ctx context.Context) (*Vectors, error) { return NewVectors(ctx, points, ones, 0) }),
		calls("Relabel", func(ctx context.Context) (*Outcomes[int], error) {
			return Relabel(ctx, labels, func(x int) (int, error) { return x / 2, nil })
		}),
		calls("Settle", func(ctx context.Context) (*Settled[int], error) { return Settle(ctx, 0, climb) }),
		calls("Stationary", func(ctx context.Context) (*Outcomes[int], error) { return Stationary(ctx, 0, walk) }),
		calls("TallyOutcomes", func(ctx context.Context) (*Outcomes[int], error) { return TallyOutcomes(ctx, &tally, nil, 0) }),
		calls("WaitingTime", func(ctx context.Context) (*Dist, error) { return WaitingTime(ctx, 0, climb, top) }),
		calls("Outcomes.Mean", func(ctx context.Context) (*big.Rat, error) {
			return labels.Mean(ctx, func(x int) (*big.Int, error) { return big.NewInt(int64(x)), nil })
		}),
		calls("Outcomes.Values", func(ctx context.Context) (*Dist, error) {
			return labels.Values(ctx, func(x int) (int, error) { return x, nil })
		}),
		calls("Pool.Added", func(ctx context.Context) (*Dist, error) {
			return fair.Added(ctx, func(*Dist) Set { return Only(20) }, Everything, func(p *Pool) (*Dist, error) { return p.Highest(ctx, 2) })
		}),
		calls("Project", func(ctx context.Context) (*Classes, error) {
			c, _, err := Project(ctx, []*Multiset{fair.Multiset()}, func([][]int, *Seen) error { return nil })
			return c, err
		}),
		calls("ClassesOf", func(ctx context.Context) (*Classes, error) {
			return ClassesOf(ctx, []*Multiset{fair.Multiset()}, []View{{Sum: true}}, nil)
		}),
		calls("Pool.Count", func(ctx context.Context) (*Dist, error) { return pool.Count(ctx, From(9)) }),
		calls("Pool.CountAgain", func(ctx context.Context) (*Dist, error) { return fair.CountAgain(ctx, From(9), Only(20)) }),
		calls("Pool.Dice", fair.Dice),
		calls("Pool.DropHighest", func(ctx context.Context) (*Dist, error) { return pool.DropHighest(ctx, 2) }),
		calls("Pool.DropLowest", func(ctx context.Context) (*Dist, error) { return pool.DropLowest(ctx, 2) }),
		calls("Pool.Highest", func(ctx context.Context) (*Dist, error) { return pool.Highest(ctx, 2) }),
		calls("Pool.HighestAgain", func(ctx context.Context) (*Dist, error) { return fair.HighestAgain(ctx, AgainOn(Only(20)), 2) }),
		calls("Pool.LargestSet", pool.LargestSet),
		calls("Pool.LongestRun", pool.LongestRun),
		calls("Pool.Lowest", func(ctx context.Context) (*Dist, error) { return pool.Lowest(ctx, 2) }),
		calls("Pool.LowestAgain", func(ctx context.Context) (*Dist, error) { return fair.LowestAgain(ctx, AgainOn(Only(20)), 2) }),
		calls("Pool.Middle", func(ctx context.Context) (*Dist, error) { return pool.Middle(ctx, 2) }),
		calls("Pool.OrderStat", func(ctx context.Context) (*Dist, error) { return pool.OrderStat(ctx, 2) }),
		calls("Pool.Pairs", pool.Pairs),
		calls("Pool.Ranks", func(ctx context.Context) (*Dist, error) { return pool.Ranks(ctx, 2, 3) }),
		calls("Pool.Sets", func(ctx context.Context) (*Dist, error) { return pool.Sets(ctx, 2) }),
		calls("Pool.Total", pool.Total),
		calls("Pool.Unique", pool.Unique),
		calls("Multiset.Count", func(ctx context.Context) (*Dist, error) { return hand.Count(ctx, From(9)) }),
		calls("Multiset.Highest", func(ctx context.Context) (*Dist, error) { return hand.Highest(ctx, 2) }),
		calls("Multiset.LargestSet", hand.LargestSet),
		calls("Multiset.LongestRun", hand.LongestRun),
		calls("Multiset.Lowest", func(ctx context.Context) (*Dist, error) { return hand.Lowest(ctx, 2) }),
		calls("Multiset.OrderStat", func(ctx context.Context) (*Dist, error) { return hand.OrderStat(ctx, 2) }),
		calls("Multiset.Pairs", hand.Pairs),
		calls("Multiset.Sets", func(ctx context.Context) (*Dist, error) { return hand.Sets(ctx, 2) }),
		{"Multiset.Sorted", false, func(ctx context.Context) error {
			return hand.Sorted(ctx, func([]int, Weight) error { return nil })
		}},
		calls("Multiset.Total", hand.Total),
		calls("Multiset.Unique", hand.Unique),
		calls("Vectors.Add", func(ctx context.Context) (*Vectors, error) { return vectors.Add(ctx, vectors) }),
		calls("Vectors.Item", func(ctx context.Context) (*Dist, error) { return vectors.Item(ctx, 1) }),
		calls("Vectors.Times", func(ctx context.Context) (*Vectors, error) { return vectors.Times(ctx, 3) }),
	}
})

func TestEverythingWithAContextChargesIt(t *testing.T) {
	for _, c := range surface() {
		if c.free {
			continue
		}
		for _, limits := range []Limits{{Work: 10}, {Work: 10, Cells: 10}} {
			b := NewBudget(limits)
			var limit *LimitError
			if err := c.run(WithBudget(ctx, b)); !errors.As(err, &limit) {
				t.Errorf("%s under %+v: %v, want a limit; used %+v", c.name, limits, err, b.Used())
			}
		}
	}
}

func TestEverythingWithAContextEndsWithIt(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	for _, c := range surface() {
		if c.free {
			continue
		}
		if err := c.run(done); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that the context is canceled", c.name, err)
		}
		// It looks again while it works, or has little to do.
		if err := c.run(patient(1)); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want the deadline", c.name, err)
		}
	}
}

// The table holds everything that takes a context.
func TestSurfaceIsWhole(t *testing.T) {
	known := map[string]bool{}
	for _, c := range surface() {
		known[c.name] = true
	}
	for _, name := range Must(filepath.Glob("*.go")) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, decl := range Must(parser.ParseFile(token.NewFileSet(), name, nil, 0)).Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !takesContext(f) {
				continue
			}
			if name := receiver(f) + f.Name.Name; !known[name] {
				t.Errorf("%s takes a context and is not in the table", name)
			}
			delete(known, receiver(f)+f.Name.Name)
		}
	}
	for name := range known {
		t.Errorf("%s is in the table and takes no context", name)
	}
}

func takesContext(f *ast.FuncDecl) bool {
	for _, p := range f.Type.Params.List {
		if s, ok := p.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Context" {
			return true
		}
	}
	return false
}

// receiver returns the name of the type that a method belongs to, with a dot.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	x := f.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.Name + "."
		default:
			return ""
		}
	}
}
