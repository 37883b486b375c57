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
	step *callback // asked what follows a state

	call   call
	seen   intern.Table
	states []*state // by their numbers in seen
	scale  *value.LabelSet
	mixed  bool // whether Outcomes with other labels came back too

	start *state
	first *dist.Outcomes[*state] // what follows a start that chance decides, nil otherwise
}

// newChain returns the process that starts in argument 0 of c and whose step is argument
// 1. A start that is a roll or Outcomes is the first step of one more state, which comes
// before all others.
func newChain(c call) (*chain, error) {
	step, err := newCallback(c, 1, 1, "the state")
	if err != nil {
		return nil, err
	}
	ch := &chain{step: step, call: c}
	v := c.value(0)
	switch v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		if err := value.CheckLabel(ch.meter(), v); err != nil {
			return nil, c.label(0, err)
		}
		ch.start, err = ch.state(v)
		return ch, err
	}
	if ch.first, err = ch.follow(v); err != nil {
		return nil, err
	}
	if ch.first == nil {
		return nil, c.want(0, "a state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	ch.start = &state{starlark.String("start")}
	return ch, nil
}

// isBefore reports whether s comes before the first state, which chance decides.
func (ch *chain) isBefore(s *state) bool { return ch.first != nil && s == ch.start }

// uncounted is how many steps come before the first state: 0, or 1 where chance decides
// it.
func (ch *chain) uncounted() int {
	if ch.first == nil {
		return 0
	}
	return 1
}

// find returns the state that v names, if it has come up.
func (ch *chain) find(v starlark.Value) (*state, bool) {
	i, ok, err := ch.seen.Find(v)
	if err != nil || !ok {
		return nil, false
	}
	return ch.states[i], true
}

// all returns the states that have come up, in the order in which they did.
func (ch *chain) all() []*state { return ch.states }

// rest lets go of the run: what states have come up is still known then.
func (ch *chain) rest() { ch.step, ch.call = nil, call{} }

func (ch *chain) meter() *meter.Meter      { return ch.step.meter }
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

// next returns what follows a state.
func (ch *chain) next(s *state) (*dist.Outcomes[*state], error) {
	if ch.isBefore(s) {
		return ch.first, nil
	}
	if err := ch.meter().Calls(1); err != nil {
		return nil, err
	}
	v, err := ch.step.call(s.value)
	if err != nil {
		return nil, err
	}
	next, err := ch.follow(v)
	if next == nil && err == nil {
		return nil, ch.step.returned(v, "want the next state: a whole number, a label, a tuple, a roll or Outcomes")
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
		d, _, err := value.AsRoll(ch.call.thread, v)
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
