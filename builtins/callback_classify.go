package builtins

import (
	"dicescript/builtins/meter"
	"dicescript/builtins/small"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"
	"fmt"

	"go.starlark.net/starlark"
)

// classify returns which labels of a scale the function gives to every combination of
// results.
func (cb *callback) classify(sources []source, scale *value.Scale) (starlark.Value, error) {
	bound := 0.0
	for _, s := range sources {
		bound = upper.Add(bound, s.dist.Bound())
	}
	var t dist.Tally[int]
	var numbers refNumbering
	err := cb.eachFaces(sources, func(r reply, w dist.Weight) error {
		if at, ok := numbers.find(r.small.R); ok && r.value == nil {
			t.Add(at, w)
			return nil
		}
		v := r.starlark()
		at, ok := scale.Set().Find(v)
		if !ok {
			return notOnScale(cb, scale, v)
		}
		if r.small.Kind() == small.Text {
			numbers.put(r.small.R, at)
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
func notOnScale(cb *callback, s *value.Scale, v starlark.Value) error {
	err := value.CheckLabel(meter.Of(cb.thread), v)
	if meter.Ends(err) {
		return err
	}
	if v == starlark.None || err != nil {
		return cb.returned(v, "want a label of the scale: "+s.Set().ShortList())
	}
	return fmt.Errorf("%s: returned %s for %s: %w", cb.param, value.Describe(v), cb.where(), s.Set().Unknown(v))
}
