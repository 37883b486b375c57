package callback

import (
	"context"
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A machine goes through the faces of pools and hands one after the other: its step says
// which state follows when so many dice show a face, and its finish what the last state
// is worth. It is asked once for each state, face and count.

const stateWords = "a state that can't change: a number, text or a tuple"

// A Machine runs the functions of a recipe over numbered states.
type Machine struct {
	ctx    context.Context
	states intern.Table
	texts  recentTexts
	start  int
	step   *Func
	finish *Func // nil when the state is the result
	last   *Func // what the result comes from
}

// NewMachine returns the machine whose step is argument 0 of c, that starts in argument
// 1, and whose finish is argument i, for so many pools; meaning says what the step gets.
func NewMachine(c define.Call, i, pools int, meaning string) (*Machine, error) {
	m := &Machine{ctx: c.Context()}
	var err error
	if m.step, err = New(c, 0, 2+pools, meaning); err != nil {
		return nil, err
	}
	m.last = &Func{thread: c.Thread, methods: c.Methods(), param: "step", args: make([]slot.Value, 1)}
	if c.Given(i) {
		if m.finish, err = New(c, i, 1, "the last state"); err != nil {
			return nil, err
		}
		m.last = m.finish
	}
	if m.start, err = m.states.Index(c.Value(1)); err != nil {
		return nil, c.Want(1, stateWords)
	}
	return m, nil
}

func (m *Machine) meter() *meter.Meter { return m.step.meter }

// Evaluate returns what the states are worth in which the faces of a pool end.
func (m *Machine) Evaluate(pool *dist.Pool) (starlark.Value, error) {
	tally, err := dist.Evaluate(m.ctx, pool, m.start, m.next)
	if err != nil {
		return nil, err
	}
	return m.results(tally, pool.Bound())
}

// EvaluateTogether is Evaluate for several pools and hands, whose faces have the same
// names.
func (m *Machine) EvaluateTogether(sets []*value.Multiset, order dist.Order) (starlark.Value, error) {
	cards := sets[0].Cards()
	bare := make([]*dist.Multiset, len(sets))
	bound := 0.0
	for i, set := range sets {
		bare[i] = set.Dist()
		bound = upper.Add(bound, set.Dist().Bound())
	}
	tally, err := dist.EvaluateTogether(m.ctx, bare, order, m.start, func(s, face int, counts []int) (int, error) {
		if err := m.meter().Calls(1); err != nil {
			return 0, err
		}
		m.set(s)
		m.step.set(1, cards.Named(face))
		for i, n := range counts {
			m.step.setInt(2+i, n)
		}
		return m.follow()
	})
	if err != nil {
		return nil, err
	}
	return m.results(tally, bound)
}

// next returns the state that follows when so many dice show a face.
func (m *Machine) next(s, face, count int) (int, error) {
	if err := m.meter().Calls(1); err != nil {
		return 0, err
	}
	m.set(s)
	m.step.setInt(1, face)
	m.step.setInt(2, count)
	return m.follow()
}

// follow calls the step with the arguments that are set and returns the state that
// it gives.
func (m *Machine) follow() (int, error) {
	answer, err := m.step.ask()
	if err != nil {
		return 0, err
	}
	text, isText := answer.V.(starlark.String)
	if isText {
		if next, ok := m.texts.find(text); ok {
			return next, nil
		}
	}
	next, err := m.enter(answer.Starlark())
	if err == nil && isText {
		m.texts.note(text, next)
	}
	return next, err
}

// set sets the state of the next step.
func (m *Machine) set(s int) { m.step.set(0, m.states.Values[s]) }

// enter returns the number of the state that step has returned.
func (m *Machine) enter(v starlark.Value) (int, error) {
	if err := m.payName(v); err != nil {
		return 0, err
	}
	known := len(m.states.Values)
	next, err := m.states.Index(v)
	switch {
	case err != nil:
		return 0, m.step.Returned(v, "want "+stateWords)
	case next == known:
		return next, m.meter().Keep(1)
	}
	return next, nil
}

// payName pays for a look at a state that step has returned.
func (m *Machine) payName(v starlark.Value) error {
	if v == starlark.None && m.states.Values[0] != starlark.None {
		return m.step.Returned(v, "")
	}
	if err := m.meter().Name(v); err != nil {
		return fmt.Errorf("step: a state: %w", err)
	}
	return nil
}

// results is the distribution of what the states are worth in which the faces have ended.
func (m *Machine) results(tally *dist.Tally[int], bound float64) (starlark.Value, error) {
	a := &results{cb: m.last, bound: bound}
	for s, w := range tally.All() {
		v, err := m.worth(s)
		if err != nil {
			return nil, err
		}
		if err := a.add(v, w); err != nil {
			return nil, err
		}
	}
	return a.value()
}

// worth returns what a state is worth after the highest face.
func (m *Machine) worth(s int) (starlark.Value, error) {
	m.last.set(0, m.states.Values[s])
	if m.finish == nil {
		return m.states.Values[s], nil
	}
	return m.finish.Call(m.states.Values[s])
}
