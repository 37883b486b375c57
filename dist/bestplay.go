package dist

import (
	"context"
	"errors"
	"iter"
	"math/big"

	"dicescript/dist/internal/work"
)

// Best play: in every state the move whose mean payoff is best, when all later moves are
// best too. What is possible is explored from the start; internal/chain finds the plan.

// A Turn is what is possible in a state: moves, or the payoff where play ends.
type Turn[S, M comparable] struct {
	Moves  []Move[S, M]
	Payoff *big.Rat // when there are no moves
}

// A Move leads on by chance: to the states of Next, or, where what is earned depends on
// that too, to the steps of Earning.
type Move[S, M comparable] struct {
	Name    M
	Next    *Outcomes[S]
	Earning *Outcomes[Earned[S]] // in place of Next
	Reward  *big.Rat             // what the move earns wherever it leads; nil is nothing
}

// An Earned step leads to a state and earns something. Of a reward nil is nothing.
type Earned[S comparable] struct {
	Reward *big.Rat
	To     S
}

// A Game says what is possible and who wants what. The mean at the start of what is earned
// and of the payoff is wanted as high as possible.
type Game[S, M comparable] struct {
	Turn func(S) (Turn[S, M], error)
	// Against says in which states the other side moves, which wants it as low as
	// possible; nil when there is no other side.
	Against func(S) (bool, error)
	// Lowest turns both goals round.
	Lowest bool
}

// maxGameStates bounds the states of a game.
const maxGameStates = 1 << 22

// A Plan is the best move in every state that can be reached.
type Plan[S, M comparable] struct {
	states []S
	index  map[S]int
	names  []M // of all ways
	play   Process
	best   *Policy
}

// BestPlay returns the best plan. Turn and Against are called once for every
// state that can be reached. Of moves that are equally good, the first is taken, but where
// play would then never end.
//
// Values are exact fractions. Where those would be longer than 2048 bits they are
// rounded to 128 bits, and the plan carries what that can amount to as an error
// bound; a move may then be worse than the best by no more than that.
//
// It is an error when a state can be reached from which play cannot end, when a
// state has neither moves nor a payoff, when a move carries an error bound, when a side
// gains by coming back to a state again and again, and when there are more than
// 4 194 304 states. Payoffs of play that never ends are not defined: only plans that end
// surely are compared.
//
// Cost: for states that do not come back, a sum in floats over the ways to go on and an
// exact one over those of the best move; for n that do, a few eliminations of their
// sparse matrix.
func BestPlay[S, M comparable](ctx context.Context, start S, game Game[S, M]) (*Plan[S, M], error) {
	p := &player[S, M]{ctx: ctx, game: game, Plan: &Plan[S, M]{index: map[S]int{}}}
	if err := p.explore(start); err != nil {
		return nil, err
	}
	i, err := p.play.Unending(ctx)
	if err != nil {
		return nil, err
	}
	if i >= 0 {
		return nil, badArg("moves", "play need not end: from state %s it never does", quoted(p.states[i]))
	}
	p.best, err = p.play.Best(ctx, game.Lowest)
	if gain := (*EndlessGainError)(nil); errors.As(err, &gain) {
		return nil, badArg("moves", "there is no best plan: whoever comes back to state %s again and again earns more each time", quoted(p.states[gain.State]))
	}
	return p.Plan, err
}

// Value returns the mean payoff of best play from the start, with what is earned on the
// way.
func (p *Plan[S, M]) Value() *big.Rat { return p.best.Value(0) }

// Bound returns how far the value of any state may be off: 0 when all are
// exact.
func (p *Plan[S, M]) Bound() float64 {
	most := 0.0
	for i := range p.states {
		most = max(most, p.best.Bound(i))
	}
	return most
}

// Best returns the best move of a state, and false when play ends there or it
// cannot be reached.
func (p *Plan[S, M]) Best(s S) (M, bool) {
	i, ok := p.index[s]
	if !ok || p.play.graph.States[i].IsEnd() {
		var none M
		return none, false
	}
	return p.names[p.best.plan()[i]], true
}

// ValueOf returns the mean payoff of best play from a state, and false when it
// cannot be reached, by whatever moves.
func (p *Plan[S, M]) ValueOf(s S) (*big.Rat, bool) {
	i, ok := p.index[s]
	if !ok {
		return nil, false
	}
	return p.best.Value(i), true
}

// All yields the states in the order in which they were found, with their values.
func (p *Plan[S, M]) All() iter.Seq2[S, *big.Rat] {
	return func(yield func(S, *big.Rat) bool) {
		for i, s := range p.states {
			if !yield(s, p.best.Value(i)) {
				return
			}
		}
	}
}

// Play returns the distribution of the state in which play ends under the plan.
// Cost: that of [Absorb].
func (p *Plan[S, M]) Play(ctx context.Context) (*Outcomes[S], error) {
	ends, err := endsOf(ctx, &p.play.graph, p.best.plan(), false, func(i int) S { return p.states[i] })
	if err != nil {
		return nil, err
	}
	return ends.Outcomes, nil
}

// Payoff returns the distribution of what is earned under the plan, with the payoff where
// play ends. Cost: that of [Process.Payoff].
func (p *Plan[S, M]) Payoff(ctx context.Context) (*Payoff, error) { return p.play.Payoff(ctx, p.best) }

// A player finds out what is possible.
type player[S, M comparable] struct {
	ctx  context.Context
	game Game[S, M]
	*Plan[S, M]
}

// explore finds all states.
func (p *player[S, M]) explore(start S) error {
	p.place(start)
	for i := 0; i < len(p.states); i++ {
		if err := ChargeWork(p.ctx, 8*work.Visit); err != nil {
			return err
		}
		t, err := p.game.Turn(p.states[i])
		if err != nil {
			return err
		}
		if err := p.learn(i, t); err != nil {
			return err
		}
		if err := checkStates(p.ctx, len(p.states), maxGameStates); err != nil {
			return err
		}
	}
	return nil
}

func (p *player[S, M]) place(s S) int {
	i, ok := p.index[s]
	if !ok {
		i = p.play.graph.Add()
		p.index[s] = i
		p.states = append(p.states, s)
	}
	return i
}

// learn takes in what is possible in a state.
func (p *player[S, M]) learn(i int, t Turn[S, M]) error {
	s := p.states[i]
	if len(t.Moves) == 0 {
		if t.Payoff == nil {
			return badArg("moves", "state %s has neither moves nor a payoff", quoted(s))
		}
		p.play.graph.End(i, new(big.Rat).Set(t.Payoff))
		return ChargeTable(p.ctx, 1, 16)
	}
	if p.game.Against != nil {
		against, err := p.game.Against(s)
		if err != nil {
			return err
		}
		p.play.graph.States[i].Against = against
	}
	for k := range t.Moves {
		m := &t.Moves[k]
		if m.Next == nil && m.Earning == nil {
			return badArg("moves", "nothing follows on a move in state %s", quoted(s))
		}
		if m.bound() > 0 {
			return badArg("moves", "an unlimited roll is behind a move in state %s, so that values are not certain", quoted(s))
		}
		if err := p.lead(i, m); err != nil {
			return err
		}
		p.names = append(p.names, m.Name)
	}
	return nil
}

// bound returns the error bound of what follows on a move.
func (m *Move[S, M]) bound() float64 {
	if m.Earning != nil {
		return m.Earning.err
	}
	return m.Next.err
}

// lead adds the way of a move.
func (p *player[S, M]) lead(i int, m *Move[S, M]) error {
	fixed := p.earning(m.Reward)
	if m.Earning == nil {
		return lead(p.ctx, &p.play.graph, i, m.Next, func(s S) (int, int32) { return p.place(s), fixed })
	}
	return lead(p.ctx, &p.play.graph, i, m.Earning, func(e Earned[S]) (int, int32) {
		switch {
		case m.Reward == nil:
			return p.place(e.To), p.earning(e.Reward)
		case e.Reward == nil:
			return p.place(e.To), fixed
		}
		return p.place(e.To), p.earning(new(big.Rat).Add(m.Reward, e.Reward))
	})
}

// earning returns the number of a reward.
func (p *player[S, M]) earning(r *big.Rat) int32 {
	if r == nil {
		return 0
	}
	return p.play.graph.Earning(r)
}
