package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Chances asked of a roll. What it is compared with may be a number, which need
// not be a possible result, or another roll, which is independent of the first.

var rollParam = Param{Name: "roll", Also: []string{"dist"}, Doc: "the roll, pool or whole number that is asked"}

func chanceBuiltins() []builtin {
	return []builtin{
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
			name: "p_in", on: onRolls, free: true, self: rollParam,
			params:  []Param{{Name: "spec", Doc: "results: a whole number, a list of them, or a band like at_least(5)"}},
			doc:     "The chance to get one of these results.",
			errors:  "an empty list",
			example: "(d(6) + d(6)).p_in([7, 11]).fraction",
			result:  "2/9",
			run:     chanceOfSpec,
		},
	}
}

// chanceAt defines the chance that a roll compares so with a number.
func chanceAt(name string, op syntax.Token, doc, example, result string) builtin {
	return builtin{
		name: name, on: onRolls, free: true, self: rollParam,
		params: []Param{{Name: "x", Also: []string{"value"}, Doc: "a number; one that can't come up is allowed"}},
		doc:    doc, errors: "x that is not a number",
		example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			if value.IsDice(c.value(0)) {
				return nil, c.wrong(0, "got %s, want a number; p_eq, p_ge and the like take another roll", value.Describe(c.value(0)))
			}
			return c.compared(op)
		},
	}
}

// chanceTo defines the chance that a roll compares so with a number or with
// another roll.
func chanceTo(name string, op syntax.Token, doc, example, result string) builtin {
	return builtin{
		name: name, on: onRolls, free: true, self: rollParam,
		params: []Param{{Name: "x", Also: []string{"value"}, Doc: "a number, or another roll that is rolled against this one"}},
		doc:    doc, errors: "x that is neither a number nor a roll",
		example: example, result: result,
		run: func(c call) (starlark.Value, error) { return c.compared(op) },
	}
}

// compared returns the chance that the roll compares so with argument 0.
func (c call) compared(op syntax.Token) (starlark.Value, error) {
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	switch x := c.value(0).(type) {
	case starlark.Int, starlark.Float, *value.Number:
		v, err := value.CompareNumber(c.methods(), op, d, x)
		if err != nil {
			return nil, c.wrong(0, "%v", err)
		}
		return v, nil
	case *value.Roll, *value.Pool:
		e, err := c.roll(0)
		if err != nil {
			return nil, err
		}
		return value.CompareRolls(c.thread, c.methods(), op, d, e)
	}
	return nil, c.wrong(0, "%s", value.NotInt(c.value(0)))
}

func chanceOfSpec(c call) (starlark.Value, error) {
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	s, err := facesOf(c, 0, d)
	if err != nil {
		return nil, err
	}
	return value.NewProb(c.methods(), value.ChanceWithin(d, s, c.value(0))), nil
}
