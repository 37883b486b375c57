package callback

import (
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// What a function makes of faces that it sees together: every combination once, or
// sorted each multiset once with the number of ways in which it comes up.

// Map returns what the answers for every combination of results are; scale is what
// labels must stand on, nil for any labels.
func (cb *Func) Map(sources []Source, scale *value.Scale) (starlark.Value, error) {
	a := &results{cb: cb, scale: scale}
	for _, s := range sources {
		a.bound = upper.Add(a.bound, s.dist.Bound())
		a.plain.Expect(s.dist.Len())
	}
	if err := cb.eachFaces(sources, a.take); err != nil {
		return nil, err
	}
	return a.value()
}

// MapDice is Map for dice whose faces are one list, in the order of the dice.
func (cb *Func) MapDice(dice []*dist.Dist) (starlark.Value, error) {
	a := &results{cb: cb}
	calls := int64(1)
	for _, d := range dice {
		a.bound = upper.Add(a.bound, d.Bound())
		calls = upper.MulSat(calls, int64(d.Len()))
	}
	if err := cb.pay(calls); err != nil {
		return nil, err
	}
	var handed handedList
	err := dist.Tuples(cb.context(), dice, func(faces []int, w dist.Weight) error {
		if err := cb.setFaces(0, faces, &handed); err != nil {
			return err
		}
		return a.ask(w)
	})
	if err != nil {
		return nil, err
	}
	return a.value()
}

// MapSorted returns what the answers for the sorted faces of each pool are, a list for
// each.
func (cb *Func) MapSorted(pools []*dist.Pool) (starlark.Value, error) {
	a := &results{cb: cb}
	calls := int64(1)
	for _, p := range pools {
		calls = upper.MulSat(calls, p.Multisets())
		a.bound = upper.Add(a.bound, p.Bound())
	}
	lists := make([]handedList, len(pools))
	visit := func(faces [][]int, w dist.Weight) error {
		for i := range faces {
			if err := cb.setFaces(i, faces[i], &lists[i]); err != nil {
				return err
			}
		}
		return a.ask(w)
	}
	sets := make([]*dist.Multiset, len(pools))
	for i, p := range pools {
		sets[i] = p.Multiset()
	}
	err := cb.eachSorted(sets, visit)
	if err == errEvery {
		if err = cb.pay(calls); err == nil {
			err = dist.Sorted(cb.context(), pools, visit)
		}
	}
	if err != nil {
		return nil, err
	}
	return a.value()
}

// MapCards returns what the answers for the sorted list of cards or kept dice are.
func (cb *Func) MapCards(m *value.Multiset) (starlark.Value, error) {
	a := &results{cb: cb, bound: m.Dist().Bound()}
	visit := func(faces []int, w dist.Weight) error {
		values, err := meter.Slice[starlark.Value](cb.meter, len(faces))
		if err != nil {
			return err
		}
		for i, face := range faces {
			values[i] = m.Cards().Named(face)
		}
		cb.set(0, starlark.NewList(values))
		return a.ask(w)
	}
	err := errEvery
	if m.Cards().AreNumbers() {
		err = cb.eachSorted([]*dist.Multiset{m.Dist()}, func(faces [][]int, w dist.Weight) error { return visit(faces[0], w) })
	}
	if err == errEvery {
		err = m.Dist().Sorted(cb.context(), visit)
	}
	if err != nil {
		return nil, err
	}
	return a.value()
}
