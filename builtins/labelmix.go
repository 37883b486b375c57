package builtins

import (
	"context"
	"fmt"
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
		over, err := m.placed(ctx, p, set)
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
func (m *labelMix) placed(ctx context.Context, p labelPart, set *labelSet) (*dist.Outcomes[int], error) {
	over, err := dist.Relabel(ctx, p.over, func(at int) (int, error) { return set.place(p.labels[at]) })
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
	return dist.TallyOutcomes(ctx, &t, set.positions(), over.ErrorBound())
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

// mixedLabels returns one of the parts by chance. Each is Outcomes or a label;
// wrong says what is wrong with a part.
func (c call) mixedLabels(parts []mixPart, wrong func(i int, problem string) error) (starlark.Value, error) {
	total := new(big.Rat)
	for _, p := range parts {
		total.Add(total, p.weight)
	}
	m := labelMix{labels: &interner{}}
	for i, p := range parts {
		if p.weight.Sign() == 0 && p.bound == 0 {
			continue
		}
		bound := p.bound
		if bound > 0 && total.Sign() > 0 {
			bound = min(1, mulUp(bound, sizeUp(new(big.Rat).Inv(total))))
		}
		if o, ok := p.value.(*Outcomes); ok {
			m.add(p.weight, o).bound = bound
			continue
		}
		if err := m.addLabel(p, bound); err != nil {
			return nil, wrong(i, err.Error())
		}
	}
	if len(m.parts) == 0 {
		return nil, argError(c.param(0), "all weights are 0, want at least one above 0")
	}
	return m.mixed(c.ctx())
}

// addLabel adds a label that stands for itself.
func (m *labelMix) addLabel(p mixPart, bound float64) error {
	if addable(p.value) {
		return fmt.Errorf("got %s beside labels, want either rolls only, or Outcomes and labels only", describe(p.value))
	}
	if err := checkLabel(p.value); err != nil {
		return err
	}
	if _, err := m.labels.index(p.value); err != nil {
		return err
	}
	m.parts = append(m.parts, labelPart{weight: p.weight, bound: bound, labels: []starlark.Value{p.value}, over: dist.Certain(0)})
	return nil
}
