package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Certain results are rolled again, and the last roll stands.

func rerollBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "reroll", On: onRolls, Free: true, Self: define.Param{Name: "roll", Also: []string{"dist"}, Doc: "the die; of a pool each die is rerolled"},
			Params: []define.Param{
				{Name: "spec", Doc: "the results that are rerolled: a whole number, a list of them, a band, or a function of a result"},
				{Name: "times", Doc: "how often at most; None rerolls until another result shows", Default: "1"},
			},
			Doc:     "Reroll certain results and keep the last one.",
			Errors:  "a reroll that can never end",
			Example: "reroll(d(6), [1, 2]).pmf(1).fraction",
			Result:  "1/18",
			Run:     reroll,
		},
	}
}

func reroll(c define.Call) (starlark.Value, error) {
	s, err := callback.Faces(c, 0)
	if err != nil {
		return nil, err
	}
	limit, err := c.Limit(1, 0, 1)
	if err != nil {
		return nil, err
	}
	return changedDice(c, func(d *dist.Dist) (*dist.Dist, error) { return d.Reroll(c.Context(), s, limit) })
}
