package callback

import (
	"dicescript/builtins/define"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What each label leads to, as a function or a dict says.

// MapLabels returns what the answers of argument i, a function or a dict, for every
// label that can happen are.
func MapLabels(c define.Call, i int, o *value.Outcomes) (starlark.Value, error) {
	answer, cb, err := labelAnswers(c, i, o)
	if err != nil {
		return nil, err
	}
	a := &results{cb: cb, bound: o.Bound()}
	worth := map[int]int{}
	for at, weight := range o.Over().All() {
		if weight.Sign() == 0 && o.Bound() == 0 {
			continue
		}
		cb.set(0, o.Set().Label(at))
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
		d, err := o.Over().Values(c.Context(), func(at int) (int, error) { return worth[at], nil })
		return c.Rolled(d, err)
	}
	return a.value()
}

// labelAnswers returns what answers for a label: a function, or a dict.
func labelAnswers(c define.Call, i int, o *value.Outcomes) (func(starlark.Value) (starlark.Value, error), *Func, error) {
	dict, isDict := c.Value(i).(*starlark.Dict)
	if !isDict {
		if _, ok := c.Value(i).(starlark.Callable); !ok {
			return nil, nil, c.Want(i, "a function or a dict such as {\"hit\": d(6), \"miss\": 0}")
		}
		cb, err := New(c, i, 1, "a label")
		if err != nil {
			return nil, nil, err
		}
		return func(label starlark.Value) (starlark.Value, error) { return cb.Call(label) }, cb, nil
	}
	for _, key := range dict.Keys() {
		if _, ok := o.Set().Find(key); !ok {
			return nil, nil, c.Wrong(i, "%v", o.Set().Unknown(key))
		}
	}
	cb := &Func{thread: c.Thread, methods: c.Methods(), param: c.Param(i), args: make([]slot.Value, 1)}
	return func(label starlark.Value) (starlark.Value, error) {
		v, found, err := dict.Get(label)
		if err == nil && !found {
			err = c.Wrong(i, "the dict has no answer for the label %s", label)
		}
		return v, err
	}, cb, nil
}
