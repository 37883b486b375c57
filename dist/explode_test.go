package dist

import (
	"context"
	"errors"
	"math"
	"math/big"
	"testing"

	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"

	"pgregory.net/rapid"
)

func (c chances) exploded(on Set, depth int) chances {
	if depth == 0 {
		return c
	}
	more := c.exploded(on, depth-1)
	return c.then(func(x int) chances {
		if on.Contains(x) {
			return more.plus(sure(x))
		}
		return sure(x)
	})
}

func TestExplodeRollsAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDie(t, "die")
		on := drawSet(t, "on", d)
		depth := rapid.IntRange(0, 4).Draw(t, "depth")
		got := Must(d.Explode(ctx, on, depth))
		agrees(t, "explode", got, chancesOf(d).exploded(on, depth))
		n := rapid.IntRange(0, 4).Draw(t, "dice")
		sum := Constant(0)
		for range n {
			sum = Must(sum.Add(ctx, got))
		}
		agrees(t, "exploding dice", Must(got.Times(ctx, n)), chancesOf(sum))
		if !equal(Must(got.Times(ctx, n)), sum) {
			t.Fatalf("%d dice by recurrence are not their sum", n)
		}
		if n > 0 {
			minus := Must(got.Neg(ctx))
			hasItsGenfunc(t, "turned round", minus)
			if !equal(Must(minus.Times(ctx, n)), Must(sum.Neg(ctx))) {
				t.Fatalf("%d dice turned round", n)
			}
		}
	})
}

// A capped explosion comes as near to the unlimited one as that one says: where
// the two are coupled, they differ only when the chain goes on beyond the cut.
func TestUnlimitedIsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawSmall(t, "die")
		on := drawSet(t, "on", d)
		p := d.In(on)
		if p.Cmp(big.NewRat(1, 2)) > 0 {
			return
		}
		got := Must(d.Explode(ctx, on, Unlimited))
		if p.Sign() == 0 {
			agrees(t, "nothing explodes", got, chancesOf(d))
			return
		}
		if got.tail == nil { // only zeros explode
			agrees(t, "zeros", got, chancesOf(Must(d.Remove(ctx, on))))
			return
		}
		far := Must(d.Explode(ctx, on, 120))
		within(t, got, far, upper.Pow(p, 121))
		m1, m2 := far.bothMoments()
		near(t, "mean", got.Mean(), m1)
		near(t, "variance", got.Variance(), variance(m1, m2))
	})
}

// within fails unless d is as near to deep as its error says, and their moments
// as near as the bounds on them say. slack is how far deep itself may be off.
func within(t fataler, d, deep *Dist, slack float64) {
	t.Helper()
	a, b := chancesOf(d), chancesOf(deep)
	sum := new(big.Rat)
	difference := func(x int) *big.Rat {
		diff := new(big.Rat)
		if a[x] != nil {
			diff.Add(diff, a[x])
		}
		if b[x] != nil {
			diff.Sub(diff, b[x])
		}
		return diff.Abs(diff)
	}
	for x := range a {
		sum.Add(sum, difference(x))
	}
	for x := range b {
		if a[x] == nil {
			sum.Add(sum, difference(x))
		}
	}
	if tv, _ := sum.Float64(); tv/2 > d.Bound()+slack {
		t.Fatalf("total variation %g, the error is %g", tv/2, d.Bound())
	}
	if d.tail == nil {
		return
	}
	c1, c2 := d.cutMoments()
	e1, e2 := deep.cutMoments()
	shift, _ := new(big.Rat).Sub(c1, e1).Float64()
	if math.Abs(shift) > d.tail.d1*1.0001 {
		t.Fatalf("the mean moves by %g, the bound is %g", shift, d.tail.d1)
	}
	// |sqrt(E X²) - sqrt(E X~²)| <= sqrt(E (X - X~)²)
	square, _ := new(big.Rat).Sub(c2, e2).Float64()
	rms, _ := e2.Float64()
	root := math.Sqrt(d.tail.d2)
	if math.Abs(square) > 2.0001*root*(math.Sqrt(rms)+root) {
		t.Fatalf("the mean square moves by %g, the bound on the root of the difference is %g", square, root)
	}
}

func near(t fataler, what string, got, want *big.Rat) {
	t.Helper()
	g, _ := got.Float64()
	w, _ := want.Float64()
	if math.Abs(g-w) > 1e-12*(1+math.Abs(w)) {
		t.Fatalf("%s %v, want %v", what, g, w)
	}
}

func TestUnlimitedMeans(t *testing.T) {
	d6 := Must(Must(Die(6)).Explode(ctx, Only(6), Unlimited))
	if got := d6.Mean(); got.Cmp(big.NewRat(21, 5)) != 0 {
		t.Errorf("mean of d6! is %v", got)
	}
	if d6.Bound() >= math.Ldexp(1, -80) || d6.Bound() == 0 {
		t.Errorf("error of d6! is %g", d6.Bound())
	}
	// XdY: X Y (Y+1) / (2 (Y-1)), whatever is added after.
	for x := int64(1); x <= 4; x++ {
		for y := int64(2); y <= 12; y++ {
			die := Must(Die(int(y)))
			d := Must(Must(die.Explode(ctx, die.TopFace(), Unlimited)).Times(ctx, int(x)))
			if got := d.Mean(); got.Cmp(big.NewRat(x*y*(y+1), 2*(y-1))) != 0 {
				t.Errorf("mean of %dd%d unlimited is %v", x, y, got)
			}
			if x == 1 {
				for m := range d.All() {
					if m%int(y) == 0 {
						t.Errorf("one unlimited d%d shows %d", y, m)
					}
				}
			}
		}
	}
	if two := Must(d6.Times(ctx, 2)); two.PMF(12).Sign() == 0 {
		t.Error("two dice cannot show 12")
	}
	if capped := Must(Must(Die(6)).Explode(ctx, Only(6), 2)); capped.PMF(18).Cmp(big.NewRat(1, 216)) != 0 {
		t.Error("three sixes in a row are not 1/216")
	}
}

func TestThuddAgainstFlash(t *testing.T) {
	unlimited := func(count, sides int) *Dist {
		die := Must(Die(sides))
		return Must(Must(die.Explode(ctx, die.TopFace(), Unlimited)).Times(ctx, count))
	}
	c := Must(Compare(ctx, unlimited(2, 4), unlimited(2, 10)))
	for _, want := range []struct {
		got *big.Rat
		p   float64
	}{{c.Greater, 0.177864345399774}, {c.Equal, 0.045817496724702}, {c.Less, 0.776318157875524}} {
		if p, _ := want.got.Float64(); math.Abs(p-want.p) > 1e-15 {
			t.Errorf("got %v, want %v", p, want.p)
		}
	}
	if c.Bound > 1e-22 {
		t.Errorf("error %g", c.Bound)
	}
}

func TestFiftyExplodingDice(t *testing.T) {
	die := Must(Must(Die(6)).Explode(ctx, Only(6), 20))
	if cost := Must(nat.ShortestGenFunc(meterOf(ctx), die.w, die.size, die.gf)).Cost(); cost > 20 {
		t.Errorf("the generating function costs %d", cost)
	}
	fifty := Must(die.Times(ctx, 50))
	sum := die
	for range 49 {
		sum = Must(sum.Add(ctx, die))
	}
	if !equal(fifty, sum) {
		t.Error("50 dice by recurrence are not their sum")
	}
	if p, _ := fifty.PMF(207).Float64(); math.Abs(p-0.0174579084356093) > 1e-16 {
		t.Errorf("P(207) = %v", p)
	}
}

// Explosions of an unlimited roll: the error and the bounds on moments hold
// against a roll that is cut much later.
func TestUnlimitedOfUnlimited(t *testing.T) {
	die := Must(Faces(1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4))
	cut := Must(die.Explode(ctx, Only(4), Unlimited))
	deep := Must(die.Explode(ctx, Only(4), 30)).bare()
	odd := Only(1, 3, 5, 7, 9)
	rare := Must(Weighted(ctx, []int{0, 1, 2}, []*big.Int{big.NewInt(1000), big.NewInt(23), big.NewInt(1)}))
	checkUnlimited(t, "both", Must(rare.Explode(ctx, Only(2), Unlimited)), Must(rare.Explode(ctx, Only(2), 12)).bare(),
		func(d *Dist) (*Dist, error) { return TimesRolled(ctx, d, d) })
	for _, c := range []struct {
		name string
		do   func(*Dist) (*Dist, error)
	}{
		{"explode twice", func(d *Dist) (*Dist, error) { return d.Explode(ctx, Only(1, 9), 2) }},
		{"explode without end", func(d *Dist) (*Dist, error) { return d.Explode(ctx, From(5), Unlimited) }},
		{"reroll", func(d *Dist) (*Dist, error) { return d.Reroll(ctx, odd, 2) }},
		{"reroll all", func(d *Dist) (*Dist, error) { return d.Reroll(ctx, odd, Unlimited) }},
		{"reroll high", func(d *Dist) (*Dist, error) { return d.Reroll(ctx, From(8), 3) }},
		{"keep", func(d *Dist) (*Dist, error) { return d.Keep(ctx, From(3)) }},
		{"keep bounded", func(d *Dist) (*Dist, error) { return d.Keep(ctx, Must(Through(2, 500))) }},
		{"convert", func(d *Dist) (*Dist, error) { return d.Convert(ctx, odd, -3) }},
		{"convert high", func(d *Dist) (*Dist, error) { return d.Convert(ctx, From(4), 2) }},
		{"clamp", func(d *Dist) (*Dist, error) { return d.Clamp(ctx, 3, 10) }},
		{"max", func(d *Dist) (*Dist, error) { return Max(ctx, d, Must(Die(20))) }},
		{"min", func(d *Dist) (*Dist, error) { return Min(ctx, d, Must(Die(20))) }},
		{"max of two", func(d *Dist) (*Dist, error) { return Max(ctx, d, d) }},
		{"times rolled", func(d *Dist) (*Dist, error) { return TimesRolled(ctx, Must(Die(4)), d) }},
		{"times to either side", func(d *Dist) (*Dist, error) { return TimesRolled(ctx, Must(Faces(-2, 0, 1, 3)), d) }},
		{"rolled times to either side", func(d *Dist) (*Dist, error) { return TimesRolled(ctx, Must(d.Shift(ctx, -3)), Must(Die(2))) }},
		{"rolled times subtracted", func(d *Dist) (*Dist, error) { return TimesRolled(ctx, Must(d.Neg(ctx)), Must(Die(2))) }},
		{"rolled times", func(d *Dist) (*Dist, error) { return TimesRolled(ctx, d, Must(Die(2))) }},
		{"product", func(d *Dist) (*Dist, error) { return d.Mul(ctx, d) }},
		{"quotient", func(d *Dist) (*Dist, error) { return d.FloorDiv(ctx, Constant(-2)) }},
		{"remainder", func(d *Dist) (*Dist, error) { return d.Mod(ctx, Constant(7)) }},
		{"distance", func(d *Dist) (*Dist, error) { return Must(d.Sub(ctx, d)).Abs(ctx) }},
		{"mixture", func(d *Dist) (*Dist, error) {
			return Mixture(ctx, []Part{{Weight: big.NewRat(1, 3), Roll: d}, {Weight: big.NewRat(1, 6), Roll: Constant(-5)}})
		}},
	} {
		checkUnlimited(t, c.name, cut, deep, c.do)
	}
}

// checkUnlimited compares what is done to a cut roll with what is done to one
// that is as good as uncut.
func checkUnlimited(t *testing.T, name string, cut, deep *Dist, do func(*Dist) (*Dist, error)) {
	t.Run(name, func(t *testing.T) {
		got, err := do(cut)
		if err != nil {
			t.Fatal(err)
		}
		want, err := do(deep)
		if err != nil {
			t.Fatal(err)
		}
		want = want.bare()
		within(t, got, want, 1e-34)
		m, err := got.Moments(ctx)
		if err != nil {
			t.Fatal(err)
		}
		mean, variance := want.Mean(), want.Variance()
		off, _ := mean.Sub(mean, m.Mean).Float64()
		spread, _ := variance.Sub(variance, m.Variance).Float64()
		if math.Abs(off) > m.MeanBound+1e-30 || math.Abs(spread) > m.VarianceBound+1e-28 {
			t.Errorf("mean off by %g of %g, variance by %g of %g", off, m.MeanBound, spread, m.VarianceBound)
		}
		if m.MeanBound > 1e-15 || m.VarianceBound > 1e-8 {
			t.Errorf("the moments are hardly known: %g, %g", m.MeanBound, m.VarianceBound)
		}
		if got.Bound() > 1e-18 {
			t.Errorf("error %g", got.Bound())
		}
	})
}

func TestEndsOfUnlimitedRolls(t *testing.T) {
	d6 := Must(Die(6))
	up := Must(d6.Explode(ctx, Only(6), Unlimited))
	down := Must(up.Neg(ctx))
	for _, c := range []struct {
		name         string
		d            *Dist
		above, below bool
	}{
		{"d6!", up, true, false},
		{"-d6!", down, false, true},
		{"both ways", Must(up.Add(ctx, down)), true, true},
		{"exploding on -1", Must(Must(Faces(-1, 2)).Explode(ctx, Only(-1), Unlimited)), false, true},
		{"kept within", Must(up.Keep(ctx, UpTo(19))), false, false},
		{"kept far out", Must(up.Keep(ctx, UpTo(2000))), true, false},
		{"kept high", Must(up.Keep(ctx, From(7))), true, false},
		{"clamped", Must(up.Clamp(ctx, 2, 9)), false, false},
		{"clamped far out", Must(up.Clamp(ctx, 2, 9999)), true, false},
		{"capped", Must(Min(ctx, up, d6)), false, false},
		{"raised", Must(Max(ctx, up, d6)), true, false},
		{"floor", Must(Max(ctx, down, Constant(-3))), false, false},
		{"converted", Must(up.Convert(ctx, From(6), 0)), false, false},
		{"modulo", Must(up.Mod(ctx, Constant(5))), false, false},
		{"zero times", Must(TimesRolled(ctx, Must(Die(2)), up)), true, false},
		{"down", Must(TimesRolled(ctx, up, Must(Faces(-1, 0)))), false, true},
		{"successes", Must(SuccessPool(ctx, 3, 6, OnesCancel, Unlimited)), true, false},
	} {
		if c.d.UnboundedAbove() != c.above || c.d.UnboundedBelow() != c.below {
			t.Errorf("%s: above %v, below %v", c.name, c.d.UnboundedAbove(), c.d.UnboundedBelow())
		}
	}
	for _, exact := range []*Dist{
		Must(up.Keep(ctx, From(-3))),
		Must(up.Clamp(ctx, 0, math.MaxInt)),
		Must(up.Remove(ctx, UpTo(0))),
	} {
		if exact != up {
			t.Error("what changes nothing loses the moments")
		}
	}
	if c := Must(up.Clamp(ctx, -5, 1)); c.tail != nil || c.Len() != 1 {
		t.Error("all of it is clamped to 1")
	}
}

func TestWeightErrorsCount(t *testing.T) {
	d6 := Must(Die(6))
	m := Must(Mixture(ctx, []Part{
		{Weight: big.NewRat(1, 1), WeightBound: 1e-9, Roll: d6},
		{Weight: big.NewRat(1, 1), Roll: Constant(9)},
		{Weight: new(big.Rat), WeightBound: 1e-9, Roll: Constant(-100)},
	}))
	if e := m.Bound(); e < 1e-9 || e > 1.1e-9 {
		t.Errorf("error %g", e)
	}
	if m.Mean() != nil || !m.UnboundedBelow() || m.UnboundedAbove() {
		t.Error("a part that may happen is forgotten")
	}
	unknown := Must(Mixture(ctx, []Part{{Weight: big.NewRat(1, 1), Roll: d6}, {Weight: new(big.Rat), WeightBound: 1e-9}}))
	if _, err := unknown.Moments(ctx); err == nil || !unknown.UnboundedAbove() || !unknown.UnboundedBelow() {
		t.Error("results that are not known may be anything")
	}
	// The worst that the errors allow.
	worst := Must(Mixture(ctx, []Part{
		{Weight: new(big.Rat).SetFloat64(1 - 1e-9), Roll: d6},
		{Weight: big.NewRat(1, 1), Roll: Constant(9)},
		{Weight: new(big.Rat).SetFloat64(1e-9), Roll: Constant(-100)},
	}))
	within(t, m, worst, 0)
}

// A process that goes on nearly always is refused before it is begun.
func TestNearlyEndlessIsRefused(t *testing.T) {
	limited := WithBudget(context.Background(), NewBudget(Limits{Work: 1e8, Cells: 1e7, Outcomes: 1e6}))
	for _, out := range []string{"1/10", "1/100000", "1/1000000000", "1/1000000000000000000000000000000"} {
		p := ratOf(t, out)
		die := Must(Coin(p.Sub(big.NewRat(1, 1), p)))
		_, err := die.Explode(limited, Only(1), Unlimited)
		var limit *LimitError
		if out != "1/10" && !errors.As(err, &limit) {
			t.Errorf("%s: %v", out, err)
		}
		if out == "1/10" && err != nil {
			t.Error(err)
		}
	}
	d6 := Must(Die(6))
	for name, f := range map[string]func() (*Dist, error){
		"explode":   func() (*Dist, error) { return d6.Explode(limited, Only(6), 1<<40) },
		"all":       func() (*Dist, error) { return d6.Explode(limited, Everything, math.MaxInt) },
		"reroll":    func() (*Dist, error) { return d6.Reroll(limited, Only(6), math.MaxInt) },
		"rolled":    func() (*Dist, error) { return TimesRolled(limited, Must(Die(1<<20)), d6) },
		"successes": func() (*Dist, error) { return SuccessPool(limited, 1<<40, 6, OnesCancel, 48) },
		"waves":     func() (*Dist, error) { return SuccessPool(limited, 10, 6, OnesCancel, 1<<40) },
		"base":      func() (*Dist, error) { return SuccessPool(limited, 10, 6, OnesRemove, 1<<40) },
	} {
		_, err := f()
		var limit *LimitError
		var arg *ArgError
		if !errors.As(err, &limit) && !errors.As(err, &arg) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenEndedIsTheProcedure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		die := drawDie(t, "die")
		low, high, chain := drawSet(t, "low", die), drawSet(t, "high", die), drawSet(t, "chain", die)
		limit := rapid.IntRange(0, 3).Draw(t, "limit")
		overlap := false
		one := chancesOf(die)
		extra := one.exploded(chain, limit)
		want := one.then(func(x int) chances {
			overlap = overlap || low.Contains(x) && high.Contains(x)
			sign := 0
			switch {
			case high.Contains(x):
				sign = 1
			case low.Contains(x):
				sign = -1
			default:
				return sure(x)
			}
			return extra.then(func(y int) chances { return sure(x + sign*y) })
		})
		got, err := OpenEnded(ctx, die, low, high, chain, limit)
		if overlap != (err != nil) {
			t.Fatalf("overlap %v: %v", overlap, err)
		}
		if err == nil {
			agrees(t, "open-ended", got, want)
		}
	})
}

func TestRolemaster(t *testing.T) {
	d100 := Must(Die(100))
	low, high := Must(Through(1, 5)), Must(Through(96, 100))
	beyond := map[int]*big.Rat{0: new(big.Rat), 1: big.NewRat(1, 1000000)}
	for _, limit := range []int{0, 1, 2, 8, Unlimited} {
		d := Must(OpenEnded(ctx, d100, low, high, high, limit))
		want := beyond[limit]
		if want == nil {
			want = big.NewRat(5937, 50000000)
		}
		for _, c := range []struct {
			name      string
			got, want *big.Rat
		}{
			{"mean", d.Mean(), big.NewRat(101, 2)},
			{"P(>= 150)", d.AtLeast(150), big.NewRat(49, 2000)},
			{"P(<= 0)", d.AtMost(0), big.NewRat(49, 1000)},
			{"P(>= 300)", d.AtLeast(300), want},
			{"P(5)", d.PMF(5), new(big.Rat)},
			{"P(96)", d.PMF(96), new(big.Rat)},
		} {
			if c.got.Cmp(c.want) != 0 {
				t.Errorf("limit %d: %s is %v, want %v", limit, c.name, c.got, c.want)
			}
		}
		if limit != Unlimited && (d.Min() != -(100*(limit+1)-1) || d.Max() != 100*(limit+2)) {
			t.Errorf("limit %d: from %d to %d", limit, d.Min(), d.Max())
		}
	}
	full := Must(OpenEnded(ctx, d100, low, high, high, Unlimited))
	if v := full.Variance(); v.Cmp(big.NewRat(2525909, 1444)) != 0 {
		t.Errorf("variance %v", v)
	}
	if m := Must(OpenEnded(ctx, d100, Nothing, high, high, Unlimited)).Mean(); m.Cmp(big.NewRat(1010, 19)) != 0 {
		t.Errorf("high only: mean %v", m)
	}
	if m := Must(OpenEnded(ctx, d100, low, Nothing, high, Unlimited)).Mean(); m.Cmp(big.NewRat(909, 19)) != 0 {
		t.Errorf("low only: mean %v", m)
	}
	if d := Must(OpenEnded(ctx, d100, Nothing, Nothing, high, Unlimited)); !equal(d, d100) {
		t.Error("without triggers it is not the die")
	}
}
