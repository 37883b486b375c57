package builtins

import (
	"context"
	"math/big"

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
			name: "variance", on: onRolls,
			doc:     "How much the roll swings: the average square of its distance from the mean, exactly.",
			errors:  "an unlimited roll of which too little is known, as after map",
			example: "d(6).variance().fraction",
			result:  "35/12",
			run:     asks(variance),
		},
		{
			name: "sd", on: onRolls,
			doc:     "The standard deviation, a float: how far from the mean a typical result lies.",
			errors:  "an unlimited roll of which too little is known, as after map",
			example: "d(7).sd()",
			result:  "2.0",
			run:     asks(asFloat((*dist.Dist).SD)),
		},
		{
			name: "skewness", on: onRolls,
			doc:     "How lopsided the roll is, a float: 0 when it is even, above 0 when the long tail is on the high side.",
			errors:  "a roll with a single result; an unlimited roll",
			example: "d(6).skewness()",
			result:  "0.0",
			run:     asksFor(20, (*dist.Dist).SkewnessContext),
		},
		{
			name: "kurtosis", on: onRolls,
			doc:     "How much comes from rare, far-off results, a float: the excess kurtosis, 0 for a bell curve and below 0 for flat dice.",
			errors:  "a roll with a single result; an unlimited roll",
			example: "d(2).kurtosis()",
			result:  "-2.0",
			run:     asksFor(20, (*dist.Dist).KurtosisContext),
		},
		{
			name: "median", on: onRolls,
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
			name: "quantile", on: onRolls,
			params:  []Param{{Name: "q", Doc: `the share of rolls, from 0 to 1, like 0.9 or "90%"`}},
			doc:     "The smallest result that at least this share of all rolls stays at or below.",
			errors:  "q outside of 0 to 1; an unlimited roll whose error leaves it open",
			example: `d(20).quantile("90%")`,
			result:  "18",
			run:     quantile,
		},
		{
			name: "min", on: onRolls,
			doc:     "The lowest possible result.",
			errors:  "a roll that has no lowest result",
			example: "(d(6) - d(4)).min()",
			result:  "-3",
			run:     asks(asInt(lowest)),
		},
		{
			name: "max", on: onRolls,
			doc:     "The highest possible result.",
			errors:  "an unlimited roll, which has no highest result",
			example: "(d(6) + d(8)).max()",
			result:  "14",
			run:     asks(asInt(highest)),
		},
		{
			name: "support", on: onRolls,
			doc:     "The list of all possible results, in ascending order.",
			errors:  "an unlimited roll",
			example: "(d(4) * 2).support()",
			result:  "[2, 4, 6, 8]",
			run:     lists((*dist.Dist).Support),
		},
		{
			name: "support_size", on: onRolls,
			doc:     "How many different results are possible.",
			errors:  "an unlimited roll",
			example: "(d(4) * d(4)).support_size()",
			result:  "9",
			run:     asks(asInt(supportSize)),
		},
		{
			name: "entropy", on: onRolls,
			doc:     "How uncertain the roll is, in bits, a float: a fair coin has 1.",
			errors:  "an unlimited roll",
			example: "d(8).entropy()",
			result:  "3.0",
			run:     asksFor(300, (*dist.Dist).EntropyContext),
		},
		{
			name: "error", on: onRolls,
			doc:     "How far any chance asked of the roll may be from the truth, as a float; 0.0 for all rolls that are not unlimited.",
			example: "d(6).error",
			result:  "0.0",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return starlark.Float(errorOf(v)), nil
			},
		},
	}
}

// asks is a method that asks its roll for one thing. Looking at every weight
// is charged before it is done.
func asks(ask func(*dist.Dist) (starlark.Value, error)) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		d, err := c.look()
		if err != nil {
			return nil, err
		}
		// Most of them multiply wide numbers for every outcome.
		if err := dist.ChargeWork(c.ctx(), 6*int64(d.Len())*int64(d.Words())); err != nil {
			return nil, err
		}
		return ask(d)
	}
}

// look returns the roll that a method belongs to and charges a look at all its
// weights.
func (c call) look() (*dist.Dist, error) {
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	return d, c.chargeLook(d)
}

// chargeLook charges a look at all weights of d.
func (c call) chargeLook(d *dist.Dist) error { return chargeLook(c.thread, d) }

// lookWork is what it takes to look at one outcome, besides the words of its
// weight.
const lookWork = 4

func chargeLook(thread *starlark.Thread, d *dist.Dist) error {
	words := int64(d.Words())
	return dist.ChargeWork(EnvOf(thread).context(), int64(d.Len())*(2*words+lookWork)+reduceCost(64*words))
}

func asFloat(ask func(*dist.Dist) (float64, error)) func(*dist.Dist) (starlark.Value, error) {
	return func(d *dist.Dist) (starlark.Value, error) {
		f, err := ask(d)
		return starlark.Float(f), err
	}
}

// asksFor is a method that asks its roll for a float, which takes so many
// operations for each outcome besides those on its words.
func asksFor(each int64, ask func(*dist.Dist, context.Context) (float64, error)) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		d, err := c.look()
		if err != nil {
			return nil, err
		}
		if err := dist.ChargeWork(c.ctx(), int64(d.Len())*(each+8*int64(d.Words()))); err != nil {
			return nil, err
		}
		f, err := ask(d, c.ctx())
		return starlark.Float(f), err
	}
}

func asInt(ask func(*dist.Dist) (int, error)) func(*dist.Dist) (starlark.Value, error) {
	return func(d *dist.Dist) (starlark.Value, error) {
		n, err := ask(d)
		return starlark.MakeInt(n), err
	}
}

// listWords is what an entry of a list of numbers takes in memory: one word in
// the engine's list and two in that of the recipe.
const listWords = 3

// lists is a method that asks its roll for some of its results.
func lists(ask func(*dist.Dist) ([]int, error)) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		d, err := c.look()
		if err != nil {
			return nil, err
		}
		if err := dist.ChargeTable(c.ctx(), int64(d.Len()), listWords); err != nil {
			return nil, err
		}
		xs, err := ask(d)
		if err != nil {
			return nil, err
		}
		values := make([]starlark.Value, len(xs))
		for i, x := range xs {
			if err := lookAt(c.thread, i); err != nil {
				return nil, err
			}
			values[i] = starlark.MakeInt(x)
		}
		return starlark.NewList(values), nil
	}
}

func mean(d *dist.Dist) (starlark.Value, error) {
	if m := d.Mean(); m != nil {
		return newNumber(m, 0), nil
	}
	m, err := d.Moments()
	if err != nil {
		return nil, err
	}
	return newNumber(m.Mean, m.MeanError), nil
}

func variance(d *dist.Dist) (starlark.Value, error) {
	m, err := d.Moments()
	if err != nil {
		return nil, err
	}
	return newNumber(m.Variance, m.VarianceError), nil
}

// quantile of a share that is itself only certain to within an error has an
// answer when both ends of it agree.
func quantile(c call) (starlark.Value, error) {
	d, err := c.look()
	if err != nil {
		return nil, err
	}
	q, bound, err := c.chance(0)
	if err != nil {
		return nil, err
	}
	e := floatRat(bound)
	x, err := d.Quantile(atLeastZero(new(big.Rat).Sub(q, e)))
	if err != nil || bound == 0 {
		return starlark.MakeInt(x), err
	}
	y, err := d.Quantile(atMostOne(new(big.Rat).Add(q, e)))
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
	if r.Cmp(one) > 0 {
		return one
	}
	return r
}

func lowest(d *dist.Dist) (int, error) {
	if d.UnboundedBelow() {
		return 0, argError("roll", "the lowest result is not known for this unlimited roll; give the roll a limit")
	}
	return d.Min(), nil
}

func highest(d *dist.Dist) (int, error) {
	if d.UnboundedAbove() {
		return 0, argError("roll", "the highest result is not known for this unlimited roll; give the roll a limit")
	}
	return d.Max(), nil
}

func supportSize(d *dist.Dist) (int, error) {
	xs, err := d.Support()
	return len(xs), err
}

// errorOf returns the error of a roll. That of a pool adds up those of its dice
// and needs no total.
func errorOf(v starlark.Value) float64 {
	if p, ok := v.(*Pool); ok {
		return p.dice.ErrorBound()
	}
	return v.(*Roll).dist.ErrorBound()
}
