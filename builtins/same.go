package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Whether two values are the same thing, where == would ask for a chance.

func sameBuiltins() []builtin {
	return []builtin{{
		name: "same", free: true,
		params: []Param{
			{Name: "a", Doc: "one value"},
			{Name: "b", Doc: "the other value"},
		},
		doc:     "Whether two values are the same thing, such as two rolls with the same chances; a == b would ask for the chance that they tie.",
		example: "same(d(6) + d(6), dice_pool(2, 6).sum())",
		result:  "True",
		run: func(c call) (starlark.Value, error) {
			ok, err := value.Same(c.thread, c.value(0), c.value(1))
			return starlark.Bool(ok), err
		},
	}}
}
