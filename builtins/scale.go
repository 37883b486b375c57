package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A scale is written step by step, worst to best.

// scaleOf returns argument i as a scale.
func scaleOf(c define.Call, i int) (*value.Scale, error) {
	s, ok := c.Value(i).(*value.Scale)
	if !ok {
		return nil, c.Want(i, `a scale, like scale().step("miss").step("hit")`)
	}
	if len(s.Steps()) == 0 {
		return nil, c.Wrong(i, `it has no steps; add them with .step("miss").step("hit")`)
	}
	return s, nil
}

var onScales = []string{"Scale"}

func scaleBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "scale", Free: true,
			Doc:     "An empty ladder of results; add its steps worst to best.",
			Excess:  `none: each label is a step, as in scale().step("miss").step("hit")`,
			Example: `scale().step("miss").step("hit", at_least(15))`,
			Result:  `scale().step("miss").step("hit", 15..)`,
			Run: func(c define.Call) (starlark.Value, error) {
				return value.NewScale(c.Methods()), nil
			},
		},
		{
			Name: "step", On: onScales,
			Params: []define.Param{
				{Name: "label", Doc: "the name of the step, or a tuple"},
				{Name: "band", Default: "None", Doc: "the totals that it catches: a band, a number or a list of numbers"},
				{Name: "early", Default: "False", Doc: "whether it is asked before all steps that are not early"},
			},
			Doc:     "The same ladder with one more step, better than those so far; a step without a band never catches a total.",
			Errors:  "a label that is empty or on the ladder already",
			Example: `scale().step("fumble", 1, early=True).step("miss", at_most(14)).step("hit", at_least(15)).labels`,
			Result:  `["fumble", "miss", "hit"]`,
			Run:     addStep,
		},
		{
			Name: "labels", On: onScales,
			Doc:     "The list of labels, worst to best.",
			Example: `scale().step("miss").step("hit").labels`,
			Result:  `["miss", "hit"]`,
			Attr: func(c define.Call) (starlark.Value, error) {
				return frozenList(c.Receiver.(*value.Scale).Set().Labels()), nil
			},
		},
	}
}

func addStep(c define.Call) (starlark.Value, error) {
	if _, number := c.Value(0).(starlark.Int); number {
		return nil, c.Want(0, "text, as in \"Hit\"; totals are named by the band, as in .step(\"Hit\", 15..)")
	}
	if err := value.CheckLabel(c.Meter(), c.Value(0)); err != nil {
		return nil, c.Label(0, err)
	}
	var st value.Step
	if c.Given(1) {
		set, err := c.Set(1)
		if err != nil {
			return nil, err
		}
		st.Set, st.Band = set, writtenBand(c.Value(1))
	}
	if c.Value(2) != nil {
		early, ok := c.Value(2).(starlark.Bool)
		if !ok {
			return nil, c.Want(2, "True or False")
		}
		st.Early = bool(early)
	}
	if err := c.Meter().Keep(int64(len(c.Receiver.(*value.Scale).Steps())) + 1); err != nil { // a copy
		return nil, err
	}
	s, err := c.Receiver.(*value.Scale).With(c.Value(0), st)
	if err != nil {
		return nil, c.Wrong(0, "%v", err)
	}
	return s, nil
}

// writtenBand keeps how a band was written, safe from later changes.
func writtenBand(v starlark.Value) starlark.Value {
	if _, ok := value.AsBand(v); ok {
		return v
	}
	if values, ok := value.Elements(v); ok {
		return frozenList(values)
	}
	return v
}
