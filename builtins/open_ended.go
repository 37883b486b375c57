package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// An open-ended roll adds a chain of further rolls when it is high and subtracts one
// when it is low.

func openEndedBuiltins() []builtin {
	maxChain := Param{Name: "max_chain", Doc: "how many further rolls may follow the first extra roll; None is unlimited", Default: "8", Also: []string{"cap"}}
	return []builtin{
		{
			name: "open_ended_d100", free: true,
			params:  []Param{maxChain},
			doc:     "A d100 on which 96 to 100 adds a chain of further rolls and 1 to 5 subtracts one; the chain goes on at 96 and above.",
			errors:  "a negative max_chain",
			example: "open_ended_d100().p_ge(150).fraction",
			result:  "49/2000",
			run:     openEndedD100,
		},
		{
			name: "open_ended", free: true,
			params: []Param{
				{Name: "die", Doc: "the die of the first roll and of all others"},
				{Name: "low", Doc: "the first results that subtract a chain; None for none"},
				{Name: "high", Doc: "the first results that add a chain; None for none"},
				{Name: "chain", Doc: "the results on which a chain goes on"},
				maxChain,
			},
			doc:     "A roll that adds a chain of further rolls when the first is high and subtracts one when it is low.",
			errors:  "triggers that overlap; a negative max_chain; a chain that can never end",
			example: "open_ended(d(100), None, at_least(96), at_least(96), None).mean().fraction",
			result:  "1010/19",
			run:     openEnded,
		},
	}
}

func openEndedD100(c call) (starlark.Value, error) {
	limit, err := c.limit(0, 0, 8)
	if err != nil {
		return nil, err
	}
	high := dist.Must(dist.Through(96, 100))
	low := dist.Must(dist.Through(1, 5))
	return c.rolled(dist.OpenEnded(c.ctx(), dist.Must(dist.Die(100)), low, high, high, limit))
}

func openEnded(c call) (starlark.Value, error) {
	die, err := c.roll(0)
	if err != nil {
		return nil, err
	}
	var sets [3]dist.Set
	for i := range sets {
		if sets[i], err = triggerOf(c, i+1, die); err != nil {
			return nil, err
		}
	}
	limit, err := c.limit(4, 0, 8)
	if err != nil {
		return nil, err
	}
	return c.rolled(dist.OpenEnded(c.ctx(), die, sets[0], sets[1], sets[2], limit))
}

// triggerOf returns argument i as a set of faces of the die, empty when it is None.
func triggerOf(c call, i int, die *dist.Dist) (dist.Set, error) {
	if !c.given(i) {
		return dist.Nothing, nil
	}
	return facesOf(c, i, die)
}
