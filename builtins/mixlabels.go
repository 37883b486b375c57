package builtins

import (
	"fmt"
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Outcomes and labels are mixed by the functions that mix rolls.

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
