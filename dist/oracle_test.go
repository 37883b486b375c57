package dist

import (
	"math/big"
	"testing"

	"dicescript/dist/internal/nat"

	"pgregory.net/rapid"
)

// The oracle: distributions as plain maps of chances, and operations that go
// through every combination. Slow, and too simple to be wrong.

type chances map[int]*big.Rat

func (c chances) add(x int, p *big.Rat) {
	if c[x] == nil {
		c[x] = new(big.Rat)
	}
	c[x].Add(c[x], p)
}

func chancesOf(d *Dist) chances {
	c := chances{}
	for x, w := range d.All() {
		c.add(x, new(big.Rat).SetFrac(w, d.Total()))
	}
	return c
}

// each visits every combination of two independent rolls.
func (c chances) each(e chances, visit func(x, y int, p *big.Rat)) {
	for x, p := range c {
		for y, q := range e {
			visit(x, y, new(big.Rat).Mul(p, q))
		}
	}
}

// then replaces every outcome by what follows on it.
func (c chances) then(next func(x int) chances) chances {
	out := chances{}
	for x, p := range c {
		for y, q := range next(x) {
			out.add(y, new(big.Rat).Mul(p, q))
		}
	}
	return out
}

func sure(x int) chances { return chances{x: big.NewRat(1, 1)} }

func (c chances) plus(e chances) chances {
	out := chances{}
	c.each(e, func(x, y int, p *big.Rat) { out.add(x+y, p) })
	return out
}

func (c chances) negated() chances {
	return c.then(func(x int) chances { return sure(-x) })
}

// given conditions on a set; false when nothing is left.
func (c chances) given(in func(x int) bool) (chances, bool) {
	sum, out := new(big.Rat), chances{}
	for x, p := range c {
		if in(x) {
			sum.Add(sum, p)
			out[x] = p
		}
	}
	if sum.Sign() == 0 {
		return nil, false
	}
	for x, p := range out {
		out[x] = new(big.Rat).Quo(p, sum)
	}
	return out, true
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// agrees fails unless d has exactly the chances, and the form that every
// distribution must have.
func agrees(t fataler, what string, d *Dist, want chances) {
	t.Helper()
	sum := new(big.Int)
	last, n := 0, 0
	for x, w := range d.All() {
		if n > 0 && x <= last {
			t.Fatalf("%s: outcome %d comes after %d", what, x, last)
		}
		last = x
		if w.Sign() <= 0 {
			t.Fatalf("%s: outcome %d has the weight %v", what, x, w)
		}
		sum.Add(sum, w)
		p := new(big.Rat).SetFrac(w, d.Total())
		if want[x] == nil || p.Cmp(want[x]) != 0 {
			t.Fatalf("%s: P(%d) = %v, want %v", what, x, p, want[x])
		}
		n++
	}
	if n != len(want) || n != d.Len() {
		t.Fatalf("%s: %d outcomes, Len %d, want %d", what, n, d.Len(), len(want))
	}
	if sum.Cmp(d.Total()) != 0 {
		t.Fatalf("%s: the weights sum to %v, the total is %v", what, sum, d.Total())
	}
	m1, m2 := new(big.Rat), new(big.Rat)
	for x, p := range want {
		v := big.NewRat(int64(x), 1)
		term := new(big.Rat).Mul(p, v)
		m1.Add(m1, term)
		m2.Add(m2, new(big.Rat).Mul(term, v))
	}
	if d.tail == nil {
		if got := d.Mean(); got.Cmp(m1) != 0 {
			t.Fatalf("%s: mean %v, want %v", what, got, m1)
		}
		if got, v := d.Variance(), variance(m1, m2); got.Cmp(v) != 0 {
			t.Fatalf("%s: variance %v, want %v", what, got, v)
		}
	}
	hasItsGenfunc(t, what, d)
}

// hasItsGenfunc checks N(z) = c W(z) D(z) for the generating function N/D that d
// carries.
func hasItsGenfunc(t fataler, what string, d *Dist) {
	t.Helper()
	if d.gf == nil || d.axis.N > 2000 {
		return
	}
	g := Must(nat.ShortestGenFunc(meterOf(ctx), d.w, d.size, d.gf))
	left, right := []nat.Term{{C: big.NewInt(1)}}, nat.WeightTerms(d.w)
	for _, f := range g.Factors {
		for range f.Power {
			left = nat.MulTerms(left, f.Poly)
		}
		for range -f.Power {
			right = nat.MulTerms(right, f.Poly)
		}
	}
	if len(left) != len(right) {
		t.Fatalf("%s: the generating function has other terms than the weights", what)
	}
	for i := range left {
		a := new(big.Int).Mul(left[i].C, right[0].C)
		b := new(big.Int).Mul(right[i].C, left[0].C)
		if left[i].Exp != right[i].Exp || a.Cmp(b) != 0 {
			t.Fatalf("%s: the generating function does not belong to the weights", what)
		}
	}
}

// drawDie draws a die with a few faces: plain, negative, weighted, with holes,
// or far out.
func drawDie(t *rapid.T, name string) *Dist {
	if rapid.IntRange(0, 3).Draw(t, name+" is far out") == 0 {
		return Must(Faces(rapid.SliceOfN(rapid.SampledFrom([]int{-1 << 40, -1000, -7, 0, 1, 30, 1 << 41}), 1, 4).Draw(t, name)...))
	}
	return drawSmall(t, name)
}

// drawSmall draws one whose faces lie close together.
func drawSmall(t *rapid.T, name string) *Dist {
	switch rapid.IntRange(0, 2).Draw(t, name+" kind") {
	case 0:
		return Must(Die(rapid.IntRange(1, 8).Draw(t, name)))
	case 1:
		return Must(Faces(rapid.SliceOfN(rapid.IntRange(-6, 9), 1, 6).Draw(t, name)...))
	}
	faces := rapid.SliceOfNDistinct(rapid.IntRange(-4, 12), 1, 5, rapid.ID[int]).Draw(t, name)
	weights := make([]*big.Int, len(faces))
	for i := range weights {
		weights[i] = big.NewInt(int64(rapid.SampledFrom([]int{1, 1, 2, 3, 6, 1 << 30, 1 << 62}).Draw(t, name+" weight")))
	}
	return Must(Weighted(ctx, faces, weights))
}

// drawSet draws a set that has something to do with a die.
func drawSet(t *rapid.T, name string, d *Dist) Set {
	xs := append(d.Outcomes(), -2, 0, 5)
	x := func() int { return rapid.SampledFrom(xs).Draw(t, name+" end") }
	var s Set
	switch rapid.IntRange(0, 4).Draw(t, name+" kind") {
	case 0:
		s = Only(rapid.SliceOfN(rapid.SampledFrom(xs), 0, 4).Draw(t, name)...)
	case 1:
		s = From(x())
	case 2:
		s = UpTo(x())
	case 3:
		a, b := x(), x()
		s = Must(Through(min(a, b), max(a, b)))
	default:
		s = rapid.SampledFrom([]Set{Everything, Nothing}).Draw(t, name)
	}
	if rapid.Bool().Draw(t, name+" inverted") {
		s = s.Not()
	}
	return s
}

func ratOf(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return r
}

// equal is [Same] without a limit.
func equal(a, b *Dist) bool { return Must(Same(ctx, a, b)) }
