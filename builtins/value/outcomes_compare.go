package value

import (
	"fmt"

	"dicescript/builtins/runenv"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Comparisons of Outcomes are chances, as those of rolls are: attack == "hit" is
// the chance of that label, attack >= "hit" of that or a better one.

var _ comparer = (*Outcomes)(nil)

// compareWith is what outcomes == label and its like mean: the chance of that
// label, of any that is better, and so on.
func (o *Outcomes) compareWith(thread *starlark.Thread, op syntax.Token, y starlark.Value) (starlark.Value, error) {
	switch y := y.(type) {
	case starlark.NoneType:
		return nil, nil
	case *Outcomes:
		return o.compareOutcomes(thread, op, y)
	}
	if op == syntax.IN {
		values, ok := Elements(y)
		if !ok {
			return nil, fmt.Errorf("got %s, want a list of labels", Describe(y))
		}
		return valueOr(o.Among(values))
	}
	return valueOr(o.CompareLabel(op, y))
}

// compareOutcomes compares the labels of two independent Outcomes.
func (o *Outcomes) compareOutcomes(thread *starlark.Thread, op syntax.Token, p *Outcomes) (starlark.Value, error) {
	if op != syntax.EQL && op != syntax.NEQ && (!o.set.ordered || !o.set.Same(p.set)) {
		return nil, fmt.Errorf("the two Outcomes have no scale in common, so neither is better; want the same scale on both sides")
	}
	ctx := runenv.Of(thread).Engine()
	a, err := o.over.Values(ctx, func(at int) (int, error) { return at, nil })
	if err != nil {
		return nil, err
	}
	b, err := p.over.Values(ctx, func(at int) (int, error) {
		if i, ok := o.set.Find(p.set.labels[at]); ok {
			return i, nil
		}
		return -1, nil // equal to none
	})
	if err != nil {
		return nil, err
	}
	return CompareRolls(thread, o.methods, op, a, b)
}
