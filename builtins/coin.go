package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A coin turns a chance into a roll of 0 and 1.

func coinBuiltins() []builtin {
	return []builtin{
		{
			name: "coin", free: true,
			params:  []Param{{Name: "p", Doc: `the chance of a 1, such as 0.3, "1/3" or another roll's chance`}},
			doc:     "A roll that is 1 with the given chance and 0 otherwise.",
			errors:  "a chance below 0 or above 1",
			example: `coin("1/3").mean().fraction`,
			result:  "1/3",
			run:     coin,
		},
	}
}

func coin(c call) (starlark.Value, error) {
	p, bound, err := c.chance(0)
	if err != nil {
		return nil, err
	}
	if bound == 0 {
		return c.rolled(dist.Coin(p))
	}
	return c.rolled(dist.Mixture(c.ctx(), chosen(p, bound, dist.Constant(1), dist.Constant(0))))
}
