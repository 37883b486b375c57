package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Whether two values are the same thing, where == would ask for a chance.

func sameBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "same", Free: true,
		Params: []define.Param{
			{Name: "a", Doc: "one value"},
			{Name: "b", Doc: "the other value"},
		},
		Doc:     "Whether two values are the same thing, such as two rolls with the same chances; a == b would ask for the chance that they tie.",
		Example: "same(d(6) + d(6), dice_pool(2, 6).sum())",
		Result:  "True",
		Run: func(c define.Call) (starlark.Value, error) {
			ok, err := value.Same(c.Thread, c.Value(0), c.Value(1))
			return starlark.Bool(ok), err
		},
	}}
}
