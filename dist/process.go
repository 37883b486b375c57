package dist

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"dicescript/dist/internal/chain"
	"dicescript/dist/internal/nat"
)

// A process whose states are numbers, for whoever tells them apart in a way of his own:
// rules that are run step by step, searches over positions. It is the ground of [Absorb],
// [WaitingTime] and [BestPlay].

// A Process is a graph of states, which are the numbers from 0 on, in the order in which
// they were added; it begins in state 0. A state is an end, or it has ways to go on from
// it. Of several ways one is chosen, by one of two sides; where a way leads is chance.
type Process struct {
	graph  chain.Graph
	totals map[nat.Limb]*big.Int // that ways share
}

// An Edge leads to a state with a chance in proportion to its weight, and may earn
// something, nil being nothing.
type Edge struct {
	To     int
	Weight Weight
	Earn   *big.Rat
}

// State adds a state and returns its number.
func (p *Process) State() int { return p.graph.Add() }

// Len returns how many states there are.
func (p *Process) Len() int { return len(p.graph.States) }

// End makes state s an end with a payoff that is added to what was earned on the way;
// nil is 0.
func (p *Process) End(s int, payoff *big.Rat) {
	if payoff != nil {
		payoff = new(big.Rat).Set(payoff)
	}
	p.graph.End(s, payoff)
}

// Against says that in state s the side chooses that wants the lowest payoff.
func (p *Process) Against(s int) { p.graph.States[s].Against = true }

// Way adds a way to go on from state s, whose chances may be off by bound in total
// variation. All ways of a state are added before those of another. It is an error when no
// weight is positive.
func (p *Process) Way(ctx context.Context, s int, edges []Edge, bound float64) error {
	total, words := Weight{}, 1
	for i := range edges {
		total = total.Plus(edges[i].Weight)
		words = max(words, edges[i].Weight.words())
	}
	if total.IsZero() {
		return badArg("edges", "no weight is positive")
	}
	if err := p.graph.Way(meterOf(ctx), s, p.total(total), bound, len(edges), words); err != nil {
		return err
	}
	for i := range edges {
		e := &edges[i]
		earn := int32(0)
		if e.Earn != nil {
			earn = p.graph.Earning(e.Earn)
		}
		if e.Weight.wide != nil {
			p.graph.Edge(e.To, e.Weight.wide.Bits(), earn)
			continue
		}
		word := [1]nat.Limb{e.Weight.word}
		p.graph.Edge(e.To, word[:], earn)
	}
	return nil
}

// total returns a weight as an integer that ways of the same total share.
func (p *Process) total(w Weight) *big.Int {
	if w.wide != nil {
		return w.wide
	}
	n, ok := p.totals[w.word]
	if !ok {
		if p.totals == nil {
			p.totals = map[nat.Limb]*big.Int{}
		}
		n = w.Int()
		p.totals[w.word] = n
	}
	return n
}

// Explore calls expand for every state, also for those that it adds, until all of them
// are ends or have ways.
func (p *Process) Explore(ctx context.Context, expand func(s int) error) error {
	for s := 0; s < len(p.graph.States); s++ {
		if err := expand(s); err != nil {
			return err
		}
		if !p.graph.States[s].Known {
			return badArg("expand", "state %d is neither an end nor has it a way", s)
		}
		if err := checkStates(ctx, len(p.graph.States), chain.MaxStates); err != nil {
			return err
		}
	}
	return nil
}

// Unending returns a state from which no end can be reached, by whatever ways, or -1. It
// is asked before the other questions, which need that there is none.
func (p *Process) Unending(ctx context.Context) (int, error) {
	return p.graph.Unending(meterOf(ctx))
}

// A Policy says which way each state takes, and is the best.
type Policy struct {
	first []int32 // the first ways of states
	best  *chain.Solution
}

// An EndlessGainError reports a process that has no best policy: whoever comes back to the
// state again and again earns more each time.
type EndlessGainError struct{ State int }

func (e *EndlessGainError) Error() string {
	return fmt.Sprintf("there is no best policy: coming back to state %d again and again earns more each time", e.State)
}

// Best returns the best policy, of which [BestPlay] says more: that for the highest mean
// of what is earned until the end, or the lowest. It is an [EndlessGainError] when there
// is none.
func (p *Process) Best(ctx context.Context, lowest bool) (*Policy, error) {
	best, err := p.graph.Best(meterOf(ctx), lowest)
	if gain := (*chain.EndlessGain)(nil); errors.As(err, &gain) {
		return nil, &EndlessGainError{gain.State}
	}
	if err != nil {
		return nil, notSingular(err)
	}
	y := &Policy{best: best}
	for i := range p.graph.States {
		y.first = append(y.first, p.graph.States[i].First)
	}
	return y, nil
}

// Way returns the number of the way that a state takes, in the order in which its ways
// were added.
func (y *Policy) Way(s int) int { return int(y.best.Plan[s] - y.first[s]) }

// Value returns the mean of what is earned from a state on.
func (y *Policy) Value(s int) *big.Rat { return y.best.Value(s) }

// Bound returns how far the value of a state may be off: 0 when it is exact.
func (y *Policy) Bound(s int) float64 { return y.best.Err(s) }

// plan returns the plan of a policy; nil takes the first way of each state.
func (y *Policy) plan() chain.Plan {
	if y == nil {
		return nil
	}
	return y.best.Plan
}

// Ends returns in which state the process ends, and after how many steps, under a policy
// or, when it is nil, by the first way of each state. Cost: that of [Absorb].
func (p *Process) Ends(ctx context.Context, y *Policy) (*Settled[int], error) {
	return endsOf(ctx, &p.graph, y.plan(), true, func(i int) int { return i })
}

// A Payoff is what a process earns: Values[i] with the chance of i.
type Payoff struct {
	Values  []*big.Rat // ascending
	Chances *Outcomes[int]

	cut     bool
	moments *chain.Moments // nil when what there is has them
}

// Moments returns the exact mean and the mean of the square of what is earned. Each is nil
// when it is not known, because an edge has an error bound or it is too long.
func (y *Payoff) Moments() (mean, square *big.Rat) {
	if y.moments != nil {
		return y.moments.Mean, y.moments.Square
	}
	mean, square = new(big.Rat), new(big.Rat)
	for i, v := range y.Values {
		chance, _ := y.Chances.P(i)
		mean.Add(mean, chance.Mul(chance, v))
		square.Add(square, chance.Mul(chance, v))
	}
	return mean, square
}

// Payoff returns the distribution of what is earned until the end, with the payoff there.
// Where something is earned by going round and round, it is cut where the chance of going
// on is below 2^-80, and carries that as its error bound.
//
// Cost: that of [Absorb], times how many different sums are earned before a state.
func (p *Process) Payoff(ctx context.Context, y *Policy) (*Payoff, error) {
	x, err := p.graph.Payoffs(meterOf(ctx), y.plan())
	if errors.Is(err, chain.Wide{}) {
		return nil, badArg("reward", "it is too large, or too fine a fraction, to be added up")
	}
	if err != nil {
		return nil, notSingular(err)
	}
	var t Tally[int]
	for i := range x.W {
		t.Add(i, weightOf(x.W[i]))
	}
	out := &Payoff{Values: x.At, cut: x.Cut}
	if out.Chances, err = outcomesFrom(ctx, &t, x.Err, !x.Cut); err != nil || x.Err == 0 {
		return out, err
	}
	if x.Uncertain {
		out.moments = &chain.Moments{}
		return out, nil
	}
	out.moments, err = p.graph.Moments(meterOf(ctx), y.plan())
	return out, err
}

// Dist returns the payoff as a roll, and false when it is not always a whole number. What
// was cut keeps its exact mean and variance.
func (y *Payoff) Dist(ctx context.Context) (*Dist, bool, error) {
	for _, v := range y.Values {
		if !v.IsInt() || !v.Num().IsInt64() || int64(int(v.Num().Int64())) != v.Num().Int64() {
			return nil, false, nil
		}
	}
	d, err := y.Chances.Values(ctx, func(i int) (int, error) { return int(y.Values[i].Num().Int64()), nil })
	if err != nil || y.moments == nil {
		return d, true, err
	}
	t := unknownTail(y.Chances.err)
	t.above, t.below = y.cut, y.cut
	t.m1, t.m2 = y.Moments()
	return d.withTail(t), true, nil
}
