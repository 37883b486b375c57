package builtins

import (
	"math/big"
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Functions that Starlark has too, widened to rolls, chances and numbers. What
// they are given of Starlark's own kinds they leave to Starlark's own function.

func universeBuiltins() []define.Builtin {
	number := define.Param{Name: "x", Doc: "a number, a chance or text"}
	return []define.Builtin{
		{
			Name: "sum", Free: true,
			Params:  []define.Param{{Name: "x", Also: []string{"value"}, Doc: "a pool, a roll, or a list of rolls, pools or numbers"}},
			Doc:     "The total of a pool, or of a list of rolls, chances or numbers.",
			Errors:  "a list of other things",
			Example: "sum([d(6), d(8), 2])",
			Result:  "DieRoll 4..16, mean 10.000",
			Run:     sum,
		},
		{
			Name: "abs", Free: true,
			Params:  []define.Param{{Name: "x", Doc: "a number or a roll"}},
			Doc:     "The size of a number or of a roll without its sign.",
			Example: "abs(d(6) - d(6)).mean().fraction",
			Result:  "35/18",
			Run:     abs,
		},
		{
			Name: "float", Free: true, Params: []define.Param{number},
			Doc:     "The nearest floating-point number.",
			Errors:  "a roll",
			Example: `float(d(8).p_ge(6))`,
			Result:  "0.375",
			Raw: native("float", func(v starlark.Value) (starlark.Value, error) {
				return finiteFloat(v)
			}),
		},
		{
			Name: "int", Free: true, Params: []define.Param{number, {Name: "base", Doc: "the base in which text is read", Default: "10"}},
			Doc:     "The whole number without its fraction.",
			Errors:  "a roll; text that is no whole number",
			Example: "int(d(6).mean())",
			Result:  "3",
			Raw: native("int", func(v starlark.Value) (starlark.Value, error) {
				x, _ := value.ExactOf(v)
				n, err := x.Whole(exact.Truncate)
				return bigResult(n, err)
			}),
		},
		{
			Name: "round", Free: true,
			Params: []define.Param{
				{Name: "x", Doc: "a number or a chance"},
				{Name: "digits", Doc: "how many digits to keep after the point", Default: "0"},
			},
			Doc:     "The nearest number with so many digits, a half away from zero; without digits a whole number.",
			Errors:  "a roll; a negative number of digits",
			Example: "round(d(8).p_ge(6), 2)",
			Result:  "0.38",
			Run:     round,
		},
		{
			Name: "percent", Free: true,
			Params: []define.Param{
				{Name: "p", Doc: "a chance or a number"},
				{Name: "digits", Doc: "how many digits follow the point", Default: "1"},
			},
			Doc:     "A chance as text in percent, rounded from the exact value.",
			Errors:  "a roll; a negative number of digits",
			Example: "percent(d(20).p_ge(15))",
			Result:  "30.0%",
			Run:     percent,
		},
		{
			Name: "bool", Free: true,
			Params:  []define.Param{{Name: "x", Doc: "any value", Default: "False"}},
			Doc:     "Whether a value counts as true.",
			Errors:  "a roll, a chance or outcomes, which are neither true nor false",
			Example: "bool([])",
			Result:  "False",
			Run: func(c define.Call) (starlark.Value, error) {
				if c.Value(0) == nil {
					return starlark.False, nil
				}
				ok, err := value.Truth(c.Thread, c.Value(0))
				return starlark.Bool(ok), err
			},
		},
		quantifier("any", true, "Whether at least one value of a list is true.", "any([2 > 3, 3 > 2])", "True"),
		quantifier("all", false, "Whether every value of a list is true.", "all([2 > 3, 3 > 2])", "False"),
	}
}

// native is a function of Starlark's that handles chances and numbers in its
// only argument by itself and refuses rolls.
func native(name string, handle func(starlark.Value) (starlark.Value, error)) func(define.Call, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	own := starlark.Universe[name].(*starlark.Builtin)
	return func(c define.Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 1 && len(kwargs) == 0 {
			switch v := args[0].(type) {
			case *value.Prob, *value.Number:
				v2, err := handle(v)
				return v2, value.InFunction(name, err)
			case *value.Roll, *value.Pool:
				return nil, value.InFunction(name, errNoSingleValue(v))
			}
		}
		return own.CallInternal(c.Thread, args, kwargs)
	}
}

// errNoSingleValue says that a roll is not one number.
func errNoSingleValue(v starlark.Value) error {
	return define.ArgError("x", "got %s, which has many results; ask it for its mean() or for a chance", value.Describe(v))
}

// finiteFloat returns a chance or number as a float.
func finiteFloat(v starlark.Value) (starlark.Value, error) {
	f, ok := value.FloatOf(v).(starlark.Float)
	if !ok || f-f != 0 {
		return nil, define.ArgError("x", "the number is too large for a float")
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
func sum(c define.Call) (starlark.Value, error) {
	switch v := c.Value(0).(type) {
	case *value.Roll:
		return v, nil
	case *value.Pool:
		return c.Rolled(c.Roll(0))
	case *value.Faces:
		return v.Sum(), nil
	}
	values, ok := value.Elements(c.Value(0))
	if !ok {
		return nil, c.Want(0, "dice, or a list of rolls or numbers")
	}
	for _, v := range values {
		if value.IsDice(v) {
			return sumRolls(c, values)
		}
	}
	if slices.ContainsFunc(values, isOutcomes) {
		return sumOutcomes(c, values)
	}
	return sumNumbers(c, values)
}

// sumRolls adds up rolls, pools and whole numbers as one big pool, so that equal
// dice are added up together.
func sumRolls(c define.Call, values []starlark.Value) (starlark.Value, error) {
	constant := starlark.MakeInt(0)
	var rolls []starlark.Value
	for i, v := range values {
		if err := runenv.LookAt(c.Thread, i); err != nil {
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
	total, err := pool.Total(c.Context())
	if err != nil {
		return nil, err
	}
	shift, ok := value.Int(constant)
	if !ok {
		return nil, c.Wrong(0, "%s", value.NotInt(constant))
	}
	return c.Rolled(total.Shift(c.Context(), shift))
}

// sumNumbers adds up numbers; chances and whole numbers stay exact.
func sumNumbers(c define.Call, values []starlark.Value) (starlark.Value, error) {
	if len(values) == 0 {
		return starlark.MakeInt(0), nil
	}
	for i, v := range values {
		switch v.(type) {
		case starlark.Int, starlark.Float, *value.Prob, *value.Number:
		default:
			return nil, c.Wrong(0, "item %d: got %s, want a roll or a number", i+1, value.Describe(v))
		}
	}
	total, values := wordSum(values)
	for i, v := range values {
		if err := runenv.LookAt(c.Thread, i); err != nil {
			return nil, err
		}
		if isFraction(total) && !slices.ContainsFunc(values[i:], isFloat) {
			return sumFractions(c, append([]starlark.Value{total}, values[i:]...))
		}
		next, err := value.Binary(c.Thread, syntax.PLUS, total, v)
		if err != nil {
			return nil, err
		}
		total = next
	}
	return total, nil
}

// sumFractions adds up chances, numbers and whole numbers, of which the first is a chance
// or a number. A sum of chances that is one itself stays one, as with +.
func sumFractions(c define.Call, values []starlark.Value) (starlark.Value, error) {
	terms, err := meter.Slice[exact.Number](c.Meter(), len(values))
	if err != nil {
		return nil, err
	}
	chances := true
	for i, v := range values {
		terms[i], _ = value.ExactOf(v)
		chances = chances && value.IsProbability(v)
	}
	total, err := exact.Sum(terms, c.Meter())
	if err != nil {
		return nil, err
	}
	if chances && exact.IsChance(total.Rat) {
		return c.NewProb(total.Rat, min(1, total.Bound)), nil
	}
	return c.NewNumber(total.Rat, total.Bound), nil
}

// isFraction reports whether v is a chance or an exact number.
func isFraction(v starlark.Value) bool {
	switch v.(type) {
	case *value.Prob, *value.Number:
		return true
	}
	return false
}

func isFloat(v starlark.Value) bool {
	_, ok := v.(starlark.Float)
	return ok
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

func abs(c define.Call) (starlark.Value, error) {
	switch v := c.Value(0).(type) {
	case *value.Prob:
		return v, nil
	case *value.Number:
		return value.Like(v, exact.New(new(big.Rat).Abs(v.Exact().Rat), v.Bound())), nil
	case *value.Roll, *value.Pool:
		d, err := c.Roll(0)
		if err != nil {
			return nil, err
		}
		return c.Rolled(d.Abs(c.Context()))
	case starlark.Int, starlark.Float:
		return starlark.Universe["abs"].(*starlark.Builtin).CallInternal(c.Thread, starlark.Tuple{v}, nil)
	}
	return nil, c.Want(0, "a number or a roll")
}

// maxDigits is how many digits after the point may be asked for.
const maxDigits = 1000

// digitsOf returns argument i, a number of digits.
func digitsOf(c define.Call, i, otherwise int) (int, error) {
	n, err := c.AtLeast(i, 0, otherwise)
	if err == nil && n > maxDigits {
		return 0, c.Wrong(i, "got %d, want at most %d", n, maxDigits)
	}
	return n, err
}

// numberArg returns argument i, which text does not stand for here, as an exact
// number.
func numberArg(c define.Call, i int) (exact.Number, error) {
	if _, text := c.Value(i).(starlark.String); text {
		return exact.Number{}, c.Want(i, "a number")
	}
	r, bound, err := c.Rat(i)
	return exact.New(r, bound), err
}

func round(c define.Call) (starlark.Value, error) {
	x, err := numberArg(c, 0)
	if err != nil {
		return nil, err
	}
	digits, err := digitsOf(c, 1, 0)
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
	if _, float := c.Value(0).(starlark.Float); float {
		f, _ := r.Float64()
		return starlark.Float(f), nil
	}
	if n, ok := c.Value(0).(*value.Number); ok {
		return value.Like(n, exact.New(r, 0)), nil
	}
	return c.NewNumber(r, 0), nil
}

func percent(c define.Call) (starlark.Value, error) {
	x, err := numberArg(c, 0)
	if err != nil {
		return nil, err
	}
	digits, err := digitsOf(c, 1, 1)
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
func quantifier(name string, want bool, doc, example, result string) define.Builtin {
	return define.Builtin{
		Name: name, Free: true,
		Params: []define.Param{{Name: "x", Doc: "a list of values"}},
		Doc:    doc, Errors: "a roll or a chance in the list, which are neither true nor false",
		Example: example, Result: result,
		Run: func(c define.Call) (starlark.Value, error) {
			values, ok := c.Value(0).(starlark.Iterable)
			if !ok {
				return nil, c.Want(0, "a list")
			}
			for v := range starlark.Elements(values) {
				ok, err := value.Truth(c.Thread, v)
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
