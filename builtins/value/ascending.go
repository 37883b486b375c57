package value

import (
	"cmp"
	"context"
	"slices"

	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Labels that come without a scale have an order to stand in all the same when
// they are all whole numbers or all tuples: from low to high, the first place
// of tuples deciding first. Text stands in order of first appearance. That makes
// none of them better than another.

// Unscaled returns a distribution over labels that come without a scale.
func Unscaled(ctx context.Context, pays *meter.Meter, m Methods, in *intern.Table, over *dist.Outcomes[int]) (starlark.Value, error) {
	order, err := ascending(pays, in.Values)
	if err != nil {
		return nil, err
	}
	if order == nil {
		return NewOutcomes(m, NewLabelSet(in, false), over), nil
	}
	sorted := &intern.Table{}
	at := make([]int, len(order)) // where a label has come to stand
	for i, from := range order {
		at[from] = i
		if _, err := sorted.Index(in.Values[from]); err != nil {
			return nil, err
		}
	}
	var t dist.Tally[int]
	for from, weight := range over.All() {
		w, err := dist.NewWeight(weight)
		if err != nil {
			return nil, err
		}
		t.Add(at[from], w)
	}
	set := NewLabelSet(sorted, false)
	placed, err := dist.TallyOutcomes(ctx, &t, set.Positions(), over.Bound())
	if err != nil {
		return nil, err
	}
	return NewOutcomes(m, set, placed), nil
}

// ascending returns the positions of labels from low to high, nil when they
// stand so or have no such order.
func ascending(m *meter.Meter, labels []starlark.Value) ([]int, error) {
	rank := func(v starlark.Value) int {
		switch v.(type) {
		case starlark.Int, starlark.Tuple:
			return placeRank(v)
		}
		return 0
	}
	if len(labels) == 0 {
		return nil, nil
	}
	kind := rank(labels[0])
	if kind == 0 || slices.ContainsFunc(labels, func(v starlark.Value) bool { return rank(v) != kind }) {
		return nil, nil
	}
	if slices.IsSortedFunc(labels, ComparePlaces) {
		return nil, nil
	}
	if err := m.Keep(int64(len(labels))); err != nil {
		return nil, err
	}
	order := make([]int, len(labels))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return ComparePlaces(labels[i], labels[j]) })
	return order, nil
}

// ComparePlaces orders what may stand in a label: None and truth values before
// whole numbers, these before text, text before tuples.
func ComparePlaces(a, b starlark.Value) int {
	if byKind := cmp.Compare(placeRank(a), placeRank(b)); byKind != 0 {
		return byKind
	}
	switch a := a.(type) {
	case starlark.Bool:
		return cmp.Compare(truthNumber(a), truthNumber(b.(starlark.Bool)))
	case starlark.Int:
		order, _ := a.Cmp(b, 0) // which knows all whole numbers
		return order
	case starlark.String:
		return cmp.Compare(a, b.(starlark.String))
	case starlark.Tuple:
		return slices.CompareFunc(a, b.(starlark.Tuple), ComparePlaces)
	}
	return 0
}

func placeRank(v starlark.Value) int {
	switch v.(type) {
	case starlark.NoneType:
		return 1
	case starlark.Bool:
		return 2
	case starlark.Int:
		return 3
	case starlark.String:
		return 4
	}
	return 5
}

func truthNumber(b starlark.Bool) int {
	if b {
		return 1
	}
	return 0
}
