package dist

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Outcomes are what a rule calls its results: miss, graze, hit. Like a roll
// they have exact weights over one common total; unlike a roll they have no
// arithmetic, only an order, worst to best.

// Outcomes is an exact distribution over labels that stand in an order. It is
// immutable, and labels that cannot happen may be among them, so that a scale
// is shown whole. The weights have no common divisor.
type Outcomes[L comparable] struct {
	labels   []L
	index    map[L]int // nil when the labels are few
	w        nat.Vec
	total    *big.Int
	err      float64
	complete bool // no other label can happen, also in what an unlimited roll left out
}

// fewLabels is up to how many labels a search is quicker than a map.
const fewLabels = 8

// NewOutcomes returns the distribution that gives labels[i] a chance in
// proportion to weights[i]. The order of the labels is theirs, worst to best.
// err bounds the total-variation distance to the true distribution, 0 when the
// weights are exact.
//
// It is an error when a label stands there twice, when a weight or err is
// negative, and when no weight is positive.
//
// Cost: that of reducing the weights by their greatest common divisor.
func NewOutcomes[L comparable](ctx context.Context, labels []L, weights []*big.Int, err float64) (*Outcomes[L], error) {
	if len(labels) != len(weights) {
		return nil, badArg("weights", "got %d for %d labels", len(weights), len(labels))
	}
	var t Tally[L]
	for i, l := range labels {
		w, problem := NewWeight(weights[i])
		if problem != nil {
			return nil, badArg("weights", "got %v for %s, want at least 0", weights[i], quoted(l))
		}
		if t.Add(l, w); t.Len() != i+1 {
			return nil, badArg("labels", "%s stands there twice", quoted(l))
		}
	}
	if err := t.check(err); err != nil {
		return nil, err
	}
	return outcomesFrom(ctx, &t, err, true)
}

// TallyOutcomes returns the distribution over the keys of t. order lists all
// labels of the result in their order, also those that never appeared; when it
// is nil, the labels stand in order of first appearance. err is the bound that
// the rolls behind the tally carry, 0 when they are exact.
//
// It is an error when a key is not in order, when a label stands in it twice,
// when no key has a positive weight, and when err is negative.
func TallyOutcomes[L comparable](ctx context.Context, t *Tally[L], order []L, err float64) (*Outcomes[L], error) {
	if err := t.check(err); err != nil {
		return nil, err
	}
	if order == nil {
		return outcomesFrom(ctx, t, err, false)
	}
	var ordered Tally[L]
	for i, l := range order {
		if ordered.Add(l, t.Weight(l)); ordered.Len() != i+1 {
			return nil, badArg("labels", "%s stands there twice", quoted(l))
		}
	}
	for _, l := range t.keys {
		if _, ok := ordered.find(l); !ok {
			return nil, badArg("label", "%s is not on the scale", quoted(l))
		}
	}
	return outcomesFrom(ctx, &ordered, err, true)
}

// Certain returns the distribution of a label that always happens.
func Certain[L comparable](label L) *Outcomes[L] {
	return &Outcomes[L]{labels: []L{label}, w: nat.Vec{Words: 1, Data: []nat.Limb{1}}, total: big.NewInt(1), complete: true}
}

// DistOutcomes returns the distribution of d as Outcomes whose labels are its
// integers, ascending.
func DistOutcomes(d *Dist) *Outcomes[int] {
	labels := d.Outcomes()
	w := d.w
	if len(labels) < d.axis.Len() {
		_, w = axis.Listed(d.axis, d.w, d.size)
	}
	o, _ := newOutcomes(context.Background(), labels, w, d.Bound(), d.tail == nil)
	return o
}

// outcomesFrom takes the labels and weights of t, of which one is positive.
func outcomesFrom[L comparable](ctx context.Context, t *Tally[L], err float64, complete bool) (*Outcomes[L], error) {
	words := 1
	for _, w := range t.sums {
		words = max(words, w.words())
	}
	if err := chargeTally(ctx, len(t.sums), words); err != nil {
		return nil, err
	}
	w := nat.NewVec(len(t.sums), words)
	for i, sum := range t.sums {
		sum.put(w.At(i))
	}
	return newOutcomes(ctx, slices.Clone(t.keys), w, err, complete)
}

// newOutcomes brings labels and weights into their final form: the common
// divisor taken out, as few words as the total allows. The labels are distinct,
// some weight is positive, and both belong to the result.
func newOutcomes[L comparable](ctx context.Context, labels []L, w nat.Vec, err float64, complete bool) (*Outcomes[L], error) {
	w, total, stop := primitive(ctx, w)
	if stop != nil {
		return nil, stop
	}
	o := &Outcomes[L]{
		labels:   labels,
		w:        w,
		total:    total,
		err:      min(1, err),
		complete: complete,
	}
	if len(labels) > fewLabels {
		o.index = make(map[L]int, len(labels))
		tick := work.NewTicker(ctx)
		for i, l := range labels {
			if err := tick.Tick(work.Visit); err != nil {
				return nil, err
			}
			o.index[l] = i
		}
	}
	return o, nil
}

// find returns the position of a label.
func (o *Outcomes[L]) find(label L) (int, bool) {
	if o.index != nil {
		i, ok := o.index[label]
		return i, ok
	}
	i := slices.Index(o.labels, label)
	return i, i >= 0
}

// Len returns the number of labels, also of those that cannot happen.
func (o *Outcomes[L]) Len() int { return len(o.labels) }

// Labels returns all labels in their order.
func (o *Outcomes[L]) Labels() []L { return slices.Clone(o.labels) }

// Total returns the common total of the weights.
func (o *Outcomes[L]) Total() *big.Int { return new(big.Int).Set(o.total) }

// Bound returns an upper bound on the total-variation distance to the true
// distribution: every chance asked of o is certain to within it. It is 0 when o
// is exact.
func (o *Outcomes[L]) Bound() float64 { return o.err }

// All yields every label in order, each with its weight, which may be 0.
func (o *Outcomes[L]) All() iter.Seq2[L, *big.Int] {
	return func(yield func(L, *big.Int) bool) {
		for i, l := range o.labels {
			if !yield(l, nat.Natural(o.w.At(i))) {
				return
			}
		}
	}
}

// P returns the chance of a label, and false when there is no such label.
func (o *Outcomes[L]) P(label L) (*big.Rat, bool) {
	i, ok := o.find(label)
	if !ok {
		return nil, false
	}
	return o.between(i, i+1), true
}

// AtLeast returns the chance of the label or any that stands after it, and
// false when there is no such label.
func (o *Outcomes[L]) AtLeast(label L) (*big.Rat, bool) {
	i, ok := o.find(label)
	if !ok {
		return nil, false
	}
	return o.between(i, len(o.labels)), true
}

// AtMost returns the chance of the label or any that stands before it, and
// false when there is no such label.
func (o *Outcomes[L]) AtMost(label L) (*big.Rat, bool) {
	i, ok := o.find(label)
	if !ok {
		return nil, false
	}
	return o.between(0, i+1), true
}

// In returns the chance that one of the labels happens, however often it is
// named, and false when there is no such label.
func (o *Outcomes[L]) In(labels ...L) (*big.Rat, bool) {
	acc := make([]nat.Limb, o.w.Words+1)
	counted := make(map[int]bool, len(labels))
	for _, l := range labels {
		i, ok := o.find(l)
		if !ok {
			return nil, false
		}
		if !counted[i] {
			counted[i] = true
			nat.Add(acc, o.w.At(i))
		}
	}
	return new(big.Rat).SetFrac(nat.Natural(acc), o.total), true
}

// between returns the chance of the labels from position i up to j.
func (o *Outcomes[L]) between(i, j int) *big.Rat {
	return new(big.Rat).SetFrac(o.w.Slice(i, j).Sum(), o.total)
}

// Mean returns the mean of f(label), which is called once for every label that can happen.
// Cost: a look at every word of the weights, and one reduction of a fraction.
func (o *Outcomes[L]) Mean(ctx context.Context, f func(L) (*big.Int, error)) (*big.Rat, error) {
	words := int64(o.w.Words)
	if err := ChargeWork(ctx, upper.AddSat(upper.MulSat(int64(len(o.labels)), 2*words+work.Visit), nat.ReductionWork(words))); err != nil {
		return nil, err
	}
	sum, term := new(big.Int), new(big.Int)
	tick := work.NewTicker(ctx)
	for i, l := range o.labels {
		w := nat.Trim(o.w.At(i))
		if len(w) == 0 {
			continue
		}
		n, err := f(l)
		if err == nil {
			err = tick.Tick(2*len(w)*len(n.Bits()) + 16)
		}
		if err != nil {
			return nil, err
		}
		sum.Add(sum, term.Mul(n, nat.View(w)))
	}
	return new(big.Rat).SetFrac(sum, o.total), nil
}

// Values returns the roll that shows f(label) for each label: damage for hit,
// graze and miss. f is called once for every label that can happen. Of
// unlimited Outcomes the moments of the result are bounded when the order of
// the labels was given, because then no other value can happen.
func (o *Outcomes[L]) Values(ctx context.Context, f func(L) (int, error)) (*Dist, error) {
	if err := ChargeWork(ctx, upper.MulSat(int64(len(o.labels)), int64(o.w.Words+work.Visit))); err != nil {
		return nil, err
	}
	var t Tally[int]
	tick := work.NewTicker(ctx)
	for i, l := range o.labels {
		if err := tick.Tick(work.Visit); err != nil {
			return nil, err
		}
		w := o.w.At(i)
		if nat.IsZero(w) && (!o.complete || o.err == 0) {
			continue
		}
		x, err := f(l)
		if err != nil {
			return nil, err
		}
		t.Add(x, weightOfLimbs(w))
	}
	if !o.complete {
		return distFrom(ctx, &t, unknownTail(o.err))
	}
	return distFrom(ctx, &t, boundedTail(o.err, slices.Min(t.keys), slices.Max(t.keys)))
}

// sameOutcomes reports whether a and b have the same labels in the same order
// with the same chances, and the same error. Cost: a look at each label and each
// word of the weights.
func sameOutcomes[L comparable](ctx context.Context, a, b *Outcomes[L]) (bool, error) {
	if len(a.labels) != len(b.labels) || a.err != b.err || a.w.Words != b.w.Words {
		return false, ctx.Err()
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(len(a.labels)), int64(a.w.Words+work.Visit))); err != nil {
		return false, err
	}
	return slices.Equal(a.labels, b.labels) && slices.Equal(a.w.Data, b.w.Data), nil
}

// Classify puts every outcome of a roll under the label that f gives it. f is
// called once for each possible outcome, ascending. order lists all labels in
// their order; when it is nil, the labels stand in order of first appearance.
// It is an error when f returns a label that is not in order.
func Classify[L comparable](ctx context.Context, d *Dist, order []L, f func(x int) (L, error)) (*Outcomes[L], error) {
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(work.Visit+d.w.Words))); err != nil {
		return nil, err
	}
	if order == nil && d.size <= fewLabels && d.w.Words == 1 {
		return classifyFew(ctx, d, f)
	}
	allowed := make(map[L]bool, len(order))
	for _, l := range order {
		allowed[l] = true
	}
	var t Tally[L]
	tick := work.NewTicker(ctx)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if err := tick.Tick(work.TickEvery >> 10); err != nil {
			return nil, err
		}
		w := d.w.At(i)
		if nat.IsZero(w) {
			continue
		}
		x := d.axis.At(i)
		l, err := f(x)
		if err != nil {
			return nil, err
		}
		if order != nil && !allowed[l] {
			return nil, badArg("label", "%s for %d is not on the scale", quoted(l), x)
		}
		t.Add(l, weightOfLimbs(w))
	}
	return TallyOutcomes(ctx, &t, order, d.Bound())
}

// classifyFew is [Classify] of a roll of few outcomes with short weights, as is most
// of what a process goes through. Labels that are all different keep the weights
// as they are.
func classifyFew[L comparable](ctx context.Context, d *Dist, f func(x int) (L, error)) (*Outcomes[L], error) {
	room := &struct {
		out     Outcomes[L]
		labels  [fewLabels]L
		weights [fewLabels]nat.Limb
	}{}
	labels, weights, merged := room.labels[:0], room.weights[:0], false
	for i, n := 0, d.axis.Len(); i < n; i++ {
		w := d.w.Data[i]
		if w == 0 {
			continue
		}
		l, err := f(d.axis.At(i))
		if err != nil {
			return nil, err
		}
		merged = merged || slices.Contains(labels, l)
		labels, weights = append(labels, l), append(weights, w)
	}
	if merged {
		var t Tally[L]
		for i, l := range labels {
			t.Add(l, Weight{word: weights[i]})
		}
		return TallyOutcomes(ctx, &t, nil, d.Bound())
	}
	if err := chargeTally(ctx, len(labels), 1); err != nil {
		return nil, err
	}
	room.out = Outcomes[L]{labels: labels, w: nat.Vec{Words: 1, Data: weights}, total: d.total, err: min(1, d.Bound())}
	return &room.out, nil
}

// quoted writes a label for an error.
func quoted(label any) string {
	if s, ok := label.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprint(label)
}

// Relabel gives every label of o the name that f returns. Labels that get the
// same name become one, which stands where the first of them stood.
func Relabel[L, M comparable](ctx context.Context, o *Outcomes[L], f func(L) (M, error)) (*Outcomes[M], error) {
	if err := ChargeWork(ctx, upper.MulSat(int64(len(o.labels)), int64(o.w.Words+work.Visit))); err != nil {
		return nil, err
	}
	var t Tally[M]
	tick := work.NewTicker(ctx)
	for i, l := range o.labels {
		if err := tick.Tick(work.Visit); err != nil {
			return nil, err
		}
		m, err := f(l)
		if err != nil {
			return nil, err
		}
		t.Add(m, weightOfLimbs(o.w.At(i)))
	}
	return outcomesFrom(ctx, &t, o.err, o.complete)
}

// An OutcomesPart is one of the Outcomes that [MixOutcomes] chooses from.
type OutcomesPart[L comparable] struct {
	Weight      *big.Rat // the chance of the part, in proportion to those of the others
	WeightBound float64  // how far Weight may be off
	Outcomes    *Outcomes[L]
}

// MixOutcomes returns the Outcomes of a part that is itself chosen by chance.
// The labels stand in the order of the first part; labels that only later parts
// have follow in their order.
//
// The error is the sum of those of the weights and of the parts, each part's by
// its chance. It is an error when a weight is negative or none is positive.
// Cost: the sum of the numbers of labels.
func MixOutcomes[L comparable](ctx context.Context, parts []OutcomesPart[L]) (*Outcomes[L], error) {
	sum, common := new(big.Rat), big.NewInt(1)
	cost := int64(0)
	for _, p := range parts {
		if p.Weight.Sign() < 0 {
			return nil, badArg("weight", "got %s, want at least 0", p.Weight.RatString())
		}
		if err := chargeFractions(ctx, p.Weight, sum); err != nil {
			return nil, err
		}
		if err := chargeFractions(ctx, p.Weight, new(big.Rat).SetInt(common)); err != nil {
			return nil, err
		}
		sum.Add(sum, p.Weight)
		common = nat.LCM(common, new(big.Int).Mul(p.Weight.Denom(), p.Outcomes.total))
		cost = upper.AddSat(cost, int64(p.Outcomes.Len()))
	}
	if sum.Sign() == 0 {
		return nil, badArg("weights", "all are zero, want at least one positive weight")
	}
	words := int64(nat.WordsFor(common))
	if err := chargeWeights(ctx, cost, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(cost, words+work.Visit)); err != nil {
		return nil, err
	}
	var t Tally[L]
	inverse := upper.Abs(new(big.Rat).Inv(sum))
	bound, complete := 0.0, true
	factor := new(big.Int)
	for _, p := range parts {
		// weight of a label / common = (num / denom) * (its weight / total)
		factor.Mul(p.Weight.Denom(), p.Outcomes.total)
		factor.Quo(common, factor)
		f := weightOf(factor.Mul(factor, p.Weight.Num()))
		for i, l := range p.Outcomes.labels {
			t.Add(l, f.Times(weightOfLimbs(p.Outcomes.w.At(i))))
		}
		bound = upper.Add(bound, upper.Mul(upper.Abs(new(big.Rat).Quo(p.Weight, sum)), p.Outcomes.err))
		// Weights that are off by e_i in all move normed chances by no more
		// than sum e_i over the sum of the weights.
		bound = upper.Add(bound, upper.Mul(p.WeightBound, inverse))
		complete = complete && p.Outcomes.complete
	}
	return outcomesFrom(ctx, &t, bound, complete)
}
