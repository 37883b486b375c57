package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A scale is written step by step, worst to best.

// scale returns argument i as a scale.
func (c call) scale(i int) (*value.Scale, error) {
	s, ok := c.value(i).(*value.Scale)
	if !ok {
		return nil, c.want(i, `a scale, like scale().step("miss").step("hit")`)
	}
	if len(s.Steps()) == 0 {
		return nil, c.wrong(i, `it has no steps; add them with .step("miss").step("hit")`)
	}
	return s, nil
}

var onScales = []string{"Scale"}

func scaleBuiltins() []builtin {
	return []builtin{
		{
			name: "scale", free: true,
			doc:     "An empty ladder of results; add its steps worst to best.",
			excess:  `none: each label is a step, as in scale().step("miss").step("hit")`,
			example: `scale().step("miss").step("hit", at_least(15))`,
			result:  `scale().step("miss").step("hit", 15..)`,
			run: func(c call) (starlark.Value, error) {
				return value.NewScale(c.methods()), nil
			},
		},
		{
			name: "step", on: onScales,
			params: []Param{
				{Name: "label", Doc: "the name of the step, or a tuple"},
				{Name: "band", Default: "None", Doc: "the totals that it catches: a band, a number or a list of numbers"},
				{Name: "early", Default: "False", Doc: "whether it is asked before all steps that are not early"},
			},
			doc:     "The same ladder with one more step, better than those so far; a step without a band never catches a total.",
			errors:  "a label that is empty or on the ladder already",
			example: `scale().step("fumble", 1, early=True).step("miss", at_most(14)).step("hit", at_least(15)).labels`,
			result:  `["fumble", "miss", "hit"]`,
			run:     addStep,
		},
		{
			name: "labels", on: onScales,
			doc:     "The list of labels, worst to best.",
			example: `scale().step("miss").step("hit").labels`,
			result:  `["miss", "hit"]`,
			attr: func(c call) (starlark.Value, error) {
				return frozenList(c.recv.(*value.Scale).Set().Labels()), nil
			},
		},
	}
}

func addStep(c call) (starlark.Value, error) {
	if _, number := c.value(0).(starlark.Int); number {
		return nil, c.want(0, "text, as in \"Hit\"; totals are named by the band, as in .step(\"Hit\", 15..)")
	}
	if err := value.CheckLabel(c.meter(), c.value(0)); err != nil {
		return nil, c.label(0, err)
	}
	var st value.Step
	if c.given(1) {
		set, err := c.set(1)
		if err != nil {
			return nil, err
		}
		st.Set, st.Band = set, writtenBand(c.value(1))
	}
	if c.value(2) != nil {
		early, ok := c.value(2).(starlark.Bool)
		if !ok {
			return nil, c.want(2, "True or False")
		}
		st.Early = bool(early)
	}
	if err := c.meter().Keep(int64(len(c.recv.(*value.Scale).Steps())) + 1); err != nil { // a copy
		return nil, err
	}
	s, err := c.recv.(*value.Scale).With(c.value(0), st)
	if err != nil {
		return nil, c.wrong(0, "%v", err)
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
