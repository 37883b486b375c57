package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A die explodes: while certain faces show, it is rolled again and added.

func explodeBuiltins() []builtin {
	return []builtin{
		{
			name: "explode", on: onRolls, free: true, self: Param{Name: "roll", Also: []string{"dist"}, Doc: "the die; of a pool each die explodes"},
			params: []Param{
				{Name: "max_depth", Doc: "how many extra rolls there are at most; None is unlimited", Default: "2"},
				{Name: "on", Doc: "the results that explode; left out, the highest face", Default: "None"},
			},
			doc:     "Roll again and add while the highest face (or one that you name) shows.",
			errors:  "a negative max_depth; an explosion that can never end",
			example: "explode(d(6), None).mean().fraction",
			result:  "21/5",
			run:     explode,
		},
	}
}

func explode(c call) (starlark.Value, error) {
	depth, err := c.limit(0, 0, 2)
	if err != nil {
		return nil, err
	}
	on := dist.Nothing
	if c.given(1) {
		if on, err = facesThat(c, 1); err != nil {
			return nil, err
		}
	}
	exploded, err := c.changed(func(d *dist.Dist) (*dist.Dist, error) {
		faces := on
		if !c.given(1) {
			if d.UnboundedAbove() {
				return nil, c.wrong(1, "an unlimited roll has no highest face; say which results explode")
			}
			faces = d.TopFace()
		}
		return d.Explode(c.ctx(), faces, depth)
	})
	if err != nil || depth == dist.Unlimited {
		return exploded, err
	}
	switch x := exploded.(type) {
	case *value.Roll:
		return x.Exploded(depth), nil
	case *value.Pool:
		return x.Exploded(depth), nil
	}
	return exploded, err
}
