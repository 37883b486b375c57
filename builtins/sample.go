package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Sampling is for playing. Scripts are deterministic, so a seed is required,
// and nothing that is drawn enters a computation of chances.

func sampleBuiltins() []builtin {
	return []builtin{
		{
			name: "sample", on: onRolls,
			params: []Param{
				{Name: "n", Doc: "how many rolls"},
				{Name: "seed", Doc: "a whole number; the same seed gives the same rolls"},
			},
			doc:     "Actual rolls, for playing: a list of n random totals, never used for chances.",
			errors:  "a negative n",
			example: "len(d(6).sample(10, seed=1))",
			result:  "10",
			run:     sample,
		},
	}
}

func sample(c call) (starlark.Value, error) {
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	n, err := c.atLeast(0, 0, 0)
	if err != nil {
		return nil, err
	}
	seed, err := c.int(1)
	if err != nil {
		return nil, err
	}
	if err := c.meter().List(int64(n)); err != nil {
		return nil, err
	}
	s, err := d.Sampler(c.ctx())
	if err != nil {
		return nil, err
	}
	src := dist.SeededSource(int64(seed))
	xs := make([]starlark.Value, n)
	for i := range xs {
		if i%(1<<16) == 0 {
			if err := c.ctx().Err(); err != nil {
				return nil, err
			}
		}
		xs[i] = starlark.MakeInt(s.Draw(src))
	}
	return starlark.NewList(xs), nil
}
