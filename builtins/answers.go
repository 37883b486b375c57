package builtins

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A callback answers for every combination of faces, and the answers together
// are one value: numbers are a roll, labels are Outcomes, truth values and
// chances are a chance. An answer that is itself a roll, Outcomes or a chance is
// a follow-up of its own; all answers are mixed in proportion to the weights of
// what led to them.

type answerKind int

const (
	noAnswer answerKind = iota
	numberAnswers
	labelAnswers
	chanceAnswers
)

// answers collects what a callback returns.
type answers struct {
	cb    *callback
	bound float64 // the error of the rolls that the faces come from

	kind       answerKind
	first      starlark.Value
	firstWhere string

	paid   int             // for how many distinct answers room is charged
	plain  dist.Tally[int] // numbers, numbers of labels, or 0 and 1
	labels interner        // all labels in order of first appearance
	later  followUps
}

// followUps holds the distinct values that were returned as follow-ups.
type followUps struct {
	index  map[starlark.Value]int // by identity
	values []starlark.Value
	weight dist.Tally[int] // by index
}

func (f *followUps) add(v starlark.Value, w dist.Weight) (isNew bool) {
	i, known := f.index[v]
	if !known {
		if f.index == nil {
			f.index = map[starlark.Value]int{}
		}
		i = len(f.values)
		f.index[v] = i
		f.values = append(f.values, v)
	}
	f.weight.Add(i, w)
	return !known
}

// add takes one answer with the weight of the faces it was given for.
func (a *answers) add(v starlark.Value, w dist.Weight) error {
	if a.plain.Len()+len(a.later.values) >= a.paid {
		if err := a.moreRoom(); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case starlark.String, starlark.Tuple:
		if err := a.settle(labelAnswers, v); err != nil {
			return err
		}
		i, err := a.label(v)
		if err != nil {
			return err
		}
		a.plain.Add(i, w)
		return nil
	case starlark.Int:
		if err := a.settle(numberAnswers, v); err != nil {
			return err
		}
		n, ok := v.Int64()
		if !ok {
			return a.wrong(v, "want a whole number of at most 18 digits")
		}
		a.plain.Add(int(n), w)
		return nil
	case starlark.Bool:
		if err := a.settle(chanceAnswers, v); err != nil {
			return err
		}
		n := 0
		if v {
			n = 1
		}
		a.plain.Add(n, w)
		return nil
	}
	return a.addFollowUp(v, w)
}

// label returns the number of a label.
func (a *answers) label(v starlark.Value) (int, error) {
	if _, err := chargeLabel(a.context(), v); err != nil {
		return 0, fmt.Errorf("%s: a label: %w", a.cb.param, err)
	}
	known := len(a.labels.values)
	i, err := a.labels.index(v)
	if err == nil && i < known {
		return i, nil
	}
	if problem := checkLabel(v); problem != nil {
		return 0, fmt.Errorf("%s: the label for %s: %w", a.cb.param, a.cb.where(), problem)
	}
	return i, err
}

// answerWords is how many words one distinct answer takes.
const answerWords = 24

// moreRoom charges room for as many distinct answers again.
func (a *answers) moreRoom() error {
	more := max(64, a.paid)
	a.paid += more
	return dist.ChargeTable(a.context(), int64(more), answerWords)
}

func (a *answers) addFollowUp(v starlark.Value, w dist.Weight) error {
	var kind answerKind
	switch v.(type) {
	case *Roll, *Pool:
		kind = numberAnswers
	case *Outcomes:
		kind = labelAnswers
	case *Prob:
		kind = chanceAnswers
	default:
		return a.unusable(v)
	}
	if err := a.settle(kind, v); err != nil {
		return err
	}
	isNew := a.later.add(v, w)
	if o, ok := v.(*Outcomes); ok && isNew {
		for _, label := range o.labels {
			if _, err := a.labels.index(label); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle decides with the first answer what kind all of them are.
func (a *answers) settle(kind answerKind, v starlark.Value) error {
	switch a.kind {
	case kind:
		return nil
	case noAnswer:
		a.kind, a.first, a.firstWhere = kind, v, a.cb.where()
		return nil
	}
	return fmt.Errorf("%s: returned %s for %s but %s for %s; want the same kind of answer always: "+
		"whole numbers and rolls, labels and Outcomes, or truth values and chances",
		a.cb.param, describe(a.first), a.firstWhere, describe(v), a.cb.where())
}

func (a *answers) wrong(v starlark.Value, problem string) error { return a.cb.returned(v, problem) }

// unusable says why v is no answer.
func (a *answers) unusable(v starlark.Value) error {
	switch v.(type) {
	case starlark.Float:
		return a.wrong(v, "want a whole number: // divides without a remainder, int(x) drops the fraction")
	case *Number:
		return a.wrong(v, "want a whole number: int(x) drops the fraction, round(x) rounds it")
	case starlark.Callable:
		return a.wrong(v, "to call a function, write its parentheses")
	case *starlark.List:
		return a.wrong(v, "a label of several parts is a tuple: return (a, b)")
	}
	return a.wrong(v, "want a whole number, a label, a truth value, a chance, a roll or Outcomes")
}

// value returns what all answers together are.
func (a *answers) value() (starlark.Value, error) {
	switch a.kind {
	case numberAnswers:
		d, err := a.mixed(&a.plain, a.rollOf)
		if err != nil {
			return nil, err
		}
		return NewRoll(d), nil
	case labelAnswers:
		return a.outcomes()
	case chanceAnswers:
		return a.chance()
	}
	return nil, fmt.Errorf("%s: there was nothing to call it for", a.cb.param)
}

func (a *answers) context() context.Context { return EnvOf(a.cb.thread).context() }

// mixed returns the distribution of plain answers and follow-ups together.
func (a *answers) mixed(plain *dist.Tally[int], distOf func(starlark.Value) (*dist.Dist, error)) (*dist.Dist, error) {
	if len(a.later.values) == 0 {
		return dist.TallyDist(a.context(), plain, a.bound)
	}
	total := new(big.Int).Add(plain.Total().Int(), a.later.weight.Total().Int())
	share := func(w dist.Weight) *big.Rat { return new(big.Rat).SetFrac(w.Int(), total) }
	var parts []dist.Part
	if plain.Len() > 0 {
		d, err := dist.TallyDist(a.context(), plain, 0)
		if err != nil {
			return nil, err
		}
		parts = append(parts, dist.Part{Weight: share(plain.Total()), Roll: d})
	}
	for i, v := range a.later.values {
		d, err := distOf(v)
		if err != nil {
			return nil, err
		}
		parts = append(parts, dist.Part{Weight: share(a.later.weight.Weight(i)), Roll: d})
	}
	// What the callback makes of outcomes that are not represented may be anything.
	parts = append(parts, dist.Part{Weight: new(big.Rat), WeightError: a.bound})
	return dist.Mixture(a.context(), parts)
}

func (a *answers) rollOf(v starlark.Value) (*dist.Dist, error) {
	d, _, err := rollOf(a.cb.thread, v)
	return d, err
}

// outcomes returns the distribution over the labels.
func (a *answers) outcomes() (starlark.Value, error) {
	if len(a.later.values) == 0 {
		over, err := dist.TallyOutcomes(a.context(), &a.plain, nil, a.bound)
		return asOutcomes(newLabelSet(&a.labels, false), over, err)
	}
	m := labelMix{labels: &a.labels}
	if a.plain.Len() > 0 {
		over, err := dist.TallyOutcomes(a.context(), &a.plain, nil, 0)
		if err != nil {
			return nil, err
		}
		m.parts = append(m.parts, labelPart{weight: ratOfWeight(a.plain.Total()), labels: a.labels.values, over: over})
	}
	for i, v := range a.later.values {
		m.add(ratOfWeight(a.later.weight.Weight(i)), v.(*Outcomes))
	}
	m.parts[0].bound = a.bound
	return m.mixed(a.context())
}

func ratOfWeight(w dist.Weight) *big.Rat { return new(big.Rat).SetInt(w.Int()) }

// chance returns the probability of yes.
func (a *answers) chance() (starlark.Value, error) {
	total := new(big.Int).Add(a.plain.Total().Int(), a.later.weight.Total().Int())
	sum := new(big.Rat).SetFrac(a.plain.Weight(1).Int(), total)
	bound := a.bound
	env := EnvOf(a.cb.thread)
	for i, v := range a.later.values {
		p := v.(*Prob)
		share := new(big.Rat).SetFrac(a.later.weight.Weight(i).Int(), total)
		if p.Error() != 0 {
			bound = addUp(bound, mulUp(p.Error(), sizeUp(share)))
		}
		share.Mul(share, p.rat)
		if err := chargeArithmetic(env, exact{rat: sum}, exact{rat: share}); err != nil {
			return nil, err
		}
		sum.Add(sum, share)
	}
	return newProb(sum, min(1, bound)), nil
}
