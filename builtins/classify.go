package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Classifying asks a function of the recipe which label of a scale each total,
// or each pair of totals, has.

func classifyBuiltins() []builtin {
	onScale := "a function that returns a label which is not on the scale"
	return []builtin{
		{
			name: "classify", free: true,
			params: []Param{
				{Name: "roll", Also: []string{"dist"}, Doc: "a roll, or a pool for its total"},
				{Name: "scale", Doc: "the ladder of results"},
				{Name: "fn", Also: []string{"classify"}, Doc: "a function of a total that returns a label of the scale"},
			},
			doc:     "The chances of each label of a scale, where a function says which label a total has.",
			errors:  onScale,
			example: `classify(d(20), scale().step("miss").step("hit"), lambda x: "hit" if x >= 15 else "miss").pmf("hit").fraction`,
			result:  "3/10",
			run:     func(c call) (starlark.Value, error) { return classify(c, 1) },
		},
		{
			name: "joint_classify", free: true,
			params: []Param{
				{Name: "a", Doc: "a roll"},
				{Name: "b", Doc: "another roll, independent of the first"},
				{Name: "scale", Doc: "the ladder of results"},
				{Name: "fn", Also: []string{"classify"}, Doc: "a function of a total of each that returns a label of the scale"},
			},
			doc:     "The chances of each label of a scale, where a function looks at two independent rolls together.",
			errors:  onScale,
			example: `joint_classify(d(6), d(6), scale().step("apart").step("doubles"), lambda a, b: "doubles" if a == b else "apart").pmf("doubles").fraction`,
			result:  "1/6",
			run:     func(c call) (starlark.Value, error) { return classify(c, 2) },
		},
	}
}

// classify visits the first n arguments, which are rolls; a scale and a
// function follow them.
func classify(c call, n int) (starlark.Value, error) {
	sources := make([]source, n)
	for i := range sources {
		s, ok, err := sourceOf(c, c.value(i))
		if !ok {
			return nil, c.wrong(i, "%s", value.NotRoll(c.value(i)))
		}
		if err != nil {
			return nil, err
		}
		sources[i] = s
	}
	scale, err := c.scale(n)
	if err != nil {
		return nil, err
	}
	cb, err := newRollCallback(c, n+1, n)
	if err != nil {
		return nil, err
	}
	return cb.classify(sources, scale)
}
