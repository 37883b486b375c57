package builtins

import (
	"context"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Statistics of a roll. The mean and the variance are exact numbers; what takes
// a root or a logarithm is a float. An unlimited roll answers what its error
// leaves certain and says so where it can't.

func statisticsBuiltins() []builtin {
	return []builtin{
		{
			name: "mean", on: onRolls,
			doc:     "What the roll comes to on average, exactly.",
			errors:  "an unlimited roll of which too little is known, as after map",
			example: "d(6).mean().fraction",
			result:  "7/2",
			run:     asks(mean),
		},
		{
			name: "variance", on: onCounted,
			doc:     "How much the roll swings: the average square of its distance from the mean, exactly.",
			errors:  "an unlimited roll of which too little is known, as after map",
			example: "d(6).variance().fraction",
			result:  "35/12",
			run:     asks(variance),
		},
		{
			name: "sd", on: onCounted,
			doc:     "The standard deviation, a float: how far from the mean a typical result lies.",
			errors:  "an unlimited roll of which too little is known, as after map",
			example: "d(7).sd()",
			result:  "2.0",
			run:     asksFor((*dist.Dist).SD),
		},
		{
			name: "skewness", on: onCounted,
			doc:     "How lopsided the roll is, a float: 0 when it is even, above 0 when the long tail is on the high side.",
			errors:  "a roll with a single result; an unlimited roll",
			example: "d(6).skewness()",
			result:  "0.0",
			run:     asksFor((*dist.Dist).Skewness),
		},
		{
			name: "kurtosis", on: onCounted,
			doc:     "How much comes from rare, far-off results, a float: the excess kurtosis, 0 for a bell curve and below 0 for flat dice.",
			errors:  "a roll with a single result; an unlimited roll",
			example: "d(2).kurtosis()",
			result:  "-2.0",
			run:     asksFor((*dist.Dist).Kurtosis),
		},
		{
			name: "median", on: onCounted,
			doc:     "The smallest result that half of all rolls stay at or below.",
			errors:  "an unlimited roll whose error leaves it open",
			example: "d(6).median()",
			result:  "3",
			run:     asks(asInt((*dist.Dist).Median)),
		},
		{
			name: "mode", on: onRolls,
			doc:     "The list of the most likely results, in ascending order.",
			errors:  "an unlimited roll whose error leaves it open",
			example: "(d(6) + d(8)).mode()",
			result:  "[7, 8, 9]",
			run:     lists((*dist.Dist).Mode),
		},
		{
			name: "quantile", on: onCounted,
			params:  []Param{{Name: "q", Doc: `the share of rolls, from 0 to 1, like 0.9 or "90%"`}},
			doc:     "The smallest result that at least this share of all rolls stays at or below.",
			errors:  "q outside of 0 to 1; an unlimited roll whose error leaves it open",
			example: `d(20).quantile("90%")`,
			result:  "18",
			run:     quantile,
		},
		{
			name: "min", on: onCounted,
			doc:     "The lowest possible result.",
			errors:  "a roll that has no lowest result",
			example: "(d(6) - d(4)).min()",
			result:  "-3",
			run:     asks(asInt(lowest)),
		},
		{
			name: "max", on: onCounted,
			doc:     "The highest possible result.",
			errors:  "an unlimited roll, which has no highest result",
			example: "(d(6) + d(8)).max()",
			result:  "14",
			run:     asks(asInt(highest)),
		},
		{
			name: "support", on: onCounted,
			doc:     "The list of all possible results, in ascending order.",
			errors:  "an unlimited roll",
			example: "(d(4) * 2).support()",
			result:  "[2, 4, 6, 8]",
			run:     lists((*dist.Dist).Support),
		},
		{
			name: "support_size", on: onCounted,
			doc:     "How many different results are possible.",
			errors:  "an unlimited roll",
			example: "(d(4) * d(4)).support_size()",
			result:  "9",
			run:     asks(asInt(supportSize)),
		},
		{
			name: "entropy", on: onCounted,
			doc:     "How uncertain the roll is, in bits, a float: a fair coin has 1.",
			errors:  "an unlimited roll",
			example: "d(8).entropy()",
			result:  "3.0",
			run:     asksFor((*dist.Dist).Entropy),
		},
		{
			name: "error", on: onRolls,
			doc:     "How far any chance asked of the roll may be from the truth, as a float; 0.0 for all rolls that are not unlimited.",
			example: "d(6).error",
			result:  "0.0",
			attr: func(c call) (starlark.Value, error) {
				return starlark.Float(errorOf(c.recv)), nil
			},
		},
	}
}

// asks is a method that asks its roll for one thing.
func asks(ask func(call, *dist.Dist) (starlark.Value, error)) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		d, err := c.self()
		if err != nil {
			return nil, err
		}
		return ask(c, d)
	}
}

// asksFor is a method that asks its roll for a float.
func asksFor(ask func(*dist.Dist, context.Context) (float64, error)) func(call) (starlark.Value, error) {
	return asks(func(c call, d *dist.Dist) (starlark.Value, error) {
		f, err := ask(d, c.ctx())
		return starlark.Float(f), err
	})
}

func asInt(ask func(*dist.Dist, context.Context) (int, error)) func(call, *dist.Dist) (starlark.Value, error) {
	return func(c call, d *dist.Dist) (starlark.Value, error) {
		n, err := ask(d, c.ctx())
		return starlark.MakeInt(n), err
	}
}

// lists is a method that asks its roll for some of its results.
func lists(ask func(*dist.Dist, context.Context) ([]int, error)) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		d, err := c.self()
		if err != nil {
			return nil, err
		}
		if err := c.meter().List(int64(d.Len())); err != nil {
			return nil, err
		}
		xs, err := ask(d, c.ctx())
		if err != nil {
			return nil, err
		}
		values := make([]starlark.Value, len(xs))
		for i, x := range xs {
			if err := runenv.LookAt(c.thread, i); err != nil {
				return nil, err
			}
			values[i] = starlark.MakeInt(x)
		}
		return starlark.NewList(values), nil
	}
}

func mean(c call, d *dist.Dist) (starlark.Value, error) {
	m, err := d.Moments(c.ctx())
	if err != nil && d.Bound() > 0 { // of an unlimited roll the mean alone may be known
		if exact := d.Mean(); exact != nil {
			return c.newNumber(exact, 0), nil
		}
	}
	if err != nil {
		return nil, err
	}
	return c.newNumber(m.Mean, m.MeanBound), nil
}

func variance(c call, d *dist.Dist) (starlark.Value, error) {
	m, err := d.Moments(c.ctx())
	if err != nil {
		return nil, err
	}
	return c.newNumber(m.Variance, m.VarianceBound), nil
}

// quantile of a share that is itself only certain to within an error has an
// answer when both ends of it agree.
func quantile(c call) (starlark.Value, error) {
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	q, bound, err := c.chance(0)
	if err != nil {
		return nil, err
	}
	e := exact.FromFloat(bound)
	x, err := d.Quantile(c.ctx(), atLeastZero(new(big.Rat).Sub(q, e)))
	if err != nil || bound == 0 {
		return starlark.MakeInt(x), err
	}
	y, err := d.Quantile(c.ctx(), atMostOne(new(big.Rat).Add(q, e)))
	if err == nil && x != y {
		err = c.wrong(0, "its error leaves open whether the answer is %d or %d", x, y)
	}
	return starlark.MakeInt(x), err
}

func atLeastZero(r *big.Rat) *big.Rat {
	if r.Sign() < 0 {
		return new(big.Rat)
	}
	return r
}

func atMostOne(r *big.Rat) *big.Rat {
	if r.Cmp(exact.One) > 0 {
		return exact.One
	}
	return r
}

func lowest(d *dist.Dist, _ context.Context) (int, error) {
	if d.UnboundedBelow() {
		return 0, argError("roll", "the lowest result is not known for this unlimited roll; give the roll a limit")
	}
	return d.Min(), nil
}

func highest(d *dist.Dist, _ context.Context) (int, error) {
	if d.UnboundedAbove() {
		return 0, argError("roll", "the highest result is not known for this unlimited roll; give the roll a limit")
	}
	return d.Max(), nil
}

func supportSize(d *dist.Dist, ctx context.Context) (int, error) {
	xs, err := d.Support(ctx)
	return len(xs), err
}

// errorOf returns the error of a roll. That of a pool adds up those of its dice
// and needs no total.
func errorOf(v starlark.Value) float64 {
	if p, ok := v.(*value.Pool); ok {
		return p.Pool().Bound()
	}
	return v.(*value.Roll).Dist().Bound()
}
