package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// The long-run shares of the states of a process that goes on for ever.

func stationaryBuiltins() []builtin {
	return []builtin{{
		name: "stationary", free: true,
		params: []Param{startParam, stepParam},
		doc: "How much of its time a process that never ends spends in each state, in the long run: a roll when the states are " +
			"whole numbers, otherwise Outcomes. A process that comes back in turns has its share over time.",
		errors:  "several classes of states that are never left; a step with an unlimited roll",
		example: `stationary("lit", lambda torch: either("1/6", "flickers", "lit") if torch == "lit" else "lit").pmf("flickers").fraction`,
		result:  "1/7",
		run: func(c call) (starlark.Value, error) {
			ch, err := newChain(c)
			if err != nil {
				return nil, err
			}
			o, err := dist.Stationary(c.ctx(), ch.start, ch.next)
			if err != nil {
				return nil, err
			}
			return ch.result(o)
		},
	}}
}
