package builtins

import (
	"fmt"
	"math/big"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/play"
	"dicescript/builtins/runenv"
	"dicescript/builtins/throwing"
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
	told    *play.Plan  // of a play, which knows its own decisions; nil for best_play
	rule    *play.Rule  // which is played
	asked   define.Call // of best_play, in a run that is thrown
	chain   *callback.Chain
	plan    *dist.Plan[*callback.State, int]
	moves   *intern.Table
	bound   float64
}

var _ starlark.HasAttrs = (*Plan)(nil)

// Held is the memory of the states with what they are worth.
func (p *Plan) Held() (bytes int64, inside []starlark.Value) {
	if p.told != nil {
		return p.told.Held()
	}
	const stateBytes = 512
	for _, s := range p.chain.States() {
		inside = append(inside, s.Value)
	}
	return stateBytes * int64(len(p.chain.States())), inside
}

// Size is that of the head: what the plan holds, best_play and the engine have charged.
func (p *Plan) Size() meter.Size { return meter.Size{Elements: 1, Bytes: 32} }

func (p *Plan) Type() string                             { return "Plan" }
func (p *Plan) String() string                           { return "Plan(value " + p.value().String() + ")" }
func (p *Plan) Freeze()                                  {}
func (p *Plan) Truth() starlark.Bool                     { return true }
func (p *Plan) Hash() (uint32, error)                    { return starlark.String(p.String()).Hash() }
func (p *Plan) Attr(name string) (starlark.Value, error) { return p.methods.Attr(p, name) }
func (p *Plan) AttrNames() []string                      { return p.methods.AttrNames(p) }
func (p *Plan) value() *value.Number                     { v, _ := p.Value(); return p.number(v) }
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
				{Name: "rewards", Default: "False", Doc: "whether a pair that follows a move is (reward, next): the number is earned on the way, so that totals need no place in a state; " +
					"Outcomes of such pairs earn what chance decides"},
			},
			Doc: "The moves that are worth most, exactly: a plan with its value. Play may come back to a state; strategies that might " +
				"never end are not considered.",
			Errors: "a state from which play cannot end; an empty dict; a move with an unlimited roll; a number that may be meant as a state or as a payoff, " +
				"because it follows a move among states that are no numbers, or on itself; rewards without end",
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
				if p.told != nil {
					return nil, errToldPlan
				}
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
				if p.told != nil {
					return nil, errToldPlan
				}
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
				if p.told != nil {
					return p.tableOfPlay(), nil
				}
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
	if p.told != nil {
		v, err := p.told.Payoff()
		if err != nil {
			return nil, err
		}
		return p.noted(c, v), nil
	}
	payoff, err := p.plan.Payoff(c.Context())
	if err != nil {
		return nil, err
	}
	v, err := play.Paid(c, payoff, p.bound == 0)
	return p.noted(c, v), err
}

// noted returns the payoff of the plan as a value that is thrown by playing it.
func (p *Plan) noted(c define.Call, v starlark.Value) starlark.Value {
	return thrownRule(c, v, func(t *throwing.Thrower) (starlark.Value, error) { return p.thrownPlan(t, v) })
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

	rewards  bool
	numbered bool // whether states may be numbers: the first one is
}

func bestPlay(c define.Call) (starlark.Value, error) {
	ch, err := callback.NewChain(c)
	if err != nil {
		return nil, err
	}
	p := &playing{Chain: ch, c: c, moves: &intern.Table{}}
	game := dist.Game[*callback.State, int]{Turn: p.turn}
	if c.Given(2) {
		if game.Lowest, err = lowestGoal(c, 2); err != nil {
			return nil, err
		}
	}
	if c.Given(3) {
		if p.player, err = callback.New(c, 3, 1, "the state"); err != nil {
			return nil, err
		}
		game.Against = p.against
	}
	if c.Given(4) {
		p.rewards = bool(c.Value(4).Truth())
	}
	p.numbered = ch.Numbered()
	plan, err := dist.BestPlay(c.Context(), ch.Start, game)
	if err != nil {
		return nil, err
	}
	out := &Plan{methods: c.Methods(), chain: ch, plan: plan, moves: p.moves, bound: upper.Add(plan.Bound(), p.bound)}
	if runenv.Of(c.Thread).Thrown {
		out.asked = c.Held()
	}
	ch.Release() // a plan is kept beyond the run
	return out, nil
}

// lowestGoal reports whether argument i, a goal, is the lowest payoff.
func lowestGoal(c define.Call, i int) (bool, error) {
	goal, _ := starlark.AsString(c.Value(i))
	if goal != "highest" && goal != "lowest" {
		return false, c.Want(i, `"highest" or "lowest"`)
	}
	return goal == "lowest", nil
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
		move, err := p.move(s, item, dict.Len() > 1)
		if err != nil {
			return t, err
		}
		move.Name = name
		t.Moves = append(t.Moves, move)
	}
	return t, nil
}

// move returns what follows on one move in a state: item is its name and that. Whether
// there are others says whether a move that changes nothing makes sense to anybody.
func (p *playing) move(s *callback.State, item starlark.Tuple, others bool) (m dist.Move[*callback.State, int], err error) {
	follows := item[1]
	if p.rewards {
		if o, ok := follows.(*value.Outcomes); ok {
			if m.Earning, err = p.earning(item, o); m.Earning != nil || err != nil {
				return m, err
			}
		}
		if reward, next, ok := pairOf(follows); ok {
			if m.Reward, err = p.reward(item, reward); err != nil {
				return m, err
			}
			follows = next
		}
	}
	if m.Next, err = p.Follow(follows); err != nil {
		return m, err
	}
	if m.Next == nil {
		return m, p.leads(item, "want the next state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	for next, weight := range m.Next.All() {
		if weight.Sign() > 0 {
			if err := p.isState(s, item, next, others && m.Next.Len() == 1); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// leads is an error about what follows on a move.
func (p *playing) leads(item starlark.Tuple, problem string) error {
	return fmt.Errorf("%s: the move %s for %s leads to %s, %s", p.Step.Param(), value.Describe(item[0]), p.Step.Where(), value.Describe(item[1]), problem)
}

// isState refuses a number that may be meant as a state or as a payoff: among states that
// are no numbers, or where the move stays and there are others.
func (p *playing) isState(s *callback.State, item starlark.Tuple, next *callback.State, stays bool) error {
	n, ok := next.Value.(starlark.Int)
	if !ok || p.numbered && !(stays && next == s) {
		return nil
	}
	return p.leads(item, fmt.Sprintf(`and %v may be meant as a state or as a payoff; where play ends, lead to a state such as ("end", %v), for which %s returns the payoff`,
		n, n, p.Step.Param()))
}

// pairOf returns the parts of a pair that begins with a number.
func pairOf(v starlark.Value) (reward, next starlark.Value, ok bool) {
	pair, ok := v.(starlark.Tuple)
	if !ok || len(pair) != 2 {
		return nil, nil, false
	}
	switch pair[0].(type) {
	case starlark.Int, starlark.Float, *value.Number, *value.Prob:
		return pair[0], pair[1], true
	}
	return nil, nil, false
}

// reward returns a number that is earned, exactly.
func (p *playing) reward(item starlark.Tuple, v starlark.Value) (*big.Rat, error) {
	r, bound, problem := value.RatOf(v)
	if problem != "" || bound > 0 {
		return nil, p.leads(item, "want a reward that is an exact number")
	}
	return r, nil
}

// earning returns Outcomes of pairs as steps that earn something; nil when no label is a
// pair.
func (p *playing) earning(item starlark.Tuple, o *value.Outcomes) (*dist.Outcomes[dist.Earned[*callback.State]], error) {
	pairs := 0
	for _, at := range o.Set().Positions() {
		if _, _, ok := pairOf(o.Set().Label(at)); ok {
			pairs++
		}
	}
	if pairs == 0 {
		return nil, nil
	}
	return dist.Relabel(p.c.Context(), o.Over(), func(at int) (e dist.Earned[*callback.State], err error) {
		reward, next, ok := pairOf(o.Set().Label(at))
		if !ok {
			return e, p.leads(item, "want pairs (reward, next) throughout, or none")
		}
		if e.Reward, err = p.reward(item, reward); err != nil {
			return e, err
		}
		if e.To, err = p.State(next); err != nil {
			return e, err
		}
		return e, p.isState(nil, item, e.To, false)
	})
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
