package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Mapping shows the faces of independent dice to a function of the recipe, every
// combination once, and makes one value of all its answers. It is how a rule is
// told that looks at the same faces twice.

const answerDoc = "It may return a whole number or a roll (the result is a roll), a label or Outcomes (Outcomes), " +
	"or a truth value or a chance (a chance). Whole numbers are from -2^63 to 2^63-1, in tuples too."

const answerErrors = "a function that returns nothing, a fraction, or now one kind of answer and now another"

func mapBuiltins() []define.Builtin {
	fn := define.Param{Name: "fn", Doc: "a function of one result of each roll"}
	scale := define.Param{Name: "scale", Default: "None", Doc: "the scale that the labels stand on; without one, tuples stand from low to high and text in order of first appearance"}
	return []define.Builtin{
		{
			Name: "map", Free: true,
			Params:  []define.Param{fn, {Name: "rolls", Variadic: true, Doc: "independent rolls, pools for their totals, or Outcomes for their labels"}, scale},
			Doc:     "What a function makes of the results of independent rolls, looked at together. " + answerDoc,
			Errors:  answerErrors,
			Example: `map(lambda attack, defence: max(attack - defence, 0), d(6), d(4)).pmf(0).fraction`,
			Result:  "5/12",
			Run:     mapRolls,
		},
		{
			Name: "map", On: []string{"DieRoll"},
			Params:  []define.Param{{Name: "fn", Doc: "a function of one result of the roll"}, scale},
			Doc:     "What a function makes of each result of the roll. " + answerDoc,
			Errors:  answerErrors,
			Example: `d(6).map(lambda face: "high" if face >= 5 else "low")`,
			Result:  "Outcomes(low: 0.6666666666666666, high: 0.3333333333333333)",
			Run: func(c define.Call) (starlark.Value, error) {
				cb, err := callback.OfRolls(c, 0, 1)
				if err != nil {
					return nil, err
				}
				scale, err := scaleOrNone(c, 1)
				if err != nil {
					return nil, err
				}
				s, _, err := callback.SourceOf(c, c.Receiver)
				if err != nil {
					return nil, err
				}
				return cb.Map([]callback.Source{s}, scale)
			},
		},
		{
			Name: "map", On: onOutcomes,
			Params:  []define.Param{{Name: "fn", Doc: "a function of a label, or a dict with an answer for every label that can happen"}},
			Doc:     "What each label leads to: damage for a hit, 0 for a miss. " + answerDoc,
			Errors:  "a label that can happen and is missing in the dict; otherwise as for map of a roll",
			Example: `d(20).map(lambda x: "hit" if x >= 11 else "miss").map({"hit": d(6), "miss": 0}).mean()`,
			Result:  "1.75",
			Run: func(c define.Call) (starlark.Value, error) {
				return callback.MapLabels(c, 0, c.Receiver.(*value.Outcomes))
			},
		},
	}
}

func mapRolls(c define.Call) (starlark.Value, error) {
	rolls := c.Rest(1)
	if len(rolls) == 0 {
		return nil, define.ArgError("rolls", "missing; write at least one roll after the function, as in map(fn, d(6))")
	}
	if _, isFunction := c.Value(0).(starlark.Callable); !isFunction {
		if _, swapped := rolls[0].(starlark.Callable); swapped {
			return nil, define.ArgError("fn", "the function comes first, as in map(fn, roll)")
		}
	}
	cb, err := callback.OfRolls(c, 0, len(rolls))
	if err != nil {
		return nil, err
	}
	scale, err := scaleOrNone(c, 2)
	if err != nil {
		return nil, err
	}
	sources := make([]callback.Source, len(rolls))
	for i, v := range rolls {
		s, ok, err := callback.SourceOf(c, v)
		if !ok {
			return nil, define.ArgError("rolls", "%s", value.NotRoll(v))
		}
		if err != nil {
			return nil, err
		}
		sources[i] = s
	}
	return cb.Map(sources, scale)
}

// scaleOrNone returns argument i, a scale that may be left out.
func scaleOrNone(c define.Call, i int) (*value.Scale, error) {
	if !c.Given(i) {
		return nil, nil
	}
	return scaleOf(c, i)
}
