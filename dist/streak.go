package dist

import (
	"context"
	"math"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A streak is a run of rolls that go on with chance p each: a random sum
//
//	Z = X_1 + ... + X_K + A,   P(K = k) = p^k (1-p)
//
// of what the rolls that go on add and what the last one adds, with the
// generating function A / (1 - pX). It satisfies Z = F + [F goes on] Z' for one
// roll F and a fresh Z', whence
//
//	E Z  = E F / (1-p)
//	E Z² = (E F² + 2 E[F; F goes on] E Z) / (1-p).

// cutBits is the cut of unlimited processes: where the chance of going on is
// below 2^-cutBits.
const cutBits = 80

// A streak of rolls goes on with chance p. All of it is exact.
type streak struct {
	p    *big.Rat
	on   *Dist // what a roll that goes on adds
	stop *Dist // what the last roll adds; nil when p is 1
}

// newStreak splits what is represented of d into the faces in the set and the
// others. Its p is zero when no face is in the set.
func newStreak(ctx context.Context, d *Dist, on Set) (streak, error) {
	d = d.bare()
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words))); err != nil {
		return streak{}, err
	}
	c := streak{p: d.In(on)}
	var err error
	if c.p.Sign() > 0 {
		if c.on, err = d.Keep(ctx, on); err != nil {
			return streak{}, err
		}
	}
	if !c.never() {
		c.stop, err = d.Keep(ctx, on.Not())
	}
	return c, err
}

// never reports whether the streak never stops.
func (c streak) never() bool { return c.p.IsInt() && c.p.Sign() > 0 }

func (c streak) q() *big.Rat { return new(big.Rat).Sub(big.NewRat(1, 1), c.p) }

// sum returns the sum of a streak of at most depth extra rolls.
func (c streak) sum(ctx context.Context, depth int) (*Dist, error) {
	if depth == Unlimited {
		return c.unlimited(ctx)
	}
	return c.limited(ctx, depth)
}

// limited returns the sum of a streak of at most depth extra rolls, whether or
// not the last one would go on.
func (c streak) limited(ctx context.Context, depth int) (*Dist, error) {
	if depth == math.MaxInt {
		return nil, errRange("max_depth")
	}
	all, err := c.on.Times(ctx, depth+1)
	if err != nil || c.stop == nil {
		return all, err
	}
	k, err := streakLength(ctx, c.p, depth, false)
	if err != nil {
		return nil, err
	}
	ended, err := c.stopped(ctx, k)
	if err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, square(nat.WordsFor(k.total))); err != nil {
		return nil, err
	}
	through := powRat(c.p, depth+1)
	out, err := Mixture(ctx, []Part{
		{Weight: new(big.Rat).Sub(big.NewRat(1, 1), through), Roll: ended},
		{Weight: through, Roll: all},
	})
	if err != nil {
		return nil, err
	}
	return out.withDenominator(c), nil
}

// unlimited returns the sum of a streak without a limit, cut after n extra
// rolls: the last one is then taken to stop. So nothing impossible gets a
// chance, and the cut one differs from the true one only where all of n+1
// rolls go on.
func (c streak) unlimited(ctx context.Context) (*Dist, error) {
	if c.on.size == 1 && c.on.Min() == 0 {
		return c.stop, nil // going on adds nothing
	}
	n, err := cutAfter(c.p)
	if err != nil {
		return nil, err
	}
	k, err := streakLength(ctx, c.p, n, true)
	if err != nil {
		return nil, err
	}
	out, err := c.stopped(ctx, k)
	if err != nil {
		return nil, err
	}
	return out.withDenominator(c).withTail(c.tail(n)), nil
}

// stopped returns the sum of k rolls that go on and one that stops.
func (c streak) stopped(ctx context.Context, k *Dist) (*Dist, error) {
	sum, err := TimesRolled(ctx, k, c.on)
	if err != nil {
		return nil, err
	}
	return sum.Add(ctx, c.stop)
}

// moments returns E Z and E Z² of the unlimited streak.
func (c streak) moments() (m1, m2 *big.Rat) {
	on1, on2 := c.on.cutMoments()
	stop1, stop2 := c.stop.cutMoments()
	q := c.q()
	both := func(on, stop *big.Rat) *big.Rat {
		a := new(big.Rat).Mul(c.p, on)
		return a.Add(a, new(big.Rat).Mul(q, stop))
	}
	m1 = both(on1, stop1)
	m1.Quo(m1, q)
	cross := new(big.Rat).Mul(c.p, on1) // E[F; F goes on]
	cross.Mul(cross, m1)
	m2 = both(on2, stop2)
	m2.Add(m2, cross.Add(cross, cross))
	return m1, m2.Quo(m2, q)
}

// tail is the tail of the unlimited streak that is cut after n extra rolls. With
// chance p^(n+1) the true one adds X + Z where the cut one adds A.
func (c streak) tail(n int) *tail {
	m1, m2 := c.moments()
	on1, on2 := c.on.cutMoments()
	stop1, stop2 := c.stop.cutMoments()
	// E(X+Z)² - 2 E(X+Z) E A + E A²
	mean := new(big.Rat).Add(on1, m1)
	gap := new(big.Rat).Mul(on1, m1)
	gap.Add(gap, gap)
	gap.Add(gap, on2).Add(gap, m2)
	twice := new(big.Rat).Mul(mean, stop1)
	gap.Sub(gap, twice.Add(twice, twice)).Add(gap, stop2)
	err := upper.Pow(c.p, n+1)
	t := rootTail(err, upper.Sqrt(upper.Mul(err, upper.Abs(gap))))
	t.m1, t.m2 = m1, m2
	t.above, t.below = c.on.Max() > 0, c.on.Min() < 0
	return t
}

// streakLength returns how often a streak goes on, as far as n times: k times with
// chance p^k (1-p) for k < n. For k = n it has the rest when rest is set, and
// in proportion to the others when not.
func streakLength(ctx context.Context, p *big.Rat, n int, rest bool) (*Dist, error) {
	a, t := p.Num(), p.Denom()
	words := upper.MulSat(int64(n), int64(t.BitLen()))/nat.LimbBits + 1
	if err := indexable(ctx, upper.AddSat(int64(n), 1)); err != nil {
		return nil, err
	}
	if err := chargeWeights(ctx, int64(n)+1, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(upper.MulSat(int64(n)+1, words), 2*int64(nat.WordsFor(t)))); err != nil {
		return nil, err
	}
	w := nat.NewVec(n+1, int(words))
	// T^n, T^(n-1) a, ..., a^n; with rest, T-a in the place of one T but for the last.
	x := new(big.Int).Exp(t, big.NewInt(int64(n)), nil)
	if rest && n > 0 {
		x.Quo(x, t).Mul(x, new(big.Int).Sub(t, a))
	}
	tick := work.NewTicker(ctx)
	for k := 0; k <= n; k++ {
		if err := tick.Tick(int(words)); err != nil {
			return nil, err
		}
		if rest && k == n {
			x.Exp(a, big.NewInt(int64(n)), nil)
		}
		nat.PutInt(w.At(k), x)
		if k+1 < n || !rest && k < n {
			x.Quo(x, t).Mul(x, a)
		}
	}
	return newDist(ctx, axis.Axis{Lo: 0, Step: 1, N: n + 1}, w, nil)
}

// cutAfter returns the least n for which p^(n+1) is below 2^-cutBits.
func cutAfter(p *big.Rat) (int, error) {
	q, _ := new(big.Rat).Sub(big.NewRat(1, 1), p).Float64()
	estimate := -cutBits * math.Ln2 / math.Log1p(-q)
	if !(estimate < axis.MaxOutcomes) {
		need := int64(math.MaxInt64)
		if estimate < 1<<62 {
			need = int64(estimate)
		}
		return 0, &LimitError{Resource: OutcomesResource, Need: need, Limit: axis.MaxOutcomes}
	}
	n := max(0, int(estimate)-3)
	for limit := math.Ldexp(1, -cutBits); upper.Pow(p, n+1) >= limit; n++ {
	}
	return n, nil
}

// powRat returns p^n exactly.
func powRat(p *big.Rat, n int) *big.Rat {
	e := big.NewInt(int64(n))
	return new(big.Rat).SetFrac(new(big.Int).Exp(p.Num(), e, nil), new(big.Int).Exp(p.Denom(), e, nil))
}

func square(words int) int64 { return upper.MulSat(int64(words), int64(words)) }

// maxGoingOn is how many faces may explode for a short generating function.
const maxGoingOn = 16

// withDenominator returns d, which is a sum of the streak, with what makes its
// generating function short: a sum of the streak is N / (1 - pX), and since the
// streak repeats itself most terms of N = (1 - pX) d cancel.
func (d *Dist) withDenominator(c streak) *Dist {
	if d.axis.List != nil || c.on.size > maxGoingOn {
		return d
	}
	den := c.denominator(d.axis.Step)
	if den == nil {
		return d
	}
	out := *d
	out.gf = nat.NewGenFunc(nat.Factor{Poly: den, Power: -1})
	out.gf.Rest = true
	return &out
}

// denominator returns 1 - pX without fractions and without negative exponents,
// in steps of an axis; nil when X does not fit the axis.
func (c streak) denominator(step int) []nat.Term {
	// 1 - pX is in proportion to T W - a X~, with p = a/T and X = X~/W
	den := []nat.Term{{C: new(big.Int).Mul(c.p.Denom(), c.on.total)}}
	least := 0
	for x, w := range c.on.All() {
		if x%step != 0 {
			return nil
		}
		den = append(den, nat.Term{Exp: x / step, C: w.Neg(w.Mul(w, c.p.Num()))})
		least = min(least, x/step)
	}
	for i := range den {
		den[i].Exp -= least
		if den[i].Exp < 0 || den[i].Exp > math.MaxInt32 {
			return nil
		}
	}
	den = nat.Terms(den)
	if len(den) < 2 || den[0].Exp != 0 {
		return nil
	}
	return den
}
