package builtins

import (
	"strings"

	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A success pool counts even and top faces, and every top face adds a die to the next
// wave.

func successPoolBuiltins() []builtin {
	return []builtin{
		{
			name: "success_pool", free: true,
			params: []Param{
				{Name: "count", Doc: "how many dice"},
				{Name: "sides", Doc: "how many sides each of them has"},
				{Name: "mode", Doc: "what ones do: " + strings.Join(quotedModes(), ", "), Default: `"baseline"`},
				{Name: "waves", Doc: "how many waves there are at most; None is unlimited", Default: "48"},
			},
			doc:     "Successes of a pool in which even faces and the top face succeed and every top face adds a die to the next wave.",
			errors:  "a mode that is not one of these; a negative count; sides below 1",
			example: `success_pool(3, 6, waves=None).mean().fraction`,
			result:  "9/5",
			run:     successPool,
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

func successPool(c call) (starlark.Value, error) {
	count, err := c.int(0)
	if err != nil {
		return nil, err
	}
	sides, err := c.int(1)
	if err != nil {
		return nil, err
	}
	mode := dist.Baseline
	if c.value(2) != nil {
		if mode, err = c.successMode(2); err != nil {
			return nil, err
		}
	}
	waves, err := c.limit(3, 1, 48)
	if err != nil {
		return nil, err
	}
	return c.rolled(dist.SuccessPool(c.ctx(), count, sides, mode, waves))
}

func (c call) successMode(i int) (dist.SuccessMode, error) {
	name, err := c.text(i)
	if err != nil {
		return 0, err
	}
	for _, m := range dist.SuccessModes() {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, c.wrong(i, "got %s, want one of %s", value.Describe(c.value(i)), strings.Join(quotedModes(), ", "))
}
