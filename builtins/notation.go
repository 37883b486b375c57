package builtins

import (
	"fmt"

	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// notationBuiltins holds roll("..."), which reads dice notation at run time.
func notationBuiltins() []builtin {
	return []builtin{{
		name: "roll", free: true,
		params:  []Param{{Name: "notation", Doc: `dice notation, such as "4d6kh3 + 2"`}},
		doc:     "Dice from text, in the notation that virtual tabletops share.",
		errors:  "text that is not dice notation",
		example: `roll("2d6")`,
		result:  "DicePool 2d6",
		run: func(c call) (starlark.Value, error) {
			if value.IsDice(c.value(0)) {
				return nil, c.wrong(0, `got %s, want text: dice that are written out are a roll already, as in 2d6; roll("2d6") reads text`, value.Describe(c.value(0)))
			}
			text, err := c.text(0)
			if err != nil {
				return nil, err
			}
			env := runenv.Of(c.thread)
			if env == nil || env.Host == nil {
				return nil, fmt.Errorf("dice notation is not available here")
			}
			return env.Host.Notation(c.thread, text)
		},
	}}
}
