package builtins

import (
	"go.starlark.net/starlark"
)

// Chances asked of a roll.

func chanceBuiltins() []builtin {
	return []builtin{
		{
			name: "pmf", on: onRolls, free: true, self: rollParam,
			params:  []Param{{Name: "x", Doc: "the total"}},
			doc:     "The chance of exactly this total.",
			example: "d(6).pmf(6).fraction",
			result:  "1/6",
			run: func(c call) (starlark.Value, error) {
				d, err := c.self()
				if err != nil {
					return nil, err
				}
				x, err := c.int(0)
				if err != nil {
					return nil, err
				}
				return chanceOf(d, d.PMF(x)), nil
			},
		},
	}
}

var rollParam = Param{Name: "roll", Doc: "the roll, pool or whole number that is asked"}
