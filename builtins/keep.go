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
			return c.rolled(keep(p, c.ctx(), k))
		},
	}
}

func poolKeepBuiltins() []builtin {
	kept := Param{Name: "k", Doc: "how many dice; 0 totals 0, more than there are takes all", Default: "1"}
	dropped := Param{Name: "k", Doc: "how many dice; at least one always stays", Default: "1"}
	return []builtin{
		{
			name: "sum", on: onRolls,
			doc:     "The total of all dice; a roll is its own total.",
			example: "dice_pool(3, 6).sum()",
			result:  "DieRoll 3..18, mean 10.500",
			run: func(c call) (starlark.Value, error) {
				return c.rolled(c.self())
			},
		},
		keptOf("highest", kept, "The total of the k highest dice.",
			"dice_pool(2, 20).highest()", "DieRoll 1..20, mean 13.825", (*dist.Pool).Highest),
		keptOf("lowest", kept, "The total of the k lowest dice.",
			"dice_pool(2, 20).lowest()", "DieRoll 1..20, mean 7.175", (*dist.Pool).Lowest),
		keptOf("drop_highest", dropped, "The total without the k highest dice.",
			"dice_pool(3, 6).drop_highest()", "DieRoll 2..12, mean 5.542", (*dist.Pool).DropHighest),
		keptOf("drop_lowest", dropped, "The total without the k lowest dice.",
			"dice_pool(4, 6).drop_lowest()", "DieRoll 3..18, mean 12.245", (*dist.Pool).DropLowest),
		{
			name: "middle_of", on: onPools, free: true, self: poolParam,
			params:  []Param{{Name: "keep", Doc: "how many dice are kept, from 1 to all of them"}},
			doc:     "The total of the middle dice: as many are dropped from either end, and one more from the high end when that does not come out even.",
			errors:  "keep below 1 or above the number of dice",
			example: "middle_of(dice_pool(3, 6), 1).pmf(1).fraction",
			result:  "2/27",
			run:     ranked((*dist.Pool).Middle),
		},
		{
			name: "order_stat", on: onPools, free: true, self: poolParam,
			params:  []Param{{Name: "k", Doc: "the place from the top, 1 for the highest die"}},
			doc:     "What the k-th highest die shows.",
			errors:  "k below 1 or above the number of dice",
			example: "order_stat(dice_pool(3, 6), 2).pmf(6).fraction",
			result:  "2/27",
			run:     ranked((*dist.Pool).OrderStat),
		},
	}
}

// keptOf defines the total of some dice by how many they are.
func keptOf(name string, k Param, doc, example, result string, keep keeper) builtin {
	return builtin{
		name: name, on: onPools, params: []Param{k},
		doc: doc, errors: "a negative k", example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			p, err := c.pool()
			if err != nil {
				return nil, err
			}
			k, err := c.atLeast(0, 0, 1)
			if err != nil {
				return nil, err
			}
			return c.rolled(keep(p, c.ctx(), k))
		},
	}
}

// ranked is a builtin whose one argument the engine checks.
func ranked(rank keeper) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		p, err := c.pool()
		if err != nil {
			return nil, err
		}
		n, err := c.int(0)
		if err != nil {
			return nil, err
		}
		return c.rolled(rank(p, c.ctx(), n))
	}
}
