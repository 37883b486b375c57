package builtins

import (
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Parts of Outcomes: one place of labels that are tuples, and the Outcomes on
// condition of some labels.

func outcomesPartsBuiltins() []builtin {
	const pairs = `map(lambda a, b: (max(a, b), a == b), d(6), d(6))`
	return []builtin{
		{
			name: "item", on: onOutcomes,
			params:  []Param{{Name: "i", Doc: "which place of the tuples: 0 is the first, -1 the last"}},
			doc:     "The distribution of one place of labels that are tuples: a roll when it holds whole numbers, otherwise Outcomes.",
			errors:  "a label that can happen and is no tuple, or has no such place",
			example: pairs + `.item(0).pmf(6).fraction`,
			result:  "11/36",
			run:     outcomesItem,
		},
		{
			name: "keep", on: onOutcomes,
			params:  []Param{{Name: "labels", Doc: "a label, a list of labels, or a function of a label that returns whether it is kept"}},
			doc:     "The Outcomes on condition of these labels.",
			errors:  "a label that does not exist; nothing that can happen is left",
			example: pairs + `.keep(lambda pair: pair[1]).pmf((6, True)).fraction`,
			result:  "1/6",
			run:     keepOutcomes,
		},
	}
}

func outcomesItem(c call) (starlark.Value, error) {
	o, err := c.outcomes()
	if err != nil {
		return nil, err
	}
	i, err := c.int(0)
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
			return nil, c.wrong(0, "the label %s is no tuple", value.Describe(o.Set().Label(at)))
		}
		k := i
		if k < 0 {
			k += len(tuple)
		}
		if k < 0 || k >= len(tuple) {
			return nil, c.wrong(0, "got %d, but the label %s has %s", i, value.Describe(tuple), value.Plural(len(tuple), "place"))
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
	over, err := dist.TallyOutcomes(c.ctx(), &t, nil, o.Bound())
	if err != nil || !numbers {
		return c.unscaled(in, over, err)
	}
	return c.rolled(over.Values(c.ctx(), func(at int) (int, error) {
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

func keepOutcomes(c call) (starlark.Value, error) {
	o, err := c.outcomes()
	if err != nil {
		return nil, err
	}
	in, err := c.keptLabels(o)
	if err != nil {
		return nil, err
	}
	kept, err := dist.Given(c.ctx(), o.Over(), in)
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
		over, err := dist.TallyOutcomes(c.ctx(), &t, o.Set().Positions(), kept.Bound())
		return c.placed(o.Set(), over, err)
	}
	names := &intern.Table{}
	over, err := dist.Relabel(c.ctx(), kept, func(at int) (int, error) { return names.Index(o.Set().Label(at)) })
	return c.unscaled(names, over, err)
}

// keptLabels returns which positions argument 0 keeps.
func (c call) keptLabels(o *value.Outcomes) (func(at int) (bool, error), error) {
	if _, ok := c.value(0).(starlark.Callable); ok {
		cb, err := newCallback(c, 0, 1, "a label")
		if err != nil {
			return nil, err
		}
		return func(at int) (bool, error) { return cb.holds(o.Set().Label(at)) }, nil
	}
	wanted := []starlark.Value{c.value(0)}
	_, text := c.value(0).(starlark.String)
	if _, isLabel := o.Set().Find(c.value(0)); !isLabel && !text {
		var err error
		if wanted, err = c.list(0); err != nil {
			return nil, c.want(0, "a label, a list of labels or a function of a label")
		}
	}
	kept := map[int]bool{}
	for _, label := range wanted {
		at, err := o.Set().Place(label)
		if err != nil {
			return nil, c.label(0, err)
		}
		kept[at] = true
	}
	return func(at int) (bool, error) { return kept[at], nil }, nil
}
