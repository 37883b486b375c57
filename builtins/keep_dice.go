package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Kept dice that still are dice: not their total, but what they show.

func keptDiceBuiltins() []builtin {
	return []builtin{{
		name: "keep_dice", on: onPools,
		params: []Param{
			{Name: "high", Doc: "how many of the highest dice to keep", Default: "None"},
			{Name: "low", Doc: "how many of the lowest dice to keep", Default: "None"},
			{Name: "drop_high", Doc: "how many of the highest dice to drop", Default: "None"},
			{Name: "drop_low", Doc: "how many of the lowest dice to drop", Default: "None"},
		},
		doc:     "The kept dice of a pool as dice, which are counted and matched and have a sum.",
		errors:  "none or several of the four; a number below 0",
		example: "dice_pool(4, 6).keep_dice(high=3).count(6).pmf(3).fraction",
		result:  "7/432",
		run:     keepDice,
	}}
}

func keepDice(c call) (starlark.Value, error) {
	p, err := c.pool()
	if err != nil {
		return nil, err
	}
	ways := []func(*dist.Multiset, int) (*dist.Multiset, error){
		(*dist.Multiset).KeepHighest, (*dist.Multiset).KeepLowest, (*dist.Multiset).DropHighest, (*dist.Multiset).DropLowest,
	}
	at := -1
	for i := range ways {
		if !c.given(i) {
			continue
		}
		if at >= 0 {
			return nil, c.wrong(i, "got it beside %s, want one of high, low, drop_high and drop_low", c.param(at))
		}
		at = i
	}
	if at < 0 {
		return nil, argError("high", "missing; write how many dice to keep, as in keep_dice(high=3), or to drop, as in keep_dice(drop_low=1)")
	}
	n, err := c.int(at)
	if err != nil {
		return nil, err
	}
	kept, err := ways[at](p.Multiset(), n)
	if err != nil {
		return nil, err
	}
	return value.NewMultiset(c.methods(), kept, nil), nil
}
