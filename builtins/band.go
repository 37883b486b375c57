package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Bands are written as 5..6, 5.. and ..6, or made by the functions below.

func bandBuiltins() []builtin {
	return []builtin{
		{
			name: "through", free: true,
			params: []Param{
				{Name: "lo", Doc: "the lowest number in the band"},
				{Name: "hi", Doc: "the highest number in the band"},
			},
			doc:     "The band of whole numbers from lo to hi, both included.",
			errors:  "lo above hi",
			example: "list(through(5, 8))",
			result:  "[5, 6, 7, 8]",
			run: func(c call) (starlark.Value, error) {
				lo, err := c.int(0)
				if err != nil {
					return nil, err
				}
				hi, err := c.int(1)
				if err != nil {
					return nil, err
				}
				return value.Through(lo, hi)
			},
		},
		{
			name: "at_least", free: true,
			params:  []Param{{Name: "lo", Doc: "the lowest number in the band"}},
			doc:     "The band of lo and every number above it.",
			example: "at_least(5)",
			result:  "5..",
			run:     openBand(value.AtLeast),
		},
		{
			name: "at_most", free: true,
			params:  []Param{{Name: "hi", Doc: "the highest number in the band"}},
			doc:     "The band of hi and every number below it.",
			example: "7 in at_most(5)",
			result:  "False",
			run:     openBand(value.AtMost),
		},
	}
}

func openBand(band func(int) starlark.Value) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		n, err := c.int(0)
		if err != nil {
			return nil, err
		}
		return band(n), nil
	}
}
