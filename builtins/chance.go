package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Chances asked of a roll. What it is compared with may be a number, which need
// not be a possible result, or another roll, which is independent of the first.

var rollParam = define.Param{Name: "roll", Also: []string{"dist"}, Doc: "the roll, pool or whole number that is asked"}

func chanceBuiltins() []define.Builtin {
	return []define.Builtin{
		chanceAt("pmf", syntax.EQL, "The chance of exactly this result.",
			"d(6).pmf(6).fraction", "1/6"),
		chanceAt("cdf", syntax.LE, "The chance of this result or less.",
			"(d(6) + d(6)).cdf(4).fraction", "1/6"),
		chanceTo("p_ge", syntax.GE, "The chance to get at least x, such as a target number; against another roll, to win or tie.",
			"d(20).p_ge(15).fraction", "3/10"),
		chanceTo("p_gt", syntax.GT, "The chance to get more than x; against another roll, to win.",
			"d(6).p_gt(d(6)).fraction", "5/12"),
		chanceTo("p_le", syntax.LE, "The chance to get at most x, as in roll-under rules; against another roll, to lose or tie.",
			"d(100).p_le(65).fraction", "13/20"),
		chanceTo("p_lt", syntax.LT, "The chance to get less than x; against another roll, to lose.",
			"d(6).p_lt(d(8)).fraction", "9/16"),
		chanceTo("p_eq", syntax.EQL, "The chance to get exactly x; against another roll, to tie.",
			"d(6).p_eq(d(10)).fraction", "1/10"),
		{
			Name: "p_in", On: onRolls, Free: true, Self: rollParam,
			Params:  []define.Param{{Name: "spec", Doc: "results: a whole number, a list of them, or a band like at_least(5)"}},
			Doc:     "The chance to get one of these results.",
			Errors:  "an empty list",
			Example: "(d(6) + d(6)).p_in([7, 11]).fraction",
			Result:  "2/9",
			Run:     chanceOfSpec,
		},
	}
}

// chanceAt defines the chance that a roll compares so with a number.
func chanceAt(name string, op syntax.Token, doc, example, result string) define.Builtin {
	return define.Builtin{
		Name: name, On: onRolls, Free: true, Self: rollParam,
		Params: []define.Param{{Name: "x", Also: []string{"value"}, Doc: "a number; one that can't come up is allowed"}},
		Doc:    doc, Errors: "x that is not a number",
		Example: example, Result: result,
		Run: func(c define.Call) (starlark.Value, error) {
			if value.IsDice(c.Value(0)) {
				return nil, c.Wrong(0, "got %s, want a number; p_eq, p_ge and the like take another roll", value.Describe(c.Value(0)))
			}
			return chanceThat(c, op)
		},
	}
}

// chanceTo defines the chance that a roll compares so with a number or with
// another roll.
func chanceTo(name string, op syntax.Token, doc, example, result string) define.Builtin {
	return define.Builtin{
		Name: name, On: onRolls, Free: true, Self: rollParam,
		Params: []define.Param{{Name: "x", Also: []string{"value"}, Doc: "a number, or another roll that is rolled against this one"}},
		Doc:    doc, Errors: "x that is neither a number nor a roll",
		Example: example, Result: result,
		Run: func(c define.Call) (starlark.Value, error) { return chanceThat(c, op) },
	}
}

// chanceThat returns the chance that the roll compares so with argument 0.
func chanceThat(c define.Call, op syntax.Token) (starlark.Value, error) {
	d, err := c.Self()
	if err != nil {
		return nil, err
	}
	switch x := c.Value(0).(type) {
	case starlark.Int, starlark.Float, *value.Number:
		v, err := value.CompareNumber(c.Methods(), op, d, x)
		if err != nil {
			return nil, c.Wrong(0, "%v", err)
		}
		return v, nil
	case *value.Roll, *value.Pool:
		e, err := c.Roll(0)
		if err != nil {
			return nil, err
		}
		return value.CompareRolls(c.Thread, c.Methods(), op, d, e)
	}
	return nil, c.Wrong(0, "%s", value.NotInt(c.Value(0)))
}

func chanceOfSpec(c define.Call) (starlark.Value, error) {
	d, err := c.Self()
	if err != nil {
		return nil, err
	}
	s, err := callback.FacesOf(c, 0, d)
	if err != nil {
		return nil, err
	}
	return value.NewProb(c.Methods(), value.ChanceWithin(d, s, c.Value(0))), nil
}
