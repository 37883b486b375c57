package builtins

import (
	"math"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// The state of a process after some steps, or once it is absorbed: in a state whose
// next state is itself.

func iterateBuiltins() []builtin {
	const duel = `iterate(3, lambda hp: hp if hp in (0, 6) else either("1/2", hp - 1, hp + 1), None)`
	return []builtin{
		{
			name: "iterate", free: true,
			params:  []Param{startParam, stepParam, {Name: "n", Doc: "how many steps; None goes on until it ends, in a state whose next state is itself"}},
			doc:     "The state of a process after n steps: a roll when the states are whole numbers, otherwise Outcomes.",
			errors:  "n is None and the process need not end",
			example: duel + ".pmf(6).fraction",
			result:  "1/2",
			run:     iterate,
		},
		{
			name: "steps", on: []string{"DieRoll", "Outcomes"},
			doc:     "Of what iterate(start, step, None) returns: the mean number of steps until the process is at rest.",
			errors:  "a value that comes from elsewhere; steps with an unlimited roll",
			example: duel + ".steps",
			result:  "9",
			attr:    meanSteps,
		},
	}
}

func iterate(c call) (starlark.Value, error) {
	ch, err := newChain(c)
	if err != nil {
		return nil, err
	}
	if c.value(2) == starlark.None {
		return settled(c.ctx(), ch)
	}
	n, err := c.atLeast(2, 0, 0)
	if err != nil {
		return nil, err
	}
	if n > math.MaxInt32 {
		return nil, c.wrong(2, "got %d, want at most %d; None goes on until it ends", n, math.MaxInt32)
	}
	o, err := dist.Iterate(c.ctx(), ch.start, ch.next, n+ch.uncounted())
	if err != nil {
		return nil, err
	}
	return ch.result(o)
}

// Parameters of every function that follows a process.
var (
	startParam = Param{Name: "start", Doc: "the state it begins in: a whole number, a label or a tuple; a roll or Outcomes when chance decides"}
	stepParam  = Param{Name: "step", Doc: "a function of a state that returns the next one, or a roll or Outcomes when chance decides; it is called once for every state"}
)
