package builtins

import (
	"math"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// The state of a process after some steps, or once it is absorbed: in a state whose
// next state is itself.

func iterateBuiltins() []define.Builtin {
	const duel = `iterate(3, lambda hp: hp if hp in (0, 6) else either("1/2", hp - 1, hp + 1), None)`
	return []define.Builtin{
		{
			Name: "iterate", Free: true,
			Params:  []define.Param{startParam, stepParam, {Name: "n", Doc: "how many steps; None goes on until it ends, in a state whose next state is itself"}},
			Doc:     "The state of a process after n steps: a roll when the states are whole numbers, otherwise Outcomes.",
			Errors:  "n is None and the process need not end",
			Example: duel + ".pmf(6).fraction",
			Result:  "1/2",
			Run:     iterate,
		},
		{
			Name: "steps", On: []string{"DieRoll", "Outcomes"},
			Doc:     "Of what iterate(start, step, None) returns: the mean number of steps until the process is at rest.",
			Errors:  "a value that comes from elsewhere; steps with an unlimited roll",
			Example: duel + ".steps",
			Result:  "9",
			Attr:    meanSteps,
		},
	}
}

func iterate(c define.Call) (starlark.Value, error) {
	ch, err := callback.NewChain(c)
	if err != nil {
		return nil, err
	}
	if c.Value(2) == starlark.None {
		return settled(c.Context(), ch)
	}
	n, err := c.AtLeast(2, 0, 0)
	if err != nil {
		return nil, err
	}
	if n > math.MaxInt32 {
		return nil, c.Wrong(2, "got %d, want at most %d; None goes on until it ends", n, math.MaxInt32)
	}
	o, err := dist.Iterate(c.Context(), ch.Start, ch.Next, n+ch.Uncounted())
	if err != nil {
		return nil, err
	}
	return ch.Result(o)
}

// Parameters of every function that follows a process.
var (
	startParam = define.Param{Name: "start", Doc: "the state it begins in: a whole number, a label or a tuple; a roll or Outcomes when chance decides"}
	stepParam  = define.Param{Name: "step", Doc: "a function of a state that returns the next one, or a roll or Outcomes when chance decides; it is called once for every state"}
)
