package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What a pool is made of.

// maxListed is how many dice a list of a pool may hold. An attribute can't be
// charged to a run, so it must stay small by itself.
const maxListed = 256

func poolPartsBuiltins() []builtin {
	return []builtin{
		{
			name: "size", on: onPools,
			doc:     "How many dice there are.",
			example: "dice_pool(4, 6).size",
			result:  "4",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return starlark.MakeInt(v.(*Pool).dice.Size()), nil
			},
		},
		{
			name: "dice", on: onPools,
			doc:     "The list of the dice, each a roll.",
			errors:  "more than 256 dice",
			example: "[die.max() for die in pool(d(6), d(8)).dice]",
			result:  "[6, 8]",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return listDice(v.(*Pool).dice)
			},
		},
	}
}

func listDice(p *dist.Pool) (starlark.Value, error) {
	if p.Size() > maxListed {
		return nil, argError("pool", "it has %d dice, want at most %d to list", p.Size(), maxListed)
	}
	values := make([]starlark.Value, 0, p.Size())
	for die, count := range p.Blocks() {
		roll := NewRoll(die)
		for range count {
			values = append(values, roll)
		}
	}
	return starlark.NewList(values), nil
}
