package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A function of the recipe sees the faces of a pool together, in the order of the dice.

func poolMapBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "pool_map", Free: true,
			Params: []define.Param{
				{Name: "pool", Doc: "the dice"},
				{Name: "fn", Also: []string{"map_fn"}, Doc: "a function of the list of faces, in the order of the dice"},
			},
			Doc:     "What a function makes of the faces of a pool, seen together. " + answerDoc,
			Errors:  answerErrors,
			Example: `pool_map(dice_pool(3, 6), lambda faces: faces[0] == faces[2]).fraction`,
			Result:  "1/6",
			Run:     func(c define.Call) (starlark.Value, error) { return mapPool(c, c.Value(0), 1) },
		},
		{
			Name: "map", On: onPools,
			Params:  []define.Param{{Name: "fn", Also: []string{"map_fn"}, Doc: "a function of the list of faces, in the order of the dice"}},
			Doc:     "What a function makes of the faces of the pool, seen together. " + answerDoc,
			Errors:  answerErrors,
			Example: `dice_pool(2, 6).map(lambda faces: faces[0] * 10 + faces[1]).max()`,
			Result:  "66",
			Run:     func(c define.Call) (starlark.Value, error) { return mapPool(c, c.Receiver, 0) },
		},
	}
}

// mapPool shows the list of faces of a pool to argument i of c.
func mapPool(c define.Call, pool starlark.Value, i int) (starlark.Value, error) {
	p, err := value.AsPool(pool)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, define.ArgError("pool", "got %s, want a pool, like 3d6", value.Describe(pool))
	}
	dice, err := p.Dice(c.Context())
	if err != nil {
		return nil, err
	}
	cb, err := callback.New(c, i, 1, "the list of faces")
	if err != nil {
		return nil, err
	}
	return cb.MapDice(dice)
}
