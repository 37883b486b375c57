package builtins

import (
	"math/big"
	"slices"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Functions that Starlark has too, widened to rolls, chances and numbers. What
// they are given of Starlark's own kinds they leave to Starlark's own function.

func universeBuiltins() []builtin {
	number := Param{Name: "x", Doc: "a number, a chance or text"}
	return []builtin{
		{
			name: "sum", free: true,
			params:  []Param{{Name: "x", Also: []string{"value"}, Doc: "a pool, a roll, or a list of rolls, pools or numbers"}},
			doc:     "The total of a pool, or of a list of rolls, chances or numbers.",
			errors:  "a list of other things",
			example: "sum([d(6), d(8), 2])",
			result:  "DieRoll 4..16, mean 10.000",
			run:     sum,
		},
		{
			name: "abs", free: true,
			params:  []Param{{Name: "x", Doc: "a number or a roll"}},
			doc:     "The size of a number or of a roll without its sign.",
			example: "abs(d(6) - d(6)).mean().fraction",
			result:  "35/18",
			run:     abs,
		},
		{
			name: "float", free: true, params: []Param{number},
			doc:     "The nearest floating-point number.",
			errors:  "a roll",
			example: `float(d(8).p_ge(6))`,
			result:  "0.375",
			raw: native("float", func(v starlark.Value) (starlark.Value, error) {
				return finiteFloat(v)
			}),
		},
		{
			name: "int", free: true, params: []Param{number, {Name: "base", Doc: "the base in which text is read", Default: "10"}},
			doc:     "The whole number without its fraction.",
			errors:  "a roll; text that is no whole number",
			example: "int(d(6).mean())",
			result:  "3",
			raw: native("int", func(v starlark.Value) (starlark.Value, error) {
				x, _ := value.ExactOf(v)
				n, err := x.Whole(exact.Truncate)
				return bigResult(n, err)
			}),
		},
		{
			name: "round", free: true,
			params: []Param{
				{Name: "x", Doc: "a number or a chance"},
				{Name: "digits", Doc: "how many digits to keep after the point", Default: "0"},
			},
			doc:     "The nearest number with so many digits, a half away from zero; without digits a whole number.",
			errors:  "a roll; a negative number of digits",
			example: "round(d(8).p_ge(6), 2)",
			result:  "0.38",
			run:     round,
		},
		{
			name: "percent", free: true,
			params: []Param{
				{Name: "p", Doc: "a chance or a number"},
				{Name: "digits", Doc: "how many digits follow the point", Default: "1"},
			},
			doc:     "A chance as text in percent, rounded from the exact value.",
			errors:  "a roll; a negative number of digits",
			example: "percent(d(20).p_ge(15))",
			result:  "30.0%",
			run:     percent,
		},
		{
			name: "bool", free: true,
			params:  []Param{{Name: "x", Doc: "any value", Default: "False"}},
			doc:     "Whether a value counts as true.",
			errors:  "a roll, a chance or outcomes, which are neither true nor false",
			example: "bool([])",
			result:  "False",
			run: func(c call) (starlark.Value, error) {
				if c.value(0) == nil {
					return starlark.False, nil
				}
				ok, err := value.Truth(c.thread, c.value(0))
				return starlark.Bool(ok), err
			},
		},
		quantifier("any", true, "Whether at least one value of a list is true.", "any([2 > 3, 3 > 2])", "True"),
		quantifier("all", false, "Whether every value of a list is true.", "all([2 > 3, 3 > 2])", "False"),
	}
}

// native is a function of Starlark's that handles chances and numbers in its
// only argument by itself and refuses rolls.
func native(name string, handle func(starlark.Value) (starlark.Value, error)) func(call, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	own := starlark.Universe[name].(*starlark.Builtin)
	return func(c call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 1 && len(kwargs) == 0 {
			switch v := args[0].(type) {
			case *value.Prob, *value.Number:
				v2, err := handle(v)
				return v2, value.InFunction(name, err)
			case *value.Roll, *value.Pool:
				return nil, value.InFunction(name, errNoSingleValue(v))
			}
		}
		return own.CallInternal(c.thread, args, kwargs)
	}
}

// errNoSingleValue says that a roll is not one number.
func errNoSingleValue(v starlark.Value) error {
	return argError("x", "got %s, which has many results; ask it for its mean() or for a chance", value.Describe(v))
}

// finiteFloat returns a chance or number as a float.
func finiteFloat(v starlark.Value) (starlark.Value, error) {
	f, ok := value.FloatOf(v).(starlark.Float)
	if !ok || f-f != 0 {
		return nil, argError("x", "the number is too large for a float")
	}
	return f, nil
}

func bigResult(n *big.Int, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return starlark.MakeBigInt(n), nil
}

// sum totals a pool, leaves a roll alone and adds up a list.
func sum(c call) (starlark.Value, error) {
	switch v := c.value(0).(type) {
	case *value.Roll:
		return v, nil
	case *value.Pool:
		return c.rolled(c.roll(0))
	}
	values, ok := value.Elements(c.value(0))
	if !ok {
		return nil, c.want(0, "dice, or a list of rolls or numbers")
	}
	for _, v := range values {
		if value.IsDice(v) {
			return c.sumRolls(values)
		}
	}
	if slices.ContainsFunc(values, isOutcomes) {
		return c.sumOutcomes(values)
	}
	return c.sumNumbers(values)
}

// sumRolls adds up rolls, pools and whole numbers as one big pool, so that equal
// dice are added up together.
func (c call) sumRolls(values []starlark.Value) (starlark.Value, error) {
	constant := starlark.MakeInt(0)
	var rolls []starlark.Value
	for i, v := range values {
		if err := runenv.LookAt(c.thread, i); err != nil {
			return nil, err
		}
		if n, ok := v.(starlark.Int); ok {
			constant = constant.Add(n)
			continue
		}
		rolls = append(rolls, v)
	}
	pool, err := joined(c, rolls)
	if err != nil {
		return nil, err
	}
	total, err := pool.Total(c.ctx())
	if err != nil {
		return nil, err
	}
	shift, ok := value.Int(constant)
	if !ok {
		return nil, c.wrong(0, "%s", value.NotInt(constant))
	}
	return c.rolled(total.Shift(c.ctx(), shift))
}

// sumNumbers adds up numbers; chances and whole numbers stay exact.
func (c call) sumNumbers(values []starlark.Value) (starlark.Value, error) {
	if len(values) == 0 {
		return starlark.MakeInt(0), nil
	}
	for i, v := range values {
		switch v.(type) {
		case starlark.Int, starlark.Float, *value.Prob, *value.Number:
		default:
			return nil, c.wrong(0, "item %d: got %s, want a roll or a number", i+1, value.Describe(v))
		}
	}
	total, values := wordSum(values)
	for i, v := range values {
		if err := runenv.LookAt(c.thread, i); err != nil {
			return nil, err
		}
		next, err := value.Binary(c.thread, syntax.PLUS, total, v)
		if err != nil {
			return nil, err
		}
		total = next
	}
	return total, nil
}

// wordSum adds up the whole numbers that values begin with, as long as their sum
// is one machine word, and returns the values that are left.
func wordSum(values []starlark.Value) (starlark.Value, []starlark.Value) {
	sum := int64(0)
	for len(values) > 0 {
		n, ok := values[0].(starlark.Int)
		if !ok {
			break
		}
		x, ok := n.Int64()
		if !ok || (sum+x > sum) != (x > 0) {
			break
		}
		sum, values = sum+x, values[1:]
	}
	return starlark.MakeInt64(sum), values
}

func abs(c call) (starlark.Value, error) {
	switch v := c.value(0).(type) {
	case *value.Prob:
		return v, nil
	case *value.Number:
		return c.newNumber(new(big.Rat).Abs(v.Exact().Rat), v.Bound()), nil
	case *value.Roll, *value.Pool:
		d, err := c.roll(0)
		if err != nil {
			return nil, err
		}
		return c.rolled(d.Abs(c.ctx()))
	case starlark.Int, starlark.Float:
		return starlark.Universe["abs"].(*starlark.Builtin).CallInternal(c.thread, starlark.Tuple{v}, nil)
	}
	return nil, c.want(0, "a number or a roll")
}

// maxDigits is how many digits after the point may be asked for.
const maxDigits = 1000

// digits returns argument i, a number of digits.
func (c call) digits(i, otherwise int) (int, error) {
	n, err := c.atLeast(i, 0, otherwise)
	if err == nil && n > maxDigits {
		return 0, c.wrong(i, "got %d, want at most %d", n, maxDigits)
	}
	return n, err
}

// numberArg returns argument i, which text does not stand for here, as an exact
// number.
func (c call) numberArg(i int) (exact.Number, error) {
	if _, text := c.value(i).(starlark.String); text {
		return exact.Number{}, c.want(i, "a number")
	}
	r, bound, err := c.rat(i)
	return exact.New(r, bound), err
}

func round(c call) (starlark.Value, error) {
	x, err := c.numberArg(0)
	if err != nil {
		return nil, err
	}
	digits, err := c.digits(1, 0)
	if err != nil {
		return nil, err
	}
	n, err := x.Rounded(digits)
	if err != nil {
		return nil, err
	}
	if digits == 0 {
		return starlark.MakeBigInt(n), nil
	}
	r := new(big.Rat).SetFrac(n, exact.PowerOfTen(digits))
	if _, float := c.value(0).(starlark.Float); float {
		f, _ := r.Float64()
		return starlark.Float(f), nil
	}
	return c.newNumber(r, 0), nil
}

func percent(c call) (starlark.Value, error) {
	x, err := c.numberArg(0)
	if err != nil {
		return nil, err
	}
	digits, err := c.digits(1, 1)
	if err != nil {
		return nil, err
	}
	x, err = exact.Arithmetic(syntax.STAR, x, exact.Number{Rat: exact.Hundred})
	if err != nil {
		return nil, err
	}
	n, err := x.Rounded(digits)
	if err != nil {
		return nil, err
	}
	return starlark.String(new(big.Rat).SetFrac(n, exact.PowerOfTen(digits)).FloatString(digits) + "%"), nil
}

// quantifier defines any and all, which take no chances for an answer. want is
// the truth that settles the answer.
func quantifier(name string, want bool, doc, example, result string) builtin {
	return builtin{
		name: name, free: true,
		params: []Param{{Name: "x", Doc: "a list of values"}},
		doc:    doc, errors: "a roll or a chance in the list, which are neither true nor false",
		example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			values, ok := c.value(0).(starlark.Iterable)
			if !ok {
				return nil, c.want(0, "a list")
			}
			for v := range starlark.Elements(values) {
				ok, err := value.Truth(c.thread, v)
				if err != nil {
					return nil, err
				}
				if ok == want {
					return starlark.Bool(want), nil
				}
			}
			return starlark.Bool(!want), nil
		},
	}
}
