package builtins

import (
	"dicescript/builtins/define"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Sampling is for playing. Scripts are deterministic, so a seed is required,
// and nothing that is drawn enters a computation of chances.

func sampleBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "sample", On: onRolls,
			Params: []define.Param{
				{Name: "n", Doc: "how many rolls"},
				{Name: "seed", Doc: "a whole number; the same seed gives the same rolls"},
			},
			Doc:     "Actual rolls, for playing: a list of n random totals, never used for chances.",
			Errors:  "a negative n",
			Example: "len(d(6).sample(10, seed=1))",
			Result:  "10",
			Run:     sample,
		},
	}
}

func sample(c define.Call) (starlark.Value, error) {
	d, err := c.Self()
	if err != nil {
		return nil, err
	}
	n, err := c.AtLeast(0, 0, 0)
	if err != nil {
		return nil, err
	}
	seed, err := c.Int(1)
	if err != nil {
		return nil, err
	}
	if err := c.Meter().List(int64(n)); err != nil {
		return nil, err
	}
	s, err := d.Sampler(c.Context())
	if err != nil {
		return nil, err
	}
	src := dist.SeededSource(int64(seed))
	xs := make([]starlark.Value, n)
	for i := range xs {
		if i%(1<<16) == 0 {
			if err := c.Context().Err(); err != nil {
				return nil, err
			}
		}
		xs[i] = starlark.MakeInt(s.Draw(src))
	}
	return starlark.NewList(xs), nil
}
