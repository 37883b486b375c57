package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A pool can be evaluated face by face instead of die by die: the recipe keeps a
// small state, is told how many dice show each face, from the lowest face up,
// and says in the end what the state is worth. A rule about sets, straights or
// the best few dice needs a few states instead of millions of combinations.

func evaluateBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "evaluate", On: onPools,
		Params: []define.Param{
			{Name: "step", Doc: "a function of the state so far, a face, and how many dice show it, which returns the next state; " +
				"it is called for the faces from low to high, also when no die shows one"},
			{Name: "start", Doc: "the state before the lowest face: a number, text or a tuple"},
			{Name: "finish", Default: "None", Doc: "a function of the last state that returns the result; without it the state is the result"},
		},
		Doc:     "What a function makes of the pool that looks at how many dice show each face, one face after the other. " + answerDoc,
		Errors:  "a state that can change, such as a list; otherwise as for map",
		Example: `dice_pool(5, 6).evaluate(lambda best, face, count: max(best, count), 0).p_ge(3).fraction`,
		Result:  "23/108",
		Run:     evaluate,
	}}
}

func evaluate(c define.Call) (starlark.Value, error) {
	m, err := callback.NewMachine(c, 2, 1, "the state, a face, and how many dice show it")
	if err != nil {
		return nil, err
	}
	pool, err := value.AsPool(c.Receiver)
	if err != nil {
		return nil, err
	}
	return m.Evaluate(pool)
}
