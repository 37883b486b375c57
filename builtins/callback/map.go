package callback

import (
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
	err := dist.Tuples(cb.context(), dice, func(faces []int, w dist.Weight) error {
		cb.setFaces(0, faces, faceList)
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

// views are what the callback sees of sorted faces, nil for everything.
func (cb *Func) views() []*dist.View {
	if cb.computed == nil {
		return nil
	}
	return cb.computed.Views()
}

// eachClass visits the multisets of pools, those together that the callback can't
// tell apart.
func (cb *Func) eachClass(pools []*dist.Pool, views []*dist.View, visit func([][]int, dist.Weight) error) error {
	ctx := cb.context()
	classes := make([]*dist.Classes, len(pools))
	calls := int64(1)
	for i, p := range pools {
		view := dist.View{All: true}
		if views[i] != nil {
			view = *views[i]
		}
		for _, c := range classes[:i] {
			if c.Are(p, view) {
				classes[i] = c
			}
		}
		if classes[i] == nil {
			var err error
			if classes[i], err = p.Classes(ctx, view); err != nil {
				return err
			}
		}
		calls = upper.MulSat(calls, classes[i].Len())
	}
	if err := cb.pay(calls); err != nil {
		return err
	}
	return dist.EachClass(ctx, classes, visit)
}

// MapCards returns what the answers for the sorted list of cards or kept dice are.
func (cb *Func) MapCards(m *value.Multiset) (starlark.Value, error) {
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
