package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// The long-run shares of the states of a process that goes on for ever.

func stationaryBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "stationary", Free: true,
		Params: []define.Param{startParam, stepParam},
		Doc: "How much of its time a process that never ends spends in each state, in the long run: a roll when the states are " +
			"whole numbers, otherwise Outcomes. A process that comes back in turns has its share over time.",
		Errors:  "several classes of states that are never left; a step with an unlimited roll",
		Example: `stationary("lit", lambda torch: either("1/6", "flickers", "lit") if torch == "lit" else "lit").pmf("flickers").fraction`,
		Result:  "1/7",
		Run: func(c define.Call) (starlark.Value, error) {
			ch, err := callback.NewChain(c)
			if err != nil {
				return nil, err
			}
			o, err := dist.Stationary(c.Context(), ch.Start, ch.Next)
			if err != nil {
				return nil, err
			}
			return ch.Result(o)
		},
	}}
}
