package anydice

import (
	"context"
	"math/big"
	"slices"
	"sort"

	"dicescript/dist"
)

// The functions that every program has. Their parameters convert arguments as
// those of users' functions do, but what is asked of whole pools is asked of
// the engine instead of every roll.

// A builtin is a function that every program has.
type builtin struct {
	params []paramKind
	run    func(r *run, args []value) (value, error)
}

// builtins are the functions by their shapes.
var builtins = map[string]*builtin{
	"absolute _":                 {[]paramKind{numberParam}, absolute},
	"_ contains _":               {[]paramKind{sequenceParam, numberParam}, contains},
	"count _ in _":               {[]paramKind{sequenceParam, sequenceParam}, countIn},
	"highest _ of _":             {[]paramKind{numberParam, dieParam}, keeping(highestRanks)},
	"lowest _ of _":              {[]paramKind{numberParam, dieParam}, keeping(lowestRanks)},
	"middle _ of _":              {[]paramKind{numberParam, dieParam}, keeping(middleRanks)},
	"highest of _ and _":         {[]paramKind{numberParam, numberParam}, extreme(func(a, b int) int { return max(a, b) }, dist.Max)},
	"lowest of _ and _":          {[]paramKind{numberParam, numberParam}, extreme(func(a, b int) int { return min(a, b) }, dist.Min)},
	"highest _ of _ and _":       {[]paramKind{numberParam, dieParam, dieParam}, keepingMixed((*dist.Pool).Highest)},
	"lowest _ of _ and _":        {[]paramKind{numberParam, dieParam, dieParam}, keepingMixed((*dist.Pool).Lowest)},
	"maximum of _":               {[]paramKind{dieParam}, maximum},
	"explode _":                  {[]paramKind{dieParam}, explode},
	"reverse _":                  {[]paramKind{sequenceParam}, reverse},
	"sort _":                     {[]paramKind{sequenceParam}, sorted},
	"highest _ of _ and _ and _": {[]paramKind{numberParam, dieParam, dieParam, dieParam}, keepingMixed((*dist.Pool).Highest)},
	"lowest _ of _ and _ and _":  {[]paramKind{numberParam, dieParam, dieParam, dieParam}, keepingMixed((*dist.Pool).Lowest)},
}

// builtinNames are the shapes in order, for suggestions.
var builtinNames = func() []string {
	names := make([]string, 0, len(builtins))
	for name := range builtins {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}()

// call converts what needs no expansion, in place, and runs the function. An
// empty die where rolls are wanted gives the empty die.
func (b *builtin) call(r *run, args []value) (value, error) {
	for i, kind := range b.params {
		v := args[i]
		switch {
		case kind == dieParam:
			d, err := r.toDie(v)
			if err != nil {
				return value{}, err
			}
			v = dice(d)
		case isNothing(v):
			return dice(empty), nil
		case kind == numberParam && v.isSequence():
			// It is expanded, as one value.
			d, err := r.toDie(v)
			if err != nil {
				return value{}, err
			}
			v = dice(d)
		case kind == numberParam && v.kind == dieValue:
			d, err := r.asSingle(v.die)
			if err != nil {
				return value{}, err
			}
			v = dice(d)
		case kind == sequenceParam && v.kind == numberValue:
			v = sequence([]int{v.n})
		}
		args[i] = v
	}
	return b.run(r, args)
}

func absolute(r *run, args []value) (value, error) {
	if v := args[0]; v.kind == dieValue {
		base, err := v.die.base.Abs(r.ctx)
		return dice(single(base, v.die.slip)), err
	}
	n := args[0].n
	if n < 0 {
		v, err := arithmetic(opMinus, 0, n)
		return number(v), err
	}
	return number(n), nil
}

// contains: a pool shows a number with the chance that not every die misses it.
func contains(r *run, args []value) (value, error) {
	s, n := args[0], args[1]
	if n.kind == numberValue {
		return r.containsNumber(s, n.n)
	}
	return r.overTotals(n.die, func(k int) (value, error) { return r.containsNumber(s, k) })
}

func (r *run) containsNumber(s value, n int) (value, error) {
	switch s.kind {
	case sequenceValue:
		return truth(slices.Contains(s.seq, n)), r.spend(len(s.seq) / 16)
	case rollValue:
		k, err := s.roll.linear(func(face int) int { return one(face == n) })
		return truth(k > 0), err
	}
	base, slipped, err := r.fit(s.die.base, s.die.slip, s.die.count)
	if err != nil {
		return value{}, err
	}
	v, err := r.coin(base.PMF(n), nil)
	if err != nil {
		return value{}, err
	}
	pool, err := repeatDie(v.die.base, s.die.count)
	if err != nil {
		return value{}, err
	}
	top, err := pool.OrderStat(r.ctx, 1)
	return dice(single(top, slipped.times(s.die.count))), err
}

// overTotals mixes results over the totals of a pool of one.
func (r *run) overTotals(d *die, f func(n int) (value, error)) (value, error) {
	outcomes, weights, err := r.weighted(d.base)
	if err != nil {
		return value{}, err
	}
	var m mixer
	for i, n := range outcomes {
		if err := r.step(); err != nil {
			return value{}, err
		}
		v, err := f(n)
		if err != nil {
			return value{}, err
		}
		if err := m.add(r, v, weights[i]); err != nil {
			return value{}, err
		}
	}
	out, err := m.finish(r, d.slip)
	return dice(out), err
}

// countIn: how often the elements of a sequence stand in another. Of a pool
// every die counts on its own.
func countIn(r *run, args []value) (value, error) {
	v, s := args[0], args[1]
	if v.kind == rollValue && s.kind == sequenceValue {
		v, s = s, v // each of the one times each of the other
	}
	switch v.kind {
	case rollValue:
		return value{}, v.roll.wish(everything)
	case sequenceValue:
		return r.countOf(v.seq, s)
	}
	if s.kind == sequenceValue {
		return r.countOf(s.seq, v)
	}
	if s.kind == rollValue {
		return value{}, s.roll.wish(everything)
	}
	return r.countOfPool(v.die, s)
}

// countOf counts the elements of v in a sequence, a roll or a pool.
func (r *run) countOf(v []int, s value) (value, error) {
	times, err := r.occurrences(v)
	if err != nil {
		return value{}, err
	}
	switch s.kind {
	case rollValue:
		n, err := s.roll.linear(times)
		return number(n), err
	case sequenceValue:
		if err := r.spend(1 + len(s.seq)/8); err != nil {
			return value{}, err
		}
		sum := 0
		for _, x := range s.seq {
			sum += times(x)
		}
		return number(sum), nil
	}
	base, slipped, err := r.fit(s.die.base, s.die.slip, s.die.count)
	if err != nil {
		return value{}, err
	}
	each, err := base.Map(r.ctx, func(face int) (int, error) { return times(face), nil })
	if err != nil {
		return value{}, err
	}
	return r.singleTotal(&die{base: each, count: s.die.count, slip: slipped})
}

// occurrences returns how often a number is in v.
func (r *run) occurrences(v []int) (func(n int) int, error) {
	if len(v) <= 8 {
		return func(n int) int {
			count := 0
			for _, x := range v {
				count += one(x == n)
			}
			return count
		}, nil
	}
	const words = 8 // of an entry of a map
	if err := r.holdElements(len(v)); err != nil {
		return nil, err
	}
	if err := dist.ChargeTable(r.ctx, int64(len(v)), words); err != nil {
		return nil, err
	}
	counts := map[int]int{}
	for _, x := range v {
		counts[x]++
	}
	return func(n int) int { return counts[n] }, nil
}

func (r *run) singleTotal(d *die) (value, error) {
	d, err := r.asSingle(d)
	return dice(d), err
}

// countOfPool mixes over the rolls of a pool that is looked for.
func (r *run) countOfPool(v *die, s value) (value, error) {
	base, slipped, err := r.fit(v.base, v.slip, v.count)
	if err != nil {
		return value{}, err
	}
	a := &axis{pool: &die{base: base, count: v.count}}
	if err := chargeCombinations(r.ctx, a.combinations()); err != nil {
		return value{}, err
	}
	var m mixer
	err = a.each(r, true, func(roll value, w dist.Weight) error {
		n, err := r.countOf(roll.seq, s)
		if err != nil {
			return err
		}
		return m.add(r, n, w)
	})
	if err != nil {
		return value{}, err
	}
	out, err := m.finish(r, slipped.times(v.count))
	return dice(out), err
}

// A ranksOf says which ranks of a pool are kept when so many are asked for, of
// which there are at least one and fewer than all.
type ranksOf func(keep, size int) (from, to int)

func highestRanks(keep, _ int) (from, to int)   { return 1, keep }
func lowestRanks(keep, size int) (from, to int) { return size - keep + 1, size }

// middleRanks drops as many from either end, and one more from the top when
// that does not come out even.
func middleRanks(keep, size int) (from, to int) {
	low := (size - keep + 1) / 2
	return size - low - keep + 1, size - low
}

// keeping adds up some dice of a pool.
func keeping(ranks ranksOf) func(r *run, args []value) (value, error) {
	keep := func(r *run, n int, d *die) (value, error) {
		var out *die
		var err error
		switch {
		case d.isEmpty():
			out = empty
		case n <= 0:
			out = constant(0)
		case n >= d.count:
			out, err = r.asSingle(d)
		default:
			from, to := ranks(n, d.count)
			out, err = r.ranks(d, from, to)
		}
		return dice(out), err
	}
	return func(r *run, args []value) (value, error) {
		if args[0].kind == numberValue {
			return keep(r, args[0].n, args[1].die)
		}
		return r.overTotals(args[0].die, func(n int) (value, error) { return keep(r, n, args[1].die) })
	}
}

// keepingMixed adds up some dice of several unlike pools together. The empty
// die has none.
func keepingMixed(kept func(p *dist.Pool, ctx context.Context, k int) (*dist.Dist, error)) func(r *run, args []value) (value, error) {
	keep := func(r *run, n int, args []value) (value, error) {
		pool, s, err := r.joined(args)
		switch {
		case err != nil:
			return value{}, err
		case pool == nil:
			return dice(empty), nil
		case n <= 0:
			return dice(constant(0)), nil
		}
		out, err := kept(pool, r.ctx, min(n, pool.Size()))
		return dice(single(out, s)), err
	}
	return func(r *run, args []value) (value, error) {
		if args[0].kind == numberValue {
			return keep(r, args[0].n, args[1:])
		}
		return r.overTotals(args[0].die, func(n int) (value, error) { return keep(r, n, args[1:]) })
	}
}

// joined puts the dice of pools together, nil when there are none.
func (r *run) joined(args []value) (*dist.Pool, slip, error) {
	var all *dist.Pool
	var s slip
	for _, v := range args {
		if v.die.isEmpty() {
			continue
		}
		base, slipped, err := r.fit(v.die.base, v.die.slip, 2*v.die.count)
		if err != nil {
			return nil, nil, err
		}
		pool, err := repeatDie(base, v.die.count)
		if err != nil {
			return nil, nil, err
		}
		s = s.plus(slipped.times(v.die.count))
		if all == nil {
			all = pool
			continue
		}
		if all, err = all.Join(pool); err != nil {
			return nil, nil, err
		}
	}
	return all, s, nil
}

// extreme is the higher or the lower of two numbers or rolls.
func extreme(numbers func(a, b int) int, rolls func(ctx context.Context, ds ...*dist.Dist) (*dist.Dist, error)) func(r *run, args []value) (value, error) {
	return func(r *run, args []value) (value, error) {
		if args[0].kind == numberValue && args[1].kind == numberValue {
			return number(numbers(args[0].n, args[1].n)), nil
		}
		a, err := r.singleOf(args[0])
		if err != nil {
			return value{}, err
		}
		b, err := r.singleOf(args[1])
		if err != nil {
			return value{}, err
		}
		if a, b, err = r.fitBoth(a, b); err != nil {
			return value{}, err
		}
		base, err := rolls(r.ctx, a.base, b.base)
		return dice(single(base, a.slip.plus(b.slip))), err
	}
}

// maximum is the highest total, 0 for the empty die.
func maximum(r *run, args []value) (value, error) {
	d := args[0].die
	if d.isEmpty() {
		return number(0), nil
	}
	n, ok := mul(d.base.Max(), d.count)
	if !ok {
		return value{}, errRange
	}
	return number(n), nil
}

// explode rolls again and adds while the highest total shows.
func explode(r *run, args []value) (value, error) {
	d := args[0].die
	if d.isEmpty() {
		return dice(empty), nil
	}
	t, s, err := r.totalAndSlip(d)
	if err != nil {
		return value{}, err
	}
	times, ok := add(r.explodeDepth, 1)
	if !ok {
		times = r.explodeDepth
	}
	if t, s, err = r.fit(t, s, times); err != nil {
		return value{}, err
	}
	out, err := t.Explode(r.ctx, dist.Only(t.Max()), r.explodeDepth)
	return dice(single(out, explodedSlip(s, t, times))), err
}

// explodedSlip: the k-th roll happens with the chance that the ones before it
// showed the highest face, so that the slips add up to a geometric series.
func explodedSlip(s slip, t *dist.Dist, times int) slip {
	if s == nil {
		return nil
	}
	p := new(big.Rat).Sub(oneRat, t.PMF(t.Max()))
	if p.Sign() == 0 {
		return s.times(times)
	}
	return s.weighed(p.Inv(p))
}

// reverse gives a roll of dice as its total, since no order is left of it.
func reverse(r *run, args []value) (value, error) {
	if args[0].kind == dieValue {
		return r.singleTotal(args[0].die)
	}
	seq, err := elements(args[0])
	if err != nil {
		return value{}, err
	}
	if err := r.holdElements(len(seq)); err != nil {
		return value{}, err
	}
	out := slices.Clone(seq)
	slices.Reverse(out)
	return sequence(out), nil
}

// sorted gives the highest first, or the lowest by the position order. A roll
// is sorted already.
func sorted(r *run, args []value) (value, error) {
	switch v := args[0]; v.kind {
	case dieValue:
		return r.singleTotal(v.die)
	case rollValue:
		return v, nil
	}
	seq := args[0].seq
	if err := r.holdElements(len(seq)); err != nil {
		return value{}, err
	}
	out := slices.Clone(seq)
	slices.Sort(out)
	if !r.lowestFirst {
		slices.Reverse(out)
	}
	return sequence(out), nil
}
