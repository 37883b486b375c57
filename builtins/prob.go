package builtins

import (
	"math"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"

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
			attr: func(c call) (starlark.Value, error) {
				return starlark.String(ratOfNumber(c.recv).RatString()), nil
			},
		},
		{
			name: "numerator", on: onNumbers,
			doc:     "The number above the line of the fraction in lowest terms.",
			example: "d(20).p_ge(15).numerator",
			result:  "3",
			attr: func(c call) (starlark.Value, error) {
				return starlark.MakeBigInt(new(big.Int).Set(ratOfNumber(c.recv).Num())), nil
			},
		},
		{
			name: "denominator", on: onNumbers,
			doc:     "The number below the line of the fraction in lowest terms.",
			example: "d(20).p_ge(15).denominator",
			result:  "10",
			attr: func(c call) (starlark.Value, error) {
				return starlark.MakeBigInt(new(big.Int).Set(ratOfNumber(c.recv).Denom())), nil
			},
		},
		{
			name: "error", on: onNumbers,
			doc:     "How far the true value may be from this one, as a float; 0.0 when it is exact.",
			example: "d(20).p_ge(15).error",
			result:  "0.0",
			attr: func(c call) (starlark.Value, error) {
				x, _ := value.ExactOf(c.recv)
				return starlark.Float(x.Bound), nil
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
	x, _ := value.ExactOf(v)
	return x.Rat
}

func power(c call) (starlark.Value, error) {
	n, err := c.int(0)
	if err != nil {
		return nil, err
	}
	x, _ := value.ExactOf(c.recv)
	if err := c.payPower(x, n); err != nil {
		return nil, err
	}
	z, err := x.Power(n)
	if err != nil {
		return nil, err
	}
	if value.IsProbability(c.recv) && exact.IsChance(z.Rat) {
		return c.newProb(z.Rat, min(1, z.Bound)), nil
	}
	return c.newNumber(z.Rat, z.Bound), nil
}

// payPower pays for the n-th power, and refuses one that nobody could use.
func (c call) payPower(x exact.Number, n int) error {
	if x.Bits() <= 2 {
		return nil // 0, 1 and -1 stay as small as they are
	}
	size := int64(max(n, -n))
	if n == math.MinInt || size > meter.MaxPowerBits || x.Bits()*size > meter.MaxPowerBits {
		return c.wrong(0, "got %d, which makes a number of too many digits", n)
	}
	return c.meter().Fraction(x.Bits() * size)
}
