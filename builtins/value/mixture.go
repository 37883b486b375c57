package value

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A mixture of Outcomes is one of them, chosen by chance. It keeps the scale
// that all of them have in common; without one its labels stand in order of
// first appearance.

// A Mixture collects what is to be mixed.
type Mixture struct {
	methods Methods
	labels  *intern.Table // all labels in order of first appearance
	scale   *LabelSet     // what they must stand on; nil when the parts decide
	parts   []labelPart
}

// A labelPart is one of the parts of a mixture. The labels of a part without a
// set are named one by one and belong to whatever scale the others have.
type labelPart struct {
	weight *big.Rat
	bound  float64 // how far the weight may be off, as a share of the total
	set    *LabelSet
	labels []starlark.Value // by their places in over
	over   *dist.Outcomes[int]
}

// NewMixture returns a mixture of nothing yet. Its labels are named in labels.
func NewMixture(m Methods, labels *intern.Table) *Mixture {
	return &Mixture{methods: m, labels: labels}
}

// StandOn says on which scale the labels stand, which must hold them all.
func (m *Mixture) StandOn(scale *LabelSet) { m.scale = scale }

// Empty reports whether there is nothing to mix.
func (m *Mixture) Empty() bool { return len(m.parts) == 0 }

// AddNamed adds a distribution over the first of the labels that are named.
func (m *Mixture) AddNamed(weight *big.Rat, bound float64, over *dist.Outcomes[int]) {
	m.parts = append(m.parts, labelPart{weight: weight, bound: bound, labels: m.labels.Values, over: over})
}

// Add adds Outcomes whose labels are known to be usable.
func (m *Mixture) Add(weight *big.Rat, bound float64, o *Outcomes) {
	for _, label := range o.Set().Labels() {
		m.labels.Index(label)
	}
	m.parts = append(m.parts, labelPart{weight: weight, bound: bound, set: o.Set(), labels: o.Set().Labels(), over: o.Over()})
}

// Mixed returns the mixture, of which there must be a part.
func (m *Mixture) Mixed(ctx context.Context, pays *meter.Meter) (starlark.Value, error) {
	set := m.scale
	if set == nil {
		set = m.commonScale()
	}
	scaled := set != nil
	if !scaled {
		set = NewLabelSet(m.labels, false)
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
		parts[i] = dist.OutcomesPart[int]{Weight: p.weight, WeightBound: upper.Mul(p.bound, upper.Abs(sum)), Outcomes: over}
	}
	over, err := dist.MixOutcomes(ctx, parts)
	if err != nil {
		return nil, err
	}
	if !scaled {
		return Unscaled(ctx, pays, m.methods, m.labels, over)
	}
	return NewOutcomes(m.methods, set, over), nil
}

// placed returns a part over the places of its labels in set. On a scale it has
// all the places, in their order.
func (m *Mixture) placed(ctx context.Context, p labelPart, set *LabelSet) (*dist.Outcomes[int], error) {
	over, err := dist.Relabel(ctx, p.over, func(at int) (int, error) { return set.Place(p.labels[at]) })
	if err != nil || !set.ordered || p.set != nil && p.set.Same(set) {
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
	return dist.TallyOutcomes(ctx, &t, set.Positions(), over.Bound())
}

// commonScale returns the labels of the scale that all parts with a set share
// and that holds every label, or nil.
func (m *Mixture) commonScale() *LabelSet {
	var common *LabelSet
	for _, p := range m.parts {
		switch {
		case p.set == nil:
		case !p.set.ordered, common != nil && !p.set.Same(common):
			return nil
		default:
			common = p.set
		}
	}
	if common == nil || len(m.labels.Values) > len(common.labels) {
		return nil
	}
	return common
}

// AddLabel adds a label that stands for itself.
func (m *Mixture) AddLabel(pays *meter.Meter, weight *big.Rat, bound float64, label starlark.Value) error {
	if IsDice(label) {
		return fmt.Errorf("got %s beside labels, want either rolls only, or Outcomes and labels only", Describe(label))
	}
	if err := CheckLabel(pays, label); err != nil {
		return err
	}
	if _, err := m.labels.Index(label); err != nil {
		return err
	}
	m.parts = append(m.parts, labelPart{weight: weight, bound: bound, labels: []starlark.Value{label}, over: dist.Certain(0)})
	return nil
}
