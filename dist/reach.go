package dist

import (
	"math"

	"dicescript/dist/internal/axis"
)

// A reach is a range of integers outside which nothing can happen: that of a
// true roll, of which the represented outcomes are a part, or that of a set.
// It bounds what a cut can do to moments, and it tells whether the ends that
// are represented are the true ends.
type reach struct {
	lo, hi       int  // the ends, where there are ends; lo > hi when it is empty
	below, above bool // whether it has no end there
}

var nowhere = reach{lo: math.MaxInt, hi: math.MinInt}

// reach returns where the true roll can lie.
func (d *Dist) reach() reach {
	return reach{lo: d.Min(), hi: d.Max(), below: d.UnboundedBelow(), above: d.UnboundedAbove()}
}

// reach returns the narrowest reach of a set.
func (s Set) reach() reach {
	if s.inverted {
		return s.reachOutside()
	}
	switch {
	case s.none:
		return nowhere
	case s.list != nil:
		return reach{lo: s.list[0], hi: s.list[len(s.list)-1]}
	}
	return reach{lo: s.lo, hi: s.hi, below: !s.hasLo, above: !s.hasHi}
}

// reachOutside returns the reach of all integers but those of the list or
// range of s.
func (s Set) reachOutside() reach {
	everywhere := reach{below: true, above: true}
	switch {
	case s.none || s.list != nil || s.hasLo && s.hasHi:
		return everywhere
	case s.hasLo && s.lo > math.MinInt:
		return reach{hi: s.lo - 1, below: true}
	case s.hasHi && s.hi < math.MaxInt:
		return reach{lo: s.hi + 1, above: true}
	}
	return nowhere
}

func (r reach) bounded() bool { return !r.below && !r.above }

func (r reach) empty() bool { return r.bounded() && r.lo > r.hi }

// and returns the part of r that is in q too.
func (r reach) and(q reach) reach {
	out := reach{lo: r.lo, hi: r.hi, below: r.below && q.below, above: r.above && q.above}
	if r.below || !q.below && q.lo > r.lo {
		out.lo = q.lo
	}
	if r.above || !q.above && q.hi < r.hi {
		out.hi = q.hi
	}
	return out
}

// with returns r widened to hold x.
func (r reach) with(x int) reach {
	r.lo, r.hi = min(r.lo, x), max(r.hi, x)
	return r
}

// surelyIn reports whether it is plain that no outcome of the true roll lies
// outside s.
func (d *Dist) surelyIn(s Set) bool {
	if s.inverted || s.none || s.list != nil {
		return s.Not().reach().and(d.reach()).empty()
	}
	fromLo := !s.hasLo || s.lo == math.MinInt || !d.UnboundedBelow() && d.Min() >= s.lo
	toHi := !s.hasHi || s.hi == math.MaxInt || !d.UnboundedAbove() && d.Max() <= s.hi
	return fromLo && toHi
}

// confined returns out, which is made of the outcomes of d that lie in r and has
// the tail t, with the ends and the bounds that follow: it goes on beyond what
// is represented where d does, unless the end of r is represented, and its
// distance from the truth is at most the width of r.
func (out *Dist) confined(t *tail, d *Dist, r reach) *Dist {
	if t == nil {
		return out
	}
	gaps := d.hasGaps()
	t.above = (d.UnboundedAbove() || gaps) && (r.above || out.Max() < r.hi)
	t.below = (d.UnboundedBelow() || gaps) && (r.below || out.Min() > r.lo)
	return out.withTail(t.narrowed(r))
}

// hasGaps reports whether some integer between the ends of d is not represented.
// A cut roll may show it all the same.
func (d *Dist) hasGaps() bool { return axis.Span(d.Min(), d.Max()) != uint(d.size-1) }

// narrowed returns t with the bounds of a result that lies in r.
func (t *tail) narrowed(r reach) *tail {
	if t == nil || !r.bounded() || t.err == 0 {
		return t
	}
	b := boundedTail(t.err, r.lo, r.hi)
	t.d1, t.d2 = min(t.d1, b.d1), min(t.d2, b.d2)
	return t
}
