package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

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
