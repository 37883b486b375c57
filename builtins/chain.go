package builtins

import (
	"context"
	"fmt"

	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A process goes from state to state by chance: hit points that are lost, a
// skill that grows, a track that fills up. Where it goes next depends only on
// where it is. A state is a whole number, a label or a tuple, and the recipe's
// step function says what follows it.

// A state is one distinct state of a process. The engine tells states apart by
// their addresses.
type state struct{ value starlark.Value }

// String writes the state as a recipe does, for errors of the engine.
func (s *state) String() string { return value.Shorten(s.value.String()) }

// A chain knows the states of a process so far and asks its step function.
type chain struct {
	call   call
	cb     *callback
	seen   intern.Table
	states []*state // by their numbers in seen
	scale  *value.LabelSet
	mixed  bool // whether Outcomes with other labels came back too
}

func (ch *chain) meter() *meter.Meter      { return ch.cb.meter }
func (ch *chain) context() context.Context { return ch.call.ctx() }

// state returns the state that v names.
func (ch *chain) state(v starlark.Value) (*state, error) {
	if err := ch.meter().Name(v); err != nil {
		return nil, fmt.Errorf("a state: %w", err)
	}
	i, err := ch.seen.Index(v)
	if err != nil {
		return nil, err
	}
	if i == len(ch.states) {
		if err := ch.meter().Keep(1); err != nil {
			return nil, err
		}
		ch.states = append(ch.states, &state{v})
	}
	return ch.states[i], nil
}

// number returns the state of a whole number.
func (ch *chain) number(n int) (*state, error) { return ch.state(starlark.MakeInt(n)) }

// step asks what follows a state.
func (ch *chain) step(s *state) (*dist.Outcomes[*state], error) {
	if err := ch.meter().Calls(1); err != nil {
		return nil, err
	}
	ch.cb.args[0] = s.value
	v, err := ch.cb.call()
	if err != nil {
		return nil, err
	}
	next, err := ch.follow(v)
	if next == nil && err == nil {
		return nil, ch.cb.returned(v, "want the next state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	return next, err
}

// follow returns a value as a distribution over states, nil when it is none.
func (ch *chain) follow(v starlark.Value) (*dist.Outcomes[*state], error) {
	switch v := v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		if err := value.CheckLabel(ch.meter(), v); err != nil {
			return nil, fmt.Errorf("a state: %w", err)
		}
		s, err := ch.state(v)
		if err != nil {
			return nil, err
		}
		return dist.Certain(s), nil
	case *value.Outcomes:
		ch.note(v.Set())
		return dist.Relabel(ch.context(), v.Over(), func(at int) (*state, error) { return ch.state(v.Set().Label(at)) })
	case *value.Roll, *value.Pool:
		d, _, err := value.AsRoll(ch.cb.thread, v)
		if err != nil {
			return nil, err
		}
		return dist.Classify(ch.context(), d, nil, ch.number)
	}
	return nil, nil
}

// note remembers the scale that the Outcomes of steps have in common.
func (ch *chain) note(set *value.LabelSet) {
	switch {
	case ch.scale == nil && set.Ordered():
		ch.scale = set
	case !set.Ordered() || !set.Same(ch.scale):
		ch.mixed = true
	}
}

// result makes a roll of states that are whole numbers and Outcomes of others.
func (ch *chain) result(o *dist.Outcomes[*state]) (starlark.Value, error) {
	numbers := true
	for s, weight := range o.All() {
		if _, ok := value.Int(s.value); !ok && weight.Sign() > 0 {
			numbers = false
		}
	}
	if numbers {
		d, err := o.Values(ch.context(), func(s *state) (int, error) {
			n, _ := value.Int(s.value)
			return n, nil
		})
		return ch.call.rolled(d, err)
	}
	return ch.outcomes(o)
}

func (ch *chain) outcomes(o *dist.Outcomes[*state]) (starlark.Value, error) {
	in := &intern.Table{}
	var t dist.Tally[int]
	for s, weight := range o.All() {
		if weight.Sign() == 0 {
			continue
		}
		i, err := in.Index(s.value)
		if err != nil {
			return nil, err
		}
		n, err := dist.NewWeight(weight)
		if err != nil {
			return nil, err
		}
		t.Add(i, n)
	}
	set := value.NewLabelSet(in, false)
	if ch.scale == nil || ch.mixed || !ch.scale.Holds(set) {
		over, err := dist.TallyOutcomes(ch.context(), &t, nil, o.Bound())
		return ch.call.unscaled(in, over, err)
	}
	var placed dist.Tally[int]
	for i, n := range t.All() {
		at, err := ch.scale.Place(set.Label(i))
		if err != nil {
			return nil, err
		}
		placed.Add(at, n)
	}
	over, err := dist.TallyOutcomes(ch.context(), &placed, ch.scale.Positions(), o.Bound())
	return ch.call.placed(ch.scale, over, err)
}

// An initial state is where a process starts. A start that is a roll or Outcomes is
// the first step of one more state, which comes before all others.
type initial struct {
	at    *state
	steps int // how many steps come before the start: 0, or 1 of a roll
	first *dist.Outcomes[*state]
}

// initial returns argument i as the start of the process.
func (ch *chain) initial(c call, i int) (*initial, error) {
	v := c.value(i)
	switch v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		if err := value.CheckLabel(ch.meter(), v); err != nil {
			return nil, c.label(i, err)
		}
		s, err := ch.state(v)
		return &initial{at: s}, err
	}
	first, err := ch.follow(v)
	if err != nil {
		return nil, err
	}
	if first == nil {
		return nil, c.want(i, "a state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	return &initial{at: &state{starlark.String("start")}, steps: 1, first: first}, nil
}

// before puts the start in front of the step function.
func (b *initial) before(step func(*state) (*dist.Outcomes[*state], error)) func(*state) (*dist.Outcomes[*state], error) {
	if b.first == nil {
		return step
	}
	return func(s *state) (*dist.Outcomes[*state], error) {
		if s == b.at {
			return b.first, nil
		}
		return step(s)
	}
}

// Parameters of every function that follows a process.
var (
	startParam = Param{Name: "start", Doc: "the state it begins in: a whole number, a label or a tuple; a roll or Outcomes when chance decides"}
	stepParam  = Param{Name: "step", Doc: "a function of a state that returns the next one, or a roll or Outcomes when chance decides; it is called once for every state"}
)

func newChain(c call) (*chain, *initial, error) {
	cb, err := newCallback(c, 1, 1, "the state")
	if err != nil {
		return nil, nil, err
	}
	ch := &chain{call: c, cb: cb}
	b, err := ch.initial(c, 0)
	return ch, b, err
}
