package builtins

import (
	"context"
	"fmt"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A pool can be evaluated face by face instead of die by die: the recipe keeps a
// small state, is told how many dice show each face, from the lowest face up,
// and says in the end what the state is worth. A rule about sets, straights or
// the best few dice needs a few states instead of millions of combinations.

func evaluateBuiltins() []builtin {
	return []builtin{{
		name: "evaluate", on: onPools,
		params: []Param{
			{Name: "step", Doc: "a function of the state so far, a face, and how many dice show it, which returns the next state; " +
				"it is called for the faces from low to high, also when no die shows one"},
			{Name: "start", Doc: "the state before the lowest face: a number, text or a tuple"},
			{Name: "finish", Default: "None", Doc: "a function of the last state that returns the result; without it the state is the result"},
		},
		doc:     "What a function makes of the pool that looks at how many dice show each face, one face after the other. " + answerDoc,
		errors:  "a state that can change, such as a list; otherwise as for map",
		example: `dice_pool(5, 6).evaluate(lambda best, face, count: max(best, count), 0).p_ge(3).fraction`,
		result:  "23/108",
		run:     evaluate,
	}}
}

func evaluate(c call) (starlark.Value, error) {
	m, err := newMachine(c)
	if err != nil {
		return nil, err
	}
	start, err := m.states.index(c.value(1))
	if err != nil {
		return nil, c.want(1, stateWords)
	}
	pool, err := diceOf(c.recv)
	if err != nil {
		return nil, err
	}
	tally, err := dist.Evaluate(m.ctx, pool, start, m.next)
	if err != nil {
		return nil, err
	}
	a := &answers{cb: m.last}
	for _, d := range pool.Dice() {
		a.bound = addUp(a.bound, d.ErrorBound())
	}
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

// stateWidth is how many words a state takes, with its place in the tables of
// the faces around it.
const stateWidth = answerWords

const stateWords = "a state that can't change: a number, text or a tuple"

// A machine runs the functions of a recipe over numbered states.
type machine struct {
	ctx    context.Context
	states interner
	step   *callback
	finish *callback // nil when the state is the result
	last   *callback // what the result comes from
}

func newMachine(c call) (*machine, error) {
	m := &machine{ctx: c.ctx()}
	var err error
	if m.step, err = newCallback(c, 0, 3, "the state, a face, and how many dice show it"); err != nil {
		return nil, err
	}
	m.last = &callback{thread: c.thread, param: "step", args: make(starlark.Tuple, 1)}
	if c.given(2) {
		m.finish, err = newCallback(c, 2, 1, "the last state")
		m.last = m.finish
	}
	return m, err
}

// next returns the state that follows when so many dice show a face.
func (m *machine) next(s, face, count int) (int, error) {
	if err := dist.ChargeWork(m.ctx, callCost); err != nil {
		return 0, err
	}
	args := m.step.args
	args[0], args[1], args[2] = m.states.values[s], starlark.MakeInt(face), starlark.MakeInt(count)
	v, err := m.step.call()
	if err != nil {
		return 0, err
	}
	if v == starlark.None && m.states.values[0] != starlark.None {
		return 0, m.step.returned(v, "")
	}
	words, err := chargeLabel(m.ctx, v)
	if err != nil {
		return 0, fmt.Errorf("step: a state: %w", err)
	}
	known := len(m.states.values)
	next, err := m.states.index(v)
	switch {
	case err != nil:
		return 0, m.step.returned(v, "want "+stateWords)
	case next == known:
		return next, dist.ChargeTable(m.ctx, 1, stateWidth+words)
	}
	return next, nil
}

// worth returns what a state is worth after the highest face.
func (m *machine) worth(s int) (starlark.Value, error) {
	m.last.args[0] = m.states.values[s]
	if m.finish == nil {
		return m.states.values[s], nil
	}
	return m.finish.call()
}
