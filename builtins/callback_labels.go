package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What each label leads to, as a function or a dict says.

// mapLabels returns what the answers of argument i, a function or a dict, for every
// label that can happen are.
func mapLabels(c call, i int, o *value.Outcomes) (starlark.Value, error) {
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
func labelAnswers(c call, i int, o *value.Outcomes) (func(starlark.Value) (starlark.Value, error), *callback, error) {
	dict, isDict := c.value(i).(*starlark.Dict)
	if !isDict {
		if _, ok := c.value(i).(starlark.Callable); !ok {
			return nil, nil, c.want(i, "a function or a dict such as {\"hit\": d(6), \"miss\": 0}")
		}
		cb, err := newCallback(c, i, 1, "a label")
		if err != nil {
			return nil, nil, err
		}
		return func(label starlark.Value) (starlark.Value, error) { return cb.call(label) }, cb, nil
	}
	for _, key := range dict.Keys() {
		if _, ok := o.Set().Find(key); !ok {
			return nil, nil, c.wrong(i, "%v", o.Set().Unknown(key))
		}
	}
	cb := &callback{thread: c.thread, methods: c.methods(), param: c.param(i), args: make(starlark.Tuple, 1)}
	return func(label starlark.Value) (starlark.Value, error) {
		v, found, err := dict.Get(label)
		if err == nil && !found {
			err = c.wrong(i, "the dict has no answer for the label %s", label)
		}
		return v, err
	}, cb, nil
}
