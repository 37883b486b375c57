package builtins

import (
	"context"
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Statistics of a roll. The mean and the variance are exact numbers; what takes
// a root or a logarithm is a float. An unlimited roll answers what its error
// leaves certain and says so where it can't.

func statisticsBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "mean", On: onRolls,
			Doc:     "What the roll comes to on average, exactly.",
			Errors:  "an unlimited roll of which too little is known, as after map",
			Example: "d(6).mean().fraction",
			Result:  "7/2",
			Run:     asks(mean),
		},
		{
			Name: "variance", On: onCounted,
			Doc:     "How much the roll swings: the average square of its distance from the mean, exactly.",
			Errors:  "an unlimited roll of which too little is known, as after map",
			Example: "d(6).variance().fraction",
			Result:  "35/12",
			Run:     asks(variance),
		},
		{
			Name: "sd", On: onCounted,
			Doc:     "The standard deviation, a float: how far from the mean a typical result lies.",
			Errors:  "an unlimited roll of which too little is known, as after map",
			Example: "d(7).sd()",
			Result:  "2.0",
			Run:     asksFor((*dist.Dist).SD),
		},
		{
			Name: "skewness", On: onCounted,
			Doc:     "How lopsided the roll is, a float: 0 when it is even, above 0 when the long tail is on the high side.",
			Errors:  "a roll with a single result; an unlimited roll",
			Example: "d(6).skewness()",
			Result:  "0.0",
			Run:     asksFor((*dist.Dist).Skewness),
		},
		{
			Name: "kurtosis", On: onCounted,
			Doc:     "How much comes from rare, far-off results, a float: the excess kurtosis, 0 for a bell curve and below 0 for flat dice.",
			Errors:  "a roll with a single result; an unlimited roll",
			Example: "d(2).kurtosis()",
			Result:  "-2.0",
			Run:     asksFor((*dist.Dist).Kurtosis),
		},
		{
			Name: "median", On: onCounted,
			Doc:     "The smallest result that half of all rolls stay at or below.",
			Errors:  "an unlimited roll whose error leaves it open",
			Example: "d(6).median()",
			Result:  "3",
			Run:     asks(asInt((*dist.Dist).Median)),
		},
		{
			Name: "mode", On: onRolls,
			Doc:     "The list of the most likely results, in ascending order.",
			Errors:  "an unlimited roll whose error leaves it open",
			Example: "(d(6) + d(8)).mode()",
			Result:  "[7, 8, 9]",
			Run:     lists((*dist.Dist).Mode),
		},
		{
			Name: "quantile", On: onCounted,
			Params:  []define.Param{{Name: "q", Doc: `the share of rolls, from 0 to 1, like 0.9 or "90%"`}},
			Doc:     "The smallest result that at least this share of all rolls stays at or below.",
			Errors:  "q outside of 0 to 1; an unlimited roll whose error leaves it open",
			Example: `d(20).quantile("90%")`,
			Result:  "18",
			Run:     quantile,
		},
		{
			Name: "min", On: onCounted,
			Doc:     "The lowest possible result.",
			Errors:  "a roll that has no lowest result",
			Example: "(d(6) - d(4)).min()",
			Result:  "-3",
			Run:     asks(asInt(lowest)),
		},
		{
			Name: "max", On: onCounted,
			Doc:     "The highest possible result.",
			Errors:  "an unlimited roll, which has no highest result",
			Example: "(d(6) + d(8)).max()",
			Result:  "14",
			Run:     asks(asInt(highest)),
		},
		{
			Name: "support", On: onCounted,
			Doc:     "The list of all possible results, in ascending order.",
			Errors:  "an unlimited roll",
			Example: "(d(4) * 2).support()",
			Result:  "[2, 4, 6, 8]",
			Run:     lists((*dist.Dist).Support),
		},
		{
			Name: "support_size", On: onCounted,
			Doc:     "How many different results are possible.",
			Errors:  "an unlimited roll",
			Example: "(d(4) * d(4)).support_size()",
			Result:  "9",
			Run:     asks(asInt(supportSize)),
		},
		{
			Name: "entropy", On: onCounted,
			Doc:     "How uncertain the roll is, in bits, a float: a fair coin has 1.",
			Errors:  "an unlimited roll",
			Example: "d(8).entropy()",
			Result:  "3.0",
			Run:     asksFor((*dist.Dist).Entropy),
		},
		{
			Name: "error", On: onRolls,
			Doc:     "How far any chance asked of the roll may be from the truth, as a float; 0.0 for all rolls that are not unlimited.",
			Example: "d(6).error",
			Result:  "0.0",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.Float(errorOf(c.Receiver)), nil
			},
		},
	}
}

// asks is a method that asks its roll for one thing.
func asks(ask func(define.Call, *dist.Dist) (starlark.Value, error)) func(define.Call) (starlark.Value, error) {
	return func(c define.Call) (starlark.Value, error) {
		d, err := c.Self()
		if err != nil {
			return nil, err
		}
		return ask(c, d)
	}
}

// asksFor is a method that asks its roll for a float.
func asksFor(ask func(*dist.Dist, context.Context) (float64, error)) func(define.Call) (starlark.Value, error) {
	return asks(func(c define.Call, d *dist.Dist) (starlark.Value, error) {
		f, err := ask(d, c.Context())
		return starlark.Float(f), err
	})
}

func asInt(ask func(*dist.Dist, context.Context) (int, error)) func(define.Call, *dist.Dist) (starlark.Value, error) {
	return func(c define.Call, d *dist.Dist) (starlark.Value, error) {
		n, err := ask(d, c.Context())
		return starlark.MakeInt(n), err
	}
}

// lists is a method that asks its roll for some of its results.
func lists(ask func(*dist.Dist, context.Context) ([]int, error)) func(define.Call) (starlark.Value, error) {
	return func(c define.Call) (starlark.Value, error) {
		d, err := c.Self()
		if err != nil {
			return nil, err
		}
		if err := c.Meter().List(int64(d.Len())); err != nil {
			return nil, err
		}
		xs, err := ask(d, c.Context())
		if err != nil {
			return nil, err
		}
		values := make([]starlark.Value, len(xs))
		for i, x := range xs {
			if err := runenv.LookAt(c.Thread, i); err != nil {
				return nil, err
			}
			values[i] = starlark.MakeInt(x)
		}
		return starlark.NewList(values), nil
	}
}

func mean(c define.Call, d *dist.Dist) (starlark.Value, error) {
	m, err := d.Moments(c.Context())
	if err != nil && d.Bound() > 0 { // of an unlimited roll the mean alone may be known
		if exact := d.Mean(); exact != nil {
			return c.NewNumber(exact, 0), nil
		}
	}
	if err != nil {
		return nil, err
	}
	return c.NewNumber(m.Mean, m.MeanBound), nil
}

func variance(c define.Call, d *dist.Dist) (starlark.Value, error) {
	m, err := d.Moments(c.Context())
	if err != nil {
		return nil, err
	}
	return c.NewNumber(m.Variance, m.VarianceBound), nil
}

// quantile of a share that is itself only certain to within an error has an
// answer when both ends of it agree.
func quantile(c define.Call) (starlark.Value, error) {
	d, err := c.Self()
	if err != nil {
		return nil, err
	}
	q, bound, err := c.Chance(0)
	if err != nil {
		return nil, err
	}
	e := exact.FromFloat(bound)
	x, err := d.Quantile(c.Context(), atLeastZero(new(big.Rat).Sub(q, e)))
	if err != nil || bound == 0 {
		return starlark.MakeInt(x), err
	}
	y, err := d.Quantile(c.Context(), atMostOne(new(big.Rat).Add(q, e)))
	if err == nil && x != y {
		err = c.Wrong(0, "its error leaves open whether the answer is %d or %d", x, y)
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
		return 0, define.ArgError("roll", "the lowest result is not known for this unlimited roll; give the roll a limit")
	}
	return d.Min(), nil
}

func highest(d *dist.Dist, _ context.Context) (int, error) {
	if d.UnboundedAbove() {
		return 0, define.ArgError("roll", "the highest result is not known for this unlimited roll; give the roll a limit")
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
