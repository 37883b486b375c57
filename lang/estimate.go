// What a run will take, told before it: for hosts that let in what they can afford.

package lang

import (
	"context"
	"errors"

	"dicescript/builtins/meter"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// tried are the limits under which a recipe is tried: some milliseconds.
var tried = Limits{Steps: 100_000, Work: 2_000_000, Cells: 500_000, Bytes: 8 << 20}

// Estimate returns an upper bound on what a run with these options takes: its Steps and
// Work are never below those of the run, and no other field is set. It reports false when
// it can't tell.
//
// A recipe that takes little is tried, at most some milliseconds long, without its prints;
// then the bound is what it takes. Of others it is read off the text where that consists of
// literals, rolls and numbers that are computed with, ranges, grids and maps over known dice.
// Then it may be many times more than the run takes: what it is good for is to let in the
// recipes that are within a bound. A recipe that calls functions of the host is not tried.
//
// The limits of the run bound the estimate: one that needs more than they allow ends there.
func (p *Program) Estimate(ctx context.Context, opts ...RunOption) (Usage, bool) {
	o := newRunOptions(opts)
	if p.host.usable() != nil || o.unfit != nil {
		return Usage{}, false
	}
	limits := o.limitsOf(p.host)
	if used, ok := p.try(ctx, limits, o.values, opts); ok {
		return used, true
	}
	if p.foreign != nil || ctx.Err() != nil {
		return Usage{}, false
	}
	return p.foresee(o)
}

// try runs the recipe under small limits.
func (p *Program) try(ctx context.Context, limits Limits, values starlark.StringDict, opts []RunOption) (Usage, bool) {
	if p.asksHost(values) {
		return Usage{}, false
	}
	small := limits
	small.Steps, small.Work = lower(limits.Steps, tried.Steps), lower(limits.Work, tried.Work)
	small.Cells, small.Bytes = lower(limits.Cells, tried.Cells), lower(limits.Bytes, tried.Bytes)
	opts = append(append([]RunOption(nil), opts...), WithRunLimits(small), WithRunPrint(func(context.Context, string) {}))
	r, err := p.Run(ctx, opts...)
	var limit *dist.LimitError
	switch e := new(Error); {
	case errors.As(err, &e) && (e.Kind == KindDeadline || e.Kind == KindCancelled || e.Kind == KindInternal):
		return Usage{}, false
	case errors.As(err, &limit) && !p.sameLimit(limits, limit):
		return Usage{}, false
	}
	return Usage{Steps: r.Usage.Steps, Work: r.Usage.Work}, true
}

// lower is the lower one of two limits.
func lower(a, b int64) int64 {
	if a < 0 {
		return b
	}
	return min(a, b)
}

// sameLimit reports whether a run under some limits would have met this one too.
func (p *Program) sameLimit(l Limits, met *dist.LimitError) bool {
	var own int64
	switch met.Resource {
	case meter.Steps:
		own = l.Steps
	case dist.WorkResource:
		own = l.Work
	case dist.CellsResource:
		own = l.Cells
	case meter.Bytes:
		own = l.Bytes
	default:
		return true // that was not made smaller
	}
	return own >= 0 && own <= met.Limit
}

// asksHost reports whether the recipe or one of its modules uses a function of the host,
// which may take its time, or values of the host's own types.
func (p *Program) asksHost(values starlark.StringDict) bool {
	for _, u := range p.units {
		if u.code == nil {
			continue
		}
		for _, name := range u.code.Needs() {
			v, given := values[name]
			if !given {
				v = p.host.globals[name]
			}
			_, calls := v.(starlark.Callable)
			if p.host.own[name] && v != nil && (calls || foreign(v)) {
				return true
			}
		}
	}
	return false
}
