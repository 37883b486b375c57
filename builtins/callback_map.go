package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// What a function makes of faces that it sees together: every combination once, or
// sorted each multiset once with the number of ways in which it comes up.

// mapRolls returns what the answers for every combination of results are; scale is what
// labels must stand on, nil for any labels.
func (cb *callback) mapRolls(sources []source, scale *value.Scale) (starlark.Value, error) {
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

// mapDice is mapRolls for dice whose faces are one list, in the order of the dice.
func (cb *callback) mapDice(dice []*dist.Dist) (starlark.Value, error) {
	a := &results{cb: cb}
	calls := int64(1)
	for _, d := range dice {
		a.bound = upper.Add(a.bound, d.Bound())
		calls = upper.MulSat(calls, int64(d.Len()))
	}
	if err := cb.pay(calls); err != nil {
		return nil, err
	}
	err := dist.Tuples(cb.context(), dice, func(faces []int, w dist.Weight) error {
		cb.setFaces(0, faces, faceList)
		return a.ask(w)
	})
	if err != nil {
		return nil, err
	}
	return a.value()
}

// mapSorted returns what the answers for the sorted faces of each pool are, a list for
// each.
func (cb *callback) mapSorted(pools []*dist.Pool) (starlark.Value, error) {
	a := &results{cb: cb}
	calls := int64(1)
	for _, p := range pools {
		calls = upper.MulSat(calls, p.Multisets())
		a.bound = upper.Add(a.bound, p.Bound())
	}
	lists := make([]sharedLists, len(pools))
	visit := func(faces [][]int, w dist.Weight) error {
		for i := range faces {
			cb.setFaces(i, faces[i], lists[i].list)
		}
		return a.ask(w)
	}
	var err error
	if views := cb.views(); views != nil {
		err = cb.eachClass(pools, views, visit)
	} else if err = cb.pay(calls); err == nil {
		err = dist.Sorted(cb.context(), pools, visit)
	}
	if err != nil {
		return nil, err
	}
	return a.value()
}

// mapCards returns what the answers for the sorted list of cards or kept dice are.
func (cb *callback) mapCards(m *value.Multiset) (starlark.Value, error) {
	a := &results{cb: cb, bound: m.Dist().Bound()}
	err := m.Dist().Sorted(cb.context(), func(faces []int, w dist.Weight) error {
		values := make([]starlark.Value, len(faces))
		for i, face := range faces {
			values[i] = m.Cards().Named(face)
		}
		cb.set(0, starlark.NewList(values))
		return a.ask(w)
	})
	if err != nil {
		return nil, err
	}
	return a.value()
}
