package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A function of the recipe sees the sorted faces of pools: each multiset once, with
// the number of ways in which it comes up.

func mapSortedBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "map_sorted", Free: true,
			Params: []define.Param{
				{Name: "fn", Doc: "a function of one list of faces for each pool, sorted from low to high"},
				{Name: "pools", Variadic: true, Doc: "independent pools"},
			},
			Doc: "What a function makes of the sorted faces of pools; for a rule that does not care which die shows what " +
				"it calls the function far less often than pool_map does. " + answerDoc,
			Errors:  answerErrors,
			Example: `map_sorted(lambda attack, defence: attack[-1] > defence[-1], dice_pool(3, 6), dice_pool(2, 6)).fraction`,
			Result:  "3667/7776",
			Run:     mapSorted,
		},
		{
			Name: "map_sorted", On: onPools,
			Params:  []define.Param{{Name: "fn", Doc: "a function of the list of faces, sorted from low to high"}},
			Doc:     "What a function makes of the sorted faces of the pool. " + answerDoc,
			Errors:  answerErrors,
			Example: `dice_pool(5, 6).map_sorted(lambda faces: faces[0] == faces[4]).fraction`,
			Result:  "1/1296",
			Run: func(c define.Call) (starlark.Value, error) {
				return mapSortedPools(c, []starlark.Value{c.Receiver}, 0)
			},
		},
	}
}

func mapSorted(c define.Call) (starlark.Value, error) {
	pools := c.Rest(1)
	if len(pools) == 0 {
		return nil, define.ArgError("pools", "missing; write at least one pool after the function, as in map_sorted(fn, 3d6)")
	}
	return mapSortedPools(c, pools, 0)
}

func mapSortedPools(c define.Call, pools []starlark.Value, i int) (starlark.Value, error) {
	rows := make([]*dist.Pool, len(pools))
	for i, v := range pools {
		p, err := value.AsPool(v)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, define.ArgError("pools", "got %s, want a pool, like 3d6", value.Describe(v))
		}
		rows[i] = p
	}
	cb, err := callback.New(c, i, len(pools), "the sorted faces of each pool, as a list")
	if err != nil {
		return nil, err
	}
	return cb.MapSorted(rows)
}
