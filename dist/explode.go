package dist

import (
	"context"
	"math"

	"dicescript/dist/upper"
)

// An exploding die is rolled again and added while it shows certain faces: a
// streak (see streak.go) whose rolls go on when they show one of those faces, and
// add what they show either way.

// Unlimited, as the limit of explosions, rerolls, chains and waves, is none.
const Unlimited = -1

// TopFace returns the set of the highest outcome alone, which is what a die
// explodes on unless a rule says otherwise. It is empty for a roll that has no
// highest outcome.
func (d *Dist) TopFace() Set {
	if d.UnboundedAbove() {
		return Nothing
	}
	return Only(d.Max())
}

// Explode returns d rolled again and added while it shows a face in on, with at
// most depth extra rolls, the last of which counts as rolled; depth may be
// [Unlimited]. An unlimited explosion that can never end is an error. Cost: the
// outcomes of the result times its words, times depth when several faces
// explode.
func (d *Dist) Explode(ctx context.Context, on Set, depth int) (*Dist, error) {
	return d.explode(ctx, on, depth, "on", "max_depth")
}

// explode is Explode with names for its parameters.
func (d *Dist) explode(ctx context.Context, on Set, depth int, onName, depthName string) (*Dist, error) {
	if depth < Unlimited {
		return nil, badArg(depthName, "got %d, want at least 0, or none", depth)
	}
	if depth == 0 || d.surelyIn(on.Not()) {
		return d, nil
	}
	c, err := newStreak(ctx, d, on)
	if err != nil {
		return nil, err
	}
	var out *Dist
	switch {
	case c.p.Sign() == 0:
		out = c.stop
	case depth == Unlimited && c.stop == nil:
		return nil, badArg(onName, "got every face, so the explosion can never end")
	default:
		if out, err = c.sum(ctx, depth); err != nil {
			return nil, err
		}
	}
	if d.tail == nil {
		return out, nil
	}
	return out.withTail(explodedTail(d, c, depth, out)), nil
}

// explodedTail is the tail of an explosion of d when d itself is cut; out is the
// explosion of what is represented of d, with the tail of its own cut.
//
// Both explosions go on together until a roll differs. With D = Z - Z~,
//
//	D = (F - F~) + [F goes on] D' + ([F goes on] - [F~ goes on]) Z~',
//
// so a root mean square of D is a geometric sum with the ratio sqrt(p), and
// sqrt(E Z~²) is one of sqrt(E F~²).
func explodedTail(d *Dist, c streak, depth int, out *Dist) *tail {
	rolls := Unlimited
	if depth != Unlimited {
		rolls = depth + 1
	}
	e := d.tail.err
	p := upper.Add(upper.Abs(c.p), e)
	_, f2 := d.cutMoments()
	steps := geometricUp(upper.Sqrt(p), rolls)
	most := upper.Mul(upper.Sqrt(upper.Abs(f2)), steps)
	root := upper.Mul(upper.Add(upper.Sqrt(d.tail.d2), upper.Mul(upper.Sqrt(e), most)), steps)
	_, cut := out.moved()
	t := rootTail(upper.Add(upper.Mul(e, geometricUp(p, rolls)), out.Bound()), upper.Add(root, upper.Sqrt(cut)))
	// A face that is not represented may explode: one above Max may be negative
	// only where Max is, and one below Min positive only where Min is. And the
	// only faces that stop may not be represented.
	t.above = d.UnboundedAbove() || out.UnboundedAbove() || d.UnboundedBelow() && (c.stop == nil || d.Min() > 0)
	t.below = d.UnboundedBelow() || out.UnboundedBelow() || d.UnboundedAbove() && (c.stop == nil || d.Max() < 0)
	if d.hasGaps() {
		// What is not represented between the ends may explode or stop.
		t.above = t.above || d.Max() > 0 || out.Max() < d.Max()
		t.below = t.below || d.Min() < 0 || out.Min() > d.Min()
	}
	return t
}

// geometricUp returns a float that is not below 1 + s + s² + ... of the given
// number of terms, or of any number of them when it is Unlimited.
func geometricUp(s float64, terms int) float64 {
	bound := math.Inf(1)
	if terms != Unlimited {
		bound = upper.Int(terms)
	}
	if s < 1 {
		bound = min(bound, upper.Div(1, upper.Down(1-s)))
	}
	return bound
}
