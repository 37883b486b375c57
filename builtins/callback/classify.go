package callback

import (
	"fmt"

	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// Classify returns which labels of a scale the function gives to every combination of
// results.
func (cb *Func) Classify(sources []Source, scale *value.Scale) (starlark.Value, error) {
	bound := 0.0
	for _, s := range sources {
		bound = upper.Add(bound, s.dist.Bound())
	}
	var t dist.Tally[int]
	var texts recentTexts
	err := cb.eachFaces(sources, func(answer slot.Value, w dist.Weight) error {
		text, isText := answer.V.(starlark.String)
		if isText {
			if at, ok := texts.find(text); ok {
				t.Add(at, w)
				return nil
			}
		}
		v := answer.Starlark()
		at, ok := scale.Set().Find(v)
		if !ok {
			return notOnScale(cb, scale, v)
		}
		if isText {
			texts.note(text, at)
		}
		t.Add(at, w)
		return nil
	})
	if err != nil {
		return nil, err
	}
	over, err := dist.TallyOutcomes(cb.context(), &t, scale.Set().Positions(), bound)
	if err != nil {
		return nil, err
	}
	return value.NewOutcomes(cb.methods, scale.Set(), over), nil
}

// notOnScale says that the function has returned something else than a label of a scale.
func notOnScale(cb *Func, s *value.Scale, v starlark.Value) error {
	err := value.CheckLabel(meter.Of(cb.thread), v)
	if meter.Ends(err) {
		return err
	}
	if v == starlark.None || err != nil {
		return cb.Returned(v, "want a label of the scale: "+s.Set().ShortList())
	}
	return fmt.Errorf("%s: returned %s for %s: %w", cb.param, value.Describe(v), cb.Where(), s.Set().Unknown(v))
}
