package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A die explodes: while certain faces show, it is rolled again and added.

func explodeBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "explode", On: onRolls, Free: true, Self: define.Param{Name: "roll", Also: []string{"dist"}, Doc: "the die; of a pool each die explodes"},
			Params: []define.Param{
				{Name: "max_depth", Doc: "how many extra rolls there are at most; None is unlimited", Default: "2"},
				{Name: "on", Doc: "the results that explode; left out, the highest face", Default: "None"},
			},
			Doc:     "Roll again and add while the highest face (or one that you name) shows.",
			Errors:  "a negative max_depth; an explosion that can never end",
			Example: "explode(d(6), None).mean().fraction",
			Result:  "21/5",
			Run:     explode,
		},
	}
}

func explode(c define.Call) (starlark.Value, error) {
	depth, err := c.Limit(0, 0, 2)
	if err != nil {
		return nil, err
	}
	on := dist.Nothing
	if c.Given(1) {
		if on, err = callback.Faces(c, 1); err != nil {
			return nil, err
		}
	}
	exploded, err := changedDice(c, func(d *dist.Dist) (*dist.Dist, error) {
		faces := on
		if !c.Given(1) {
			if d.UnboundedAbove() {
				return nil, c.Wrong(1, "an unlimited roll has no highest face; say which results explode")
			}
			faces = d.TopFace()
		}
		return d.Explode(c.Context(), faces, depth)
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
