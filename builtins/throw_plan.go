package builtins

import (
	"fmt"
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Throws of a plan: it is played once, with the best moves.

// Throw plays the plan once, and returns what it pays, shown as one throw.
func (p *Plan) Throw(t *throwing.Thrower) (pays *big.Rat, throws []*throwing.Throw, err error) {
	throws, err = t.Whole(func() error {
		pays, err = p.throw(t)
		return err
	})
	return pays, throws, err
}

func (p *Plan) throw(t *throwing.Thrower) (*big.Rat, error) {
	if p.told == nil {
		return p.thrownGame(t)
	}
	told, err := p.rule.Throw(t, p.told)
	if err != nil {
		return nil, err
	}
	return told.Pays()
}

// thrownPlan returns what a plan pays, as a value like result.
func (p *Plan) thrownPlan(t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	pays, err := p.throw(t)
	if err != nil {
		return nil, err
	}
	if _, ok := result.(*value.Outcomes); ok {
		return t.Like(result, starlark.String(pays.RatString()))
	}
	if !pays.IsInt() || !pays.Num().IsInt64() {
		return nil, fmt.Errorf("internal error: a plan has paid %s, want a whole number", pays.RatString())
	}
	return t.Like(result, starlark.MakeInt64(pays.Num().Int64()))
}

// thrownGame plays what best_play was asked about.
func (p *Plan) thrownGame(t *throwing.Thrower) (*big.Rat, error) {
	c := p.asked
	c.Thread = t.Thread
	w := &walk{c: c, t: t}
	start, err := t.Value(c.Value(0))
	if err != nil {
		return nil, err
	}
	w.state = throwing.LabelOf(start)
	earned := new(big.Rat)
	for {
		if err := t.Spend(); err != nil {
			return nil, err
		}
		v, err := call(c, c.Value(1), w.state)
		if err != nil {
			return nil, err
		}
		dict, ok := v.(*starlark.Dict)
		if !ok {
			pays, _, problem := value.RatOf(v)
			if problem != "" {
				return nil, fmt.Errorf("moves: %s", problem)
			}
			return pays.Add(new(big.Rat).Set(pays), earned), nil
		}
		follows, err := p.chosen(t, w.state, dict)
		if err != nil {
			return nil, err
		}
		if w.state, err = p.follow(c, t, follows, earned); err != nil {
			return nil, err
		}
	}
}

// chosen makes the best move in a state, and returns what follows.
func (p *Plan) chosen(t *throwing.Thrower, state starlark.Value, moves *starlark.Dict) (starlark.Value, error) {
	s, ok := p.chain.Find(state)
	if !ok {
		return nil, fmt.Errorf("internal error: the state %s was not found before", value.Describe(state))
	}
	move := p.best(s)
	if move == nil {
		return nil, fmt.Errorf("internal error: there is no move in the state %s", value.Describe(state))
	}
	if moves.Len() > 1 {
		choice := &throwing.Choice{Chosen: throwing.Plain(move)}
		for _, name := range moves.Keys() {
			choice.Options = append(choice.Options, throwing.Plain(name))
		}
		t.Note(&throwing.Throw{What: value.Shorten(state.String()), Choice: choice, Value: choice.Chosen})
	}
	follows, _, err := moves.Get(move)
	return follows, err
}

// follow throws what follows on a move, and adds what is earned.
func (p *Plan) follow(c define.Call, t *throwing.Thrower, follows starlark.Value, earned *big.Rat) (starlark.Value, error) {
	rewards := c.Given(4) && bool(c.Value(4).Truth())
	part := func(v starlark.Value) (starlark.Value, error) {
		thrown, err := t.Value(v)
		if err != nil {
			return nil, err
		}
		return throwing.LabelOf(thrown), nil
	}
	if rewards {
		if reward, next, ok := pairOf(follows); ok {
			n, _, _ := value.RatOf(reward)
			earned.Add(earned, n)
			return part(next)
		}
	}
	label, err := part(follows)
	if err != nil || !rewards {
		return label, err
	}
	if _, ok := follows.(*value.Outcomes); ok {
		if reward, next, ok := pairOf(label); ok {
			n, _, _ := value.RatOf(reward)
			earned.Add(earned, n)
			return next, nil
		}
	}
	return label, nil
}

// Payoff returns what the plan pays, as its method play does.
func (p *Plan) Payoff(thread *starlark.Thread) (starlark.Value, error) {
	return starlark.Call(thread, registered().Method(p, "play"), nil, nil)
}
