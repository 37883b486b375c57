package builtins

import (
	"fmt"

	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A callback of rolls sees one result of each, every combination once. What it
// sees comes from sources: the outcomes of a roll, or the labels of Outcomes.

// A source is what one argument of a callback goes through: the outcomes of a
// roll, or the labels of Outcomes by their positions.
type source struct {
	dist   *dist.Dist
	labels []starlark.Value // nil for a roll
}

// sourceOf returns v as a source; ok is false when it is none.
func (c call) sourceOf(v starlark.Value) (s source, ok bool, err error) {
	if o, isOutcomes := v.(*value.Outcomes); isOutcomes {
		s.labels = o.Set().Labels()
		s.dist, err = o.Over().Values(c.ctx(), func(at int) (int, error) { return at, nil })
		return s, true, err
	}
	s.dist, ok, err = value.AsRoll(c.thread, v)
	return s, ok, err
}

// newRollCallback returns argument i of c as a function of the results of n
// rolls.
func newRollCallback(c call, i, n int) (*callback, error) {
	meaning := "a result of the roll"
	if n > 1 {
		meaning = fmt.Sprintf("a result of each of the %d rolls", n)
	}
	return newCallback(c, i, n, meaning)
}

// eachFaces calls cb for every combination of outcomes and passes each answer
// on with its weight.
func eachFaces(c call, cb *callback, sources []source, visit func(reply, dist.Weight) error) error {
	calls := int64(1)
	dice := make([]*dist.Dist, len(sources))
	for i, s := range sources {
		dice[i] = s.dist
		calls = product(calls, int64(s.dist.Len()))
	}
	if err := cb.pay(calls); err != nil {
		return err
	}
	return dist.Tuples(c.ctx(), dice, func(faces []int, w dist.Weight) error {
		for i, x := range faces {
			if sources[i].labels == nil && cb.computed != nil {
				cb.small[i].N = int64(x) // which has been nothing but a number
				continue
			}
			if sources[i].labels == nil {
				cb.setInt(i, x)
			} else {
				cb.set(i, sources[i].labels[x])
			}
		}
		v, err := cb.ask()
		if err != nil {
			return err
		}
		return visit(v, w)
	})
}
