package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Certain results are rolled again, and the last roll stands.

func rerollBuiltins() []builtin {
	return []builtin{
		{
			name: "reroll", on: onRolls, free: true, self: Param{Name: "roll", Also: []string{"dist"}, Doc: "the die; of a pool each die is rerolled"},
			params: []Param{
				{Name: "spec", Doc: "the results that are rerolled: a whole number, a list of them, a band, or a function of a result"},
				{Name: "times", Doc: "how often at most; None rerolls until another result shows", Default: "1"},
			},
			doc:     "Reroll certain results and keep the last one.",
			errors:  "a reroll that can never end",
			example: "reroll(d(6), [1, 2]).pmf(1).fraction",
			result:  "1/18",
			run:     reroll,
		},
	}
}

func reroll(c call) (starlark.Value, error) {
	s, err := facesThat(c, 0)
	if err != nil {
		return nil, err
	}
	limit, err := c.limit(1, 0, 1)
	if err != nil {
		return nil, err
	}
	return c.changed(func(d *dist.Dist) (*dist.Dist, error) { return d.Reroll(c.ctx(), s, limit) })
}
