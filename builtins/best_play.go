package builtins

import (
	"fmt"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// Best play: the recipe says what may be done in a state and what follows on it,
// and the engine finds the moves that are worth most.

// A Plan is the best move in every state that can come up.
type Plan struct {
	methods value.Methods
	chain   *chain
	plan    *dist.Plan[*state, int]
	moves   *intern.Table
	bound   float64
}

var _ starlark.HasAttrs = (*Plan)(nil)

// Held is the memory of the states with what they are worth.
func (p *Plan) Held() (bytes int64, inside []starlark.Value) {
	const stateBytes = 512
	for _, s := range p.chain.all() {
		inside = append(inside, s.value)
	}
	return stateBytes * int64(len(p.chain.all())), inside
}

func (p *Plan) Type() string                             { return "Plan" }
func (p *Plan) String() string                           { return "Plan(value " + p.value().String() + ")" }
func (p *Plan) Freeze()                                  {}
func (p *Plan) Truth() starlark.Bool                     { return true }
func (p *Plan) Hash() (uint32, error)                    { return starlark.String(p.String()).Hash() }
func (p *Plan) Attr(name string) (starlark.Value, error) { return p.methods.Attr(p, name) }
func (p *Plan) AttrNames() []string                      { return p.methods.AttrNames(p) }
func (p *Plan) value() *value.Number                     { return p.number(p.plan.Value()) }
func (p *Plan) number(r *big.Rat) *value.Number {
	return value.NewNumber(p.methods, exact.New(r, p.bound))
}

// best returns the best move of a state, nil where play ends.
func (p *Plan) best(s *state) starlark.Value {
	if i, ok := p.plan.Best(s); ok && i >= 0 {
		return p.moves.Values[i]
	}
	return nil
}

var onPlans = []string{"Plan"}

func bestPlayBuiltins() []builtin {
	const luck = `best_play(0, lambda n: -n - 1 if n < 0 else {"stop": -n - 1, "climb": either("1/6", -1, min(n + 1, 9))})`
	return []builtin{
		{
			name: "best_play", free: true,
			params: []Param{
				{Name: "start", Doc: "the state it begins in: a whole number, a label or a tuple; a roll or Outcomes when chance decides"},
				{Name: "moves", Doc: "a function of a state that returns a dict of what follows on each move: a state, or a roll or Outcomes of states; " +
					"or, where play ends, the payoff: a number or a chance"},
				{Name: "goal", Default: `"highest"`, Doc: `whether the mean payoff is wanted "highest" or "lowest"`},
				{Name: "player", Default: "None", Doc: "a function of a state that says who moves there; who moves first has the goal, and another wants the opposite"},
			},
			doc: "The moves that are worth most, exactly: a plan with its value. Play may come back to a state; plans that need " +
				"not end are not compared.",
			errors: "a state from which play cannot end; an empty dict; a move with an unlimited roll",
			example: `best_play(("roll", 0), lambda s: s[1] if s[0] == "end" else {"stop": ("end", s[1]), ` +
				`"roll": d(6).map(lambda x: ("end", 0) if x == 1 else ("roll" if s[1] < 20 else "end", s[1] + x))}).value.fraction`,
			result: "492303203/60466176",
			run:    bestPlay,
		},
		{
			name: "value", on: onPlans,
			doc:     "The mean payoff of best play from the start.",
			example: luck + ".value.fraction", result: "15625/7776",
			attr: func(c call) (starlark.Value, error) { return c.recv.(*Plan).value(), nil },
		},
		{
			name: "move", on: onPlans,
			params:  []Param{{Name: "state", Doc: "a state that can come up"}},
			doc:     "The best move in a state; None where play ends.",
			errors:  "a state that cannot come up, by whatever moves",
			example: luck + ".move(3)", result: "climb",
			run: func(c call) (starlark.Value, error) {
				p := c.recv.(*Plan)
				s, err := p.find(c)
				if err != nil {
					return nil, err
				}
				if m := p.best(s); m != nil {
					return m, nil
				}
				return starlark.None, nil
			},
		},
		{
			name: "values", on: onPlans,
			doc:     "A dict of what every state is worth that can come up.",
			example: luck + ".values()[3].fraction", result: "125/36",
			run: func(c call) (starlark.Value, error) {
				p := c.recv.(*Plan)
				dict := new(starlark.Dict)
				err := p.each(func(s *state, v *big.Rat) error {
					return dict.SetKey(s.value, p.number(v))
				})
				return dict, err
			},
		},
		{
			name: "table", on: onPlans,
			doc:     "A list of (state, best move, value), in the order in which the states come up, to be put out.",
			example: luck + ".table()[0][1]", result: "climb",
			run: func(c call) (starlark.Value, error) {
				p := c.recv.(*Plan)
				var rows []starlark.Value
				err := p.each(func(s *state, v *big.Rat) error {
					if m := p.best(s); m != nil {
						rows = append(rows, starlark.Tuple{s.value, m, p.number(v)})
					}
					return nil
				})
				return starlark.NewList(rows), err
			},
		},
		{
			name: "play", on: onPlans,
			doc:     "The payoff under best play: a roll when all payoffs are whole numbers, otherwise Outcomes of their fractions.",
			example: luck + ".play().pmf(0).fraction", result: "4651/7776",
			run: playPlan,
		},
	}
}

// find returns the state that argument 0 names.
func (p *Plan) find(c call) (*state, error) {
	s, reached := p.chain.find(c.value(0))
	if reached {
		_, reached = p.plan.ValueOf(s)
	}
	if !reached {
		return nil, c.wrong(0, "got %s, want a state that can come up", value.Describe(c.value(0)))
	}
	return s, nil
}

// each visits the states with their values.
func (p *Plan) each(visit func(s *state, v *big.Rat) error) error {
	for s, v := range p.plan.All() {
		if p.chain.isBefore(s) {
			continue
		}
		if err := visit(s, v); err != nil {
			return err
		}
	}
	return nil
}

func playPlan(c call) (starlark.Value, error) {
	p := c.recv.(*Plan)
	ends, err := p.plan.Play(c.ctx())
	if err != nil {
		return nil, err
	}
	worth := func(s *state) *big.Rat {
		v, _ := p.plan.ValueOf(s)
		return v
	}
	whole := true
	for s := range ends.All() {
		v := worth(s)
		whole = whole && v.IsInt() && v.Num().IsInt64()
	}
	if whole && p.bound == 0 {
		d, err := ends.Values(c.ctx(), func(s *state) (int, error) { return int(worth(s).Num().Int64()), nil })
		return c.rolled(d, err)
	}
	in := &intern.Table{}
	over, err := dist.Relabel(c.ctx(), ends, func(s *state) (int, error) { return in.Index(starlark.String(worth(s).RatString())) })
	return c.unscaled(in, over, err)
}

// A playing asks the functions of a recipe about its states.
type playing struct {
	*chain
	c      call
	moves  *intern.Table
	player *callback
	first  starlark.Value // who moves first
	second starlark.Value // who else moves
	bound  float64        // of the payoffs
}

func bestPlay(c call) (starlark.Value, error) {
	ch, err := newChain(c)
	if err != nil {
		return nil, err
	}
	p := &playing{chain: ch, c: c, moves: &intern.Table{}}
	game := dist.Game[*state, int]{Turn: p.turn}
	if c.given(2) {
		goal, _ := starlark.AsString(c.value(2))
		if goal != "highest" && goal != "lowest" {
			return nil, c.want(2, `"highest" or "lowest"`)
		}
		game.Lowest = goal == "lowest"
	}
	if c.given(3) {
		if p.player, err = newCallback(c, 3, 1, "the state"); err != nil {
			return nil, err
		}
		game.Against = p.against
	}
	plan, err := dist.BestPlay(c.ctx(), ch.start, game)
	if err != nil {
		return nil, err
	}
	out := &Plan{methods: c.methods(), chain: ch, plan: plan, moves: p.moves, bound: upper.Add(plan.Bound(), p.bound)}
	ch.rest() // a plan is kept beyond the run
	return out, nil
}

// against reports whether the other side moves.
func (p *playing) against(s *state) (bool, error) {
	if p.isBefore(s) {
		return false, nil
	}
	v, err := p.player.call(s.value)
	if err != nil {
		return false, err
	}
	err = value.CheckLabel(p.c.meter(), v)
	if meter.Ends(err) {
		return false, err
	}
	if err != nil && v != starlark.True && v != starlark.False {
		return false, p.player.returned(v, "want who moves: text or a whole number")
	}
	for _, known := range []*starlark.Value{&p.first, &p.second} {
		if *known == nil {
			*known = v
		}
		if same, err := starlark.Equal(*known, v); err != nil || same {
			return known == &p.second, err
		}
	}
	return false, p.player.returned(v, fmt.Sprintf("beside %s and %s, want two sides at most", value.Describe(p.first), value.Describe(p.second)))
}

// turn asks what may be done in a state.
func (p *playing) turn(s *state) (dist.Turn[*state, int], error) {
	var t dist.Turn[*state, int]
	if p.isBefore(s) {
		first, err := p.next(s)
		t.Moves = []dist.Move[*state, int]{{Name: -1, Next: first}}
		return t, err
	}
	v, err := p.step.call(s.value)
	if err != nil {
		return t, err
	}
	dict, ok := v.(*starlark.Dict)
	if !ok {
		return p.payoff(v)
	}
	if dict.Len() == 0 {
		return t, p.step.returned(v, "want at least one move, or the payoff where play ends")
	}
	for _, item := range dict.Items() {
		if err := value.CheckLabel(p.c.meter(), item[0]); err != nil {
			return t, fmt.Errorf("%s: a move for %s: %w", p.step.name(), p.step.where(), err)
		}
		name, err := p.moves.Index(item[0])
		if err != nil {
			return t, err
		}
		next, err := p.follow(item[1])
		if err != nil {
			return t, err
		}
		if next == nil {
			return t, fmt.Errorf("%s: the move %s for %s leads to %s, want the next state: a whole number, a label, a tuple, a roll or Outcomes",
				p.step.name(), value.Describe(item[0]), p.step.where(), value.Describe(item[1]))
		}
		t.Moves = append(t.Moves, dist.Move[*state, int]{Name: name, Next: next})
	}
	return t, nil
}

// payoff takes what play is worth where it ends.
func (p *playing) payoff(v starlark.Value) (dist.Turn[*state, int], error) {
	switch v.(type) {
	case starlark.Int, starlark.Float, *value.Prob, *value.Number:
		r, bound, problem := value.RatOf(v)
		if problem == "" {
			p.bound = max(p.bound, bound)
			return dist.Turn[*state, int]{Payoff: r}, nil
		}
	}
	return dist.Turn[*state, int]{}, p.step.returned(v, "want a dict of moves, or the payoff where play ends: a number or a chance")
}
