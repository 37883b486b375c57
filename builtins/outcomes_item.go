package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Parts of Outcomes: one place of labels that are tuples, and the Outcomes on
// condition of some labels.

func outcomesPartsBuiltins() []define.Builtin {
	const pairs = `map(lambda a, b: (max(a, b), a == b), d(6), d(6))`
	return []define.Builtin{
		{
			Name: "item", On: onOutcomes,
			Params:  []define.Param{{Name: "i", Doc: "which place of the tuples: 0 is the first, -1 the last"}},
			Doc:     "The distribution of one place of labels that are tuples: a roll when it holds whole numbers, otherwise Outcomes.",
			Errors:  "a label that can happen and is no tuple, or has no such place",
			Example: pairs + `.item(0).pmf(6).fraction`,
			Result:  "11/36",
			Run:     outcomesItem,
		},
		{
			Name: "keep", On: onOutcomes,
			Params:  []define.Param{{Name: "labels", Doc: "a label, a list of labels, or a function of a label that returns whether it is kept"}},
			Doc:     "The Outcomes on condition of these labels.",
			Errors:  "a label that does not exist; nothing that can happen is left",
			Example: pairs + `.keep(lambda pair: pair[1]).pmf((6, True)).fraction`,
			Result:  "1/6",
			Run:     keepOutcomes,
		},
	}
}

func outcomesItem(c define.Call) (starlark.Value, error) {
	o, err := outcomesOf(c)
	if err != nil {
		return nil, err
	}
	i, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	in := &intern.Table{}
	numbers := true
	var t dist.Tally[int]
	for at, weight := range o.Over().All() {
		if weight.Sign() == 0 {
			continue
		}
		tuple, ok := o.Set().Label(at).(starlark.Tuple)
		if !ok {
			return nil, c.Wrong(0, "the label %s is no tuple", value.Describe(o.Set().Label(at)))
		}
		k := i
		if k < 0 {
			k += len(tuple)
		}
		if k < 0 || k >= len(tuple) {
			return nil, c.Wrong(0, "got %d, but the label %s has %s", i, value.Describe(tuple), value.Plural(len(tuple), "place"))
		}
		_, whole := value.Int(tuple[k])
		numbers = numbers && whole
		place, err := in.Index(labelOf(tuple[k]))
		if err != nil {
			return nil, err
		}
		w, err := dist.NewWeight(weight)
		if err != nil {
			return nil, err
		}
		t.Add(place, w)
	}
	over, err := dist.TallyOutcomes(c.Context(), &t, nil, o.Bound())
	if err != nil || !numbers {
		return c.Unscaled(in, over, err)
	}
	return c.Rolled(over.Values(c.Context(), func(at int) (int, error) {
		n, _ := value.Int(in.Values[at])
		return n, nil
	}))
}

// labelOf returns a part of a tuple as a label: truth values and None are named,
// since they are no labels by themselves.
func labelOf(v starlark.Value) starlark.Value {
	switch v.(type) {
	case starlark.Bool, starlark.NoneType:
		return starlark.String(v.String())
	}
	return v
}

func keepOutcomes(c define.Call) (starlark.Value, error) {
	o, err := outcomesOf(c)
	if err != nil {
		return nil, err
	}
	in, err := keptLabels(c, o)
	if err != nil {
		return nil, err
	}
	kept, err := dist.Given(c.Context(), o.Over(), in)
	if err != nil {
		return nil, err
	}
	if o.Ordered() {
		var t dist.Tally[int]
		for at, weight := range kept.All() {
			w, err := dist.NewWeight(weight)
			if err != nil {
				return nil, err
			}
			t.Add(at, w)
		}
		over, err := dist.TallyOutcomes(c.Context(), &t, o.Set().Positions(), kept.Bound())
		return c.Placed(o.Set(), over, err)
	}
	names := &intern.Table{}
	over, err := dist.Relabel(c.Context(), kept, func(at int) (int, error) { return names.Index(o.Set().Label(at)) })
	return c.Unscaled(names, over, err)
}

// keptLabels returns which positions argument 0 keeps.
func keptLabels(c define.Call, o *value.Outcomes) (func(at int) (bool, error), error) {
	if _, ok := c.Value(0).(starlark.Callable); ok {
		cb, err := callback.New(c, 0, 1, "a label")
		if err != nil {
			return nil, err
		}
		return func(at int) (bool, error) { return cb.Holds(o.Set().Label(at)) }, nil
	}
	wanted := []starlark.Value{c.Value(0)}
	_, text := c.Value(0).(starlark.String)
	if _, isLabel := o.Set().Find(c.Value(0)); !isLabel && !text {
		var err error
		if wanted, err = c.List(0); err != nil {
			return nil, c.Want(0, "a label, a list of labels or a function of a label")
		}
	}
	kept := map[int]bool{}
	for _, label := range wanted {
		at, err := o.Set().Place(label)
		if err != nil {
			return nil, c.Label(0, err)
		}
		kept[at] = true
	}
	return func(at int) (bool, error) { return kept[at], nil }, nil
}
