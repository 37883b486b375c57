package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Bands are written as 5..6, 5.. and ..6, or made by the functions below.

func bandBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "through", Free: true,
			Params: []define.Param{
				{Name: "lo", Doc: "the lowest number in the band"},
				{Name: "hi", Doc: "the highest number in the band"},
			},
			Doc:     "The band of whole numbers from lo to hi, both included.",
			Errors:  "lo above hi",
			Example: "list(through(5, 8))",
			Result:  "[5, 6, 7, 8]",
			Run: func(c define.Call) (starlark.Value, error) {
				lo, err := c.Int(0)
				if err != nil {
					return nil, err
				}
				hi, err := c.Int(1)
				if err != nil {
					return nil, err
				}
				return value.Through(lo, hi)
			},
		},
		{
			Name: "at_least", Free: true,
			Params:  []define.Param{{Name: "lo", Doc: "the lowest number in the band"}},
			Doc:     "The band of lo and every number above it.",
			Example: "at_least(5)",
			Result:  "5..",
			Run:     openBand(value.AtLeast),
		},
		{
			Name: "at_most", Free: true,
			Params:  []define.Param{{Name: "hi", Doc: "the highest number in the band"}},
			Doc:     "The band of hi and every number below it.",
			Example: "7 in at_most(5)",
			Result:  "False",
			Run:     openBand(value.AtMost),
		},
	}
}

func openBand(band func(int) starlark.Value) func(define.Call) (starlark.Value, error) {
	return func(c define.Call) (starlark.Value, error) {
		n, err := c.Int(0)
		if err != nil {
			return nil, err
		}
		return band(n), nil
	}
}
