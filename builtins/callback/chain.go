package callback

import (
	"context"
	"fmt"

	"dicescript/builtins/define"
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

// A State is one distinct state of a process. The engine tells states apart by
// their addresses.
type State struct{ Value starlark.Value }

// String writes the state as a recipe does, for errors of the engine.
func (s *State) String() string { return value.Shorten(s.Value.String()) }

// A Chain knows the states of a process so far and asks its step function.
type Chain struct {
	Start *State
	Step  *Func // asked what follows a state

	call   define.Call
	seen   intern.Table
	states []*State // by their numbers in seen
	scale  *value.LabelSet
	mixed  bool // whether Outcomes with other labels came back too

	first *dist.Outcomes[*State] // what follows a start that chance decides, nil otherwise
}

// NewChain returns the process that starts in argument 0 of c and whose step is argument
// 1. A start that is a roll or Outcomes is the first step of one more state, which comes
// before all others.
func NewChain(c define.Call) (*Chain, error) {
	step, err := New(c, 1, 1, "the state")
	if err != nil {
		return nil, err
	}
	ch := &Chain{Step: step, call: c}
	v := c.Value(0)
	switch v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		if err := value.CheckLabel(ch.meter(), v); err != nil {
			return nil, c.Label(0, err)
		}
		ch.Start, err = ch.state(v)
		return ch, err
	}
	if ch.first, err = ch.Follow(v); err != nil {
		return nil, err
	}
	if ch.first == nil {
		return nil, c.Want(0, "a state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	ch.Start = &State{starlark.String("start")}
	return ch, nil
}

// IsBefore reports whether s comes before the first state, which chance decides.
func (ch *Chain) IsBefore(s *State) bool { return ch.first != nil && s == ch.Start }

// Numbered reports whether the process begins in states that are numbers alone.
func (ch *Chain) Numbered() bool {
	if ch.first == nil {
		_, ok := ch.Start.Value.(starlark.Int)
		return ok
	}
	for s := range ch.first.All() {
		if _, ok := s.Value.(starlark.Int); !ok {
			return false
		}
	}
	return true
}

// Uncounted is how many steps come before the first state: 0, or 1 where chance decides
// it.
func (ch *Chain) Uncounted() int {
	if ch.first == nil {
		return 0
	}
	return 1
}

// Find returns the state that v names, if it has come up.
func (ch *Chain) Find(v starlark.Value) (*State, bool) {
	i, ok, err := ch.seen.Find(v)
	if err != nil || !ok {
		return nil, false
	}
	return ch.states[i], true
}

// States returns the states that have come up, in the order in which they did.
func (ch *Chain) States() []*State { return ch.states }

// Release lets go of the run: what states have come up is still known then.
func (ch *Chain) Release() { ch.Step, ch.call = nil, define.Call{} }

func (ch *Chain) meter() *meter.Meter      { return ch.Step.meter }
func (ch *Chain) context() context.Context { return ch.call.Context() }

// State returns the state that v names: a whole number, a label or a tuple.
func (ch *Chain) State(v starlark.Value) (*State, error) {
	if err := value.CheckLabel(ch.meter(), v); err != nil {
		return nil, fmt.Errorf("a state: %w", err)
	}
	return ch.state(v)
}

// state returns the state that v names, which may be one.
func (ch *Chain) state(v starlark.Value) (*State, error) {
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
		ch.states = append(ch.states, &State{v})
	}
	return ch.states[i], nil
}

// number returns the state of a whole number.
func (ch *Chain) number(n int) (*State, error) { return ch.state(starlark.MakeInt(n)) }

// Next returns what follows a state.
func (ch *Chain) Next(s *State) (*dist.Outcomes[*State], error) {
	if ch.IsBefore(s) {
		return ch.first, nil
	}
	if err := ch.meter().Calls(1); err != nil {
		return nil, err
	}
	v, err := ch.Step.Call(s.Value)
	if err != nil {
		return nil, err
	}
	next, err := ch.Follow(v)
	if next == nil && err == nil {
		return nil, ch.Step.Returned(v, "want the next state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	return next, err
}

// Follow returns a value as a distribution over states, nil when it is none.
func (ch *Chain) Follow(v starlark.Value) (*dist.Outcomes[*State], error) {
	switch v := v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		s, err := ch.State(v)
		if err != nil {
			return nil, err
		}
		return dist.Certain(s), nil
	case *value.Outcomes:
		ch.note(v.Set())
		return dist.Relabel(ch.context(), v.Over(), func(at int) (*State, error) { return ch.state(v.Set().Label(at)) })
	case *value.Roll, *value.Pool:
		d, _, err := value.AsRoll(ch.call.Thread, v)
		if err != nil {
			return nil, err
		}
		return dist.Classify(ch.context(), d, nil, ch.number)
	}
	return nil, nil
}

// note remembers the scale that the Outcomes of steps have in common.
func (ch *Chain) note(set *value.LabelSet) {
	switch {
	case ch.scale == nil && set.Ordered():
		ch.scale = set
	case !set.Ordered() || !set.Same(ch.scale):
		ch.mixed = true
	}
}

// Result makes a roll of states that are whole numbers and Outcomes of others.
func (ch *Chain) Result(o *dist.Outcomes[*State]) (starlark.Value, error) {
	numbers := true
	for s, weight := range o.All() {
		if _, ok := value.Int(s.Value); !ok && weight.Sign() > 0 {
			numbers = false
		}
	}
	if numbers {
		d, err := o.Values(ch.context(), func(s *State) (int, error) {
			n, _ := value.Int(s.Value)
			return n, nil
		})
		return ch.call.Rolled(d, err)
	}
	return ch.outcomes(o)
}

func (ch *Chain) outcomes(o *dist.Outcomes[*State]) (starlark.Value, error) {
	in := &intern.Table{}
	var t dist.Tally[int]
	for s, weight := range o.All() {
		if weight.Sign() == 0 {
			continue
		}
		i, err := in.Index(s.Value)
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
		return ch.call.Unscaled(in, over, err)
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
	return ch.call.Placed(ch.scale, over, err)
}
