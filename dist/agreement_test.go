package dist

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"

	"pgregory.net/rapid"
)

// Arithmetic agrees with the oracle, one pair of outcomes at a time.

// combine returns the distribution of f of two independent rolls, or false when
// some result does not fit 64 bits.
func (o chances) combine(e chances, f func(x, y *big.Int) *big.Int) (chances, bool) {
	out := chances{}
	for x, p := range o {
		for y, q := range e {
			z := f(big.NewInt(int64(x)), big.NewInt(int64(y)))
			if !z.IsInt64() {
				return nil, false
			}
			out.add(int(z.Int64()), new(big.Rat).Mul(p, q))
		}
	}
	return out, true
}

func (o chances) same(d *Dist) bool {
	if d.Len() != len(o) {
		return false
	}
	for x, p := range o {
		if d.PMF(x).Cmp(p) != 0 {
			return false
		}
	}
	return true
}

func (o chances) support() []int {
	var xs []int
	for x := range o {
		xs = append(xs, x)
	}
	slices.Sort(xs)
	return xs
}

// moment returns E (X - c)^k.
func (o chances) moment(c *big.Rat, k int) *big.Rat {
	sum := new(big.Rat)
	for x, p := range o {
		term := new(big.Rat).Set(p)
		for range k {
			y := new(big.Rat).SetInt64(int64(x))
			term.Mul(term, y.Sub(y, c))
		}
		sum.Add(sum, term)
	}
	return sum
}

// drawDist draws distributions of every shape: fair dice, ranges, arithmetic
// progressions with and without holes, scattered faces, single outcomes,
// outcomes at the ends of the 64-bit integers, and weights of several words.
func drawDist(t *rapid.T, label string) *Dist {
	faces := drawFaces(t, label)
	if !rapid.Bool().Draw(t, label+" weighted") {
		return Must(Faces(faces...))
	}
	weights := make([]*big.Int, len(faces))
	for i := range weights {
		w := big.NewInt(rapid.Int64Range(0, 5).Draw(t, label+" weight"))
		shift := rapid.SampledFrom([]uint{0, 0, 1, 40, 63, 64, 130}).Draw(t, label+" shift")
		weights[i] = w.Add(w.Lsh(w, shift), big.NewInt(rapid.Int64Range(0, 1).Draw(t, label+" more")))
	}
	weights[0].Add(weights[0], big.NewInt(1))
	return Must(Weighted(ctx, faces, weights))
}

func drawFaces(t *rapid.T, label string) []int {
	small := rapid.IntRange(-6, 6)
	n := rapid.IntRange(1, 6).Draw(t, label+" n")
	switch rapid.IntRange(0, 5).Draw(t, label+" shape") {
	case 0: // a range
		lo := small.Draw(t, label+" lo")
		faces := make([]int, n)
		for i := range faces {
			faces[i] = lo + i
		}
		return faces
	case 1: // places on a stepped axis
		step := rapid.SampledFrom([]int{2, 3, 10, 1 << 32, -7}).Draw(t, label+" step")
		faces := rapid.SliceOfN(rapid.IntRange(-8, 8), n, n).Draw(t, label+" places")
		for i := range faces {
			faces[i] = 5 + step*faces[i]
		}
		return faces
	case 2: // scattered
		return rapid.SliceOfN(rapid.IntRange(-100000, 100000), n, n).Draw(t, label+" faces")
	case 3: // anywhere, with the ends likely
		ends := rapid.OneOf(
			rapid.SampledFrom([]int{math.MinInt, math.MinInt + 1, -1 << 62, -1, 0, 1, 1 << 62, math.MaxInt - 1, math.MaxInt}),
			rapid.Int(),
		)
		return rapid.SliceOfN(ends, n, n).Draw(t, label+" faces")
	default:
		return rapid.SliceOfN(small, n, n).Draw(t, label+" faces")
	}
}

// agree checks one operation: the result is that of the oracle, or both say
// that it does not fit.
func agree(t *rapid.T, name string, got *Dist, err error, want chances, fits bool) {
	t.Helper()
	if !fits {
		if err == nil {
			t.Fatalf("%s: no error, although an outcome leaves 64 bits", name)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !want.same(got) {
		t.Fatalf("%s: got %v, want %v", name, chancesOf(got), want)
	}
	lawful(t, got)
}

func floorDivBig(x, y *big.Int) *big.Int {
	q, m := new(big.Int).QuoRem(x, y, new(big.Int))
	if m.Sign() != 0 && m.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

func modBig(x, y *big.Int) *big.Int {
	q := floorDivBig(x, y)
	return new(big.Int).Sub(x, q.Mul(q, y))
}

func TestArithmeticAgreesWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDist(t, "a"), drawDist(t, "b")
		oa, ob := chancesOf(a), chancesOf(b)
		for _, op := range []struct {
			name string
			do   func() (*Dist, error)
			f    func(x, y *big.Int) *big.Int
		}{
			{"add", func() (*Dist, error) { return a.Add(ctx, b) }, func(x, y *big.Int) *big.Int { return x.Add(x, y) }},
			{"sub", func() (*Dist, error) { return a.Sub(ctx, b) }, func(x, y *big.Int) *big.Int { return x.Sub(x, y) }},
			{"mul", func() (*Dist, error) { return a.Mul(ctx, b) }, func(x, y *big.Int) *big.Int { return x.Mul(x, y) }},
			{"neg", func() (*Dist, error) { return a.Neg(ctx) }, func(x, _ *big.Int) *big.Int { return x.Neg(x) }},
			{"abs", func() (*Dist, error) { return a.Abs(ctx) }, func(x, _ *big.Int) *big.Int { return x.Abs(x) }},
		} {
			want, fits := oa.combine(ob, op.f)
			got, err := op.do()
			agree(t, op.name, got, err, want, fits)
		}
		div, err := a.FloorDiv(ctx, b)
		mod, merr := a.Mod(ctx, b)
		if ob[0] != nil {
			if err == nil || merr == nil {
				t.Fatalf("division by %v is no error", b.Outcomes())
			}
			return
		}
		want, fits := oa.combine(ob, floorDivBig)
		agree(t, "floordiv", div, err, want, fits)
		want, fits = oa.combine(ob, modBig)
		agree(t, "mod", mod, merr, want, fits)
	})
}

func TestShiftAndScaleAgreeWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawDist(t, "a")
		n := rapid.OneOf(rapid.IntRange(-9, 9), rapid.Int(), rapid.SampledFrom([]int{math.MinInt, math.MaxInt, 1 << 31, 1 << 62})).Draw(t, "n")
		one := chances{n: big.NewRat(1, 1)}
		want, fits := chancesOf(a).combine(one, func(x, y *big.Int) *big.Int { return x.Add(x, y) })
		got, err := a.Shift(ctx, n)
		agree(t, "shift", got, err, want, fits)
		want, fits = chancesOf(a).combine(one, func(x, y *big.Int) *big.Int { return x.Mul(x, y) })
		got, err = a.Scale(ctx, n)
		agree(t, "scale", got, err, want, fits)
	})
}

func TestTimesIsRepeatedAddition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "d")
		n := rapid.IntRange(0, 5).Draw(t, "n")
		want, fits := chances{0: big.NewRat(1, 1)}, true
		for range n {
			if want, fits = want.combine(chancesOf(d), func(x, y *big.Int) *big.Int { return x.Add(x, y) }); !fits {
				break
			}
			if len(want) > 100 {
				t.Skip("too large for the oracle")
			}
		}
		got, err := d.Times(ctx, n)
		agree(t, "times", got, err, want, fits)
		if fits && n > 0 {
			again, err := got.Times(ctx, 2)
			want, fits := want.combine(want, func(x, y *big.Int) *big.Int { return x.Add(x, y) })
			agree(t, "times of times", again, err, want, fits)
		}
	})
}

func TestCompareAgreesWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDist(t, "a"), drawDist(t, "b")
		less, equal, greater := new(big.Rat), new(big.Rat), new(big.Rat)
		for x, p := range chancesOf(a) {
			for y, q := range chancesOf(b) {
				both := new(big.Rat).Mul(p, q)
				switch {
				case x < y:
					less.Add(less, both)
				case x == y:
					equal.Add(equal, both)
				default:
					greater.Add(greater, both)
				}
			}
		}
		c, err := Compare(ctx, a, b)
		if err != nil || c.Less.Cmp(less) != 0 || c.Equal.Cmp(equal) != 0 || c.Greater.Cmp(greater) != 0 || c.Bound != 0 {
			t.Fatalf("got %v, %v; want %v, %v, %v", c, err, less, equal, greater)
		}
		for r := Relation(0); r <= Less|Equal|Greater; r++ {
			want := new(big.Rat)
			for of, p := range map[Relation]*big.Rat{Less: less, Equal: equal, Greater: greater} {
				if r&of != 0 {
					want.Add(want, p)
				}
			}
			if p, bound, err := Versus(ctx, a, r, b); err != nil || p.Cmp(want) != 0 || bound != 0 {
				t.Fatalf("relation %d: got %v, %v, %v; want %v", r, p, bound, err, want)
			}
		}
	})
}

func TestChancesAgreeWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "d")
		o := chancesOf(d)
		x := rapid.OneOf(rapid.SampledFrom(o.support()), rapid.Int(), rapid.IntRange(-20, 20)).Draw(t, "x")
		sum := func(holds func(int) bool) *big.Rat {
			p := new(big.Rat)
			for y, q := range o {
				if holds(y) {
					p.Add(p, q)
				}
			}
			return p
		}
		band := rapid.SampledFrom([]Set{
			Everything, Nothing, Only(x, 3, 3, -1), From(x), UpTo(x), From(x).Not(), Only(x).Not(),
		}).Draw(t, "set")
		for name, c := range map[string]struct {
			got  *big.Rat
			want func(int) bool
		}{
			"pmf":       {d.PMF(x), func(y int) bool { return y == x }},
			"at most":   {d.AtMost(x), func(y int) bool { return y <= x }},
			"less than": {d.LessThan(x), func(y int) bool { return y < x }},
			"at least":  {d.AtLeast(x), func(y int) bool { return y >= x }},
			"more than": {d.MoreThan(x), func(y int) bool { return y > x }},
			"in":        {d.In(band), band.Contains},
		} {
			if want := sum(c.want); c.got.Cmp(want) != 0 {
				t.Fatalf("%s %d of %v: got %v, want %v", name, x, o, c.got, want)
			}
		}
	})
}

func TestStatisticsAgreeWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "d")
		o := chancesOf(d)
		xs := o.support()

		q := big.NewRat(rapid.Int64Range(0, 24).Draw(t, "q"), 24)
		if rapid.Bool().Draw(t, "at a step") {
			q = d.AtMost(rapid.SampledFrom(xs).Draw(t, "x"))
		}
		want, sum := xs[0], new(big.Rat)
		for _, x := range xs {
			if sum.Add(sum, o[x]); sum.Cmp(q) >= 0 {
				want = x
				break
			}
		}
		if got, err := d.Quantile(ctx, q); err != nil || got != want {
			t.Fatalf("quantile %v of %v: got %d, %v; want %d", q, o, got, err, want)
		}

		var modes []int
		best := new(big.Rat)
		for _, x := range xs {
			switch o[x].Cmp(best) {
			case 1:
				best, modes = o[x], []int{x}
			case 0:
				modes = append(modes, x)
			}
		}
		if got, err := d.Mode(ctx); err != nil || !slices.Equal(got, modes) {
			t.Fatalf("mode of %v: got %v, %v; want %v", o, got, err, modes)
		}

		entropy := 0.0
		for _, p := range o {
			f, _ := p.Float64()
			entropy -= f * math.Log2(f)
		}
		if got, err := d.Entropy(ctx); err != nil || math.Abs(got-entropy) > 1e-14*(1+entropy) {
			t.Fatalf("entropy of %v: got %v, %v; want %v", o, got, err, entropy)
		}

		skew, serr := d.Skewness(ctx)
		kurt, kerr := d.Kurtosis(ctx)
		if len(xs) == 1 {
			if serr == nil || kerr == nil {
				t.Fatal("a single outcome has a skewness or kurtosis")
			}
			return
		}
		mean := o.moment(new(big.Rat), 1)
		m2, m3, m4 := o.moment(mean, 2), o.moment(mean, 3), o.moment(mean, 4)
		// skewness² = m3² / m2³
		square := new(big.Rat).Quo(new(big.Rat).Mul(m3, m3), new(big.Rat).Mul(m2, new(big.Rat).Mul(m2, m2)))
		f, _ := square.Float64()
		f = math.Copysign(math.Sqrt(f), float64(m3.Sign()))
		if serr != nil || math.Abs(skew-f) > 1e-15*math.Abs(f) {
			t.Fatalf("skewness of %v: got %v, %v; want %v", o, skew, serr, f)
		}
		excess := new(big.Rat).Quo(m4, new(big.Rat).Mul(m2, m2))
		f, _ = excess.Sub(excess, big.NewRat(3, 1)).Float64()
		if kerr != nil || kurt != f {
			t.Fatalf("kurtosis of %v: got %v, %v; want %v", o, kurt, kerr, f)
		}
	})
}

// lawful checks what must hold of every distribution.
func lawful(t interface {
	Helper()
	Fatalf(string, ...any)
}, d *Dist) {
	t.Helper()
	sum, g := new(big.Int), new(big.Int)
	m1, m2 := new(big.Rat), new(big.Rat)
	var xs []int
	for x, w := range d.All() {
		if w.Sign() <= 0 {
			t.Fatalf("weight %v of %d", w, x)
		}
		if len(xs) > 0 && x <= xs[len(xs)-1] {
			t.Fatalf("%d stands after %d", x, xs[len(xs)-1])
		}
		xs = append(xs, x)
		sum.Add(sum, w)
		g.GCD(nil, nil, g, w)
		v := new(big.Rat).SetInt64(int64(x))
		v.Mul(v, new(big.Rat).SetInt(w))
		m1.Add(m1, v)
		m2.Add(m2, v.Mul(v, new(big.Rat).SetInt64(int64(x))))
	}
	if len(xs) == 0 || len(xs) != d.Len() || !slices.Equal(xs, d.Outcomes()) {
		t.Fatalf("%d outcomes, All yields %d", d.Len(), len(xs))
	}
	if sum.Cmp(d.Total()) != 0 || g.Cmp(big.NewInt(1)) != 0 {
		t.Fatalf("total %v of weights that add up to %v, common divisor %v", d.Total(), sum, g)
	}
	if d.Words() != nat.WordsFor(sum) {
		t.Fatalf("%d words for a total of %v", d.Words(), sum)
	}
	if d.Min() != xs[0] || d.Max() != xs[len(xs)-1] {
		t.Fatalf("min %d, max %d of %v", d.Min(), d.Max(), xs)
	}
	one := big.NewRat(1, 1)
	for i := 0; i < len(xs); i += max(1, len(xs)/50) {
		x := xs[i]
		if p := new(big.Rat).Add(d.AtMost(x), d.MoreThan(x)); p.Cmp(one) != 0 {
			t.Fatalf("P(X <= %d) + P(X > %d) = %v", x, x, p)
		}
		if p := new(big.Rat).Add(d.LessThan(x), d.AtLeast(x)); p.Cmp(one) != 0 {
			t.Fatalf("P(X < %d) + P(X >= %d) = %v", x, x, p)
		}
	}
	if b := d.Bound(); !(b >= 0 && b <= 1) {
		t.Fatalf("error bound %v", b)
	}
	// The moments of what is represented, against enumeration.
	total := new(big.Rat).SetInt(sum)
	m1.Quo(m1, total)
	m2.Quo(m2, total)
	c1, c2 := d.cutMoments()
	if c1.Cmp(m1) != 0 || c2.Cmp(m2) != 0 {
		t.Fatalf("moments %v, %v; want %v, %v", c1, c2, m1, m2)
	}
	if d.Bound() == 0 && d.tail == nil {
		if d.Mean().Cmp(m1) != 0 || d.Variance().Cmp(m2.Sub(m2, m1.Mul(m1, m1))) != 0 {
			t.Fatalf("mean %v, variance %v", d.Mean(), d.Variance())
		}
		return
	}
	// The true moments are near those of the cut roll, where anything is known.
	if t1 := d.tail.m1; t1 != nil && !math.IsInf(d.tail.d1, 1) {
		if far := new(big.Rat).Sub(t1, c1); upper.Abs(far) > d.tail.d1*(1+1e-12) {
			t.Fatalf("the mean %v is %v from that of the cut roll, more than %v", t1, upper.Abs(far), d.tail.d1)
		}
	}
	if t2 := d.tail.m2; t2 != nil && !math.IsInf(d.tail.d2, 1) {
		slack := 2*math.Sqrt(d.tail.d2*upper.Abs(c2)) + d.tail.d2
		if far := new(big.Rat).Sub(t2, c2); upper.Abs(far) > slack*(1+1e-12) {
			t.Fatalf("the mean square %v is %v from that of the cut roll, more than %v", t2, upper.Abs(far), slack)
		}
	}
}
