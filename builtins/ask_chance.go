package builtins

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Chances asked of a roll. An impossible total has the chance 0.

var rollParam = Param{Name: "roll", Doc: "the roll; a pool stands for its total, a whole number for itself"}

func chanceBuiltins() []builtin {
	total := Param{Name: "x", Doc: "the total, a whole number"}
	target := Param{Name: "x", Doc: "a number, or another independent roll"}
	return []builtin{
		chanceOn("pmf", total, syntax.EQL, "The chance of exactly this total.", "dice_pool(2, 6).pmf(7).fraction", "1/6"),
		chanceOn("cdf", total, syntax.LE, "The chance of this total or less.", "dice_pool(2, 6).cdf(4).fraction", "1/6"),
		chanceOn("p_ge", target, syntax.GE, "The chance to reach x: that much or more.", "(d(20) + 5).p_ge(15).fraction", "11/20"),
		chanceOn("p_gt", target, syntax.GT, "The chance of more than x.", "d(20).p_gt(d(12)).fraction", "27/40"),
		chanceOn("p_le", target, syntax.LE, "The chance of x or less.", "d(100).p_le(35).fraction", "7/20"),
		chanceOn("p_lt", target, syntax.LT, "The chance of less than x.", "d(100).p_lt(35).fraction", "17/50"),
		chanceOn("p_eq", target, syntax.EQL, "The chance of exactly x.", "d(6).p_eq(d(8)).fraction", "1/8"),
		{
			name: "p_in", on: onRolls, free: true, self: rollParam,
			params:  []Param{{Name: "spec", Doc: "totals: a whole number, a list of them, or a band"}},
			doc:     "The chance of any of these totals.",
			errors:  "an empty list",
			example: "dice_pool(2, 6).p_in([7, 11]).fraction",
			result:  "2/9",
			run: func(c call) (starlark.Value, error) {
				d, err := c.look()
				if err != nil {
					return nil, err
				}
				s, err := c.set(0)
				if err != nil {
					return nil, err
				}
				return chanceOf(d, d.In(s)), nil
			},
		},
	}
}

// chanceOn defines a chance that is a comparison with the argument. The
// parameter says whether the argument is a total or may be another roll.
func chanceOn(name string, p Param, op syntax.Token, doc, example, result string) builtin {
	totalOnly := p.Doc == "the total, a whole number"
	return builtin{
		name: name, on: onRolls, free: true, self: rollParam,
		params: []Param{p}, doc: doc, example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			d, err := c.look()
			if err != nil {
				return nil, err
			}
			x := c.value(0)
			switch x.(type) {
			case starlark.Int:
				return compareWithNumber(op, d, x)
			case *Roll, *Pool, starlark.Float, *Number:
				if !totalOnly {
					return compareRoll(c.thread, op, NewRoll(d), x)
				}
			}
			if totalOnly {
				return nil, c.notInt(0)
			}
			return nil, c.want(0, "a whole number or a roll")
		},
	}
}
