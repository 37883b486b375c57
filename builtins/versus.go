package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A contest sets one roll against another, independent one: the first loses,
// ties or wins.

func versusBuiltins() []builtin {
	return []builtin{{
		name: "versus", free: true,
		params: []Param{
			{Name: "a", Doc: "the roll of the first side"},
			{Name: "b", Doc: "the roll of the other side"},
		},
		doc:     "The chances that the first roll loses against the second, ties with it, or wins.",
		example: `versus(d(8), d(6)).pmf("win").fraction`,
		result:  "9/16",
		run:     versus,
	}}
}

func versus(c call) (starlark.Value, error) {
	a, err := c.roll(0)
	if err != nil {
		return nil, err
	}
	b, err := c.roll(1)
	if err != nil {
		return nil, err
	}
	r, err := dist.Compare(c.ctx(), a, b)
	if err != nil {
		return nil, err
	}
	o, err := dist.MixOutcomes(c.ctx(), []dist.OutcomesPart[int]{
		{Weight: r.Less, WeightBound: r.Bound, Outcomes: dist.Certain(0)},
		{Weight: r.Equal, Outcomes: dist.Certain(1)},
		{Weight: r.Greater, Outcomes: dist.Certain(2)},
	})
	return c.placed(value.NewScale(c.methods(), "lose", "tie", "win").Set(), o, err)
}
