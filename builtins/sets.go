package builtins

import (
	"context"

	"dicescript/builtins/define"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Dice of a pool that go together: those that show the same face, and straights.

func poolMatchBuiltins() []define.Builtin {
	return []define.Builtin{
		matched("largest_set", "How many dice are in the largest set that shows the same face.",
			"dice_pool(5, 6).largest_set().pmf(5).fraction", "1/1296", (*dist.Pool).LargestSet),
		{
			Name: "sets", On: onPools,
			Params:  []define.Param{{Name: "width", Doc: "how many dice must show the same face, at least 1"}},
			Doc:     "How many sets of at least this many dice with the same face there are.",
			Errors:  "width below 1",
			Example: "dice_pool(4, 6).sets(2).pmf(2).fraction",
			Result:  "5/72",
			Run:     ranked((*dist.Pool).Sets),
		},
		matched("longest_run", "How many dice are in the longest straight of faces that follow each other.",
			"dice_pool(5, 6).longest_run().pmf(5).fraction", "5/162", (*dist.Pool).LongestRun),
		matched("unique", "How many different faces show.",
			"dice_pool(3, 6).unique().pmf(3).fraction", "5/9", (*dist.Pool).Unique),
		matched("pairs", "How many pairs of dice with the same face can be made, using each die once; four of a kind are two.",
			"dice_pool(4, 6).pairs().pmf(2).fraction", "2/27", (*dist.Pool).Pairs),
	}
}

func matched(name, doc, example, result string, match func(*dist.Pool, context.Context) (*dist.Dist, error)) define.Builtin {
	return define.Builtin{
		Name: name, On: onPools, Doc: doc, Example: example, Result: result,
		Run: func(c define.Call) (starlark.Value, error) {
			p, err := dicePool(c)
			if err != nil {
				return nil, err
			}
			return c.Rolled(match(p, c.Context()))
		},
	}
}
