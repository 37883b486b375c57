package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Mapping shows the faces of independent dice to a function of the recipe, every
// combination once, and makes one value of all its answers. It is how a rule is
// told that looks at the same faces twice.

const answerDoc = "It may return a whole number or a roll (the result is a roll), a label or Outcomes (Outcomes), " +
	"or a truth value or a chance (a chance)."

const answerErrors = "a function that returns nothing, a fraction, or now one kind of answer and now another"

func mapBuiltins() []builtin {
	fn := Param{Name: "fn", Doc: "a function of one result of each roll"}
	scale := Param{Name: "scale", Default: "None", Doc: "the scale that the labels stand on; without one, tuples stand from low to high and text in order of first appearance"}
	return []builtin{
		{
			name: "map", free: true,
			params:  []Param{fn, {Name: "rolls", Variadic: true, Doc: "independent rolls, pools for their totals, or Outcomes for their labels"}, scale},
			doc:     "What a function makes of the results of independent rolls, looked at together. " + answerDoc,
			errors:  answerErrors,
			example: `map(lambda attack, defence: max(attack - defence, 0), d(6), d(4)).pmf(0).fraction`,
			result:  "5/12",
			run:     mapRolls,
		},
		{
			name: "map", on: []string{"DieRoll"},
			params:  []Param{{Name: "fn", Doc: "a function of one result of the roll"}, scale},
			doc:     "What a function makes of each result of the roll. " + answerDoc,
			errors:  answerErrors,
			example: `d(6).map(lambda face: "high" if face >= 5 else "low")`,
			result:  "Outcomes(low: 0.6666666666666666, high: 0.3333333333333333)",
			run: func(c call) (starlark.Value, error) {
				cb, err := newRollCallback(c, 0, 1)
				if err != nil {
					return nil, err
				}
				scale, err := c.onScale(1)
				if err != nil {
					return nil, err
				}
				s, _, err := sourceOf(c, c.recv)
				if err != nil {
					return nil, err
				}
				return cb.mapRolls([]source{s}, scale)
			},
		},
		{
			name: "map", on: onOutcomes,
			params:  []Param{{Name: "fn", Doc: "a function of a label, or a dict with an answer for every label that can happen"}},
			doc:     "What each label leads to: damage for a hit, 0 for a miss. " + answerDoc,
			errors:  "a label that can happen and is missing in the dict; otherwise as for map of a roll",
			example: `d(20).map(lambda x: "hit" if x >= 11 else "miss").map({"hit": d(6), "miss": 0}).mean()`,
			result:  "1.75",
			run:     func(c call) (starlark.Value, error) { return mapLabels(c, 0, c.recv.(*value.Outcomes)) },
		},
	}
}

func mapRolls(c call) (starlark.Value, error) {
	rolls := c.rest(1)
	if len(rolls) == 0 {
		return nil, argError("rolls", "missing; write at least one roll after the function, as in map(fn, d(6))")
	}
	if _, isFunction := c.value(0).(starlark.Callable); !isFunction {
		if _, swapped := rolls[0].(starlark.Callable); swapped {
			return nil, argError("fn", "the function comes first, as in map(fn, roll)")
		}
	}
	cb, err := newRollCallback(c, 0, len(rolls))
	if err != nil {
		return nil, err
	}
	scale, err := c.onScale(2)
	if err != nil {
		return nil, err
	}
	sources := make([]source, len(rolls))
	for i, v := range rolls {
		s, ok, err := sourceOf(c, v)
		if !ok {
			return nil, argError("rolls", "%s", value.NotRoll(v))
		}
		if err != nil {
			return nil, err
		}
		sources[i] = s
	}
	return cb.mapRolls(sources, scale)
}

// onScale returns argument i, a scale that may be left out.
func (c call) onScale(i int) (*value.Scale, error) {
	if !c.given(i) {
		return nil, nil
	}
	return c.scale(i)
}
