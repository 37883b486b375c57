package builtins

import (
	"fmt"
	"math"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// How many steps a process takes until it reaches what is asked for.

func firstTimeBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "first_time", Free: true,
			Params: []define.Param{startParam, stepParam,
				{Name: "done", Doc: "a function of a state that returns whether it is reached"},
				{Name: "limit", Doc: "the largest number of steps that is counted; None follows the process without end", Default: "None"}},
			Doc: "How many steps a process takes until it is done: without a limit a roll, whose mean and variance are exact; " +
				"with one Outcomes over 0 to limit, and what is left beyond it, whose p_at_most(n) is the chance of being done within n steps.",
			Errors:  "a done that returns a chance or a roll instead of True or False; without a limit, a process that need not come to be done",
			Example: `first_time(0, lambda faces: either(d(6).p_gt(faces), faces + 1, faces), lambda faces: faces == 6).mean().fraction`,
			Result:  "147/10",
			Run:     firstTime,
		},
	}
}

func firstTime(c define.Call) (starlark.Value, error) {
	ch, err := callback.NewChain(c)
	if err != nil {
		return nil, err
	}
	cb, err := callback.New(c, 2, 1, "the state")
	if err != nil {
		return nil, err
	}
	done := func(s *callback.State) (bool, error) {
		if ch.IsBefore(s) {
			return false, nil
		}
		return cb.Holds(s.Value)
	}
	if !c.Given(3) {
		return waitingTime(c, ch, done)
	}
	limit, err := c.AtLeast(3, 0, 0)
	if err != nil {
		return nil, err
	}
	if err := c.Meter().Keep(int64(limit)); err != nil {
		return nil, err
	}
	most := limit
	if most < math.MaxInt {
		most += ch.Uncounted()
	}
	o, err := dist.FirstTime(c.Context(), ch.Start, ch.Next, done, most)
	if err != nil {
		return nil, err
	}
	return timesOf(c, o, limit, ch.Uncounted())
}

// waitingTime follows a process without end.
func waitingTime(c define.Call, ch *callback.Chain, done func(*callback.State) (bool, error)) (starlark.Value, error) {
	d, err := dist.WaitingTime(c.Context(), ch.Start, ch.Next, done)
	if err != nil || ch.Uncounted() == 0 {
		return c.Rolled(d, err)
	}
	return c.Rolled(d.Shift(c.Context(), -ch.Uncounted()))
}

// timesOf labels the times of o, which begins with so many steps that are not
// counted, and what is left.
func timesOf(c define.Call, o *dist.Outcomes[int], limit, uncounted int) (starlark.Value, error) {
	in := &intern.Table{}
	for n := range limit + 1 {
		in.Index(starlark.MakeInt(n))
	}
	in.Index(beyond(limit))
	set := value.NewLabelSet(in, true)
	if uncounted == 0 {
		return value.NewOutcomes(c.Methods(), set, o), nil
	}
	over, err := dist.Relabel(c.Context(), o, func(n int) (int, error) { return max(0, n-uncounted), nil })
	return c.Placed(set, over, err)
}

// beyond is the label of what takes longer than is counted.
func beyond(limit int) starlark.String { return starlark.String(fmt.Sprintf(">%d", limit)) }
