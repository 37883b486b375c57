package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// The parts of a pool: how many dice there are, and each by itself.

var poolParam = define.Param{Name: "pool", Doc: "the dice, not added up"}

// dicePool returns the dice that a method belongs to, or a function is given.
func dicePool(c define.Call) (*dist.Pool, error) {
	switch v := c.Receiver.(type) {
	case *value.Pool:
		return v.Pool(), nil
	case *value.Roll:
		return nil, c.WrongReceiver("got a roll, want a dice pool; a roll is one total, dice_pool(count, sides) and pool(a, b) keep dice apart")
	}
	return nil, c.WrongReceiver("got %s, want a dice pool, as dice_pool(count, sides) makes one", value.Describe(c.Receiver))
}

// maxListed is how many dice a list of a pool may hold. An attribute can't be
// charged to a run, so it must stay small by itself.
const maxListed = 256

func poolPartsBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "size", On: onPools,
			Doc:     "How many dice there are.",
			Example: "dice_pool(4, 6).size",
			Result:  "4",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.MakeInt(c.Receiver.(*value.Pool).Pool().Size()), nil
			},
		},
		{
			Name: "dice", On: onPools,
			Doc:     "The list of the dice, each a roll.",
			Errors:  "more than 256 dice",
			Example: "[die.max() for die in pool(d(6), d(8)).dice]",
			Result:  "[6, 8]",
			Attr: func(c define.Call) (starlark.Value, error) {
				return listDice(c, c.Receiver.(*value.Pool).Pool())
			},
		},
	}
}

func listDice(c define.Call, p *dist.Pool) (starlark.Value, error) {
	if p.Size() > maxListed {
		return nil, define.ArgError("pool", "it has %d dice, want at most %d to list", p.Size(), maxListed)
	}
	values := make([]starlark.Value, 0, p.Size())
	for die, count := range p.Blocks() {
		roll := value.NewRoll(c.Methods(), die)
		for range count {
			values = append(values, roll)
		}
	}
	return starlark.NewList(values), nil
}
