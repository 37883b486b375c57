package builtins

import (
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What Outcomes are asked for: the chances of labels, of a label or a better one,
// and the mean of labels that are numbers.

// outcomes returns what the method belongs to.
func (c call) outcomes() (*value.Outcomes, error) {
	if o, ok := c.recv.(*value.Outcomes); ok {
		return o, nil
	}
	return nil, c.wrongReceiver("got %s, want Outcomes", value.Describe(c.recv))
}

var onOutcomes = []string{"Outcomes"}

func outcomesBuiltins() []builtin {
	label := []Param{{Name: "label", Doc: "one of the labels"}}
	return []builtin{
		{
			name: "pmf", on: onOutcomes, params: label,
			doc:     "The chance of one label.",
			errors:  "a label that does not exist",
			example: `classify(d(20), scale().step("miss").step("hit"), lambda x: "hit" if x >= 15 else "miss").pmf("hit").fraction`,
			result:  "3/10",
			run: func(c call) (starlark.Value, error) {
				o, err := c.outcomes()
				if err != nil {
					return nil, err
				}
				return c.labelChance(o.ChanceOfLabel(c.value(0)))
			},
		},
		{
			name: "p_at_least", on: onOutcomes, params: label,
			doc:     "The chance of this label or a better one.",
			errors:  "a label that does not exist; labels that come without a scale",
			example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_at_least("graze").fraction`,
			result:  "11/20",
			run:     func(c call) (starlark.Value, error) { return c.ranked(syntax.GE) },
		},
		{
			name: "p_at_most", on: onOutcomes, params: label,
			doc:     "The chance of this label or a worse one.",
			errors:  "a label that does not exist; labels that come without a scale",
			example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_at_most("graze").fraction`,
			result:  "7/10",
			run:     func(c call) (starlark.Value, error) { return c.ranked(syntax.LE) },
		},
		{
			name: "p_in", on: onOutcomes,
			params:  []Param{{Name: "labels", Doc: "a list of labels"}},
			doc:     "The chance of any of the labels.",
			errors:  "a label that does not exist",
			example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_in(["miss", "hit"]).fraction`,
			result:  "3/4",
			run:     outcomesIn,
		},
		{
			name: "mean", on: onOutcomes,
			doc:     "The mean of labels that are whole numbers, such as those of first_time.",
			errors:  "a label that can happen and is no number",
			example: `first_time(0, lambda state: state + 2, lambda state: state >= 5, 10).mean()`,
			result:  "3",
			run: func(c call) (starlark.Value, error) {
				o, err := c.outcomes()
				if err != nil {
					return nil, err
				}
				return o.Mean()
			},
		},
		{
			name: "mode", on: onOutcomes,
			doc:     "The list of the most likely labels, in their order.",
			errors:  "an unlimited roll behind them whose error leaves it open",
			example: `versus(d(6), d(6)).mode()`,
			result:  `["lose", "win"]`,
			run:     likeliest,
		},
		{
			name: "labels", on: onOutcomes,
			doc:     "The list of labels in their order, also of those that can't happen.",
			example: `versus(2, d(3)).labels`,
			result:  `["lose", "tie", "win"]`,
			attr: func(c call) (starlark.Value, error) {
				return frozenList(c.recv.(*value.Outcomes).Set().Labels()), nil
			},
		},
		{
			name: "error", on: onOutcomes,
			doc:     "How far each chance may be from the truth: 0 unless an unlimited roll is behind it.",
			example: `versus(2, d(3)).error`,
			result:  "0.0",
			attr: func(c call) (starlark.Value, error) {
				return starlark.Float(c.recv.(*value.Outcomes).Bound()), nil
			},
		},
	}
}

// ranked answers p_at_least and p_at_most.
func (c call) ranked(op syntax.Token) (starlark.Value, error) {
	o, err := c.outcomes()
	if err != nil {
		return nil, err
	}
	return c.labelChance(o.CompareLabel(op, c.value(0)))
}

// labelChance returns a chance that was asked of argument 0, a label.
func (c call) labelChance(p *value.Prob, err error) (starlark.Value, error) {
	if err != nil {
		return nil, c.label(0, err)
	}
	return p, nil
}

func outcomesIn(c call) (starlark.Value, error) {
	o, err := c.outcomes()
	if err != nil {
		return nil, err
	}
	wanted := []starlark.Value{c.value(0)}
	if _, isLabel := o.Set().Find(c.value(0)); !isLabel {
		if wanted, err = c.list(0); err != nil {
			return nil, c.want(0, "a list of labels")
		}
	}
	return c.labelChance(o.Among(wanted))
}

// frozenList returns values as a list that can't change.
func frozenList(values []starlark.Value) *starlark.List {
	l := starlark.NewList(append([]starlark.Value(nil), values...))
	l.Freeze()
	return l
}
