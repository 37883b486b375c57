package builtins

import (
	"fmt"
	"math"

	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// How many steps a process takes until it reaches what is asked for.

func firstTimeBuiltins() []builtin {
	return []builtin{
		{
			name: "first_time", free: true,
			params: []Param{startParam, stepParam,
				{Name: "done", Doc: "a function of a state that returns whether it is reached"},
				{Name: "limit", Doc: "the largest number of steps that is counted; None follows the process without end", Default: "None"}},
			doc: "How many steps a process takes until it is done: without a limit a roll, whose mean and variance are exact; " +
				"with one Outcomes over 0 to limit, and what is left beyond it, whose p_at_most(n) is the chance of being done within n steps.",
			errors:  "a done that returns a chance or a roll instead of True or False; without a limit, a process that need not come to be done",
			example: `first_time(0, lambda faces: either(d(6).p_gt(faces), faces + 1, faces), lambda faces: faces == 6).mean().fraction`,
			result:  "147/10",
			run:     firstTime,
		},
	}
}

func firstTime(c call) (starlark.Value, error) {
	ch, err := newChain(c)
	if err != nil {
		return nil, err
	}
	cb, err := newCallback(c, 2, 1, "the state")
	if err != nil {
		return nil, err
	}
	done := func(s *state) (bool, error) {
		if ch.isBefore(s) {
			return false, nil
		}
		return cb.holds(s.value)
	}
	if !c.given(3) {
		return waitingTime(c, ch, done)
	}
	limit, err := c.atLeast(3, 0, 0)
	if err != nil {
		return nil, err
	}
	if err := c.meter().Keep(int64(limit)); err != nil {
		return nil, err
	}
	most := limit
	if most < math.MaxInt {
		most += ch.uncounted()
	}
	o, err := dist.FirstTime(c.ctx(), ch.start, ch.next, done, most)
	if err != nil {
		return nil, err
	}
	return timesOf(c, o, limit, ch.uncounted())
}

// waitingTime follows a process without end.
func waitingTime(c call, ch *chain, done func(*state) (bool, error)) (starlark.Value, error) {
	d, err := dist.WaitingTime(c.ctx(), ch.start, ch.next, done)
	if err != nil || ch.uncounted() == 0 {
		return c.rolled(d, err)
	}
	return c.rolled(d.Shift(c.ctx(), -ch.uncounted()))
}

// timesOf labels the times of o, which begins with so many steps that are not
// counted, and what is left.
func timesOf(c call, o *dist.Outcomes[int], limit, uncounted int) (starlark.Value, error) {
	in := &intern.Table{}
	for n := range limit + 1 {
		in.Index(starlark.MakeInt(n))
	}
	in.Index(starlark.String(fmt.Sprintf(">%d", limit)))
	set := value.NewLabelSet(in, true)
	if uncounted == 0 {
		return value.NewOutcomes(c.methods(), set, o), nil
	}
	over, err := dist.Relabel(c.ctx(), o, func(n int) (int, error) { return max(0, n-uncounted), nil })
	return c.placed(set, over, err)
}
