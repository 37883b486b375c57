package builtins

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"dicescript/builtins/suggest"
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
	*labelSet
	over *dist.Outcomes[int] // over the positions of the labels
}

var (
	_ starlark.HasAttrs   = (*Outcomes)(nil)
	_ starlark.Comparable = (*Outcomes)(nil)
)

// A labelSet is the row of distinct labels that a scale or Outcomes have.
type labelSet struct {
	labels  []starlark.Value
	ordered bool      // worst to best
	places  *interner // the positions of the labels
}

// newLabelSet returns the values of in as labels; in must not change any more.
func newLabelSet(in *interner, ordered bool) *labelSet {
	return &labelSet{labels: in.values, ordered: ordered, places: in}
}

// find returns the position of a label.
func (s *labelSet) find(label starlark.Value) (int, bool) {
	i, ok, err := s.places.find(label)
	return i, ok && err == nil
}

// same reports whether two sets have the same labels in the same order.
func (s *labelSet) same(t *labelSet) bool {
	if s == t {
		return true
	}
	if s.ordered != t.ordered || len(s.labels) != len(t.labels) {
		return false
	}
	for i, label := range s.labels {
		if at, ok := t.find(label); !ok || at != i {
			return false
		}
	}
	return true
}

// positions returns 0, 1, ... for all labels.
func (s *labelSet) positions() []int {
	order := make([]int, len(s.labels))
	for i := range order {
		order[i] = i
	}
	return order
}

// String lists the labels.
func (s *labelSet) list() string {
	parts := make([]string, len(s.labels))
	for i, label := range s.labels {
		parts[i] = label.String()
	}
	return strings.Join(parts, ", ")
}

// checkLabel says why v can't be a label.
func checkLabel(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.String:
		if v == "" {
			return fmt.Errorf("got an empty text, want a name to show")
		}
		return nil
	case starlark.Int:
		return nil
	case starlark.Tuple:
		if partsOf(v) > maxParts {
			return fmt.Errorf("got a tuple of more than %s parts", grouped(maxParts))
		}
		for _, item := range v {
			if err := checkItem(item); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("got %s, want text, a whole number or a tuple of these", describe(v))
}

// checkItem says why v can't be part of a tuple that is a label.
func checkItem(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.String, starlark.Int, starlark.Bool, starlark.NoneType:
		return nil
	case starlark.Tuple:
		return checkLabel(v)
	}
	return fmt.Errorf("got %s in a tuple, want text and whole numbers there", describe(v))
}

// NewOutcomes returns the distribution of the labels of over, in their order.
// ordered says that the order is one from worst to best.
func NewOutcomes(over *dist.Outcomes[string], ordered bool) *Outcomes {
	in := &interner{}
	at, err := dist.Relabel(context.Background(), over, func(label string) (int, error) { return in.index(starlark.String(label)) })
	if err != nil {
		panic(err) // text is always a label
	}
	return &Outcomes{labelSet: newLabelSet(in, ordered), over: at}
}

// asOutcomes returns a distribution over the positions of labels as a value.
func asOutcomes(set *labelSet, over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return &Outcomes{labelSet: set, over: over}, nil
}

// Labels returns the labels in their order.
func (o *Outcomes) Labels() []starlark.Value { return append([]starlark.Value(nil), o.labels...) }

// Chance returns the chance of label i of [Outcomes.Labels].
func (o *Outcomes) Chance(i int) *big.Rat {
	if p, ok := o.over.P(i); ok {
		return p
	}
	return new(big.Rat)
}

// Ordered reports whether the labels have an order from worst to best.
func (o *Outcomes) Ordered() bool { return o.ordered }

// Error returns how far each chance may be from the truth, 0 when all are exact.
func (o *Outcomes) Error() float64 { return o.over.ErrorBound() }

// maxShown is how many labels the text of Outcomes lists.
const maxShown = 16

// String shows the chances: Outcomes(miss: 0.5, hit: 0.5).
func (o *Outcomes) String() string {
	var parts []string
	for i, label := range o.labels {
		if i == maxShown {
			parts = append(parts, fmt.Sprintf("and %d more", len(o.labels)-i))
			break
		}
		parts = append(parts, labelText(label)+": "+newProb(o.Chance(i), o.Error()).String())
	}
	return "Outcomes(" + strings.Join(parts, ", ") + ")"
}

// labelText writes a label without quotes.
func labelText(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

func (o *Outcomes) Type() string                             { return "Outcomes" }
func (o *Outcomes) Freeze()                                  {}
func (o *Outcomes) Truth() starlark.Bool                     { return true }
func (o *Outcomes) Attr(name string) (starlark.Value, error) { return attrOf(o, name) }
func (o *Outcomes) AttrNames() []string                      { return attrNames("Outcomes") }

// Hash covers the labels and the common total, which equal Outcomes share.
func (o *Outcomes) Hash() (uint32, error) {
	return starlark.String(o.list() + o.over.Total().String()).Hash()
}

// CompareSameType is what containers ask: whether two Outcomes are the same.
func (o *Outcomes) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Outcomes)
	return structurally(op, ok && o.sameAs(other), o)
}

// sameAs reports whether both have the same labels with the same chances.
func (o *Outcomes) sameAs(p *Outcomes) bool {
	if !o.labelSet.same(p.labelSet) || o.Error() != p.Error() {
		return false
	}
	for i := range o.labels {
		if o.Chance(i).Cmp(p.Chance(i)) != 0 {
			return false
		}
	}
	return true
}

// place returns the position of a label that must be one of these.
func (s *labelSet) place(label starlark.Value) (int, error) {
	if i, ok := s.find(label); ok {
		return i, nil
	}
	return 0, s.unknown(label)
}

// unknown says that there is no such label, and which may have been meant.
func (s *labelSet) unknown(label starlark.Value) error {
	got := label.String()
	if text, ok := starlark.AsString(label); ok {
		if near := suggest.Among(text, s.texts()); near != "" {
			return fmt.Errorf("there is no label %s; did you mean %q?", shorten(got), near)
		}
	}
	return fmt.Errorf("there is no label %s; the labels are %s", shorten(got), shortList(s.list()))
}

// texts returns the labels that are text.
func (s *labelSet) texts() []string {
	var texts []string
	for _, label := range s.labels {
		if text, ok := starlark.AsString(label); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// shortList cuts an enumeration in an error.
func shortList(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// chanceOf returns a chance with the error that all chances of o have.
func (o *Outcomes) chanceOf(p *big.Rat, _ bool) *Prob { return newProb(p, o.Error()) }

// chanceOfLabel returns the chance of a label that must be one of these.
func (o *Outcomes) chanceOfLabel(label starlark.Value) (*Prob, error) {
	i, err := o.place(label)
	if err != nil {
		return nil, err
	}
	return newProb(o.Chance(i), o.Error()), nil
}

// compareLabel returns the chance of the labels that compare so with one.
func (o *Outcomes) compareLabel(op syntax.Token, label starlark.Value) (*Prob, error) {
	switch op {
	case syntax.EQL, syntax.NEQ:
		p, err := o.chanceOfLabel(label)
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

// among returns the chance of any of the labels, however often one is named.
func (o *Outcomes) among(labels []starlark.Value) (*Prob, error) {
	counted := make([]bool, len(o.labels))
	sum := new(big.Rat)
	for _, label := range labels {
		i, err := o.place(label)
		if err != nil {
			return nil, err
		}
		if !counted[i] {
			counted[i] = true
			sum.Add(sum, o.Chance(i))
		}
	}
	return newProb(sum, o.Error()), nil
}

// complement returns the chance that it does not happen.
func (p *Prob) complement() *Prob { return newProb(new(big.Rat).Sub(one, p.rat), p.bound) }

// ranked returns the position of a label in the order of a scale.
func (o *Outcomes) ranked(label starlark.Value) (int, error) {
	if !o.ordered {
		return 0, fmt.Errorf("these labels have no order, because they come without a scale: %s; "+
			"classify(roll, scale, fn) and bucket(roll, scale) give them one, p_in([...]) needs none", shortList(o.list()))
	}
	return o.place(label)
}

// mean returns the exact mean of labels that are whole numbers.
func (o *Outcomes) mean() (starlark.Value, error) {
	sum, term := new(big.Rat), new(big.Rat)
	for i, label := range o.labels {
		p := o.Chance(i)
		if p.Sign() == 0 && o.Error() == 0 {
			continue
		}
		n, ok := label.(starlark.Int)
		if !ok {
			return nil, o.noMean(label, p)
		}
		sum.Add(sum, term.Mul(p, new(big.Rat).SetInt(n.BigInt())))
	}
	if o.Error() > 0 {
		return nil, fmt.Errorf("the chances carry an error of %s from an unlimited roll, so their mean is not known", floatText(o.Error()))
	}
	return newNumber(sum, 0), nil
}

func (o *Outcomes) noMean(label starlark.Value, p *big.Rat) error {
	if text, ok := starlark.AsString(label); ok && strings.HasPrefix(text, ">") {
		return fmt.Errorf("a chance of %s is left beyond the limit, so there is no mean; p_at_most(n) is certain", newProb(p, o.Error()))
	}
	return fmt.Errorf("the label %s is no number; map({label: number}) says what each label is worth", label)
}

// outcomes returns what the method belongs to.
func (c call) outcomes() (*Outcomes, error) {
	if o, ok := c.recv.(*Outcomes); ok {
		return o, nil
	}
	return nil, argError(c.def.self.Name, "got %s, want Outcomes", describe(c.recv))
}

var onOutcomes = []string{"Outcomes"}

func outcomesBuiltins() []builtin {
	label := []Param{{Name: "label", Doc: "one of the labels"}}
	return []builtin{
		{
			name: "pmf", on: onOutcomes, params: label,
			doc:     "The chance of one label.",
			errors:  "a label that does not exist",
			example: `classify(d(20), scale().step("miss").step("hit"), lambda x: "hit" if x >= 15 else "miss").pmf("hit").fraction`,
			result:  "3/10",
			run: func(c call) (starlark.Value, error) {
				o, err := c.outcomes()
				if err != nil {
					return nil, err
				}
				p, err := o.chanceOfLabel(c.value(0))
				return valueOr(p, c.inLabel(err))
			},
		},
		{
			name: "p_at_least", on: onOutcomes, params: label,
			doc:     "The chance of this label or a better one.",
			errors:  "a label that does not exist; labels that come without a scale",
			example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_at_least("graze").fraction`,
			result:  "11/20",
			run:     func(c call) (starlark.Value, error) { return c.ranked(syntax.GE) },
		},
		{
			name: "p_at_most", on: onOutcomes, params: label,
			doc:     "The chance of this label or a worse one.",
			errors:  "a label that does not exist; labels that come without a scale",
			example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_at_most("graze").fraction`,
			result:  "7/10",
			run:     func(c call) (starlark.Value, error) { return c.ranked(syntax.LE) },
		},
		{
			name: "p_in", on: onOutcomes,
			params:  []Param{{Name: "labels", Doc: "a list of labels"}},
			doc:     "The chance of any of the labels.",
			errors:  "a label that does not exist",
			example: `bucket(d(20), scale().step("miss").step("graze").step("hit"), 9, 14).p_in(["miss", "hit"]).fraction`,
			result:  "3/4",
			run:     outcomesIn,
		},
		{
			name: "mean", on: onOutcomes,
			doc:     "The mean of labels that are whole numbers, such as those of first_time.",
			errors:  "a label that can happen and is no number",
			example: `first_time(0, lambda state: state + 2, lambda state: state >= 5, 10).mean()`,
			result:  "3",
			run: func(c call) (starlark.Value, error) {
				o, err := c.outcomes()
				if err != nil {
					return nil, err
				}
				return o.mean()
			},
		},
		{
			name: "labels", on: onOutcomes,
			doc:     "The list of labels in their order, also of those that can't happen.",
			example: `versus(2, d(3)).labels`,
			result:  `["lose", "tie", "win"]`,
			attr: func(v starlark.Value) (starlark.Value, error) {
				return frozenList(v.(*Outcomes).labels), nil
			},
		},
		{
			name: "error", on: onOutcomes,
			doc:     "How far each chance may be from the truth: 0 unless an unlimited roll is behind it.",
			example: `versus(2, d(3)).error`,
			result:  "0.0",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return starlark.Float(v.(*Outcomes).Error()), nil
			},
		},
	}
}

// ranked answers p_at_least and p_at_most.
func (c call) ranked(op syntax.Token) (starlark.Value, error) {
	o, err := c.outcomes()
	if err != nil {
		return nil, err
	}
	p, err := o.compareLabel(op, c.value(0))
	return valueOr(p, c.inLabel(err))
}

// inLabel names the parameter in an error about a label.
func (c call) inLabel(err error) error {
	if err == nil {
		return nil
	}
	return c.wrong(0, "%v", err)
}

// valueOr returns a chance as a value, or the error.
func valueOr(p *Prob, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

func outcomesIn(c call) (starlark.Value, error) {
	o, err := c.outcomes()
	if err != nil {
		return nil, err
	}
	wanted := []starlark.Value{c.value(0)}
	if _, isLabel := o.find(c.value(0)); !isLabel {
		if wanted, err = c.list(0); err != nil {
			return nil, c.want(0, "a list of labels")
		}
	}
	p, err := o.among(wanted)
	return valueOr(p, c.inLabel(err))
}

// frozenList returns values as a list that can't change.
func frozenList(values []starlark.Value) *starlark.List {
	l := starlark.NewList(append([]starlark.Value(nil), values...))
	l.Freeze()
	return l
}
