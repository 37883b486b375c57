package dist

import (
	"context"
	"math"
	"math/big"
	"slices"
	"sort"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A mixture is one of several rolls, chosen by chance: P(X = x) is the sum of
// p_i P(X_i = x), and every moment about zero mixes in the same way. Over one
// common denominator a mixture is an overlay of rows of weights.

// A Part is one of the rolls of a [Mixture]. Its chance is in proportion to
// Weight, which may be off by WeightBound where it comes from an unlimited roll.
//
// A part without a Roll, whose Weight must be 0, stands for results that are not
// known at all, as those of a callback on the outcomes that an unlimited roll
// does not represent. Then nothing is known of the moments.
type Part struct {
	Weight      *big.Rat
	WeightBound float64
	Roll        *Dist
}

// Mixture returns one of several rolls, each chosen with a chance in proportion
// to its weight. Parts of weight zero are left out; negative weights, and none
// that is positive, are errors. Cost: the outcomes of all parts times the words
// of the common denominator.
func Mixture(ctx context.Context, parts []Part) (*Dist, error) {
	sum, slack, err := sumWeights(ctx, parts)
	if err != nil {
		return nil, err
	}
	if points := pointWeights(parts); points != nil && slack == 0 {
		return distFrom(ctx, points, nil)
	}
	m := mixture{slack: upper.Div(slack, upper.AbsDown(sum)), all: parts}
	for _, p := range parts {
		if p.Weight.Sign() > 0 {
			if err := chargeFractions(ctx, p.Weight, sum); err != nil {
				return nil, err
			}
			m.chances = append(m.chances, new(big.Rat).Quo(p.Weight, sum))
			m.rolls = append(m.rolls, p.Roll)
		}
	}
	if len(m.rolls) == 1 && slack == 0 {
		return m.rolls[0], nil
	}
	rows, err := commonRows(ctx, m.chances, m.rolls)
	if err != nil {
		return nil, err
	}
	out, err := overlay(ctx, rows, nil)
	if err != nil {
		return nil, err
	}
	return out.withTail(m.tail(out)), nil
}

// pointWeights are the weights of parts that are all certain numbers, with small
// fractions as weights, which is how most processes take a step. It is nil for
// any other parts.
func pointWeights(parts []Part) *Tally[int] {
	const most = 1 << 15 // so that every product below fits a word of 32 bits
	common := uint(1)
	for _, p := range parts {
		num, den := p.Weight.Num(), p.Weight.Denom()
		if p.Weight.Sign() == 0 || !num.IsInt64() || !den.IsInt64() || num.Int64() >= most || den.Int64() >= most ||
			p.Roll.size != 1 || anyTail(p.Roll) {
			return nil
		}
		d := uint(den.Int64())
		if common = common / nat.GCD(common, d) * d; common >= most {
			return nil
		}
	}
	var t Tally[int]
	for _, p := range parts {
		share := uint(p.Weight.Num().Int64()) * (common / uint(p.Weight.Denom().Int64()))
		t.Add(p.Roll.Min(), Weight{word: nat.Limb(share)})
	}
	return &t
}

// TwoPoints returns the roll that shows a with chance num/den and b otherwise: the
// [Mixture] of two numbers, which is how most processes take a step. It is an error
// when num is not from 0 to den or den is 0.
func TwoPoints(ctx context.Context, num, den uint32, a, b int) (*Dist, error) {
	if num > den || den == 0 {
		return nil, badArg("chance", "got %d/%d, want from 0 to 1", num, den)
	}
	if err := ChargeTable(ctx, 2, 1); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, 4*work.Visit); err != nil {
		return nil, err
	}
	switch {
	case num == 0:
		return Constant(b), nil
	case num == den || a == b:
		return Constant(a), nil
	}
	g := nat.GCD(uint(num), uint(den))
	low, high := uint(num)/g, uint(den-num)/g
	if a > b {
		a, b, low, high = b, a, high, low
	}
	// One piece of memory for all of it.
	room := &struct {
		dist    Dist
		weights [2]nat.Limb
		total   big.Int
		word    [1]big.Word
	}{weights: [2]nat.Limb{nat.Limb(low), nat.Limb(high)}, word: [1]big.Word{big.Word(low + high)}}
	room.total.SetBits(room.word[:])
	ax := axis.Axis{Lo: a, Step: int(axis.Span(a, b)), N: 2}
	if axis.Span(a, b) > axis.MaxStep {
		ax = axis.Axis{List: []int{a, b}}
	}
	room.dist = Dist{axis: ax, w: nat.Vec{Words: 1, Data: room.weights[:]}, total: &room.total, size: 2}
	return &room.dist, nil
}

// sumWeights returns the sum of the weights and of their errors.
func sumWeights(ctx context.Context, parts []Part) (sum *big.Rat, slack float64, err error) {
	sum = new(big.Rat)
	for i, p := range parts {
		if p.Weight.Sign() < 0 {
			return nil, 0, badArg("parts", "the weight of part %d is %s, want at least 0", i+1, p.Weight.RatString())
		}
		if p.Roll == nil && p.Weight.Sign() > 0 {
			return nil, 0, badArg("parts", "part %d has a weight but no roll", i+1)
		}
		if !(p.WeightBound >= 0) {
			return nil, 0, badArg("parts", "the error of the weight of part %d is %v, want at least 0", i+1, p.WeightBound)
		}
		if err := chargeFractions(ctx, p.Weight, sum); err != nil {
			return nil, 0, err
		}
		sum.Add(sum, p.Weight)
		slack = upper.Add(slack, p.WeightBound)
	}
	if sum.Sign() == 0 {
		return nil, 0, badArg("parts", "got none of positive weight, want at least one")
	}
	return sum, slack, nil
}

// chargeFractions charges an operation on two fractions, which ends in a
// greatest common divisor of two numbers as wide as both together.
func chargeFractions(ctx context.Context, a, b *big.Rat) error {
	words := int64(nat.WordsFor(a.Num()) + nat.WordsFor(a.Denom()) + nat.WordsFor(b.Num()) + nat.WordsFor(b.Denom()))
	if words > 2*maxWords {
		return &LimitError{Resource: WordsResource, Need: words, Limit: 2 * maxWords}
	}
	return ChargeWork(ctx, upper.MulSat(words, words)/2)
}

// A mixture holds what its tail depends on: the parts of positive weight with
// their chances, all parts, and the total-variation error of the choice. With
// weights w_i ± δ_i of sum W that error is at most the sum of δ_i over W.
type mixture struct {
	chances []*big.Rat
	rolls   []*Dist
	all     []Part
	slack   float64
}

// tail couples the choices as well as can be. Where the same part is chosen,
// the distances of the parts mix; where another is, the two rolls are
// independent of the choice and (X - Y)² <= 2X² + 2Y².
func (m mixture) tail(out *Dist) *tail {
	if m.slack == 0 && !anyTail(m.rolls...) {
		return nil
	}
	t := &tail{err: m.slack}
	for i, d := range m.rolls {
		p := upper.Abs(m.chances[i])
		d1, d2 := d.moved()
		t.err = upper.Add(t.err, upper.Mul(p, d.Bound()))
		t.d1 = upper.Add(t.d1, upper.Mul(p, d1))
		t.d2 = upper.Add(t.d2, upper.Mul(p, d2))
	}
	t.err = min(1, t.err)
	far := 0.0 // max E X_i² + max E X~_i²
	for _, p := range m.all {
		if p.Weight.Sign() == 0 && p.WeightBound == 0 {
			continue
		}
		if p.Roll == nil {
			return unknownTail(t.err)
		}
		t.above = t.above || p.Roll.UnboundedAbove() || p.Roll.Max() > out.Max()
		t.below = t.below || p.Roll.UnboundedBelow() || p.Roll.Min() < out.Min()
		if m.slack > 0 {
			truth, cut := p.Roll.rootMeanSquare(), p.Roll.bare().rootMeanSquare()
			far = max(far, upper.Mul(2, upper.Add(upper.Mul(truth, truth), upper.Mul(cut, cut))))
		}
	}
	if m.slack > 0 {
		t.d1 = upper.Add(t.d1, upper.Mul(m.slack, upper.Mul(2, upper.Sqrt(far))))
		t.d2 = upper.Add(t.d2, upper.Mul(m.slack, upper.Mul(2, far)))
		return t
	}
	t.m1 = m.mixed((*Dist).rawMoment1)
	t.m2 = m.mixed((*Dist).rawMoment2)
	return t
}

// mixed returns the sum of p_i times a moment of part i, nil when one of them
// is not known.
func (m mixture) mixed(moment func(*Dist) *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i, d := range m.rolls {
		v := moment(d)
		if v == nil {
			return nil
		}
		sum.Add(sum, new(big.Rat).Mul(m.chances[i], v))
	}
	return sum
}

// commonRows brings the chances of several rolls, each times its factor, over
// one denominator.
func commonRows(ctx context.Context, factors []*big.Rat, rolls []*Dist) ([]row, error) {
	scaled := make([]*big.Rat, len(rolls))
	lcm := big.NewInt(1)
	g, q := new(big.Int), new(big.Int)
	for i, d := range rolls {
		words := int64(nat.WordsFor(lcm) + nat.WordsFor(d.total) + nat.WordsFor(factors[i].Denom()))
		if err := chargeWeights(ctx, 2, int64(nat.WordsFor(lcm))); err != nil {
			return nil, err
		}
		if err := ChargeWork(ctx, upper.MulSat(words, words)); err != nil {
			return nil, err
		}
		scaled[i] = new(big.Rat).SetFrac(factors[i].Num(), new(big.Int).Mul(factors[i].Denom(), d.total))
		g.GCD(nil, nil, lcm, scaled[i].Denom())
		lcm.Mul(lcm, q.Quo(scaled[i].Denom(), g))
	}
	rows := make([]row, len(rolls))
	for i, d := range rolls {
		times := new(big.Int).Quo(lcm, scaled[i].Denom())
		rows[i] = row{axis: d.axis, w: d.w, times: times.Mul(times, scaled[i].Num())}
	}
	return rows, nil
}

// A row is some weights on an axis, each to be taken so many times.
type row struct {
	axis  axis.Axis
	w     nat.Vec
	times *big.Int // nil is once; may be negative
}

// constantRow is the row of one outcome.
func constantRow(x int, weight *big.Int) row {
	w := nat.NewVec(1, nat.WordsFor(weight))
	nat.PutInt(w.At(0), weight)
	return row{axis: axis.Axis{Lo: x, Step: 1, N: 1}, w: w}
}

func (r row) isNothing() bool {
	return nat.IsZero(r.w.Data) || r.times != nil && r.times.Sign() == 0
}

// words returns how many words hold a weight of the row.
func (r row) words() int {
	if r.times == nil {
		return r.w.Words
	}
	return r.w.Words + nat.WordsFor(r.times)
}

// overlay adds rows up, outcome by outcome. Weights that sum to less than zero
// must not occur; all weights zero must not either.
func overlay(ctx context.Context, rows []row, t *tail) (*Dist, error) {
	rows = slices.DeleteFunc(rows, row.isNothing)
	words, places, cost := 1, int64(0), int64(0)
	for _, r := range rows {
		words = max(words, r.words()+1)
		places = upper.AddSat(places, int64(r.axis.Len()))
		cost = upper.AddSat(cost, upper.MulSat(int64(r.axis.Len()), int64(r.w.Words*r.words()+4)))
	}
	if err := ChargeWork(ctx, cost); err != nil {
		return nil, err
	}
	ax, err := commonGrid(ctx, rows, places, int64(words))
	if err != nil {
		return nil, err
	}
	w := nat.NewVec(ax.Len(), words)
	tick := work.NewTicker(ctx)
	for _, negative := range []bool{false, true} {
		for _, r := range rows {
			if negative != (r.times != nil && r.times.Sign() < 0) {
				continue
			}
			if err := r.addTo(ax, w, &tick); err != nil {
				return nil, err
			}
		}
	}
	return newDist(ctx, ax, w, t)
}

// addTo adds the row to the weights w, or takes it off when its times are
// negative.
func (r row) addTo(ax axis.Axis, w nat.Vec, tick *work.Ticker) error {
	var times, product []nat.Limb
	minus := r.times != nil && r.times.Sign() < 0
	if r.times != nil {
		times = r.times.Bits()
		product = make([]nat.Limb, r.words())
	}
	for i, n := 0, r.axis.Len(); i < n; i++ {
		if err := tick.Tick(r.w.Words * (len(times) + 1)); err != nil {
			return err
		}
		x := nat.Trim(r.w.At(i))
		if len(x) == 0 {
			continue
		}
		j, _ := ax.Find(r.axis.At(i))
		switch {
		case times == nil:
			nat.Add(w.At(j), x)
		case minus:
			clear(product)
			nat.AddMul(product, x, times)
			nat.Sub(w.At(j), nat.Trim(product))
		default:
			nat.AddMul(w.At(j), x, times)
		}
	}
	return nil
}

// commonGrid returns an axis on which all rows lie, and charges its table: even
// steps where they do not waste much room, a list otherwise.
func commonGrid(ctx context.Context, rows []row, places, words int64) (axis.Axis, error) {
	lo, hi := math.MaxInt, math.MinInt
	for _, r := range rows {
		lo, hi = min(lo, r.axis.At(0)), max(hi, r.axis.Last())
	}
	step := uint(0)
	for _, r := range rows {
		step = nat.GCD(step, axis.Span(lo, r.axis.At(0)))
		if r.axis.List == nil {
			if r.axis.N > 1 {
				step = nat.GCD(step, uint(r.axis.Step))
			}
			continue
		}
		for _, x := range r.axis.List {
			if step == 1 {
				break
			}
			step = nat.GCD(step, axis.Span(lo, x))
		}
	}
	step = max(1, step)
	room := axis.Span(lo, hi) / step
	if room < uint(min(axis.MaxOutcomes, 2*places+1024)) && step <= math.MaxInt {
		if err := chargeWeights(ctx, int64(room)+1, words); err != nil {
			return axis.Axis{}, err
		}
		return axis.Axis{Lo: lo, Step: int(step), N: int(room) + 1}, nil
	}
	if err := chargeWeights(ctx, 1, words); err != nil {
		return axis.Axis{}, err
	}
	if err := ChargeTable(ctx, places, words+1); err != nil {
		return axis.Axis{}, err
	}
	return axis.Axis{List: mergedOutcomes(rows, int(places))}, nil
}

// mergedOutcomes returns the distinct outcomes of all rows, ascending.
func mergedOutcomes(rows []row, places int) []int {
	all := make([]int, 0, places)
	for _, r := range rows {
		for i, n := 0, r.axis.Len(); i < n; i++ {
			if !nat.IsZero(r.w.At(i)) {
				all = append(all, r.axis.At(i))
			}
		}
	}
	sort.Ints(all)
	list := all[:0]
	for i, x := range all {
		if i == 0 || x != list[len(list)-1] {
			list = append(list, x)
		}
	}
	return list
}
