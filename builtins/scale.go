package builtins

import (
	"fmt"
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A scale is the ladder of results of a rule, worst to best. Each step has a
// label, and perhaps a band of totals that it catches. Early steps are asked
// before the others: a natural 1 is a fumble, whatever else it would be.

// A Scale is an ordered ladder of labels.
type Scale struct {
	*labelSet
	steps []step
}

type step struct {
	set   dist.Set
	band  starlark.Value // how set was written; nil for a step that never catches
	early bool
}

var (
	_ starlark.HasAttrs   = (*Scale)(nil)
	_ starlark.Comparable = (*Scale)(nil)
)

// newScale returns the scale of the given labels, which are distinct, without
// bands.
func newScale(labels ...string) *Scale {
	in := &interner{}
	for _, label := range labels {
		in.index(starlark.String(label))
	}
	return &Scale{labelSet: newLabelSet(in, true), steps: make([]step, len(labels))}
}

// chargeSteps charges the copy of a scale.
func (c call) chargeSteps(s *Scale) error {
	const stepWork, stepWords = 200, 24
	n := int64(len(s.steps)) + 1
	if err := dist.ChargeTable(c.ctx(), n, stepWords); err != nil {
		return err
	}
	return dist.ChargeWork(c.ctx(), stepWork*n)
}

// with returns the scale with one more step on top.
func (s *Scale) with(label starlark.Value, st step) (*Scale, error) {
	if _, taken := s.find(label); taken {
		return nil, fmt.Errorf("the scale has a step %s already", label)
	}
	in := &interner{}
	for _, l := range append(s.Labels(), label) {
		if _, err := in.index(l); err != nil {
			return nil, err
		}
	}
	steps := append(append([]step(nil), s.steps...), st)
	return &Scale{labelSet: newLabelSet(in, true), steps: steps}, nil
}

// Labels returns the labels, worst to best.
func (s *Scale) Labels() []starlark.Value { return append([]starlark.Value(nil), s.labels...) }

// String writes the scale as a recipe does.
func (s *Scale) String() string {
	var b strings.Builder
	b.WriteString("scale()")
	for i, st := range s.steps {
		fmt.Fprintf(&b, ".step(%s", s.labels[i])
		if st.band != nil {
			fmt.Fprintf(&b, ", %s", st.band)
		}
		if st.early {
			b.WriteString(", early=True")
		}
		b.WriteString(")")
	}
	return b.String()
}

func (s *Scale) Type() string                             { return "Scale" }
func (s *Scale) Freeze()                                  {}
func (s *Scale) Truth() starlark.Bool                     { return true }
func (s *Scale) Hash() (uint32, error)                    { return starlark.String(s.String()).Hash() }
func (s *Scale) Attr(name string) (starlark.Value, error) { return attrOf(s, name) }
func (s *Scale) AttrNames() []string                      { return attrNames("Scale") }

// CompareSameType reports whether two scales have the same steps.
func (s *Scale) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Scale)
	return structurally(op, ok && s.String() == other.String(), s)
}

// scale returns argument i as a scale.
func (c call) scale(i int) (*Scale, error) {
	s, ok := c.value(i).(*Scale)
	if !ok {
		return nil, c.want(i, `a scale, like scale().step("miss").step("hit")`)
	}
	if len(s.steps) == 0 {
		return nil, c.wrong(i, `it has no steps; add them with .step("miss").step("hit")`)
	}
	return s, nil
}

var onScales = []string{"Scale"}

func scaleBuiltins() []builtin {
	return []builtin{
		{
			name: "scale", free: true,
			doc:     "An empty ladder of results; add its steps worst to best.",
			example: `scale().step("miss").step("hit", at_least(15))`,
			result:  `scale().step("miss").step("hit", 15..)`,
			run: func(call) (starlark.Value, error) {
				return newScale(), nil
			},
		},
		{
			name: "step", on: onScales,
			params: []Param{
				{Name: "label", Doc: "the name of the step, or a tuple"},
				{Name: "band", Default: "None", Doc: "the totals that it catches: a band, a number or a list of numbers"},
				{Name: "early", Default: "False", Doc: "whether it is asked before all steps that are not early"},
			},
			doc:     "The same ladder with one more step, better than those so far; a step without a band never catches a total.",
			errors:  "a label that is empty or on the ladder already",
			example: `scale().step("fumble", 1, early=True).step("miss", at_most(14)).step("hit", at_least(15)).labels`,
			result:  `["fumble", "miss", "hit"]`,
			run:     addStep,
		},
		{
			name: "labels", on: onScales,
			doc:     "The list of labels, worst to best.",
			example: `scale().step("miss").step("hit").labels`,
			result:  `["miss", "hit"]`,
			attr: func(v starlark.Value) (starlark.Value, error) {
				return frozenList(v.(*Scale).labels), nil
			},
		},
	}
}

func addStep(c call) (starlark.Value, error) {
	if err := checkLabel(c.value(0)); err != nil {
		return nil, c.wrong(0, "%v", err)
	}
	var st step
	if c.given(1) {
		set, err := c.set(1)
		if err != nil {
			return nil, err
		}
		st.set, st.band = set, writtenBand(c.value(1))
	}
	if c.value(2) != nil {
		early, ok := c.value(2).(starlark.Bool)
		if !ok {
			return nil, c.want(2, "True or False")
		}
		st.early = bool(early)
	}
	if err := c.chargeSteps(c.recv.(*Scale)); err != nil {
		return nil, err
	}
	s, err := c.recv.(*Scale).with(c.value(0), st)
	if err != nil {
		return nil, c.wrong(0, "%v", err)
	}
	return s, nil
}

// writtenBand keeps how a band was written, safe from later changes.
func writtenBand(v starlark.Value) starlark.Value {
	if _, ok := AsBand(v); ok {
		return v
	}
	if values, ok := elements(v); ok {
		return frozenList(values)
	}
	return v
}
