package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/chain"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The first time at which a process fulfils a condition: what fulfils it after
// t steps is taken off and counted under t, and the rest goes on.

// FirstTime returns the distribution of how many steps a process takes until
// done holds. Its labels are the numbers 0 to limit and then limit+1, which
// stands for everything later, also for never; all of them are there, whatever
// their chances. done and step are called once for every state that is reached,
// and step only for states that are not done.
//
// The error bound of the result is the sum over the steps of the largest error
// among the rows that they use. It is an error when limit is negative or above
// 2^24, and errors of done and step are returned.
//
// Cost: as for limit steps of [Iterate].
func FirstTime[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error), done func(S) (bool, error), limit int) (*Outcomes[int], error) {
	if limit < 0 || limit > maxDie {
		return nil, badArg("limit", "got %d, want from 0 to %s", limit, upper.Grouped(maxDie))
	}
	if err := ChargeTable(ctx, int64(limit)+2, 4); err != nil {
		return nil, err
	}
	c, m := newChain(ctx, start, step), chain.Start()
	f := finishing[S]{chain: c, done: done}
	hits := make([]Weight, limit+2) // hits[t] belongs to the denominator after t steps
	grown := make([]*big.Int, limit+2)
	last := 0
	for {
		var going bool
		var err error
		if hits[last], going, err = f.take(m); err != nil {
			return nil, err
		}
		if !going || last == limit {
			break
		}
		if err := expandAll(c, m); err != nil {
			return nil, err
		}
		last++
		if grown[last], err = m.Advance(meterOf(ctx), &c.graph); err != nil {
			return nil, err
		}
	}
	hits[limit+1] = weightOf(m.Weights.Sum())
	words := nat.WordsFor(m.Denominator)
	if err := chargeWeights(ctx, int64(limit)+2, int64(words)); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(last+1), upper.MulSat(int64(words), int64(words)))); err != nil {
		return nil, err
	}
	w := nat.NewVec(limit+2, words)
	hits[limit+1].put(w.At(limit + 1))
	factor := Weight{word: 1}
	for t := last; t >= 0; t-- {
		hits[t].Times(factor).put(w.At(t))
		if t > 0 {
			factor = factor.Times(weightOf(grown[t]))
		}
	}
	labels := make([]int, limit+2)
	for i := range labels {
		labels[i] = i
	}
	return newOutcomes(ctx, labels, w, m.Err, true)
}

// finishing remembers which states are done.
type finishing[S comparable] struct {
	chain *walker[S]
	done  func(S) (bool, error)
	known []finish
}

type finish byte

const (
	notAsked finish = iota
	goesOn
	isDone
)

// take takes the done states off a state vector. It returns their weight and whether
// anything is left.
func (f *finishing[S]) take(m *chain.Vector) (hit Weight, going bool, err error) {
	for len(f.known) < len(f.chain.states) {
		f.known = append(f.known, notAsked)
	}
	acc := make([]nat.Limb, m.Weights.Words+1)
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		w := m.Weights.At(i)
		if nat.IsZero(w) {
			continue
		}
		if f.known[i] == notAsked {
			if err := ChargeWork(f.chain.ctx, work.Visit); err != nil {
				return hit, false, err
			}
			yes, err := f.done(f.chain.states[i])
			if err != nil {
				return hit, false, err
			}
			f.known[i] = goesOn
			if yes {
				f.known[i] = isDone
			}
		}
		if f.known[i] == isDone {
			nat.Add(acc, w)
			clear(w)
			continue
		}
		going = true
	}
	return weightOfLimbs(acc), going, nil
}
