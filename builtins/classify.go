package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Classifying asks a function of the recipe which label of a scale each total,
// or each pair of totals, has.

func classifyBuiltins() []define.Builtin {
	onScale := "a function that returns a label which is not on the scale"
	return []define.Builtin{
		{
			Name: "classify", Free: true,
			Params: []define.Param{
				{Name: "roll", Also: []string{"dist"}, Doc: "a roll, or a pool for its total"},
				{Name: "scale", Doc: "the ladder of results"},
				{Name: "fn", Also: []string{"classify"}, Doc: "a function of a total that returns a label of the scale"},
			},
			Doc:     "The chances of each label of a scale, where a function says which label a total has.",
			Errors:  onScale,
			Example: `classify(d(20), scale().step("miss").step("hit"), lambda x: "hit" if x >= 15 else "miss").pmf("hit").fraction`,
			Result:  "3/10",
			Run:     func(c define.Call) (starlark.Value, error) { return classify(c, 1) },
		},
		{
			Name: "joint_classify", Free: true,
			Params: []define.Param{
				{Name: "a", Doc: "a roll"},
				{Name: "b", Doc: "another roll, independent of the first"},
				{Name: "scale", Doc: "the ladder of results"},
				{Name: "fn", Also: []string{"classify"}, Doc: "a function of a total of each that returns a label of the scale"},
			},
			Doc:     "The chances of each label of a scale, where a function looks at two independent rolls together.",
			Errors:  onScale,
			Example: `joint_classify(d(6), d(6), scale().step("apart").step("doubles"), lambda a, b: "doubles" if a == b else "apart").pmf("doubles").fraction`,
			Result:  "1/6",
			Run:     func(c define.Call) (starlark.Value, error) { return classify(c, 2) },
		},
	}
}

// classify visits the first n arguments, which are rolls; a scale and a
// function follow them.
func classify(c define.Call, n int) (starlark.Value, error) {
	sources := make([]callback.Source, n)
	for i := range sources {
		s, ok, err := callback.SourceOf(c, c.Value(i))
		if !ok {
			return nil, c.Wrong(i, "%s", value.NotRoll(c.Value(i)))
		}
		if err != nil {
			return nil, err
		}
		sources[i] = s
	}
	scale, err := scaleOf(c, n)
	if err != nil {
		return nil, err
	}
	cb, err := callback.OfRolls(c, n+1, n)
	if err != nil {
		return nil, err
	}
	return cb.Classify(sources, scale)
}
