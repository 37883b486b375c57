package builtins

import (
	"math"
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// What a chance or a number says about itself.

var onNumbers = []string{"Prob", "Number"}

func numberBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "fraction", On: onNumbers,
			Doc:     "The exact value as text, in lowest terms.",
			Example: "d(20).p_ge(15).fraction",
			Result:  "3/10",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.String(ratOfNumber(c.Receiver).RatString()), nil
			},
		},
		{
			Name: "numerator", On: onNumbers,
			Doc:     "The number above the line of the fraction in lowest terms.",
			Example: "d(20).p_ge(15).numerator",
			Result:  "3",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.MakeBigInt(new(big.Int).Set(ratOfNumber(c.Receiver).Num())), nil
			},
		},
		{
			Name: "denominator", On: onNumbers,
			Doc:     "The number below the line of the fraction in lowest terms.",
			Example: "d(20).p_ge(15).denominator",
			Result:  "10",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.MakeBigInt(new(big.Int).Set(ratOfNumber(c.Receiver).Denom())), nil
			},
		},
		{
			Name: "error", On: onNumbers,
			Doc:     "How far the true value may be from this one, as a float; 0.0 when it is exact.",
			Example: "d(20).p_ge(15).error",
			Result:  "0.0",
			Attr: func(c define.Call) (starlark.Value, error) {
				x, _ := value.ExactOf(c.Receiver)
				return starlark.Float(x.Bound), nil
			},
		},
		{
			Name: "power", On: onNumbers,
			Params:  []define.Param{{Name: "n", Doc: "how often it is multiplied by itself"}},
			Doc:     "The chance that the same thing happens n times in a row; of a number, its n-th power.",
			Errors:  "0 to a negative power; a power with more digits than the run may hold",
			Example: "d(6).p_eq(6).power(3).fraction",
			Result:  "1/216",
			Run:     power,
		},
	}
}

func ratOfNumber(v starlark.Value) *big.Rat {
	x, _ := value.ExactOf(v)
	return x.Rat
}

func power(c define.Call) (starlark.Value, error) {
	n, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	x, _ := value.ExactOf(c.Receiver)
	if err := payPower(c, x, n); err != nil {
		return nil, err
	}
	z, err := x.Power(n)
	if err != nil {
		return nil, err
	}
	if value.IsProbability(c.Receiver) && exact.IsChance(z.Rat) {
		return c.NewProb(z.Rat, min(1, z.Bound)), nil
	}
	return c.NewNumber(z.Rat, z.Bound), nil
}

// payPower pays for the n-th power, and refuses one that nobody could use.
func payPower(c define.Call, x exact.Number, n int) error {
	if x.Bits() <= 2 {
		return nil // 0, 1 and -1 stay as small as they are
	}
	size := int64(max(n, -n))
	if n == math.MinInt || size > meter.MaxPowerBits || x.Bits()*size > meter.MaxPowerBits {
		return c.Wrong(0, "got %d, which makes a number of too many digits", n)
	}
	return c.Meter().Fraction(x.Bits() * size)
}
