package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Dice and other rolls that are made from numbers.

func diceBuiltins() []builtin {
	return []builtin{
		{
			name: "d", free: true,
			params:  []Param{{Name: "sides", Doc: "how many sides the die has"}},
			doc:     "A fair die that shows 1 up to its number of sides.",
			errors:  "sides below 1",
			example: "d(6)",
			result:  "DieRoll 1..6, mean 3.500",
			run: func(c call) (starlark.Value, error) {
				sides, err := c.int(0)
				if err != nil {
					return nil, err
				}
				return c.made(sides, func() (*dist.Dist, error) { return dist.Die(sides) })
			},
		},
	}
}

// made charges a table of so many outcomes, makes it and returns the roll.
func (c call) made(outcomes int, build func() (*dist.Dist, error)) (starlark.Value, error) {
	if err := dist.ChargeTable(c.ctx(), int64(max(0, outcomes)), 1); err != nil {
		return nil, err
	}
	return rolled(build())
}

// rolled returns a distribution as the result of a builtin.
func rolled(d *dist.Dist, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return NewRoll(d), nil
}
