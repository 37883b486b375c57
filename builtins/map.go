package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// Mapping shows the faces of independent dice to a function of the recipe, every
// combination once, and makes one value of all its answers. It is how a rule is
// told that looks at the same faces twice.

// mapSources returns what the answers of cb for all combinations are.
func mapSources(c call, cb *callback, sources []source, scale *value.Scale) (starlark.Value, error) {
	a := &results{cb: cb, scale: scale}
	for _, s := range sources {
		a.bound = upper.Add(a.bound, s.dist.Bound())
		a.plain.Expect(s.dist.Len())
	}
	if err := eachFaces(c, cb, sources, a.take); err != nil {
		return nil, err
	}
	return a.value()
}

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
				return mapSources(c, cb, []source{{dist: c.recv.(*value.Roll).Dist()}}, scale)
			},
		},
		{
			name: "map", on: onOutcomes,
			params:  []Param{{Name: "fn", Doc: "a function of a label, or a dict with an answer for every label that can happen"}},
			doc:     "What each label leads to: damage for a hit, 0 for a miss. " + answerDoc,
			errors:  "a label that can happen and is missing in the dict; otherwise as for map of a roll",
			example: `d(20).map(lambda x: "hit" if x >= 11 else "miss").map({"hit": d(6), "miss": 0}).mean()`,
			result:  "1.75",
			run:     mapOutcomes,
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
		s, ok, err := c.sourceOf(v)
		if !ok {
			return nil, argError("rolls", "%s", value.NotRoll(v))
		}
		if err != nil {
			return nil, err
		}
		sources[i] = s
	}
	return mapSources(c, cb, sources, scale)
}

// onScale returns argument i, a scale that may be left out.
func (c call) onScale(i int) (*value.Scale, error) {
	if !c.given(i) {
		return nil, nil
	}
	return c.scale(i)
}

// mapOutcomes asks a function or a dict about every label that can happen.
func mapOutcomes(c call) (starlark.Value, error) {
	o := c.recv.(*value.Outcomes)
	answer, cb, err := c.labelAnswers()
	if err != nil {
		return nil, err
	}
	a := &results{cb: cb, bound: o.Bound()}
	worth := map[int]int{}
	for at, weight := range o.Over().All() {
		if weight.Sign() == 0 && o.Bound() == 0 {
			continue
		}
		cb.args[0] = o.Set().Label(at)
		v, err := answer(o.Set().Label(at))
		if err != nil {
			return nil, err
		}
		if n, ok := value.Int(v); ok {
			worth[at] = n
		}
		w, err := dist.NewWeight(weight)
		if err != nil {
			return nil, err
		}
		if err := a.add(v, w); err != nil {
			return nil, err
		}
	}
	if a.kind == numberResults && len(a.later.values) == 0 {
		// The labels are all there are, which bounds the moments of what an
		// unlimited roll left out.
		d, err := o.Over().Values(c.ctx(), func(at int) (int, error) { return worth[at], nil })
		return c.rolled(d, err)
	}
	return a.value()
}

// labelAnswers returns what answers for a label: a function, or a dict.
func (c call) labelAnswers() (func(starlark.Value) (starlark.Value, error), *callback, error) {
	dict, isDict := c.value(0).(*starlark.Dict)
	if !isDict {
		if _, ok := c.value(0).(starlark.Callable); !ok {
			return nil, nil, c.want(0, "a function or a dict such as {\"hit\": d(6), \"miss\": 0}")
		}
		cb, err := newCallback(c, 0, 1, "a label")
		if err != nil {
			return nil, nil, err
		}
		return func(starlark.Value) (starlark.Value, error) { return cb.call() }, cb, nil
	}
	o := c.recv.(*value.Outcomes)
	for _, key := range dict.Keys() {
		if _, ok := o.Set().Find(key); !ok {
			return nil, nil, c.wrong(0, "%v", o.Set().Unknown(key))
		}
	}
	cb := &callback{thread: c.thread, methods: c.methods(), param: c.param(0), args: make(starlark.Tuple, 1)}
	return func(label starlark.Value) (starlark.Value, error) {
		v, found, err := dict.Get(label)
		if err == nil && !found {
			err = c.wrong(0, "the dict has no answer for the label %s", label)
		}
		return v, err
	}, cb, nil
}
