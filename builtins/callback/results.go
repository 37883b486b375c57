package callback

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A callback answers for every combination of faces, and the answers together
// are one value: numbers are a roll, labels are Outcomes, truth values and
// chances are a chance. An answer that is itself a roll, Outcomes or a chance is
// a follow-up of its own; all answers are mixed in proportion to the weights of
// what led to them.

type resultKind int

const (
	noResult resultKind = iota
	numberResults
	labelResults
	chanceResults
)

// results collects what a callback returns.
type results struct {
	cb    *Func
	bound float64      // the error of the rolls that the faces come from
	scale *value.Scale // what labels must stand on; nil for any labels

	kind       resultKind
	first      starlark.Value
	firstWhere string

	paid   int             // for how many distinct answers room is charged
	plain  dist.Tally[int] // numbers, numbers of labels, or 0 and 1
	labels intern.Table    // all labels in order of first appearance
	recent [64]recentResult
	texts  recentTexts
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

// ask calls the callback with the arguments that are set, and takes its reply with the
// weight of the faces among them.
func (a *results) ask(w dist.Weight) error {
	v, err := a.cb.ask()
	if err != nil {
		return err
	}
	return a.take(v, w)
}

// take takes one answer of the callback with the weight of the faces it was given for.
func (a *results) take(v slot.Value, w dist.Weight) error {
	if a.plain.Len()+len(a.later.values) < a.paid {
		switch x := v.V.(type) {
		case nil:
			if a.kind == numberResults {
				a.count(int(v.N), w)
				return nil
			}
		case starlark.Bool:
			if a.kind == chanceResults {
				n := 0
				if x {
					n = 1
				}
				a.count(n, w)
				return nil
			}
		case starlark.String:
			if a.kind == labelResults {
				if i, ok := a.texts.find(x); ok {
					a.count(i, w)
					return nil
				}
			}
		}
	}
	return a.add(v.Starlark(), w)
}

// A recentResult remembers where a plain answer stands in the tally.
type recentResult struct {
	answer int
	place  int // plus 1
}

// count is plain.Add, mostly without a look into a map.
func (a *results) count(answer int, w dist.Weight) {
	r := &a.recent[answer&(len(a.recent)-1)]
	if r.place == 0 || r.answer != answer {
		*r = recentResult{answer, a.plain.Place(answer) + 1}
	}
	a.plain.AddAt(r.place-1, w)
}

// add takes one answer with the weight of the faces it was given for.
func (a *results) add(v starlark.Value, w dist.Weight) error {
	if a.plain.Len()+len(a.later.values) >= a.paid {
		if err := a.moreRoom(); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case starlark.String, starlark.Tuple:
		return a.addLabel(v, w)
	case starlark.Int:
		if a.scale != nil {
			return a.addLabel(v, w)
		}
		if err := a.settle(numberResults, v); err != nil {
			return err
		}
		n, ok := v.Int64()
		if !ok {
			return a.wrong(v, "want a whole number from -2^63 to 2^63-1")
		}
		a.plain.Add(int(n), w)
		return nil
	case starlark.Bool:
		if err := a.settle(chanceResults, v); err != nil {
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

func (a *results) addLabel(v starlark.Value, w dist.Weight) error {
	if err := a.settle(labelResults, v); err != nil {
		return err
	}
	i, err := a.label(v)
	if err != nil {
		return err
	}
	if s, ok := v.(starlark.String); ok {
		a.texts.note(s, i)
	}
	a.plain.Add(i, w)
	return nil
}

// label returns the number of a label.
func (a *results) label(v starlark.Value) (int, error) {
	if err := a.meter().Name(v); err != nil {
		return 0, fmt.Errorf("%s: a label: %w", a.cb.param, err)
	}
	known := len(a.labels.Values)
	i, err := a.labels.Index(v)
	if err == nil && i < known {
		return i, nil
	}
	if a.scale != nil {
		if _, ok := a.scale.Set().Find(v); !ok {
			return 0, notOnScale(a.cb, a.scale, v)
		}
	}
	if problem := value.CheckLabel(a.meter(), v); problem != nil {
		return 0, fmt.Errorf("%s: the label for %s: %w", a.cb.param, a.cb.Where(), problem)
	}
	return i, err
}

// moreRoom charges room for as many distinct answers again. A recipe may map a die
// in each of very many states, so that it begins with few.
func (a *results) moreRoom() error {
	more := max(4, a.paid)
	a.paid += more
	return a.meter().Keep(int64(more))
}

func (a *results) addFollowUp(v starlark.Value, w dist.Weight) error {
	var kind resultKind
	switch v.(type) {
	case *value.Roll, *value.Pool:
		kind = numberResults
	case *value.Outcomes:
		kind = labelResults
	case *value.Prob:
		kind = chanceResults
	default:
		return a.unusable(v)
	}
	if err := a.settle(kind, v); err != nil {
		return err
	}
	isNew := a.later.add(v, w)
	if o, ok := v.(*value.Outcomes); ok && isNew {
		for at, label := range o.Set().Labels() {
			if a.scale != nil && o.Chance(at).Sign() == 0 {
				continue
			}
			if a.scale != nil {
				if _, ok := a.scale.Set().Find(label); !ok {
					return notOnScale(a.cb, a.scale, label)
				}
			}
			if _, err := a.labels.Index(label); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle decides with the first answer what kind all of them are.
func (a *results) settle(kind resultKind, v starlark.Value) error {
	switch a.kind {
	case kind:
		return nil
	case noResult:
		if a.scale != nil && kind != labelResults {
			return notOnScale(a.cb, a.scale, v)
		}
		a.kind, a.first, a.firstWhere = kind, v, a.cb.Where()
		return nil
	}
	return fmt.Errorf("%s: returned %s for %s but %s for %s; want the same kind of answer always: "+
		"whole numbers and rolls, labels and Outcomes, or truth values and chances",
		a.cb.param, value.Describe(a.first), a.firstWhere, value.Describe(v), a.cb.Where())
}

func (a *results) wrong(v starlark.Value, problem string) error { return a.cb.Returned(v, problem) }

// unusable says why v is no answer.
func (a *results) unusable(v starlark.Value) error {
	switch v.(type) {
	case starlark.Float:
		return a.wrong(v, "want a whole number"+value.WholeQuotient)
	case *value.Number:
		if value.IsQuotient(v) {
			return a.wrong(v, "want a whole number"+value.WholeQuotient)
		}
		return a.wrong(v, "want a whole number: int(x) drops the fraction, round(x) rounds it")
	case starlark.Callable:
		return a.wrong(v, "to call a function, write its parentheses")
	case *starlark.List:
		return a.wrong(v, "a label of several parts is a tuple: return (a, b)")
	}
	return a.wrong(v, "want a whole number, a label, a truth value, a chance, a roll or Outcomes")
}

// value returns what all answers together are.
func (a *results) value() (starlark.Value, error) {
	switch a.kind {
	case numberResults:
		d, err := a.mixed(&a.plain, a.rollOf)
		if err != nil {
			return nil, err
		}
		return value.NewRoll(a.cb.methods, d), nil
	case labelResults:
		return a.outcomes()
	case chanceResults:
		return a.chance()
	}
	return nil, fmt.Errorf("%s: there was nothing to call it for", a.cb.param)
}

func (a *results) meter() *meter.Meter      { return meter.Of(a.cb.thread) }
func (a *results) context() context.Context { return a.cb.context() }

// mixed returns the distribution of plain answers and follow-ups together.
func (a *results) mixed(plain *dist.Tally[int], distOf func(starlark.Value) (*dist.Dist, error)) (*dist.Dist, error) {
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
	parts = append(parts, dist.Part{Weight: new(big.Rat), WeightBound: a.bound})
	return dist.Mixture(a.context(), parts)
}

func (a *results) rollOf(v starlark.Value) (*dist.Dist, error) {
	d, _, err := value.AsRoll(a.cb.thread, v)
	return d, err
}

// outcomes returns the distribution over the labels.
func (a *results) outcomes() (starlark.Value, error) {
	if len(a.later.values) == 0 {
		over, err := dist.TallyOutcomes(a.context(), &a.plain, nil, a.bound)
		return a.placed(over, err)
	}
	m, bound := a.mixture(), a.bound // the bound of the first part
	if a.plain.Len() > 0 {
		over, err := dist.TallyOutcomes(a.context(), &a.plain, nil, 0)
		if err != nil {
			return nil, err
		}
		m.AddNamed(ratOfWeight(a.plain.Total()), bound, over)
		bound = 0
	}
	for i, v := range a.later.values {
		m.Add(ratOfWeight(a.later.weight.Weight(i)), bound, v.(*value.Outcomes))
		bound = 0
	}
	return m.Mixed(a.context(), a.meter())
}

// placed returns labels that are all plain.
func (a *results) placed(over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	if a.scale == nil {
		return value.Unscaled(a.context(), a.meter(), a.cb.methods, &a.labels, over)
	}
	m := a.mixture()
	m.AddNamed(exact.One, 0, over)
	return m.Mixed(a.context(), a.meter())
}

// mixture returns a mixture of nothing yet, on the scale that the answers must
// stand on, if there is one.
func (a *results) mixture() *value.Mixture {
	m := value.NewMixture(a.cb.methods, &a.labels)
	if a.scale != nil {
		m.StandOn(a.scale.Set())
	}
	return m
}

func ratOfWeight(w dist.Weight) *big.Rat { return new(big.Rat).SetInt(w.Int()) }

// chance returns the probability of yes.
func (a *results) chance() (starlark.Value, error) {
	total := new(big.Int).Add(a.plain.Total().Int(), a.later.weight.Total().Int())
	sum := new(big.Rat).SetFrac(a.plain.Weight(1).Int(), total)
	bound := a.bound
	for i, v := range a.later.values {
		p := v.(*value.Prob)
		share := new(big.Rat).SetFrac(a.later.weight.Weight(i).Int(), total)
		if p.Bound() != 0 {
			bound = upper.Add(bound, upper.Mul(p.Bound(), upper.Abs(share)))
		}
		share.Mul(share, p.Exact().Rat)
		if err := a.meter().Fraction(exact.Number{Rat: sum}.Bits() + exact.Number{Rat: share}.Bits()); err != nil {
			return nil, err
		}
		sum.Add(sum, share)
	}
	return value.NewProb(a.cb.methods, exact.New(sum, min(1, bound))), nil
}
