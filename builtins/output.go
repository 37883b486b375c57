package builtins

import (
	"errors"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Showing is how a recipe gives results: everything that has an exact form can
// be shown, and the host decides how it looks.

func outputBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "output", Free: true,
		Params: []define.Param{
			{Name: "title", Default: `""`, Doc: "the title; output(value) gives it the title output_0, output_1 and so on"},
			{Name: "value", Default: "None", Doc: "a roll, pool, chance, number, text, Outcomes, table, grid, plan, list or dict; Outcomes of pairs are shown as a table in two directions; a list or dict is shown as its text, and is data for programs; a list of (label, chance) is better shown with prob_table, one of (label, roll) with compare"},
		},
		Doc:     "Shows a value as a result of the recipe.",
		Errors:  "a value that can't be shown; use in a module, which returns its results instead",
		Example: `output("to hit", d(20).p_ge(15))`,
		Result:  "None",
		Run:     output,
	}}
}

func output(c define.Call) (starlark.Value, error) {
	if err := notInPlay(c, "return what is to be shown, and output(play(fn))"); err != nil {
		return nil, err
	}
	title, titled, v, err := shown(c)
	if err != nil {
		return nil, err
	}
	if err := showable(v); err != nil {
		return nil, err
	}
	env := runenv.Of(c.Thread)
	if env == nil || env.Host == nil {
		return nil, errors.New("only the main file shows results; a module returns them")
	}
	if pool, ok := v.(*value.Pool); ok {
		// A pool is shown as its total, and the run pays for it here.
		if _, err := pool.Total(c.Thread); err != nil {
			return nil, err
		}
	}
	return starlark.None, env.Host.Output(title, titled, v)
}

// shown sorts out output(value), output(title, value) and the names.
func shown(c define.Call) (title string, titled bool, v starlark.Value, err error) {
	first, second := c.Value(0), c.Value(1)
	switch {
	case first == nil && second == nil:
		return "", false, nil, define.ArgError("value", "missing; write output(\"title\", value) or output(value)")
	case second == nil:
		return "", false, first, nil
	case first == nil:
		return "", false, second, nil
	}
	text, ok := first.(starlark.String)
	if !ok {
		if _, swapped := second.(starlark.String); swapped {
			return "", false, nil, define.ArgError("title", "got %s, want text: the title comes first, as in output(\"title\", value)", value.Describe(first))
		}
		return "", false, nil, c.Want(0, "text in quotes")
	}
	return string(text), true, second, nil
}

// showable says why v can't be shown.
func showable(v starlark.Value) error {
	switch v := v.(type) {
	case *value.Roll, *value.Pool, *value.Outcomes, *value.Prob, *value.Number, *value.ProbTable, *value.Grid, *value.Comparison, *Plan,
		*value.Scale, starlark.Int, starlark.Float, starlark.String, starlark.Bool,
		*starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		return nil
	case starlark.NoneType:
		return define.ArgError("value", "got None, want something to show; does the function that made it end in a return?")
	case starlark.Callable:
		return define.ArgError("value", "got the function %s, want something to show; did you mean to call it: %s(...)?", callback.NameOf(v), callback.NameOf(v))
	}
	if _, isBand := value.AsBand(v); isBand {
		return nil
	}
	return define.ArgError("value", "got a value of type %s, which can't be shown; str(value) is its text", v.Type())
}
