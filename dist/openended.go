package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// An open-ended roll starts with one roll of a die. When that is in the high
// trigger, a chain of further rolls is added to it; when it is in the low
// trigger, a chain is subtracted; else it stands. A chain is an explosion of
// the die, see [Dist.Explode], on faces that need not be those of a trigger. So
// the roll is a mixture over what the first roll is:
//
//	X = [F stands] F + [F high] (F + C) + [F low] (F - C).

// OpenEnded returns the open-ended roll of a die. A trigger that never happens
// is [Nothing]. A chain has a first extra roll and, while the last one is in
// the set chain, further ones, at most limit of them, which may be [Unlimited].
// Triggers that have a face in common are an error, and so are an unlimited
// chain that can never end and a die that is unlimited itself. Cost: that of the
// explosion and of two sums.
func OpenEnded(ctx context.Context, die *Dist, low, high, chain Set, limit int) (*Dist, error) {
	if limit < Unlimited {
		return nil, badArg("max_chain", "got %d, want at least 0, or none", limit)
	}
	if die.tail != nil {
		return nil, badArg("die", "it is an unlimited roll itself, want one with a limit")
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(die.axis.Len()), 3*int64(die.w.Words+lookWork))); err != nil {
		return nil, err
	}
	tick := work.NewTicker(ctx)
	for i, n := 0, die.axis.Len(); i < n; i++ {
		if err := tick.Tick(4); err != nil {
			return nil, err
		}
		x := die.axis.At(i)
		if low.Contains(x) && high.Contains(x) && !nat.IsZero(die.w.At(i)) {
			return nil, badArg("high", "%d is in the low trigger too, want triggers with nothing in common", x)
		}
	}
	o := openEnded{die: die, chain: chain, limit: limit}
	o.add(ctx, low.Not(), high.Not(), nil)
	o.add(ctx, high, Everything, (*Dist).Add)
	o.add(ctx, low, Everything, (*Dist).Sub)
	if o.err != nil {
		return nil, o.err
	}
	return Mixture(ctx, o.parts)
}

// openEnded collects the parts of the mixture.
type openEnded struct {
	die   *Dist
	chain Set
	limit int
	extra *Dist // the chain, once a trigger needs it
	parts []Part
	err   error
}

// add adds the part whose first roll is in both of two sets.
func (o *openEnded) add(ctx context.Context, in, and Set, combine func(d *Dist, ctx context.Context, e *Dist) (*Dist, error)) {
	if o.err != nil {
		return
	}
	first, p := o.die, big.NewRat(1, 1)
	for _, s := range []Set{in, and} {
		chance := first.In(s)
		if chance.Sign() == 0 {
			return
		}
		if first, o.err = first.Keep(ctx, s); o.err != nil {
			return
		}
		p.Mul(p, chance)
	}
	if combine != nil {
		first, o.err = o.chained(ctx, first, combine)
	}
	o.parts = append(o.parts, Part{Weight: p, Roll: first})
}

func (o *openEnded) chained(ctx context.Context, d *Dist, combine func(d *Dist, ctx context.Context, e *Dist) (*Dist, error)) (*Dist, error) {
	if o.extra == nil {
		var err error
		if o.extra, err = o.die.explode(ctx, o.chain, o.limit, "chain", "max_chain"); err != nil {
			return nil, err
		}
	}
	return combine(d, ctx, o.extra)
}
