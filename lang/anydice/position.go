package anydice

import (
	"context"
	"math/bits"

	"dicescript/dist"
)

// p @ x is the sum over the positions in p, counted from 1: digits of a number,
// elements of a sequence, or the dice of a pool in the order of size. Positions
// that do not exist are worth 0.

// position is p @ x; p is no die.
func (r *run) position(p, x value) (value, error) {
	var one [1]int
	var at []int
	if p.kind == numberValue {
		one[0] = p.n
		at = one[:]
	} else {
		var err error
		if at, err = elements(p); err != nil {
			return value{}, err
		}
		if err := r.spend(len(at) / 8); err != nil {
			return value{}, err
		}
	}
	switch x.kind {
	case numberValue:
		return positionIn(at, digits(x.n), r.lowestFirst)
	case sequenceValue:
		return positionIn(at, x.seq, false)
	case rollValue:
		n, err := x.roll.positions(at)
		return number(n), err
	}
	d, err := r.positionOfDie(at, x.die)
	return dice(d), err
}

// positionIn adds up elements of a list, counted from the right when turned.
func positionIn(at, list []int, turned bool) (value, error) {
	sum, ok := 0, true
	for _, p := range at {
		if p < 1 || p > len(list) {
			continue
		}
		x := list[p-1]
		if turned {
			x = list[len(list)-p]
		}
		if sum, ok = add(sum, x); !ok {
			return value{}, errRange
		}
	}
	return number(sum), nil
}

// positionOfDie adds up dice of a pool at positions of the position order.
func (r *run) positionOfDie(at []int, d *die) (*die, error) {
	if d.isEmpty() {
		if d.count == 0 {
			return empty, nil
		}
		for _, p := range at {
			if p == 1 {
				return empty, nil
			}
		}
		return constant(0), nil
	}
	var ranks rankTimes
	for _, p := range at {
		if p < 1 || p > d.count {
			continue
		}
		if r.lowestFirst {
			p = d.count + 1 - p
		}
		ranks.add(p)
	}
	return r.ranked(d, ranks)
}

// rankTimes says how often each rank of a pool counts; rank 1 is the highest.
type rankTimes struct {
	times    map[int]int
	from, to int // the first and last rank that count
}

func (t *rankTimes) add(rank int) {
	if t.times == nil {
		t.times = map[int]int{}
		t.from, t.to = rank, rank
	}
	t.times[rank]++
	t.from, t.to = min(t.from, rank), max(t.to, rank)
}

// even returns how often each rank counts when that is the same for all ranks
// from the first to the last.
func (t *rankTimes) even() (times int, ok bool) {
	if len(t.times) != t.to-t.from+1 {
		return 0, false
	}
	times = t.times[t.from]
	for _, n := range t.times {
		if n != times {
			return 0, false
		}
	}
	return times, true
}

// ranked adds up the dice of some ranks.
func (r *run) ranked(d *die, ranks rankTimes) (*die, error) {
	if ranks.times == nil {
		return constant(0), nil
	}
	if times, ok := ranks.even(); ok {
		out, err := r.ranks(d, ranks.from, ranks.to)
		if err != nil || times == 1 {
			return out, err
		}
		base, err := out.base.Scale(r.ctx, times)
		return single(base, out.slip), err
	}
	if err := r.holdElements(d.count); err != nil {
		return nil, err
	}
	base, s, err := r.fit(d.base, d.slip, d.count)
	if err != nil {
		return nil, err
	}
	out, err := weighedRanks(r.ctx, base, d.count, ranks.times)
	return single(out, s.times(d.count)), err
}

// ranks returns the total of the dice from one rank to another.
func (r *run) ranks(d *die, from, to int) (*die, error) {
	if from == 1 && to == d.count {
		return r.asSingle(d)
	}
	base, s, err := r.fit(d.base, d.slip, d.count)
	if err != nil {
		return nil, err
	}
	pool, err := repeatDie(base, d.count)
	if err != nil {
		return nil, err
	}
	var out *dist.Dist
	if from == to {
		out, err = pool.OrderStat(r.ctx, from)
	} else {
		out, err = pool.Ranks(r.ctx, from, to)
	}
	return single(out, s.times(d.count)), err
}

// weighedRanks adds up the dice of equal ones, each as often as its rank says.
// The faces come in ascending order, and it is enough to know how many dice are
// placed and the sum so far.
func weighedRanks(ctx context.Context, base *dist.Dist, count int, times map[int]int) (*dist.Dist, error) {
	most, size := 0, max(base.Max(), -max(base.Min(), -1<<62))
	prefix := make([]int, count+1) // of how often the lowest dice count
	for i := range count {
		prefix[i+1] = prefix[i] + times[count-i]
	}
	most = prefix[count]
	if hi, lo := bits.Mul64(uint64(most), uint64(size)); hi != 0 || lo > 1<<62 {
		return nil, errRange
	}
	type state struct{ placed, sum int }
	pool, err := repeatDie(base, count)
	if err != nil {
		return nil, err
	}
	t, err := dist.Evaluate(ctx, pool, state{}, func(s state, face, n int) (state, error) {
		return state{s.placed + n, s.sum + face*(prefix[s.placed+n]-prefix[s.placed])}, nil
	})
	if err != nil {
		return nil, err
	}
	var sums dist.Tally[int]
	for s, w := range t.All() {
		sums.Add(s.sum, w)
	}
	return dist.TallyDist(ctx, &sums, 0)
}
