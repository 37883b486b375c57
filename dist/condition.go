package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Conditioning keeps the outcomes of an event E and their weights as they are:
// P(X = x | E) = P(X = x) / P(E).
//
// For a cut roll it divides the error by P(E): among the events A inside E,
// P(A)/P(E) - Q(A)/Q(E) is at most (P(A) - Q(A)) / max(P(E), Q(E)).

// Keep returns d on condition that it is in s. It is an error when no outcome
// is, or when the chance of that is not safely above the error of an unlimited
// roll. Cost: the outcomes times their words.
func (d *Dist) Keep(ctx context.Context, s Set) (*Dist, error) {
	if d.surelyIn(s) {
		return d, nil
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words+lookWork))); err != nil {
		return nil, err
	}
	part, ok, err := d.part(ctx, s)
	if err != nil {
		return nil, err
	}
	if !ok && d.tail == nil {
		return nil, badArg("spec", "no outcome is left, got %s, want one of those from %d to %d", s, d.Min(), d.Max())
	}
	weight := new(big.Int)
	if ok {
		weight = part.w.Sum()
	}
	p := d.chance(weight)
	if d.tail != nil && upper.AbsDown(p) <= 1024*d.tail.err {
		return nil, badArg("spec", "the chance of %s is not safely above the error of this unlimited roll; give the roll a limit", s)
	}
	kept, err := newDist(ctx, part.axis, part.w, nil)
	if err != nil {
		return nil, err
	}
	return kept.confined(conditionTail(d, p), d, s.reach().and(d.reach())), nil
}

// Remove returns d on condition that it is not in s; see [Dist.Keep].
func (d *Dist) Remove(ctx context.Context, s Set) (*Dist, error) { return d.Keep(ctx, s.Not()) }

// part returns a row with the weights of the outcomes in s, and false when
// there are none.
func (d *Dist) part(ctx context.Context, s Set) (row, bool, error) {
	from, to := d.axis.Len(), 0
	tick := work.NewTicker(ctx)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if err := tick.Tick(d.w.Words + 4); err != nil {
			return row{}, false, err
		}
		if s.Contains(d.axis.At(i)) && !nat.IsZero(d.w.At(i)) {
			from, to = min(from, i), i+1
		}
	}
	if from >= to {
		return row{}, false, nil
	}
	if err := chargeWeights(ctx, int64(to-from), int64(d.w.Words)); err != nil {
		return row{}, false, err
	}
	out := row{axis: d.axis.Slice(from, to), w: nat.NewVec(to-from, d.w.Words)}
	for i := from; i < to; i++ {
		if err := tick.Tick(d.w.Words + 4); err != nil {
			return row{}, false, err
		}
		if s.Contains(d.axis.At(i)) {
			copy(out.w.At(i-from), d.w.At(i))
		}
	}
	return out, true, nil
}

// conditionTail is the tail of d on condition of a set, which has chance p in
// what is represented.
//
// Couple the two conditional rolls as the rolls are coupled where both are in
// the set, and independently on what is left of the larger chance. What is left has
// a chance of at most err/p and its mean square is at most that of either roll
// where the two differ, plus what the difference of the two chances shifts.
func conditionTail(d *Dist, p *big.Rat) *tail {
	if d.tail == nil {
		return nil
	}
	e, d2 := d.tail.err, d.tail.d2
	least := upper.Down(upper.AbsDown(p) - e)                               // a lower bound of both chances
	far, rms := d.farthest(), upper.Add(d.rootMeanSquare(), upper.Sqrt(d2)) // of either roll
	cut := upper.Mul(e, upper.Mul(far, far))                                // E X~² where the two differ
	root := upper.Add(upper.Sqrt(cut), upper.Sqrt(d2))
	sum := upper.Add(d2, upper.Mul(2, upper.Add(upper.Mul(root, root), cut)))
	sum = upper.Add(sum, upper.Mul(2, upper.Div(upper.Mul(e, upper.Mul(rms, rms)), least)))
	return rootTail(upper.Div(e, upper.AbsDown(p)), upper.Sqrt(upper.Div(sum, least)))
}

// Outcomes on condition of some of their labels: the weights of the others are
// left out, and the rest is out of what remains.

// Given returns o on condition of the labels for which in holds. The others are
// no labels of the result. As for [Dist.Keep], it is an error when nothing
// is left, and when the chance of the condition is not safely above the error
// bound of o, which is divided by it.
func Given[L comparable](ctx context.Context, o *Outcomes[L], in func(L) (bool, error)) (*Outcomes[L], error) {
	if err := ChargeWork(ctx, upper.MulSat(int64(len(o.labels)), int64(o.w.Words+work.Visit))); err != nil {
		return nil, err
	}
	var t Tally[L]
	for i, l := range o.labels {
		yes, err := in(l)
		if err != nil {
			return nil, err
		}
		if yes {
			t.Add(l, weightOfLimbs(o.w.At(i)))
		}
	}
	weight := t.Total()
	if weight.IsZero() && o.err == 0 {
		return nil, badArg("labels", "none that can happen is left")
	}
	p := new(big.Rat).SetFrac(weight.Int(), o.total)
	if o.err > 0 && upper.AbsDown(p) <= 1024*o.err {
		return nil, badArg("labels", "their chance is not safely above the error of an unlimited roll; give the roll a limit")
	}
	return outcomesFrom(ctx, &t, upper.Div(o.err, upper.AbsDown(p)), o.complete)
}
