package dist

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Recipes chain operations, and what one operation leaves behind (a stepped or
// a listed axis, holes, a generating function, a tail) is what the next one
// starts from. So whole expressions are drawn, and computed by the engine and
// by going through every combination of plain fractions.

// A computed is an expression by both ways. The oracle is nil where the engine
// may refuse: an outcome has left 64 bits, or a divisor can be zero.
type computed struct {
	text string
	d    *Dist
	want chances
}

// most is how many outcomes an expression may have for the oracle to go on.
const most = 40

func drawExpression(t *rapid.T, depth int) computed {
	if depth == 0 {
		d := drawDist(t, "die")
		return computed{"die", d, chancesOf(d)}
	}
	a := drawExpression(t, depth-1)
	b := drawExpression(t, rapid.IntRange(0, depth-1).Draw(t, "depth"))
	if len(a.want) > most || len(b.want) > most {
		return a
	}
	op := rapid.SampledFrom(expressions).Draw(t, "operation")
	d, want, err := op.make(t, a, b)
	text := op.name + "(" + a.text + ", " + b.text + ")"
	if want == nil {
		if err == nil && !op.lenient {
			t.Fatalf("%s of %v and %v: no error", text, a.want, b.want)
		}
		return a
	}
	if err != nil {
		var arg *ArgError
		if op.lenient && errors.As(err, &arg) {
			return a // it may refuse more than it has to
		}
		t.Fatalf("%s of %v and %v: %v", text, a.want, b.want, err)
	}
	if !want.same(d) {
		t.Fatalf("%s of %v and %v: got %v, want %v", text, a.want, b.want, chancesOf(d), want)
	}
	return computed{text, d, want}
}

type expression struct {
	name    string
	lenient bool // whether the engine may refuse what it could do
	make    func(t *rapid.T, a, b computed) (*Dist, chances, error)
}

// pairwise is an operation that looks at each pair of outcomes. f returns nil
// for what has no result.
func pairwise(name string, do func(a, b *Dist) (*Dist, error), f func(x, y *big.Int) *big.Int) expression {
	return expression{name: name, make: func(t *rapid.T, a, b computed) (*Dist, chances, error) {
		d, err := do(a.d, b.d)
		out := chances{}
		for x, p := range a.want {
			for y, q := range b.want {
				z := f(big.NewInt(int64(x)), big.NewInt(int64(y)))
				if z == nil || !z.IsInt64() {
					return d, nil, err
				}
				out.add(int(z.Int64()), new(big.Rat).Mul(p, q))
			}
		}
		return d, out, err
	}}
}

func first[T any](v T, _ bool) T { return v }

// sumOf is the sum of n independent copies, nil when it leaves 64 bits.
func (o chances) sumOf(n int) chances {
	sum, fits := chances{0: big.NewRat(1, 1)}, true
	for range n {
		if sum, fits = sum.combine(o, func(x, y *big.Int) *big.Int { return x.Add(x, y) }); !fits {
			return nil
		}
	}
	return sum
}

// mixed adds up several oracles with chances.
func mixed(ps []*big.Rat, os []chances) chances {
	out := chances{}
	for i, o := range os {
		for x, q := range o {
			out.add(x, new(big.Rat).Mul(ps[i], q))
		}
	}
	return out
}

// pooled goes through the combinations of up to three dice.
func pooled(name string, do func(p *Pool, k int) (*Dist, error), f func(faces []int, k int) int) expression {
	return expression{name: name, lenient: true, make: func(t *rapid.T, a, b computed) (*Dist, chances, error) {
		dice := []*Dist{a.d, b.d, a.d}[:rapid.IntRange(2, 3).Draw(t, "dice")]
		if len(a.want)*len(a.want)*len(b.want) > 2000 {
			dice = dice[:2]
		}
		k := rapid.IntRange(1, len(dice)).Draw(t, "k")
		d, err := do(Must(NewPool(dice...)), k)
		out := chances{}
		fits := true
		eachTupleOf(dice, func(faces []int, p *big.Rat) {
			sum := new(big.Int)
			for _, x := range faces {
				fits = fits && sum.Add(sum, big.NewInt(int64(x))).IsInt64()
			}
			sorted := slices.Clone(faces)
			slices.Sort(sorted)
			out.add(f(sorted, k), p)
		})
		if !fits {
			return d, nil, err
		}
		return d, out, err
	}}
}

var expressions = []expression{
	pairwise("add", func(a, b *Dist) (*Dist, error) { return a.Add(ctx, b) }, func(x, y *big.Int) *big.Int { return x.Add(x, y) }),
	pairwise("sub", func(a, b *Dist) (*Dist, error) { return a.Sub(ctx, b) }, func(x, y *big.Int) *big.Int { return x.Sub(x, y) }),
	pairwise("mul", func(a, b *Dist) (*Dist, error) { return a.Mul(ctx, b) }, func(x, y *big.Int) *big.Int { return x.Mul(x, y) }),
	pairwise("neg", func(a, _ *Dist) (*Dist, error) { return a.Neg(ctx) }, func(x, _ *big.Int) *big.Int { return x.Neg(x) }),
	pairwise("abs", func(a, _ *Dist) (*Dist, error) { return a.Abs(ctx) }, func(x, _ *big.Int) *big.Int { return x.Abs(x) }),
	pairwise("floordiv", func(a, b *Dist) (*Dist, error) { return a.FloorDiv(ctx, b) }, divisor0(floorDivBig)),
	pairwise("mod", func(a, b *Dist) (*Dist, error) { return a.Mod(ctx, b) }, divisor0(modBig)),
	pairwise("max", func(a, b *Dist) (*Dist, error) { return Max(ctx, a, b) }, func(x, y *big.Int) *big.Int {
		if x.Cmp(y) < 0 {
			return y
		}
		return x
	}),
	pairwise("min", func(a, b *Dist) (*Dist, error) { return Min(ctx, a, b) }, func(x, y *big.Int) *big.Int {
		if x.Cmp(y) > 0 {
			return y
		}
		return x
	}),
	{name: "scale and shift", make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		n, m := rapid.IntRange(-5, 5).Draw(t, "factor"), rapid.IntRange(-9, 9).Draw(t, "shift")
		times, fits := a.want.combine(chances{n: big.NewRat(1, 1)}, func(x, y *big.Int) *big.Int { return x.Mul(x, y) })
		d, err := a.d.Scale(ctx, n)
		if !fits || err != nil {
			return d, times, err
		}
		d, err = d.Shift(ctx, m)
		sum, fits := times.combine(chances{m: big.NewRat(1, 1)}, func(x, y *big.Int) *big.Int { return x.Add(x, y) })
		return d, first(sum, fits), err
	}},
	{name: "times", make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		n := rapid.IntRange(0, 4).Draw(t, "n")
		if len(a.want) > 12 {
			n = min(n, 2)
		}
		d, err := a.d.Times(ctx, n)
		return d, a.want.sumOf(n), err
	}},
	{name: "random sum", make: func(t *rapid.T, a, b computed) (*Dist, chances, error) {
		count := Must(Faces(rapid.SliceOfN(rapid.IntRange(0, 3), 1, 3).Draw(t, "count")...))
		if len(a.want) > 8 {
			count = Must(Faces(0, 1, 1))
		}
		d, err := TimesRolled(ctx, count, a.d)
		var ps []*big.Rat
		var os []chances
		for n, p := range chancesOf(count) {
			sum := a.want.sumOf(n)
			if sum == nil {
				return d, nil, err
			}
			ps, os = append(ps, p), append(os, sum)
		}
		return d, mixed(ps, os), err
	}},
	{name: "keep", make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		s := drawSet(t, "set", a.d)
		d, err := a.d.Keep(ctx, s)
		return d, first(a.want.given(s.Contains)), err
	}},
	{name: "convert", make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		s, to := drawSet(t, "set", a.d), rapid.IntRange(-9, 9).Draw(t, "to")
		d, err := a.d.Convert(ctx, s, to)
		out := chances{}
		for x, p := range a.want {
			if s.Contains(x) {
				x = to
			}
			out.add(x, p)
		}
		return d, out, err
	}},
	{name: "clamp", make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		lo := rapid.IntRange(-9, 9).Draw(t, "lo")
		hi := lo + rapid.IntRange(0, 9).Draw(t, "width")
		d, err := a.d.Clamp(ctx, lo, hi)
		out := chances{}
		for x, p := range a.want {
			out.add(max(lo, min(hi, x)), p)
		}
		return d, out, err
	}},
	{name: "reroll", make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		s, times := drawSet(t, "set", a.d), rapid.IntRange(0, 3).Draw(t, "times")
		d, err := a.d.Reroll(ctx, s, times)
		out := chances(a.want)
		for range times {
			last := out
			out = chances(a.want).then(func(x int) chances {
				if s.Contains(x) {
					return last
				}
				return sure(x)
			})
		}
		return d, chances(out), err
	}},
	{name: "explode", lenient: true, make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		on, depth := drawSet(t, "on", a.d), rapid.IntRange(0, 2).Draw(t, "depth")
		d, err := a.d.Explode(ctx, on, depth)
		if len(a.want) > 12 || slices.ContainsFunc(a.want.support(), func(x int) bool { return x > math.MaxInt/4 || x < math.MinInt/4 }) {
			return a.d, a.want, nil
		}
		return d, chances(chances(a.want).exploded(on, depth)), err
	}},
	{name: "mixture", make: func(t *rapid.T, a, b computed) (*Dist, chances, error) {
		p := big.NewRat(rapid.Int64Range(0, 9).Draw(t, "p"), rapid.SampledFrom([]int64{9, 10, 64, math.MaxInt64}).Draw(t, "q"))
		q := new(big.Rat).Sub(big.NewRat(1, 1), p)
		scale := big.NewRat(rapid.Int64Range(1, 7).Draw(t, "scale"), 3) // weights need not sum to 1
		d, err := Mixture(ctx, []Part{{Weight: new(big.Rat).Mul(p, scale), Roll: a.d}, {Weight: new(big.Rat).Mul(q, scale), Roll: b.d}})
		out := mixed([]*big.Rat{p, q}, []chances{a.want, b.want})
		for x, r := range out {
			if r.Sign() == 0 {
				delete(out, x)
			}
		}
		return d, out, err
	}},
	{name: "map", make: func(t *rapid.T, a, _ computed) (*Dist, chances, error) {
		m := rapid.IntRange(1, 1000).Draw(t, "modulus")
		d, err := a.d.Map(ctx, func(x int) (int, error) { return x%m ^ 5, nil })
		out := chances{}
		for x, p := range a.want {
			out.add(x%m^5, p)
		}
		return d, out, err
	}},
	pooled("highest", func(p *Pool, k int) (*Dist, error) { return p.Highest(ctx, k) }, func(faces []int, k int) int { return sumFaces(faces[len(faces)-k:]) }),
	pooled("lowest", func(p *Pool, k int) (*Dist, error) { return p.Lowest(ctx, k) }, func(faces []int, k int) int { return sumFaces(faces[:k]) }),
	pooled("rank", func(p *Pool, k int) (*Dist, error) { return p.OrderStat(ctx, k) }, func(faces []int, k int) int { return faces[len(faces)-k] }),
	pooled("largest set", func(p *Pool, _ int) (*Dist, error) { return p.LargestSet(ctx) }, func(faces []int, _ int) int {
		most := 0
		for _, n := range setsOf(faces) {
			most = max(most, n)
		}
		return most
	}),
	pooled("sets", func(p *Pool, k int) (*Dist, error) { return p.Sets(ctx, k) }, func(faces []int, k int) int {
		sets := 0
		for _, n := range setsOf(faces) {
			if n >= k {
				sets++
			}
		}
		return sets
	}),
	pooled("longest run", func(p *Pool, _ int) (*Dist, error) { return p.LongestRun(ctx) }, func(faces []int, _ int) int { return longestRunOf(faces) }),
	pooled("count", func(p *Pool, k int) (*Dist, error) { return p.Count(ctx, From(k)) }, func(faces []int, k int) int {
		n := 0
		for _, x := range faces {
			if x >= k {
				n++
			}
		}
		return n
	}),
}

// divisor0 has no result where the divisor is zero.
func divisor0(f func(x, y *big.Int) *big.Int) func(x, y *big.Int) *big.Int {
	return func(x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return nil
		}
		return f(x, y)
	}
}

func TestExpressionsAgreeWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawExpression(t, rapid.IntRange(1, 4).Draw(t, "levels"))
		lawful(t, e.d)
		zero := new(big.Rat)
		mean := e.want.moment(zero, 1)
		if e.d.Mean().Cmp(mean) != 0 || e.d.Variance().Cmp(e.want.moment(mean, 2)) != 0 {
			t.Fatalf("%s: mean %v and variance %v of %v", e.text, e.d.Mean(), e.d.Variance(), e.want)
		}
		xs := e.want.support()
		q := big.NewRat(rapid.Int64Range(0, 20).Draw(t, "quantile"), 20)
		sum, at := new(big.Rat), xs[0]
		for _, x := range xs {
			at = x
			if sum.Add(sum, e.want[x]); sum.Cmp(q) >= 0 {
				break
			}
		}
		if got := Must(e.d.Quantile(ctx, q)); got != at {
			t.Fatalf("%s: quantile %v of %v is %d, want %d", e.text, q, e.want, got, at)
		}
	})
}

// What is said of an unlimited expression must hold of the same expression cut
// much later.
func TestErrorsOfExpressionsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawUnlimited(t, rapid.IntRange(1, 3).Draw(t, "levels"))
		early, err := e(rapid.IntRange(3, 9).Draw(t, "cut"))
		if err != nil {
			return
		}
		late, err := e(25)
		if err != nil {
			return
		}
		mustBeWithin(t, early, late)
		mustAnswerAlike(t, early, late)
	})
}

// drawUnlimited draws an expression with geometric rolls in it and returns its
// value when they are cut.
func drawUnlimited(t *rapid.T, depth int) func(cut int) (*Dist, error) {
	if depth == 0 {
		if rapid.IntRange(0, 2).Draw(t, "tame") == 0 {
			d := drawTame(t, "die")
			return func(int) (*Dist, error) { return d, nil }
		}
		g := drawGeometric(t)
		return func(cut int) (*Dist, error) { return g.cut(cut), nil }
	}
	a := drawUnlimited(t, depth-1)
	b := drawUnlimited(t, rapid.IntRange(0, depth-1).Draw(t, "depth"))
	do := rapid.SampledFrom(operations).Draw(t, "operation").draw(t)
	return func(cut int) (*Dist, error) {
		x, err := a(cut)
		if err != nil {
			return nil, err
		}
		y, err := b(cut)
		if err != nil {
			return nil, err
		}
		return do(WithBudget(ctx, NewBudget(Limits{Work: 3e5, Cells: 3e4})), x, y)
	}
}

// mustAnswerAlike checks that what the early cut is sure of is what the late one
// says.
func mustAnswerAlike(t *rapid.T, early, late *Dist) {
	t.Helper()
	for _, q := range []*big.Rat{big.NewRat(1, 100), big.NewRat(1, 3), big.NewRat(1, 2), big.NewRat(9, 10)} {
		x, err := early.Quantile(ctx, q)
		if err != nil {
			continue
		}
		if y, err := late.Quantile(ctx, q); err == nil && x != y {
			t.Fatalf("quantile %v is %d, then %d", q, x, y)
		}
	}
	if xs, err := early.Mode(ctx); err == nil {
		if ys, err := late.Mode(ctx); err == nil && !slices.Equal(xs, ys) {
			t.Fatalf("mode %v, then %v", xs, ys)
		}
	}
	if xs, err := early.Support(ctx); err == nil {
		if ys, err := late.Support(ctx); err == nil && !slices.Equal(xs, ys) {
			t.Fatalf("support %v, then %v", xs, ys)
		}
	}
}
