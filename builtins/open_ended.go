package builtins

import (
	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// An open-ended roll adds a chain of further rolls when it is high and subtracts one
// when it is low.

func openEndedBuiltins() []define.Builtin {
	maxChain := define.Param{Name: "max_chain", Doc: "how many further rolls may follow the first extra roll; None is unlimited", Default: "8", Also: []string{"cap"}}
	return []define.Builtin{
		{
			Name: "open_ended_d100", Free: true,
			Params:  []define.Param{maxChain},
			Doc:     "A d100 on which 96 to 100 adds a chain of further rolls and 1 to 5 subtracts one; the chain goes on at 96 and above.",
			Errors:  "a negative max_chain",
			Example: "open_ended_d100().p_ge(150).fraction",
			Result:  "49/2000",
			Run:     openEndedD100,
		},
		{
			Name: "open_ended", Free: true,
			Params: []define.Param{
				{Name: "die", Doc: "the die of the first roll and of all others"},
				{Name: "low", Doc: "the first results that subtract a chain; None for none"},
				{Name: "high", Doc: "the first results that add a chain; None for none"},
				{Name: "chain", Doc: "the results on which a chain goes on"},
				maxChain,
			},
			Doc:     "A roll that adds a chain of further rolls when the first is high and subtracts one when it is low.",
			Errors:  "triggers that overlap; a negative max_chain; a chain that can never end",
			Example: "open_ended(d(100), None, at_least(96), at_least(96), None).mean().fraction",
			Result:  "1010/19",
			Run:     openEnded,
		},
	}
}

func openEndedD100(c define.Call) (starlark.Value, error) {
	limit, err := c.Limit(0, 0, 8)
	if err != nil {
		return nil, err
	}
	high := dist.Must(dist.Through(96, 100))
	low := dist.Must(dist.Through(1, 5))
	return c.Rolled(dist.OpenEnded(c.Context(), dist.Must(dist.Die(100)), low, high, high, limit))
}

func openEnded(c define.Call) (starlark.Value, error) {
	die, err := c.Roll(0)
	if err != nil {
		return nil, err
	}
	var sets [3]dist.Set
	for i := range sets {
		if sets[i], err = triggerOf(c, i+1, die); err != nil {
			return nil, err
		}
	}
	limit, err := c.Limit(4, 0, 8)
	if err != nil {
		return nil, err
	}
	return c.Rolled(dist.OpenEnded(c.Context(), die, sets[0], sets[1], sets[2], limit))
}

// triggerOf returns argument i as a set of faces of the die, empty when it is None.
func triggerOf(c define.Call, i int, die *dist.Dist) (dist.Set, error) {
	if !c.Given(i) {
		return dist.Nothing, nil
	}
	return callback.FacesOf(c, i, die)
}
