package builtins

import (
	"context"
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Totals of the dice that are kept of a pool of equal dice.

func keptBuiltins() []define.Builtin {
	keep := define.Param{Name: "keep", Doc: "how many dice are kept; 0 totals 0, more than there are keeps all"}
	drop := define.Param{Name: "drop", Doc: "how many dice are dropped; at least one always stays"}
	return []define.Builtin{
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

func keptOfEqual(name string, which define.Param, doc, example, result string, keep keeper) define.Builtin {
	return define.Builtin{
		Name: name, Free: true,
		Params: []define.Param{
			{Name: "count", Doc: "how many dice are rolled"},
			{Name: "sides", Doc: "how many sides each of them has"},
			which,
		},
		Doc:     doc,
		Errors:  "count or sides below 1; a negative " + which.Name,
		Slip:    func(args starlark.Tuple) string { return keptOfPool(name, args) },
		Example: example,
		Result:  result,
		Run: func(c define.Call) (starlark.Value, error) {
			p, err := equalDice(c)
			if err != nil {
				return nil, err
			}
			k, err := c.AtLeast(2, 0, 0)
			if err != nil {
				return nil, err
			}
			return c.Rolled(keep(p, c.Context(), k))
		},
	}
}

// keptOfPool is about keep_highest(4d6, 3): of a pool it is a method.
func keptOfPool(name string, args starlark.Tuple) string {
	if len(args) == 0 {
		return ""
	}
	p, ok := args[0].(*value.Pool)
	if !ok {
		return ""
	}
	k := "1"
	if len(args) > 1 {
		k = value.Describe(args[1])
	}
	return fmt.Sprintf("got a dice pool, want how many dice and how many sides; of a pool it is asked after a dot: (%s).%s(%s)", p.Written(), name, k)
}

func poolKeepBuiltins() []define.Builtin {
	kept := define.Param{Name: "k", Doc: "how many dice; 0 totals 0, more than there are takes all", Default: "1"}
	dropped := define.Param{Name: "k", Doc: "how many dice; at least one always stays", Default: "1"}
	return []define.Builtin{
		{
			Name: "sum", On: onRolls,
			Doc:     "The total of all dice; a roll is its own total.",
			Example: "dice_pool(3, 6).sum()",
			Result:  "DieRoll 3..18, mean 10.500",
			Run: func(c define.Call) (starlark.Value, error) {
				return c.Rolled(c.Self())
			},
		},
		keptOf("highest", kept, "The total of the k highest dice.",
			"dice_pool(2, 20).highest()", "DieRoll 1..20, mean 13.825", (*dist.Pool).Highest),
		keptOf("lowest", kept, "The total of the k lowest dice.",
			"dice_pool(2, 20).lowest()", "DieRoll 1..20, mean 7.175", (*dist.Pool).Lowest),
		keptOf("keep_highest", kept, "The total of the k highest dice, as .highest(k).",
			"dice_pool(4, 6).keep_highest(3)", "DieRoll 3..18, mean 12.245", (*dist.Pool).Highest),
		keptOf("keep_lowest", kept, "The total of the k lowest dice, as .lowest(k).",
			"dice_pool(2, 20).keep_lowest()", "DieRoll 1..20, mean 7.175", (*dist.Pool).Lowest),
		keptOf("drop_highest", dropped, "The total without the k highest dice.",
			"dice_pool(3, 6).drop_highest()", "DieRoll 2..12, mean 5.542", (*dist.Pool).DropHighest),
		keptOf("drop_lowest", dropped, "The total without the k lowest dice.",
			"dice_pool(4, 6).drop_lowest()", "DieRoll 3..18, mean 12.245", (*dist.Pool).DropLowest),
		{
			Name: "middle_of", On: onPools, Free: true, Self: poolParam,
			Params:  []define.Param{{Name: "keep", Doc: "how many dice are kept, from 1 to all of them"}},
			Doc:     "The total of the middle dice: as many are dropped from either end, and one more from the high end when that does not come out even.",
			Errors:  "keep below 1 or above the number of dice",
			Example: "middle_of(dice_pool(3, 6), 1).pmf(1).fraction",
			Result:  "2/27",
			Run:     ranked((*dist.Pool).Middle),
		},
		{
			Name: "order_stat", On: onPools, Free: true, Self: poolParam,
			Params:  []define.Param{{Name: "k", Doc: "the place from the top, 1 for the highest die"}},
			Doc:     "What the k-th highest die shows.",
			Errors:  "k below 1 or above the number of dice",
			Example: "order_stat(dice_pool(3, 6), 2).pmf(6).fraction",
			Result:  "2/27",
			Run:     ranked((*dist.Pool).OrderStat),
		},
	}
}

// keptOf defines the total of some dice by how many they are.
func keptOf(name string, k define.Param, doc, example, result string, keep keeper) define.Builtin {
	return define.Builtin{
		Name: name, On: onPools, Params: []define.Param{k},
		Doc: doc, Errors: "a negative k", Example: example, Result: result,
		Run: func(c define.Call) (starlark.Value, error) {
			p, err := dicePool(c)
			if err != nil {
				return nil, err
			}
			k, err := c.AtLeast(0, 0, 1)
			if err != nil {
				return nil, err
			}
			return c.Rolled(keep(p, c.Context(), k))
		},
	}
}

// ranked is a builtin whose one argument the engine checks.
func ranked(rank keeper) func(define.Call) (starlark.Value, error) {
	return func(c define.Call) (starlark.Value, error) {
		p, err := dicePool(c)
		if err != nil {
			return nil, err
		}
		n, err := c.Int(0)
		if err != nil {
			return nil, err
		}
		return c.Rolled(rank(p, c.Context(), n))
	}
}
