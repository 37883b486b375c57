package builtins

import (
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Where an unlimited roll was cut, every chance is in doubt by its error. But an
// exploding die never shows less than 1: beyond an end that the roll has for
// sure, chances are exactly 0 or 1 and stay exact.

// doubt bounds the error of the chance that d compares so with n.
func doubt(op syntax.Token, d *dist.Dist, n int) float64 {
	low, high := !d.UnboundedBelow(), !d.UnboundedAbove()
	switch {
	case low && n < d.Min(), high && n > d.Max():
		return 0
	case low && n == d.Min() && (op == syntax.GE || op == syntax.LT):
		return 0
	case high && n == d.Max() && (op == syntax.LE || op == syntax.GT):
		return 0
	}
	return d.ErrorBound()
}

// doubtBetween bounds the error of the chance that d compares so with a number
// between low and the next whole number, or beyond what d can represent.
func doubtBetween(op syntax.Token, d *dist.Dist, low *big.Int) float64 {
	if !low.IsInt64() {
		return d.ErrorBound()
	}
	switch op {
	case syntax.EQL, syntax.NEQ:
		return 0
	case syntax.GE, syntax.GT:
		return doubt(syntax.GT, d, int(low.Int64()))
	}
	return doubt(syntax.LE, d, int(low.Int64()))
}

// chanceWithin returns the chance that d lands in spec, which s is the set of.
func chanceWithin(d *dist.Dist, s dist.Set, spec starlark.Value) *Prob {
	p := chanceOf(d, d.In(s))
	b, ok := AsBand(spec)
	if !ok || p.bound == 0 {
		return p
	}
	low, high := !d.UnboundedBelow(), !d.UnboundedAbove()
	fromLow := !b.hasLo || low && b.lo <= d.Min()
	toHigh := !b.hasHi || high && b.hi >= d.Max()
	above := b.hasLo && high && b.lo > d.Max()
	below := b.hasHi && low && b.hi < d.Min()
	if fromLow && toHigh || above || below {
		return newProb(p.rat, 0)
	}
	return p
}
