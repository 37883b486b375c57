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
		Params: []define.Param{
			{Name: "notation", Doc: `dice notation, such as "4d6kh3 + 2"`},
			{Name: "dialect", Default: "None", Doc: `"foundry", "roll20" or "avrae": read it as that tabletop does, and give the total`},
			{Name: "inputs", Default: "None", Doc: `whole numbers for the names of a dialect: {"mod": 3} for @mod`},
		},
		Doc:     "Dice from text, in the notation that virtual tabletops share, or that of one of them.",
		Errors:  "text that is not dice notation; a name without a value",
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
			if c.Omitted(1) {
				if !c.Omitted(2) {
					return nil, c.Wrong(2, "names such as @mod are of a dialect: name it too, as in dialect=\"foundry\"")
				}
				return env.Host.Notation(c.Thread, text)
			}
			dialect, err := c.Text(1)
			if err != nil {
				return nil, err
			}
			inputs, err := tableInputs(c)
			if err != nil {
				return nil, err
			}
			return env.Host.Table(dialect, text, inputs)
		},
	}}
}

// tableInputs are the values of names in a dialect.
func tableInputs(c define.Call) (map[string]int, error) {
	if c.Omitted(2) {
		return nil, nil
	}
	d, ok := c.Value(2).(*starlark.Dict)
	if !ok {
		return nil, c.Wrong(2, `got %s, want a dict of names and whole numbers, as in {"mod": 3}`, value.Describe(c.Value(2)))
	}
	if err := c.Meter().List(int64(d.Len())); err != nil {
		return nil, err
	}
	inputs := make(map[string]int, d.Len())
	for name, v := range d.Entries() {
		text, isText := starlark.AsString(name)
		n, err := starlark.AsInt32(v)
		if !isText || err != nil {
			return nil, c.Wrong(2, `got %s: %s, want a name and a whole number, as in {"mod": 3}`, value.Describe(name), value.Describe(v))
		}
		inputs[text] = n
	}
	return inputs, nil
}
