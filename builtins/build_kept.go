package builtins

import (
	"context"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Totals of the dice that are kept of a pool of equal dice.

func keptBuiltins() []builtin {
	keep := Param{Name: "keep", Doc: "how many dice are kept; 0 totals 0, more than there are keeps all"}
	drop := Param{Name: "drop", Doc: "how many dice are dropped; at least one always stays"}
	return []builtin{
		keptOfEqual("keep_highest", keep, "The total of the highest of several equal dice.",
			"keep_highest(4, 6, 3)", "DieRoll 3..18, mean 12.245", (*dist.Pool).Highest),
		keptOfEqual("keep_lowest", keep, "The total of the lowest of several equal dice.",
			"keep_lowest(2, 20, 1)", "DieRoll 1..20, mean 7.175", (*dist.Pool).Lowest),
		keptOfEqual("drop_highest", drop, "The total of several equal dice without the highest.",
			"drop_highest(3, 6, 1)", "DieRoll 2..12, mean 5.542", (*dist.Pool).DropHighest),
		keptOfEqual("drop_lowest", drop, "The total of several equal dice without the lowest.",
			"drop_lowest(4, 6, 1)", "DieRoll 3..18, mean 12.245", (*dist.Pool).DropLowest),
	}
}

// A keeper keeps some dice of a pool.
type keeper = func(*dist.Pool, context.Context, int) (*dist.Dist, error)

func keptOfEqual(name string, which Param, doc, example, result string, keep keeper) builtin {
	return builtin{
		name: name, free: true,
		params: []Param{
			{Name: "count", Doc: "how many dice are rolled"},
			{Name: "sides", Doc: "how many sides each of them has"},
			which,
		},
		doc:     doc,
		errors:  "count or sides below 1; a negative " + which.Name,
		example: example,
		result:  result,
		run: func(c call) (starlark.Value, error) {
			p, err := c.equalDice()
			if err != nil {
				return nil, err
			}
			k, err := c.atLeast(2, 0, 0)
			if err != nil {
				return nil, err
			}
			return rolled(keep(p, c.ctx(), k))
		},
	}
}
