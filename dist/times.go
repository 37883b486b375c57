package dist

import (
	"context"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// The sum of n independent copies has the n-th power of the generating
// function. Q = (N/D)^n satisfies N D Q' = n (N'D - N D') Q, which compares
// coefficient by coefficient to a linear recurrence with as many terms as N and
// D have together (Knuth, TAOCP vol. 2, 4.7, after Euler): each weight costs a
// few multiplications by small numbers instead of a convolution.

// Times returns the sum of n independent copies of d; 0 copies sum to 0. Cost:
// outcomes of the result times words of its total times terms of the
// recurrence, which are four for a fair die of any size.
func (d *Dist) Times(ctx context.Context, n int) (*Dist, error) {
	switch {
	case n < 0:
		return nil, badArg("n", "got %d, want at least 0", n)
	case n == 0:
		return Constant(0), nil
	case n == 1:
		return d, nil
	}
	lo, ok1 := axis.MulInt(d.Min(), n)
	_, ok2 := axis.MulInt(d.Max(), n)
	if !ok1 || !ok2 {
		return nil, errRange("n")
	}
	if d.size == 1 {
		return d.moved1(ctx, lo-d.Min(), timesTail(d, n))
	}
	if d.axis.List != nil {
		return d.timesScattered(ctx, n)
	}
	return d.timesStepped(ctx, n, lo)
}

func (d *Dist) timesStepped(ctx context.Context, n, lo int) (*Dist, error) {
	outcomes := upper.AddSat(upper.MulSat(int64(d.axis.N-1), int64(n)), 1)
	words := nat.PowerBits(d.total, n)/nat.LimbBits + 1
	if err := indexable(ctx, outcomes); err != nil {
		return nil, err
	}
	if err := ChargeTable(ctx, outcomes, 0); err != nil { // too many outcomes says more than too many words
		return nil, err
	}
	if err := chargeWeights(ctx, 1, words); err != nil {
		return nil, err
	}
	squaring := squaringWork(d, outcomes, words)
	p := power{of: d.w, n: n, axis: axis.Axis{Lo: lo, Step: d.axis.Step, N: int(outcomes)}}
	if squaring < p.work(words) { // which it is for a few dice
		return d.timesBySquaring(ctx, n)
	}
	plan, err := nat.PlanPowers(meterOf(ctx), d.w, d.size, d.gf)
	if err != nil {
		return nil, err
	}
	p.plan, p.symmetric = plan, d.w.IsSymmetric()
	if squaring < p.work(words) {
		return d.timesBySquaring(ctx, n)
	}
	p.total = new(big.Int).Exp(d.total, big.NewInt(int64(n)), nil)
	p.first = new(big.Int).Exp(nat.View(d.w.At(0)), big.NewInt(int64(n)), nil)
	out, err := p.dist(ctx, words)
	if err != nil {
		return nil, err
	}
	return out.withTail(timesTail(d, n)), nil
}

// A power is weights that a recurrence gives: those of the n-th power of what a plan is
// for.
type power struct {
	plan         nat.PowerPlan
	of           nat.Vec // the weights of the plan, where it is of a row
	n            int
	first, total *big.Int // the lowest weight of the power, and the sum of all
	symmetric    bool
	axis         axis.Axis
}

// work is about the work of the recurrence, of which symmetric weights need one half. A
// plan of nothing takes less than any.
func (p power) work(words int64) int64 {
	outcomes := int64(p.axis.N)
	if p.symmetric {
		outcomes = outcomes/2 + 1
	}
	return p.plan.Work(outcomes, words)
}

// dist charges and computes the weights, which take so many words.
func (p power) dist(ctx context.Context, words int64) (*Dist, error) {
	outcomes := int64(p.axis.N)
	if err := chargeWeights(ctx, outcomes, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.AddSat(p.work(words), 4*nat.Karatsuba(words))); err != nil {
		return nil, err
	}
	g := p.plan.GenFunc(p.of)
	w, err := nat.Powering{
		Recurrence: nat.NewRecurrence(g, p.n),
		First:      p.first,
		N:          p.axis.N,
		Words:      nat.WordsFor(p.total),
		Symmetric:  p.symmetric,
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	out := newPrimitive(p.axis, w, p.total, nil)
	if out.axis.List == nil {
		out.gf = g.ToPower(p.n)
	}
	return out, nil
}

// squaringWork is about the work of the last doubling, which is most of it. A
// run of equal weights is cheaper still, but the recurrence is too.
func squaringWork(d *Dist, outcomes, words int64) int64 {
	half, halfWords := outcomes/2+1, words/2+1
	school := upper.MulSat(upper.MulSat(half, half), upper.MulSat(halfWords, halfWords))
	return min(school, nat.ProductWork(half, half, words))
}

// timesBySquaring doubles and adds, for scattered outcomes and a few copies.
func (d *Dist) timesBySquaring(ctx context.Context, n int) (*Dist, error) {
	sum := d
	for bit := bits.Len(uint(n)) - 2; bit >= 0; bit-- {
		var err error
		if sum, err = sum.Add(ctx, sum); err != nil {
			return nil, err
		}
		if n>>bit&1 == 1 {
			if sum, err = sum.Add(ctx, d); err != nil {
				return nil, err
			}
		}
	}
	t := timesTail(d, n)
	if t == nil && sum.tail == nil {
		return sum, nil
	}
	return sum.withTail(t), nil
}

// A random sum is S = X_1 + ... + X_N, where the number of rolls is a roll
// itself: as many d6 as a d4 shows. Its generating function is N(X(z)), which
// Horner's rule evaluates from the highest count down, one sum of two rolls and
// one mixture with nothing for each count. Its moments are Wald's:
// E S = E N E X and Var S = E N Var X + Var N (E X)².

// TimesRolled returns the sum of as many independent copies of roll as count
// shows; a negative count is that many rolls subtracted. Cost: a sum of two
// rolls for each possible count.
func TimesRolled(ctx context.Context, count, roll *Dist) (*Dist, error) {
	switch {
	case count.Min() < 0 && count.Max() > 0:
		return timesEitherSign(ctx, count, roll)
	case count.Min() < 0:
		return timesSubtracted(ctx, count, roll)
	case count.size == 1 && count.tail == nil:
		return roll.Times(ctx, count.Min())
	case roll.size == 1 && roll.tail == nil:
		return count.Scale(ctx, roll.Min())
	}
	if err := sumFits(ctx, count, roll); err != nil {
		return nil, err
	}
	sum, err := sumRolled(ctx, count.bare(), roll.bare())
	if err != nil {
		return nil, err
	}
	return sum.withTail(randomSumTail(count, roll)), nil
}

// timesSubtracted is the sum for a count that is never above 0.
func timesSubtracted(ctx context.Context, count, roll *Dist) (*Dist, error) {
	rolls, err := count.Neg(ctx)
	if err != nil {
		return nil, err
	}
	if roll, err = roll.Neg(ctx); err != nil {
		return nil, err
	}
	return TimesRolled(ctx, rolls, roll)
}

// timesEitherSign mixes the sums for the counts below 0 and for the others.
func timesEitherSign(ctx context.Context, count, roll *Dist) (*Dist, error) {
	below := UpTo(-1)
	negative, err := count.Keep(ctx, below)
	if err != nil {
		return nil, err
	}
	others, err := count.Keep(ctx, From(0))
	if err != nil {
		return nil, err
	}
	subtracted, err := timesSubtracted(ctx, negative, roll)
	if err != nil {
		return nil, err
	}
	added, err := TimesRolled(ctx, others, roll)
	if err != nil {
		return nil, err
	}
	p, bound := count.In(below), count.Bound()
	return Mixture(ctx, []Part{
		{Weight: p, WeightBound: bound, Roll: subtracted},
		{Weight: new(big.Rat).Sub(big.NewRat(1, 1), p), WeightBound: bound, Roll: added},
	})
}

// sumFits refuses a random sum whose result or whose work is hopelessly large.
func sumFits(ctx context.Context, count, roll *Dist) error {
	_, ok1 := axis.MulInt(count.Max(), roll.Min())
	_, ok2 := axis.MulInt(count.Max(), roll.Max())
	if !ok1 || !ok2 {
		return errRange("n")
	}
	most := int64(count.Max())
	bits := upper.AddSat(upper.MulSat(most, int64(roll.total.BitLen()-1)), int64(count.total.BitLen()))
	places := int64(roll.size)
	if roll.axis.List == nil {
		places = upper.AddSat(upper.MulSat(most, int64(roll.axis.N-1)), 1)
	}
	if err := indexable(ctx, places); err != nil {
		return err
	}
	perOutcome := bits/nat.LimbBits/2 + 1
	if roll.axis.List != nil || nat.EqualWeights(roll.w) == nil {
		perOutcome = upper.MulSat(perOutcome, upper.MulSat(int64(roll.axis.Len()), int64(roll.w.Words)))
	}
	return wouldFit(ctx, upper.MulSat(int64(count.size), upper.MulSat(places, perOutcome)/4))
}

// sumRolled evaluates p_0 + X (p_1 + X (p_2 + ...)).
func sumRolled(ctx context.Context, count, roll *Dist) (*Dist, error) {
	ns := count.Outcomes()
	top := len(ns) - 1
	sum, weight := Constant(0), new(big.Rat).SetInt(count.weightOf(ns[top]))
	for i := top; i >= 0; i-- {
		gap := ns[i]
		if i > 0 {
			gap -= ns[i-1]
		}
		more, err := roll.Times(ctx, gap)
		if err != nil {
			return nil, err
		}
		if sum, err = sum.Add(ctx, more); err != nil || i == 0 {
			return sum, err
		}
		fewer := new(big.Rat).SetInt(count.weightOf(ns[i-1]))
		sum, err = Mixture(ctx, []Part{{Weight: weight, Roll: sum}, {Weight: fewer, Roll: Constant(0)}})
		if err != nil {
			return nil, err
		}
		weight = new(big.Rat).Add(weight, fewer)
	}
	return sum, nil
}

// weightOf returns the weight of a possible outcome.
func (d *Dist) weightOf(x int) *big.Int {
	i, _ := d.axis.Find(x)
	return nat.Natural(d.w.At(i))
}

// randomSumTail: S - S~ is the rolls between N~ and N, whose root mean square
// is at most that of |N - N~| X, and the differences of the first N~ rolls.
func randomSumTail(count, roll *Dist) *tail {
	if !anyTail(count, roll) {
		return nil
	}
	n1, n2 := count.bare().cutMoments()
	countMoved1, countMoved2 := count.moved()
	rollMoved1, rollMoved2 := roll.moved()
	rms := roll.rootMeanSquare()
	root := upper.Add(upper.Mul(upper.Sqrt(countMoved2), rms), upper.Mul(upper.Sqrt(upper.Abs(n2)), upper.Sqrt(rollMoved2)))
	t := &tail{
		err:   min(1, upper.Add(count.Bound(), upper.Mul(upper.Abs(n1), roll.Bound()))),
		above: roll.UnboundedAbove() || count.UnboundedAbove() && roll.Max() > 0 || count.UnboundedBelow() && roll.Min() < 0,
		below: roll.UnboundedBelow() || count.UnboundedAbove() && roll.Min() < 0 || count.UnboundedBelow() && roll.Max() > 0,
		d1:    upper.Add(upper.Mul(countMoved1, rms), upper.Mul(upper.Abs(n1), rollMoved1)),
		d2:    upper.Mul(root, root),
	}
	t.m1, t.m2 = waldMoments(count, roll)
	return t
}

func waldMoments(count, roll *Dist) (m1, m2 *big.Rat) {
	n1, n2 := count.bothMoments()
	x1, x2 := roll.bothMoments()
	if n1 == nil || x1 == nil {
		return nil, nil
	}
	m1 = new(big.Rat).Mul(n1, x1)
	if n2 == nil || x2 == nil || count.UnboundedBelow() {
		return m1, nil
	}
	// E S² = E N E X² + (E N² - E N) (E X)², where N is never negative.
	m2 = new(big.Rat).Mul(n1, x2)
	pairs := new(big.Rat).Sub(n2, n1)
	pairs.Mul(pairs, x1)
	return m1, m2.Add(m2, pairs.Mul(pairs, x1))
}
