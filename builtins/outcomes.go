package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What Outcomes are asked for: the chances of labels, of a label or a better one,
// and the mean of labels that are numbers.

// outcomesOf returns what the method belongs to.
func outcomesOf(c define.Call) (*value.Outcomes, error) {
	if o, ok := c.Receiver.(*value.Outcomes); ok {
		return o, nil
	}
	return nil, c.WrongReceiver("got %s, want Outcomes", value.Describe(c.Receiver))
}

var onOutcomes = []string{"Outcomes"}

func outcomesBuiltins() []define.Builtin {
	label := []define.Param{{Name: "label", Doc: "one of the labels"}}
	return []define.Builtin{
		{
			Name: "pmf", On: onOutcomes, Params: label,
			Doc:     "The chance of one label.",
			Errors:  "a label that does not exist",
			Example: `classify(d(20), scale().step("miss").step("hit"), lambda x: "hit" if x >= 15 else "miss").pmf("hit").fraction`,
			Result:  "3/10",
			Run: func(c define.Call) (starlark.Value, error) {
				o, err := outcomesOf(c)
				if err != nil {
					return nil, err
				}
				p, err := o.ChanceOfLabel(c.Value(0))
				return labelChance(c, p, err)
			},
		},
		{
			Name: "p_at_least", On: onOutcomes, Params: label,
			Doc:     "The chance of this label or a better one.",
			Errors:  "a label that does not exist; labels that come without a scale",
			Example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_at_least("graze").fraction`,
			Result:  "11/20",
			Run:     func(c define.Call) (starlark.Value, error) { return rankedChance(c, syntax.GE) },
		},
		{
			Name: "p_at_most", On: onOutcomes, Params: label,
			Doc:     "The chance of this label or a worse one.",
			Errors:  "a label that does not exist; labels that come without a scale",
			Example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_at_most("graze").fraction`,
			Result:  "7/10",
			Run:     func(c define.Call) (starlark.Value, error) { return rankedChance(c, syntax.LE) },
		},
		{
			Name: "p_in", On: onOutcomes,
			Params:  []define.Param{{Name: "labels", Doc: "a list of labels"}},
			Doc:     "The chance of any of the labels.",
			Errors:  "a label that does not exist",
			Example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_in(["miss", "hit"]).fraction`,
			Result:  "3/4",
			Run:     outcomesIn,
		},
		{
			Name: "mean", On: onOutcomes,
			Doc:     "The mean of labels that are whole numbers, such as those of first_time.",
			Errors:  "a label that can happen and is no number",
			Example: `first_time(0, lambda state: state + 2, lambda state: state >= 5, 10).mean()`,
			Result:  "3",
			Run: func(c define.Call) (starlark.Value, error) {
				o, err := outcomesOf(c)
				if err != nil {
					return nil, err
				}
				return o.Mean(c.Context())
			},
		},
		{
			Name: "mode", On: onOutcomes,
			Doc:     "The list of the most likely labels, in their order.",
			Errors:  "an unlimited roll behind them whose error leaves it open",
			Example: `versus(d(6), d(6)).mode()`,
			Result:  `["lose", "win"]`,
			Run:     likeliest,
		},
		{
			Name: "labels", On: onOutcomes,
			Doc:     "The list of labels in their order, also of those that can't happen.",
			Example: `versus(2, d(3)).labels`,
			Result:  `["lose", "tie", "win"]`,
			Attr: func(c define.Call) (starlark.Value, error) {
				return frozenList(c.Receiver.(*value.Outcomes).Set().Labels()), nil
			},
		},
		{
			Name: "error", On: onOutcomes,
			Doc:     "How far each chance may be from the truth: 0 unless an unlimited roll is behind it.",
			Example: `versus(2, d(3)).error`,
			Result:  "0.0",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.Float(c.Receiver.(*value.Outcomes).Bound()), nil
			},
		},
	}
}

// rankedChance answers p_at_least and p_at_most.
func rankedChance(c define.Call, op syntax.Token) (starlark.Value, error) {
	o, err := outcomesOf(c)
	if err != nil {
		return nil, err
	}
	p, err := o.CompareLabel(op, c.Value(0))
	return labelChance(c, p, err)
}

// labelChance returns a chance that was asked of argument 0, a label.
func labelChance(c define.Call, p *value.Prob, err error) (starlark.Value, error) {
	if err != nil {
		return nil, c.Label(0, err)
	}
	return p, nil
}

func outcomesIn(c define.Call) (starlark.Value, error) {
	o, err := outcomesOf(c)
	if err != nil {
		return nil, err
	}
	wanted := []starlark.Value{c.Value(0)}
	if _, isLabel := o.Set().Find(c.Value(0)); !isLabel {
		if wanted, err = c.List(0); err != nil {
			return nil, c.Want(0, "a list of labels")
		}
	}
	p, err := o.Among(wanted)
	return labelChance(c, p, err)
}

// frozenList returns values as a list that can't change.
func frozenList(values []starlark.Value) *starlark.List {
	l := starlark.NewList(append([]starlark.Value(nil), values...))
	l.Freeze()
	return l
}
