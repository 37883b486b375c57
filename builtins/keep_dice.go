package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Kept dice that still are dice: not their total, but what they show.

func keptDiceBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "keep_dice", On: onPools,
		Params: []define.Param{
			{Name: "high", Doc: "how many of the highest dice to keep", Default: "None"},
			{Name: "low", Doc: "how many of the lowest dice to keep", Default: "None"},
			{Name: "drop_high", Doc: "how many of the highest dice to drop", Default: "None"},
			{Name: "drop_low", Doc: "how many of the lowest dice to drop", Default: "None"},
		},
		Doc:     "The kept dice of a pool as dice, which are counted and matched and have a sum.",
		Errors:  "none or several of the four; a number below 0",
		Example: "dice_pool(4, 6).keep_dice(high=3).count(6).pmf(3).fraction",
		Result:  "7/432",
		Run:     keepDice,
	}}
}

func keepDice(c define.Call) (starlark.Value, error) {
	p, err := dicePool(c)
	if err != nil {
		return nil, err
	}
	ways := []func(*dist.Multiset, int) (*dist.Multiset, error){
		(*dist.Multiset).KeepHighest, (*dist.Multiset).KeepLowest, (*dist.Multiset).DropHighest, (*dist.Multiset).DropLowest,
	}
	at := -1
	for i := range ways {
		if !c.Given(i) {
			continue
		}
		if at >= 0 {
			return nil, c.Wrong(i, "got it beside %s, want one of high, low, drop_high and drop_low", c.Param(at))
		}
		at = i
	}
	if at < 0 {
		return nil, define.ArgError("high", "missing; write how many dice to keep, as in keep_dice(high=3), or to drop, as in keep_dice(drop_low=1)")
	}
	n, err := c.Int(at)
	if err != nil {
		return nil, err
	}
	kept, err := ways[at](p.Multiset(), n)
	if err != nil {
		return nil, err
	}
	return value.NewMultiset(c.Methods(), kept, nil), nil
}
