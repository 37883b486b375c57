package builtins

import (
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Independent copies of one roll are added up; how many there are may be a roll too.

func timesBuiltins() []builtin {
	return []builtin{
		{
			name: "times", free: true,
			params: []Param{
				{Name: "n", Doc: "how many times; may be a roll itself; below 0 the sum is subtracted"},
				{Name: "roll", Doc: "the roll, or Outcomes of tuples of whole numbers, which add place by place"},
			},
			doc:     "The sum of several independent rolls of the same kind, as in a d4 of d6s.",
			errors:  "Outcomes with other labels",
			example: "times(d(4), d(6)).mean().fraction",
			result:  "35/4",
			run:     timesRolled,
		},
	}
}

func timesRolled(c call) (starlark.Value, error) {
	if o, ok := c.value(1).(*value.Outcomes); ok {
		return c.timesVectors(o)
	}
	roll, err := c.roll(1)
	if err != nil {
		return nil, err
	}
	if n, ok := value.Int(c.value(0)); ok {
		if n < 0 {
			if roll, err = roll.Neg(c.ctx()); err != nil {
				return nil, err
			}
			n = -n
		}
		return c.rolled(roll.Times(c.ctx(), n))
	}
	count, err := c.roll(0)
	if err != nil {
		return nil, err
	}
	return c.rolled(dist.TimesRolled(c.ctx(), count, roll))
}
