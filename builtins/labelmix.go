package builtins

import (
	"context"
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A mixture of Outcomes is one of them, chosen by chance. It keeps the scale
// that all of them have in common; without one its labels stand in order of
// first appearance.

// A labelMix collects what is to be mixed.
type labelMix struct {
	labels *interner // all labels in order of first appearance
	parts  []labelPart
}

// A labelPart is one of the parts of a mixture. The labels of a part without a
// set are named one by one and belong to whatever scale the others have.
type labelPart struct {
	weight *big.Rat
	bound  float64 // how far the weight may be off, as a share of the total
	set    *labelSet
	labels []starlark.Value // by their places in over
	over   *dist.Outcomes[int]
}

// add adds Outcomes whose labels are known to be usable.
func (m *labelMix) add(weight *big.Rat, o *Outcomes) *labelPart {
	for _, label := range o.labels {
		m.labels.index(label)
	}
	m.parts = append(m.parts, labelPart{weight: weight, set: o.labelSet, labels: o.labels, over: o.over})
	return &m.parts[len(m.parts)-1]
}

// mixed returns the mixture, of which there must be a part.
func (m *labelMix) mixed(ctx context.Context) (starlark.Value, error) {
	set := m.commonScale()
	if set == nil {
		set = newLabelSet(m.labels, false)
	}
	sum := new(big.Rat)
	for _, p := range m.parts {
		sum.Add(sum, p.weight)
	}
	parts := make([]dist.OutcomesPart[int], len(m.parts))
	for i, p := range m.parts {
		over, err := m.placed(p, set)
		if err != nil {
			return nil, err
		}
		parts[i] = dist.OutcomesPart[int]{Weight: p.weight, WeightError: mulUp(p.bound, sizeUp(sum)), Outcomes: over}
	}
	over, err := dist.MixOutcomes(ctx, parts)
	return asOutcomes(set, over, err)
}

// placed returns a part over the places of its labels in set. On a scale it has
// all the places, in their order.
func (m *labelMix) placed(p labelPart, set *labelSet) (*dist.Outcomes[int], error) {
	over, err := dist.Relabel(p.over, func(at int) (int, error) { return set.place(p.labels[at]) })
	if err != nil || !set.ordered || p.set != nil {
		return over, err
	}
	var t dist.Tally[int]
	for at, n := range over.All() {
		w, err := dist.NewWeight(n)
		if err != nil {
			return nil, err
		}
		t.Add(at, w)
	}
	return dist.TallyOutcomes(&t, set.positions(), over.ErrorBound())
}

// commonScale returns the labels of the scale that all parts with a set share
// and that holds every label, or nil.
func (m *labelMix) commonScale() *labelSet {
	var common *labelSet
	for _, p := range m.parts {
		switch {
		case p.set == nil:
		case !p.set.ordered, common != nil && !p.set.same(common):
			return nil
		default:
			common = p.set
		}
	}
	if common == nil || len(m.labels.values) > len(common.labels) {
		return nil
	}
	return common
}
