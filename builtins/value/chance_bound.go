package value

import (
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Where an unlimited roll was cut, every chance carries its error. But an
// exploding die never shows less than 1: beyond an end that the roll has for
// sure, chances are exactly 0 or 1 and stay exact.

// ChanceBound bounds the error of the chance that d compares so with n.
func ChanceBound(op syntax.Token, d *dist.Dist, n int) float64 {
	low, high := !d.UnboundedBelow(), !d.UnboundedAbove()
	switch {
	case low && n < d.Min(), high && n > d.Max():
		return 0
	case low && n == d.Min() && (op == syntax.GE || op == syntax.LT):
		return 0
	case high && n == d.Max() && (op == syntax.LE || op == syntax.GT):
		return 0
	}
	return d.Bound()
}

// chanceBoundBetween bounds the error of the chance that d compares so with a number
// between low and the next whole number, or beyond what d can represent.
func chanceBoundBetween(op syntax.Token, d *dist.Dist, low *big.Int) float64 {
	if !low.IsInt64() {
		return d.Bound()
	}
	switch op {
	case syntax.EQL, syntax.NEQ:
		return 0
	case syntax.GE, syntax.GT:
		return ChanceBound(syntax.GT, d, int(low.Int64()))
	}
	return ChanceBound(syntax.LE, d, int(low.Int64()))
}

// ChanceWithin returns the chance that d lands in spec, which s is the set of.
func ChanceWithin(d *dist.Dist, s dist.Set, spec starlark.Value) exact.Number {
	p := exact.New(d.In(s), d.Bound())
	b, ok := AsBand(spec)
	if !ok || p.Bound == 0 {
		return p
	}
	low, high := !d.UnboundedBelow(), !d.UnboundedAbove()
	fromLow := !b.hasLo || low && b.lo <= d.Min()
	toHigh := !b.hasHi || high && b.hi >= d.Max()
	above := b.hasLo && high && b.lo > d.Max()
	below := b.hasHi && low && b.hi < d.Min()
	if fromLow && toHigh || above || below {
		return exact.Number{Rat: p.Rat}
	}
	return p
}
