package builtins

import (
	"fmt"
	"math/big"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
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
	chain   *callback.Chain
	plan    *dist.Plan[*callback.State, int]
	moves   *intern.Table
	bound   float64
}

var _ starlark.HasAttrs = (*Plan)(nil)

// Held is the memory of the states with what they are worth.
func (p *Plan) Held() (bytes int64, inside []starlark.Value) {
	const stateBytes = 512
	for _, s := range p.chain.States() {
		inside = append(inside, s.Value)
	}
	return stateBytes * int64(len(p.chain.States())), inside
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
func (p *Plan) best(s *callback.State) starlark.Value {
	if i, ok := p.plan.Best(s); ok && i >= 0 {
		return p.moves.Values[i]
	}
	return nil
}

var onPlans = []string{"Plan"}

func bestPlayBuiltins() []define.Builtin {
	const luck = `best_play(0, lambda n: -n - 1 if n < 0 else {"stop": -n - 1, "climb": either("1/6", -1, min(n + 1, 9))})`
	return []define.Builtin{
		{
			Name: "best_play", Free: true,
			Params: []define.Param{
				{Name: "start", Doc: "the state it begins in: a whole number, a label or a tuple; a roll or Outcomes when chance decides"},
				{Name: "moves", Doc: "a function of a state that returns a dict of what follows on each move: a state, or a roll or Outcomes of states; " +
					"or, where play ends, the payoff: a number or a chance"},
				{Name: "goal", Default: `"highest"`, Doc: `whether the mean payoff is wanted "highest" or "lowest"`},
				{Name: "player", Default: "None", Doc: "a function of a state that says who moves there; who moves first has the goal, and another wants the opposite"},
			},
			Doc: "The moves that are worth most, exactly: a plan with its value. Play may come back to a state; plans that need " +
				"not end are not compared.",
			Errors: "a state from which play cannot end; an empty dict; a move with an unlimited roll",
			Example: `best_play(("roll", 0), lambda s: s[1] if s[0] == "end" else {"stop": ("end", s[1]), ` +
				`"roll": d(6).map(lambda x: ("end", 0) if x == 1 else ("roll" if s[1] < 20 else "end", s[1] + x))}).value.fraction`,
			Result: "492303203/60466176",
			Run:    bestPlay,
		},
		{
			Name: "value", On: onPlans,
			Doc:     "The mean payoff of best play from the start.",
			Example: luck + ".value.fraction", Result: "15625/7776",
			Attr: func(c define.Call) (starlark.Value, error) { return c.Receiver.(*Plan).value(), nil },
		},
		{
			Name: "move", On: onPlans,
			Params:  []define.Param{{Name: "state", Doc: "a state that can come up"}},
			Doc:     "The best move in a state; None where play ends.",
			Errors:  "a state that cannot come up, by whatever moves",
			Example: luck + ".move(3)", Result: "climb",
			Run: func(c define.Call) (starlark.Value, error) {
				p := c.Receiver.(*Plan)
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
			Name: "values", On: onPlans,
			Doc:     "A dict of what every state is worth that can come up.",
			Example: luck + ".values()[3].fraction", Result: "125/36",
			Run: func(c define.Call) (starlark.Value, error) {
				p := c.Receiver.(*Plan)
				dict := new(starlark.Dict)
				err := p.each(func(s *callback.State, v *big.Rat) error {
					return dict.SetKey(s.Value, p.number(v))
				})
				return dict, err
			},
		},
		{
			Name: "table", On: onPlans,
			Doc:     "A list of (state, best move, value), in the order in which the states come up, to be put out.",
			Example: luck + ".table()[0][1]", Result: "climb",
			Run: func(c define.Call) (starlark.Value, error) {
				p := c.Receiver.(*Plan)
				var rows []starlark.Value
				err := p.each(func(s *callback.State, v *big.Rat) error {
					if m := p.best(s); m != nil {
						rows = append(rows, starlark.Tuple{s.Value, m, p.number(v)})
					}
					return nil
				})
				return starlark.NewList(rows), err
			},
		},
		{
			Name: "play", On: onPlans,
			Doc:     "The payoff under best play: a roll when all payoffs are whole numbers, otherwise Outcomes of their fractions.",
			Example: luck + ".play().pmf(0).fraction", Result: "4651/7776",
			Run: playPlan,
		},
	}
}

// find returns the state that argument 0 names.
func (p *Plan) find(c define.Call) (*callback.State, error) {
	s, reached := p.chain.Find(c.Value(0))
	if reached {
		_, reached = p.plan.ValueOf(s)
	}
	if !reached {
		return nil, c.Wrong(0, "got %s, want a state that can come up", value.Describe(c.Value(0)))
	}
	return s, nil
}

// each visits the states with their values.
func (p *Plan) each(visit func(s *callback.State, v *big.Rat) error) error {
	for s, v := range p.plan.All() {
		if p.chain.IsBefore(s) {
			continue
		}
		if err := visit(s, v); err != nil {
			return err
		}
	}
	return nil
}

func playPlan(c define.Call) (starlark.Value, error) {
	p := c.Receiver.(*Plan)
	ends, err := p.plan.Play(c.Context())
	if err != nil {
		return nil, err
	}
	worth := func(s *callback.State) *big.Rat {
		v, _ := p.plan.ValueOf(s)
		return v
	}
	whole := true
	for s := range ends.All() {
		v := worth(s)
		whole = whole && v.IsInt() && v.Num().IsInt64()
	}
	if whole && p.bound == 0 {
		d, err := ends.Values(c.Context(), func(s *callback.State) (int, error) { return int(worth(s).Num().Int64()), nil })
		return c.Rolled(d, err)
	}
	in := &intern.Table{}
	over, err := dist.Relabel(c.Context(), ends, func(s *callback.State) (int, error) { return in.Index(starlark.String(worth(s).RatString())) })
	return c.Unscaled(in, over, err)
}

// A playing asks the functions of a recipe about its states.
type playing struct {
	*callback.Chain
	c      define.Call
	moves  *intern.Table
	player *callback.Func
	first  starlark.Value // who moves first
	second starlark.Value // who else moves
	bound  float64        // of the payoffs
}

func bestPlay(c define.Call) (starlark.Value, error) {
	ch, err := callback.NewChain(c)
	if err != nil {
		return nil, err
	}
	p := &playing{Chain: ch, c: c, moves: &intern.Table{}}
	game := dist.Game[*callback.State, int]{Turn: p.turn}
	if c.Given(2) {
		goal, _ := starlark.AsString(c.Value(2))
		if goal != "highest" && goal != "lowest" {
			return nil, c.Want(2, `"highest" or "lowest"`)
		}
		game.Lowest = goal == "lowest"
	}
	if c.Given(3) {
		if p.player, err = callback.New(c, 3, 1, "the state"); err != nil {
			return nil, err
		}
		game.Against = p.against
	}
	plan, err := dist.BestPlay(c.Context(), ch.Start, game)
	if err != nil {
		return nil, err
	}
	out := &Plan{methods: c.Methods(), chain: ch, plan: plan, moves: p.moves, bound: upper.Add(plan.Bound(), p.bound)}
	ch.Release() // a plan is kept beyond the run
	return out, nil
}

// against reports whether the other side moves.
func (p *playing) against(s *callback.State) (bool, error) {
	if p.IsBefore(s) {
		return false, nil
	}
	v, err := p.player.Call(s.Value)
	if err != nil {
		return false, err
	}
	err = value.CheckLabel(p.c.Meter(), v)
	if meter.Ends(err) {
		return false, err
	}
	if err != nil && v != starlark.True && v != starlark.False {
		return false, p.player.Returned(v, "want who moves: text or a whole number")
	}
	for _, known := range []*starlark.Value{&p.first, &p.second} {
		if *known == nil {
			*known = v
		}
		if same, err := starlark.Equal(*known, v); err != nil || same {
			return known == &p.second, err
		}
	}
	return false, p.player.Returned(v, fmt.Sprintf("beside %s and %s, want two sides at most", value.Describe(p.first), value.Describe(p.second)))
}

// turn asks what may be done in a state.
func (p *playing) turn(s *callback.State) (dist.Turn[*callback.State, int], error) {
	var t dist.Turn[*callback.State, int]
	if p.IsBefore(s) {
		first, err := p.Next(s)
		t.Moves = []dist.Move[*callback.State, int]{{Name: -1, Next: first}}
		return t, err
	}
	v, err := p.Step.Call(s.Value)
	if err != nil {
		return t, err
	}
	dict, ok := v.(*starlark.Dict)
	if !ok {
		return p.payoff(v)
	}
	if dict.Len() == 0 {
		return t, p.Step.Returned(v, "want at least one move, or the payoff where play ends")
	}
	for _, item := range dict.Items() {
		if err := value.CheckLabel(p.c.Meter(), item[0]); err != nil {
			return t, fmt.Errorf("%s: a move for %s: %w", p.Step.Param(), p.Step.Where(), err)
		}
		name, err := p.moves.Index(item[0])
		if err != nil {
			return t, err
		}
		next, err := p.Follow(item[1])
		if err != nil {
			return t, err
		}
		if next == nil {
			return t, fmt.Errorf("%s: the move %s for %s leads to %s, want the next state: a whole number, a label, a tuple, a roll or Outcomes",
				p.Step.Param(), value.Describe(item[0]), p.Step.Where(), value.Describe(item[1]))
		}
		t.Moves = append(t.Moves, dist.Move[*callback.State, int]{Name: name, Next: next})
	}
	return t, nil
}

// payoff takes what play is worth where it ends.
func (p *playing) payoff(v starlark.Value) (dist.Turn[*callback.State, int], error) {
	switch v.(type) {
	case starlark.Int, starlark.Float, *value.Prob, *value.Number:
		r, bound, problem := value.RatOf(v)
		if problem == "" {
			p.bound = max(p.bound, bound)
			return dist.Turn[*callback.State, int]{Payoff: r}, nil
		}
	}
	return dist.Turn[*callback.State, int]{}, p.Step.Returned(v, "want a dict of moves, or the payoff where play ends: a number or a chance")
}
