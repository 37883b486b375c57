package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A contest sets one roll against another, independent one: the first loses,
// ties or wins.

func versusBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "versus", Free: true,
		Params: []define.Param{
			{Name: "a", Doc: "the roll of the first side"},
			{Name: "b", Doc: "the roll of the other side"},
		},
		Doc:     "The chances that the first roll loses against the second, ties with it, or wins.",
		Example: `versus(d(8), d(6)).pmf("win").fraction`,
		Result:  "9/16",
		Run:     versus,
	}}
}

func versus(c define.Call) (starlark.Value, error) {
	a, err := c.Roll(0)
	if err != nil {
		return nil, err
	}
	b, err := c.Roll(1)
	if err != nil {
		return nil, err
	}
	r, err := dist.Compare(c.Context(), a, b)
	if err != nil {
		return nil, err
	}
	o, err := dist.MixOutcomes(c.Context(), []dist.OutcomesPart[int]{
		{Weight: r.Less, WeightBound: r.Bound, Outcomes: dist.Certain(0)},
		{Weight: r.Equal, Outcomes: dist.Certain(1)},
		{Weight: r.Greater, Outcomes: dist.Certain(2)},
	})
	return c.Placed(value.NewScale(c.Methods(), "lose", "tie", "win").Set(), o, err)
}
