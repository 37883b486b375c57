package value

import (
	"fmt"
	"strings"

	"dicescript/builtins/internal/intern"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A scale is the ladder of results of a rule, worst to best. Each step has a
// label, and perhaps a band of totals that it catches. Early steps are asked
// before the others: a natural 1 is a fumble, whatever else it would be.

// A Scale is an ordered ladder of labels.
type Scale struct {
	made
	set   *LabelSet
	steps []Step
}

// A Step is one step of a [Scale].
type Step struct {
	Set   dist.Set       // the totals that it catches
	Band  starlark.Value // how Set was written; nil for a step that never catches
	Early bool           // whether it is asked before all steps that are not early
}

var (
	_ starlark.HasAttrs   = (*Scale)(nil)
	_ starlark.Comparable = (*Scale)(nil)
)

// NewScale returns the scale of the given labels, which are distinct, without
// bands.
func NewScale(m Methods, labels ...string) *Scale {
	in := &intern.Table{}
	for _, label := range labels {
		in.Index(starlark.String(label))
	}
	return &Scale{made: made{methods: m}, set: NewLabelSet(in, true), steps: make([]Step, len(labels))}
}

// With returns the scale with one more step on top.
func (s *Scale) With(label starlark.Value, st Step) (*Scale, error) {
	if _, taken := s.set.Find(label); taken {
		return nil, fmt.Errorf("the scale has a step %s already", Shorten(label.String()))
	}
	in := &intern.Table{}
	for _, l := range append(s.Labels(), label) {
		if _, err := in.Index(l); err != nil {
			return nil, err
		}
	}
	steps := append(append([]Step(nil), s.steps...), st)
	return &Scale{made: s.made, set: NewLabelSet(in, true), steps: steps}, nil
}

// Set returns the labels with their positions.
func (s *Scale) Set() *LabelSet { return s.set }

// Steps returns the steps, worst to best. Nobody may change the list.
func (s *Scale) Steps() []Step { return s.steps }

// Labels returns the labels, worst to best.
func (s *Scale) Labels() []starlark.Value { return append([]starlark.Value(nil), s.set.labels...) }

// String writes the scale as a recipe does.
func (s *Scale) String() string {
	var b strings.Builder
	b.WriteString("scale()")
	for i, st := range s.steps {
		fmt.Fprintf(&b, ".step(%s", s.set.labels[i])
		if st.Band != nil {
			fmt.Fprintf(&b, ", %s", st.Band)
		}
		if st.Early {
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
func (s *Scale) Attr(name string) (starlark.Value, error) { return s.methods.Attr(s, name) }
func (s *Scale) AttrNames() []string                      { return s.methods.AttrNames(s) }

// CompareSameType reports whether two scales have the same steps.
func (s *Scale) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Scale)
	return structurally(op, ok && s.String() == other.String(), s)
}
