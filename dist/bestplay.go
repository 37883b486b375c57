package dist

import (
	"context"
	"iter"
	"math"
	"math/big"
	"slices"

	"dicescript/dist/internal/markov"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/policy"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Best play: in every state the move whose mean payoff is best, when all later
// moves are best too (Bellman, "Dynamic Programming", 1957). States that cannot
// come back are valued from the end. Where play may return to a state, the states
// that lead to each other are solved together: a plan is valued exactly, by linear
// equations, and as long as some move is better by that value than the one
// planned, the plan takes it (Howard, 1960; with two sides, the plan of one is
// improved against the best answer of the other: Hoffman and Karp, 1966).
//
// A plan that begins by ending surely, and changes only to moves that are
// strictly better, ends surely all the time: where it did not, no change could
// have been for the better.

// A Turn is what is possible in a state: moves, or the payoff where play ends.
type Turn[S, M comparable] struct {
	Moves  []Move[S, M]
	Payoff *big.Rat // when there are no moves
}

// A Move leads on by chance.
type Move[S, M comparable] struct {
	Name M
	Next *Outcomes[S]
}

// A Game says what is possible and who wants what. The mean payoff at the start
// is wanted as high as possible.
type Game[S, M comparable] struct {
	Turn func(S) (Turn[S, M], error)
	// Against says in which states the other side moves, which wants it as low as
	// possible; nil when there is no other side.
	Against func(S) (bool, error)
	// Lowest turns both goals round.
	Lowest bool
}

// maxPwalkStates bounds the states of a game.
const maxPwalkStates = 1 << 22

// maxExactBits is how long the denominators of values may be before they are
// rounded, to roundedValueBits after the point beside the largest payoff.
const (
	maxExactBits     = 2048
	roundedValueBits = 128
)

// A Plan is the best move in every state that can be reached.
type Plan[S, M comparable] struct {
	states []S
	index  map[S]int
	moves  []Move[S, M] // the best one, by state; of an end it has no Next
	values []playValue
}

type playValue struct {
	exact *big.Rat
	err   float64
}

// BestPlay returns the best plan. Turn and Against are called once for every
// state that can be reached. Of moves that are equally good, the first is taken
// unless play may return to the state.
//
// Values are exact fractions. Where those would be longer than 2048 bits they are
// rounded to 128 bits, and the plan carries what that can amount to as an error
// bound; a move may then be worse than the best by no more than that.
//
// It is an error when a state can be reached from which play cannot end, when a
// state has neither moves nor a payoff, when a move carries an error bound, and
// when there are more than 4 194 304 states. Payoffs of play that never ends are
// not defined: only plans that end surely are compared.
//
// Cost: for states that do not come back, a sum over the ways to go on; for n
// that do, a few eliminations of their sparse matrix.
func BestPlay[S, M comparable](ctx context.Context, start S, game Game[S, M]) (*Plan[S, M], error) {
	p := &player[S, M]{ctx: ctx, game: game, plan: &Plan[S, M]{index: map[S]int{}}}
	if err := p.explore(start); err != nil {
		return nil, err
	}
	if err := p.valueAll(); err != nil {
		return nil, err
	}
	return p.plan, nil
}

// Value returns the mean payoff of best play from the start, and Bound how
// far it may be off.
func (p *Plan[S, M]) Value() *big.Rat { return new(big.Rat).Set(p.values[0].exact) }

// Bound returns how far the value of any state may be off: 0 when all are
// exact.
func (p *Plan[S, M]) Bound() float64 {
	most := 0.0
	for _, v := range p.values {
		most = max(most, v.err)
	}
	return most
}

// Best returns the best move of a state, and false when play ends there or it
// cannot be reached.
func (p *Plan[S, M]) Best(s S) (M, bool) {
	i, ok := p.index[s]
	if !ok || p.moves[i].Next == nil {
		var none M
		return none, false
	}
	return p.moves[i].Name, true
}

// ValueOf returns the mean payoff of best play from a state, and false when it
// cannot be reached, by whatever moves.
func (p *Plan[S, M]) ValueOf(s S) (*big.Rat, bool) {
	i, ok := p.index[s]
	if !ok {
		return nil, false
	}
	return new(big.Rat).Set(p.values[i].exact), true
}

// All yields the states in the order in which they were found, with their values.
func (p *Plan[S, M]) All() iter.Seq2[S, *big.Rat] {
	return func(yield func(S, *big.Rat) bool) {
		for i, s := range p.states {
			if !yield(s, new(big.Rat).Set(p.values[i].exact)) {
				return
			}
		}
	}
}

// Play returns the distribution of the state in which play ends under the plan.
// Cost: that of [Absorb].
func (p *Plan[S, M]) Play(ctx context.Context) (*Outcomes[S], error) {
	return Absorb(ctx, p.states[0], func(s S) (*Outcomes[S], error) {
		if m := p.moves[p.index[s]]; m.Next != nil {
			return m.Next, nil
		}
		return Certain(s), nil
	})
}

// A player finds the plan.
type player[S, M comparable] struct {
	ctx   context.Context
	game  Game[S, M]
	plan  *Plan[S, M]
	turns []policy.Turn // with their ways
	ways  []way         // of all states
	moves []Move[S, M]
	edges struct {
		to []int32
		w  []Weight
	}
	near  []float64 // about the values, for finding plans
	scale float64   // the largest payoff
}

// A way is a move with its edges[first:last].
type way struct {
	first, last int
	total       *big.Int
	about       float64 // the total
}

// explore finds all states.
func (p *player[S, M]) explore(start S) error {
	p.place(start)
	for i := 0; i < len(p.plan.states); i++ {
		s := p.plan.states[i]
		if err := ChargeWork(p.ctx, 8*work.Visit); err != nil {
			return err
		}
		if err := ChargeTable(p.ctx, 1, 2*stateCells); err != nil {
			return err
		}
		t, err := p.game.Turn(s)
		if err != nil {
			return err
		}
		if err := p.learn(i, s, t); err != nil {
			return err
		}
		if n := len(p.plan.states); n > maxPwalkStates {
			return &LimitError{Resource: StatesResource, Need: int64(n), Limit: maxPwalkStates}
		}
	}
	return nil
}

func (p *player[S, M]) place(s S) int {
	i, ok := p.plan.index[s]
	if !ok {
		i = len(p.plan.states)
		p.plan.index[s] = i
		p.plan.states = append(p.plan.states, s)
		p.plan.moves = append(p.plan.moves, Move[S, M]{})
		p.plan.values = append(p.plan.values, playValue{})
	}
	return i
}

// learn takes in what is possible in a state.
func (p *player[S, M]) learn(i int, s S, t Turn[S, M]) error {
	at := policy.Turn{First: len(p.ways)}
	if len(t.Moves) == 0 {
		if t.Payoff == nil {
			return badArg("moves", "state %s has neither moves nor a payoff", quoted(s))
		}
		at.Last = at.First
		p.turns = append(p.turns, at)
		p.plan.values[i].exact = p.signed(new(big.Rat).Set(t.Payoff))
		p.scale = max(p.scale, upper.Abs(t.Payoff))
		return nil
	}
	if p.game.Against != nil {
		var err error
		if at.Against, err = p.game.Against(s); err != nil {
			return err
		}
	}
	for _, m := range t.Moves {
		if m.Next == nil {
			return badArg("moves", "nothing follows on a move in state %s", quoted(s))
		}
		if m.Next.err > 0 {
			return badArg("moves", "an unlimited roll is behind a move in state %s, so that values are not certain", quoted(s))
		}
		n := int64(len(m.Next.labels))
		if err := ChargeTable(p.ctx, n+4, int64(m.Next.w.Words)+3); err != nil {
			return err
		}
		if err := ChargeWork(p.ctx, upper.MulSat(n, 2*work.Visit)); err != nil {
			return err
		}
		w := way{first: len(p.edges.to), total: m.Next.total}
		w.about, _ = new(big.Float).SetInt(m.Next.total).Float64()
		for k, to := range m.Next.labels {
			if x := m.Next.w.At(k); !nat.IsZero(x) {
				p.edges.to = append(p.edges.to, int32(p.place(to)))
				p.edges.w = append(p.edges.w, weightOfLimbs(x))
			}
		}
		w.last = len(p.edges.to)
		p.ways = append(p.ways, w)
		p.moves = append(p.moves, m)
	}
	at.Last = len(p.ways)
	p.turns = append(p.turns, at)
	return nil
}

// signed turns a payoff round when the lowest is wanted.
func (p *player[S, M]) signed(r *big.Rat) *big.Rat {
	if p.game.Lowest {
		r.Neg(r)
	}
	return r
}

// valueAll values all states, those that lead nowhere first.
func (p *player[S, M]) valueAll() error {
	if err := ChargeTable(p.ctx, int64(len(p.edges.to)+4*len(p.turns)), 2); err != nil {
		return err
	}
	if err := ChargeWork(p.ctx, 8*int64(len(p.edges.to)+4*len(p.turns))); err != nil {
		return err
	}
	to := make([][]int, len(p.turns))
	for i, t := range p.turns {
		for _, w := range p.ways[t.First:t.Last] {
			for _, j := range p.edges.to[w.first:w.last] {
				to[i] = append(to[i], int(j))
			}
		}
	}
	p.near = make([]float64, len(p.turns))
	for _, component := range markov.Components(to) {
		i := component[0]
		var err error
		switch {
		case len(component) == 1 && p.isEnd(i):
			p.near[i], _ = p.plan.values[i].exact.Float64()
		case len(component) == 1 && !slices.Contains(to[i], i):
			err = p.choose(i)
		default:
			slices.Sort(component)
			err = p.solveTogether(component)
		}
		if err != nil {
			return err
		}
	}
	for i := range p.plan.values {
		p.signed(p.plan.values[i].exact)
	}
	return nil
}

func (p *player[S, M]) isEnd(i int) bool { return p.turns[i].First == p.turns[i].Last }

// choose values a state that does not come back.
func (p *player[S, M]) choose(i int) error {
	t := p.turns[i]
	var best *big.Rat
	at, worst := 0, 0.0
	for k := t.First; k < t.Last; k++ {
		w := p.ways[k]
		sum, term := new(big.Rat), new(big.Rat)
		words := int64(nat.WordsFor(w.total))
		for e := w.first; e < w.last; e++ {
			v := p.plan.values[p.edges.to[e]]
			worst = max(worst, v.err)
			words = max(words, int64(len(v.exact.Denom().Bits())))
			if err := ChargeWork(p.ctx, 8*(words+8)); err != nil {
				return err
			}
			sum.Add(sum, term.Mul(v.exact, term.SetInt(p.edges.w[e].shared())))
		}
		sum.Quo(sum, new(big.Rat).SetInt(w.total))
		if best == nil || t.Better(sum.Cmp(best)) {
			best, at = sum, k
		}
	}
	p.settle(i, best, worst, at)
	return nil
}

// settle gives a state its value and its move.
func (p *player[S, M]) settle(i int, value *big.Rat, err float64, move int) {
	if err > 0 || value.Denom().BitLen() > maxExactBits {
		p.settleRounded(i, value.Num(), value.Denom(), err, move)
		return
	}
	p.plan.values[i] = playValue{value, err}
	p.plan.moves[i] = p.moves[move]
	p.near[i], _ = value.Float64()
}

// settleRounded gives a state a value that is rounded.
func (p *player[S, M]) settleRounded(i int, num, den *big.Int, err float64, move int) {
	value := p.rounded(num, den)
	p.plan.values[i] = playValue{value, upper.Add(err, p.rounding())}
	p.plan.moves[i] = p.moves[move]
	p.near[i], _ = value.Float64()
}

// places is how many binary places rounded values have.
func (p *player[S, M]) places() int {
	exponent := 0
	if p.scale > 0 && !math.IsInf(p.scale, 0) {
		_, exponent = math.Frexp(p.scale)
	}
	return max(0, roundedValueBits-exponent)
}

// rounding is how far rounding moves a value.
func (p *player[S, M]) rounding() float64 { return math.Ldexp(1, -p.places()) }

// rounded rounds a fraction down to so many places.
func (p *player[S, M]) rounded(num, den *big.Int) *big.Rat {
	n := uint(p.places())
	x := new(big.Int).Lsh(num, n)
	x.Div(x, den)
	return new(big.Rat).SetFrac(x, new(big.Int).Lsh(big.NewInt(1), n))
}
