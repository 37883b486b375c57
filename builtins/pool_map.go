package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A function of the recipe sees the faces of a pool together, in the order of the dice.

func poolMapBuiltins() []builtin {
	return []builtin{
		{
			name: "pool_map", free: true,
			params: []Param{
				{Name: "pool", Doc: "the dice"},
				{Name: "fn", Also: []string{"map_fn"}, Doc: "a function of the list of faces, in the order of the dice"},
			},
			doc:     "What a function makes of the faces of a pool, seen together. " + answerDoc,
			errors:  answerErrors,
			example: `pool_map(dice_pool(3, 6), lambda faces: faces[0] == faces[2]).fraction`,
			result:  "1/6",
			run:     func(c call) (starlark.Value, error) { return mapPool(c, c.value(0), 1) },
		},
		{
			name: "map", on: onPools,
			params:  []Param{{Name: "fn", Also: []string{"map_fn"}, Doc: "a function of the list of faces, in the order of the dice"}},
			doc:     "What a function makes of the faces of the pool, seen together. " + answerDoc,
			errors:  answerErrors,
			example: `dice_pool(2, 6).map(lambda faces: faces[0] * 10 + faces[1]).max()`,
			result:  "66",
			run:     func(c call) (starlark.Value, error) { return mapPool(c, c.recv, 0) },
		},
	}
}

// mapPool shows the list of faces of a pool to argument i of c.
func mapPool(c call, pool starlark.Value, i int) (starlark.Value, error) {
	p, err := value.AsPool(pool)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, argError("pool", "got %s, want a pool, like 3d6", value.Describe(pool))
	}
	dice, err := p.Dice(c.ctx())
	if err != nil {
		return nil, err
	}
	cb, err := newCallback(c, i, 1, "the list of faces")
	if err != nil {
		return nil, err
	}
	return cb.mapDice(dice)
}
