package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// The parts of a pool: how many dice there are, and each by itself.

var poolParam = Param{Name: "pool", Doc: "the dice, not added up"}

// pool returns the dice that a method belongs to, or a function is given.
func (c call) pool() (*dist.Pool, error) {
	switch v := c.recv.(type) {
	case *value.Pool:
		return v.Pool(), nil
	case *value.Roll:
		return nil, c.wrongReceiver("got a roll, want a dice pool; a roll is one total, dice_pool(count, sides) and pool(a, b) keep dice apart")
	}
	return nil, c.wrongReceiver("got %s, want a dice pool, as dice_pool(count, sides) makes one", value.Describe(c.recv))
}

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
			attr: func(c call) (starlark.Value, error) {
				return starlark.MakeInt(c.recv.(*value.Pool).Pool().Size()), nil
			},
		},
		{
			name: "dice", on: onPools,
			doc:     "The list of the dice, each a roll.",
			errors:  "more than 256 dice",
			example: "[die.max() for die in pool(d(6), d(8)).dice]",
			result:  "[6, 8]",
			attr: func(c call) (starlark.Value, error) {
				return listDice(c, c.recv.(*value.Pool).Pool())
			},
		},
	}
}

func listDice(c call, p *dist.Pool) (starlark.Value, error) {
	if p.Size() > maxListed {
		return nil, argError("pool", "it has %d dice, want at most %d to list", p.Size(), maxListed)
	}
	values := make([]starlark.Value, 0, p.Size())
	for die, count := range p.Blocks() {
		roll := value.NewRoll(c.methods(), die)
		for range count {
			values = append(values, roll)
		}
	}
	return starlark.NewList(values), nil
}
