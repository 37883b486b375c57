package builtins

import (
	"errors"
	"fmt"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Transformations of what a roll shows. On a pool they act on each die, before
// the dice are added up; those of totals say so.

func transformBuiltins() []define.Builtin {
	spec := define.Param{Name: "spec", Doc: "results: a whole number, a list of them, a band, or a function of a result that returns whether it is one"}
	return []define.Builtin{
		transformOn("keep", []define.Param{spec}, "The roll given that it shows one of these results; of a pool, each die.",
			"nothing that is left", "d(6).keep(at_least(4))", "DieRoll 4..6, mean 5.000",
			func(c define.Call, d *dist.Dist, s dist.Set) (*dist.Dist, error) { return d.Keep(c.Context(), s) }),
		transformOn("remove", []define.Param{spec}, "The roll given that it shows none of these results; of a pool, each die.",
			"nothing that is left", "d(6).remove(1)", "DieRoll 2..6, mean 4.000",
			func(c define.Call, d *dist.Dist, s dist.Set) (*dist.Dist, error) { return d.Remove(c.Context(), s) }),
		transformOn("convert", []define.Param{spec, {Name: "to", Doc: "what they count as"}},
			"These results count as another one; of a pool, on each die.",
			"", "d(6).convert([1, 2], 0).mean()", "3",
			func(c define.Call, d *dist.Dist, s dist.Set) (*dist.Dist, error) {
				to, err := c.Int(1)
				if err != nil {
					return nil, err
				}
				return d.Convert(c.Context(), s, to)
			}),
		transformOn("ignore", []define.Param{spec}, "These results count as 0; of a pool, on each die.",
			"", "d(6).ignore(at_most(3)).mean()", "2.5",
			func(c define.Call, d *dist.Dist, s dist.Set) (*dist.Dist, error) { return d.Convert(c.Context(), s, 0) }),
		{
			Name: "clamp", On: onRolls,
			Params: []define.Param{
				{Name: "min", Doc: "lower totals count as this; None for no end", Default: "None"},
				{Name: "max", Doc: "higher totals count as this; None for no end", Default: "None"},
			},
			Self:    rollParam,
			Doc:     "The total, but never below min nor above max.",
			Errors:  "max below min",
			Example: "(d(6) - 3).clamp(0, 2)",
			Result:  "DieRoll 0..2, mean 0.833",
			Run:     clamp,
		},
		{
			Name: "shift", On: onRolls, Free: true, Self: rollParam,
			Params:  []define.Param{{Name: "delta", Doc: "what is added, a whole number"}},
			Doc:     "The total plus a whole number.",
			Example: "shift(d(6), 10)",
			Result:  "DieRoll 11..16, mean 13.500",
			Run: func(c define.Call) (starlark.Value, error) {
				d, err := c.Self()
				if err != nil {
					return nil, err
				}
				delta, err := c.Int(0)
				if err != nil {
					return nil, err
				}
				return c.Rolled(d.Shift(c.Context(), delta))
			},
		},
	}
}

func transformOn(name string, params []define.Param, doc, errors, example, result string, change func(define.Call, *dist.Dist, dist.Set) (*dist.Dist, error)) define.Builtin {
	return define.Builtin{
		Name: name, On: onRolls, Self: rollParam, Params: params,
		Doc: doc, Errors: errors, Example: example, Result: result,
		Run: func(c define.Call) (starlark.Value, error) {
			s, err := callback.Faces(c, 0)
			if err != nil {
				return nil, err
			}
			v, err := changed(c, func(d *dist.Dist) (*dist.Dist, error) { return change(c, d, s) })
			if _, ok := c.Receiver.(*value.Pool); ok {
				err = ofEachDie(name, err)
			}
			return v, err
		},
	}
}

// ofEachDie is the error of a transformation of a pool: a spec that suits the
// total does not suit the dice.
func ofEachDie(name string, err error) error {
	if wrong := (*dist.ArgError)(nil); errors.As(err, &wrong) {
		hint := fmt.Sprintf("; of a pool %s looks at each die, sum(pool).%[1]s(...) looks at the total", name)
		return &dist.ArgError{Param: wrong.Param, Problem: wrong.Problem + hint}
	}
	return err
}

// clamp is max(min, roll) and min(max, roll). With one end only it stays that,
// so that an unlimited roll keeps its open end.
func clamp(c define.Call) (starlark.Value, error) {
	d, err := c.Self()
	if err != nil {
		return nil, err
	}
	var ends [2]int
	for i := range ends {
		if c.Given(i) {
			if ends[i], err = c.Int(i); err != nil {
				return nil, err
			}
		}
	}
	low, high := ends[0], ends[1]
	switch {
	case c.Given(0) && c.Given(1):
		if low > high {
			return nil, c.Wrong(1, "got %d, want at least min, which is %d", high, low)
		}
		return c.Rolled(d.Clamp(c.Context(), low, high))
	case c.Given(0):
		return c.Rolled(dist.Max(c.Context(), d, dist.Constant(low)))
	case c.Given(1):
		return c.Rolled(dist.Min(c.Context(), d, dist.Constant(high)))
	}
	return c.Rolled(d, nil)
}

// changedDice is changed for what is thrown again: a number is no die.
func changedDice(c define.Call, change func(*dist.Dist) (*dist.Dist, error)) (starlark.Value, error) {
	if problem := value.NotDice(c.Receiver); problem != "" {
		return nil, c.WrongReceiver("%s", problem)
	}
	return changed(c, change)
}

// changed applies a change to a roll or to each die of a pool.
func changed(c define.Call, change func(*dist.Dist) (*dist.Dist, error)) (starlark.Value, error) {
	if p, ok := c.Receiver.(*value.Pool); ok {
		return c.Pooled(p.Pool().Each(change))
	}
	d, err := c.Self()
	if err != nil {
		return nil, err
	}
	return c.Rolled(change(d))
}
