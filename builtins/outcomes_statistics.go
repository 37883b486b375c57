package builtins

import (
	"dicescript/builtins/define"

	"go.starlark.net/starlark"
)

// Outcomes whose labels are whole numbers answer what a roll does: how far they
// swing, which is the likeliest, where the middle lies.

// likeliest returns the list of the most likely labels, in their order.
func likeliest(c define.Call) (starlark.Value, error) {
	o, err := outcomesOf(c)
	if err != nil {
		return nil, err
	}
	d, err := o.Over().Values(c.Context(), func(at int) (int, error) { return at, nil })
	if err != nil {
		return nil, err
	}
	places, err := d.Mode(c.Context())
	if err != nil {
		return nil, err
	}
	if err := c.Meter().List(int64(len(places))); err != nil {
		return nil, err
	}
	labels := make([]starlark.Value, len(places))
	for i, at := range places {
		labels[i] = o.Set().Label(at)
	}
	return starlark.NewList(labels), nil
}
