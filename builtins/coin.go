package builtins

import (
	"dicescript/builtins/define"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A coin turns a chance into a roll of 0 and 1.

func coinBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "coin", Free: true,
			Params:  []define.Param{{Name: "p", Doc: `the chance of a 1, such as 0.3, 1/3 or another roll's chance`}},
			Doc:     "A roll that is 1 with the given chance and 0 otherwise.",
			Errors:  "a chance below 0 or above 1",
			Example: `coin("1/3").mean().fraction`,
			Result:  "1/3",
			Run:     coin,
		},
	}
}

func coin(c define.Call) (starlark.Value, error) {
	p, bound, err := c.Chance(0)
	if err != nil {
		return nil, err
	}
	if bound == 0 {
		return c.Rolled(dist.Coin(p))
	}
	return c.Rolled(dist.Mixture(c.Context(), chosen(p, bound, dist.Constant(1), dist.Constant(0))))
}
