package value

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"dicescript/builtins/internal/exact"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Outcomes are what a rule calls its results, with their exact chances. Labels
// are text, whole numbers or tuples of them. When they come from a scale they
// have an order, worst to best; otherwise they stand in order of first
// appearance and nothing is better than anything else.

// Outcomes is a distribution over labels.
type Outcomes struct {
	made
	set     *LabelSet
	over    *dist.Outcomes[int] // over the positions of the labels
	steps   *Settling           // nil unless it is where a process is absorbed
	vectors *dist.Vectors       // the labels as such, where a sum has made them; otherwise nil
}

var (
	_ starlark.HasAttrs   = (*Outcomes)(nil)
	_ starlark.Comparable = (*Outcomes)(nil)
)

// NewOutcomes returns a distribution over the positions of labels as a value with
// methods.
func NewOutcomes(m Methods, set *LabelSet, over *dist.Outcomes[int]) *Outcomes {
	return &Outcomes{made: made{methods: m}, set: set, over: over}
}

// After returns the Outcomes as what a process is absorbed in after s.
func (o *Outcomes) After(s *Settling) *Outcomes {
	return &Outcomes{o.made, o.set, o.over, s, o.vectors}
}

// Settling returns how long the process took whose rest they are, or nil.
func (o *Outcomes) Settling() *Settling { return o.steps }

// Numbers returns labels that are whole numbers as the results of a roll.
func (o *Outcomes) Numbers(ctx context.Context) (*dist.Dist, error) {
	for at, label := range o.set.labels {
		if _, ok := Int(label); !ok && (o.Chance(at).Sign() > 0 || o.Bound() > 0) {
			return nil, o.noMean(label, o.Chance(at))
		}
	}
	return o.over.Values(ctx, func(at int) (int, error) {
		n, _ := Int(o.set.labels[at])
		return n, nil
	})
}

// Set returns the labels with their positions.
func (o *Outcomes) Set() *LabelSet { return o.set }

// Over returns the distribution over the positions of the labels.
func (o *Outcomes) Over() *dist.Outcomes[int] { return o.over }

// Labels returns the labels in their order.
func (o *Outcomes) Labels() []starlark.Value { return append([]starlark.Value(nil), o.set.labels...) }

// Chance returns the chance of label i of [Outcomes.Labels].
func (o *Outcomes) Chance(i int) *big.Rat {
	if p, ok := o.over.P(i); ok {
		return p
	}
	return new(big.Rat)
}

// Ordered reports whether the labels have an order from worst to best.
func (o *Outcomes) Ordered() bool { return o.set.ordered }

// Bound returns how far each chance may be from the truth, 0 when all are exact.
func (o *Outcomes) Bound() float64 { return o.over.Bound() }

// String shows the chances: Outcomes(miss: 0.5, hit: 0.5).
func (o *Outcomes) String() string {
	var parts []string
	for i, label := range o.set.labels {
		if i == maxShown {
			parts = append(parts, fmt.Sprintf("and %d more", len(o.set.labels)-i))
			break
		}
		parts = append(parts, LabelText(label)+": "+exact.New(o.Chance(i), o.Bound()).String())
	}
	return "Outcomes(" + strings.Join(parts, ", ") + ")"
}

func (o *Outcomes) Type() string                             { return "Outcomes" }
func (o *Outcomes) Freeze()                                  {}
func (o *Outcomes) Truth() starlark.Bool                     { return true }
func (o *Outcomes) Attr(name string) (starlark.Value, error) { return o.methods.Attr(o, name) }
func (o *Outcomes) AttrNames() []string                      { return o.methods.AttrNames(o) }

// Hash covers the labels and the common total, which equal Outcomes share.
func (o *Outcomes) Hash() (uint32, error) {
	return starlark.String(o.set.list() + o.over.Total().String()).Hash()
}

// CompareSameType is what containers ask: whether two Outcomes are the same.
func (o *Outcomes) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Outcomes)
	return structurally(op, ok && o.sameAs(other), o)
}

// sameAs reports whether both have the same labels with the same chances.
func (o *Outcomes) sameAs(p *Outcomes) bool {
	if !o.set.Same(p.set) || o.Bound() != p.Bound() {
		return false
	}
	for i := range o.set.labels {
		if o.Chance(i).Cmp(p.Chance(i)) != 0 {
			return false
		}
	}
	return true
}

// chanceOf returns a chance with the error that all chances of o have.
func (o *Outcomes) chanceOf(p *big.Rat, _ bool) *Prob {
	return NewProb(o.methods, exact.New(p, o.Bound()))
}

// ChanceOfLabel returns the chance of a label that must be one of these.
func (o *Outcomes) ChanceOfLabel(label starlark.Value) (*Prob, error) {
	i, err := o.set.Place(label)
	if err != nil {
		return nil, err
	}
	return NewProb(o.methods, exact.New(o.Chance(i), o.Bound())), nil
}

// CompareLabel returns the chance of the labels that compare so with one.
func (o *Outcomes) CompareLabel(op syntax.Token, label starlark.Value) (*Prob, error) {
	switch op {
	case syntax.EQL, syntax.NEQ:
		p, err := o.ChanceOfLabel(label)
		if err != nil || op == syntax.EQL {
			return p, err
		}
		return p.complement(), nil
	}
	i, err := o.ranked(label)
	if err != nil {
		return nil, err
	}
	switch op {
	case syntax.GE:
		return o.chanceOf(o.over.AtLeast(i)), nil
	case syntax.LE:
		return o.chanceOf(o.over.AtMost(i)), nil
	case syntax.LT:
		return o.chanceOf(o.over.AtLeast(i)).complement(), nil
	}
	return o.chanceOf(o.over.AtMost(i)).complement(), nil
}

// Among returns the chance of any of the labels, however often one is named.
func (o *Outcomes) Among(labels []starlark.Value) (*Prob, error) {
	counted := make([]bool, len(o.set.labels))
	sum := new(big.Rat)
	for _, label := range labels {
		i, err := o.set.Place(label)
		if err != nil {
			return nil, err
		}
		if !counted[i] {
			counted[i] = true
			sum.Add(sum, o.Chance(i))
		}
	}
	return NewProb(o.methods, exact.New(sum, o.Bound())), nil
}

// ranked returns the position of a label in the order of a scale.
func (o *Outcomes) ranked(label starlark.Value) (int, error) {
	if !o.set.ordered {
		return 0, fmt.Errorf("these labels have no order, because they come without a scale: %s; "+
			"classify(roll, scale, fn) and bucket(roll, scale) give them one, p_in([...]) needs none", o.set.ShortList())
	}
	return o.set.Place(label)
}

// Mean returns the exact mean of labels that are whole numbers.
func (o *Outcomes) Mean(ctx context.Context) (starlark.Value, error) {
	if o.Bound() > 0 {
		for i, label := range o.set.labels {
			if _, ok := label.(starlark.Int); !ok {
				return nil, o.noMean(label, o.Chance(i))
			}
		}
		return nil, fmt.Errorf("the chances carry an error of %s from an unlimited roll, so their mean is not known", exact.FloatText(o.Bound()))
	}
	mean, err := o.over.Mean(ctx, func(at int) (*big.Int, error) {
		label := o.set.labels[at]
		if n, ok := label.(starlark.Int); ok {
			return n.BigInt(), nil
		}
		return nil, o.noMean(label, o.Chance(at))
	})
	if err != nil {
		return nil, err
	}
	return NewNumber(o.methods, exact.Number{Rat: mean}), nil
}

func (o *Outcomes) noMean(label starlark.Value, p *big.Rat) error {
	if text, ok := starlark.AsString(label); ok && strings.HasPrefix(text, ">") {
		return fmt.Errorf("a chance of %s is left beyond the limit, so there is no mean; p_at_most(n) is certain", exact.New(p, o.Bound()).String())
	}
	return fmt.Errorf("the label %s is no number; map({label: number}) says what each label is worth", Shorten(label.String()))
}

// valueOr returns a chance as a value, or the error.
func valueOr(p *Prob, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}
