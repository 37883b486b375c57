package builtins

import (
	"strings"

	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A success pool counts even and top faces, and every top face adds a die to the next
// wave.

func successPoolBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "success_pool", Free: true,
			Params: []define.Param{
				{Name: "count", Doc: "how many dice"},
				{Name: "sides", Doc: "how many sides each of them has"},
				{Name: "mode", Doc: "what ones do: " + strings.Join(quotedModes(), ", "), Default: `"baseline"`},
				{Name: "waves", Doc: "how many waves there are at most; None is unlimited", Default: "48"},
			},
			Doc:     "Successes of a pool in which even faces and the top face succeed and every top face adds a die to the next wave.",
			Errors:  "a mode that is not one of these; a negative count; sides below 1",
			Example: `success_pool(3, 6, waves=None).mean().fraction`,
			Result:  "9/5",
			Run:     successPool,
		},
	}
}

func quotedModes() []string {
	var names []string
	for _, m := range dist.SuccessModes() {
		names = append(names, starlark.String(m.String()).String())
	}
	return names
}

func successPool(c define.Call) (starlark.Value, error) {
	count, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	sides, err := c.Int(1)
	if err != nil {
		return nil, err
	}
	mode := dist.Baseline
	if c.Value(2) != nil {
		if mode, err = successMode(c, 2); err != nil {
			return nil, err
		}
	}
	waves, err := c.Limit(3, 1, 48)
	if err != nil {
		return nil, err
	}
	return c.Rolled(dist.SuccessPool(c.Context(), count, sides, mode, waves))
}

func successMode(c define.Call, i int) (dist.SuccessMode, error) {
	name, err := c.Text(i)
	if err != nil {
		return 0, err
	}
	for _, m := range dist.SuccessModes() {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, c.Wrong(i, "got %s, want one of %s", value.Describe(c.Value(i)), strings.Join(quotedModes(), ", "))
}
