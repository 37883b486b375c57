package builtins

import (
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// notationBuiltins holds roll("..."), which reads dice notation at run time.
func notationBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "roll", Free: true,
		Params:  []define.Param{{Name: "notation", Doc: `dice notation, such as "4d6kh3 + 2"`}},
		Doc:     "Dice from text, in the notation that virtual tabletops share.",
		Errors:  "text that is not dice notation",
		Example: `roll("2d6")`,
		Result:  "DicePool 2d6",
		Run: func(c define.Call) (starlark.Value, error) {
			if value.IsDice(c.Value(0)) {
				return nil, c.Wrong(0, `got %s, want text: dice that are written out are a roll already, as in 2d6; roll("2d6") reads text`, value.Describe(c.Value(0)))
			}
			text, err := c.Text(0)
			if err != nil {
				return nil, err
			}
			env := runenv.Of(c.Thread)
			if env == nil || env.Host == nil {
				return nil, fmt.Errorf("dice notation is not available here")
			}
			return env.Host.Notation(c.Thread, text)
		},
	}}
}
