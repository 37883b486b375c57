package builtins

import (
	"math/big"

	"go.starlark.net/starlark"
)

// What a chance or a number says about itself.

var onNumbers = []string{"Prob", "Number"}

func numberBuiltins() []builtin {
	return []builtin{
		{
			name: "fraction", on: onNumbers,
			doc:     "The exact value as text, in lowest terms.",
			example: "d(20).p_ge(15).fraction",
			result:  "3/10",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return starlark.String(ratOfNumber(v).RatString()), nil
			},
		},
		{
			name: "numerator", on: onNumbers,
			doc:     "The number above the line of the fraction in lowest terms.",
			example: "d(20).p_ge(15).numerator",
			result:  "3",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return starlark.MakeBigInt(new(big.Int).Set(ratOfNumber(v).Num())), nil
			},
		},
		{
			name: "denominator", on: onNumbers,
			doc:     "The number below the line of the fraction in lowest terms.",
			example: "d(20).p_ge(15).denominator",
			result:  "10",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return starlark.MakeBigInt(new(big.Int).Set(ratOfNumber(v).Denom())), nil
			},
		},
		{
			name: "error", on: onNumbers,
			doc:     "How far the true value may be from this one, as a float; 0.0 when it is exact.",
			example: "d(20).p_ge(15).error",
			result:  "0.0",
			attr: func(v starlark.Value) (starlark.Value, error) {
				x, _ := exactOf(v)
				return starlark.Float(x.bound), nil
			},
		},
		{
			name: "power", on: onNumbers,
			params:  []Param{{Name: "n", Doc: "how often it is multiplied by itself"}},
			doc:     "The chance that the same thing happens n times in a row; of a number, its n-th power.",
			errors:  "0 to a negative power; a power with more digits than the run may hold",
			example: "d(6).p_eq(6).power(3).fraction",
			result:  "1/216",
			run:     power,
		},
	}
}

func ratOfNumber(v starlark.Value) *big.Rat {
	x, _ := exactOf(v)
	return x.rat
}

func power(c call) (starlark.Value, error) {
	n, err := c.int(0)
	if err != nil {
		return nil, err
	}
	x, _ := exactOf(c.recv)
	if err := c.chargePower(x, n); err != nil {
		return nil, err
	}
	z, err := x.power(n)
	if err != nil {
		return nil, err
	}
	if isProbability(c.recv) && isChance(z.rat) {
		return newProb(z.rat, min(1, z.bound)), nil
	}
	return newNumber(z.rat, z.bound), nil
}
