package builtins

import (
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Independent copies of one roll are added up; how many there are may be a roll too.

func timesBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "times", Free: true,
			Params: []define.Param{
				{Name: "n", Doc: "how many times; may be a roll itself; below 0 the sum is subtracted"},
				{Name: "roll", Doc: "the roll, or Outcomes of tuples of whole numbers, which add place by place"},
			},
			Doc:     "The sum of several independent rolls of the same kind, as in a d4 of d6s.",
			Errors:  "Outcomes with other labels",
			Example: "times(d(4), d(6)).mean().fraction",
			Result:  "35/4",
			Run:     timesRolled,
		},
	}
}

// dieName is how a die is written, when it is a fair one.
func dieName(v starlark.Value) string {
	if sides := value.FairSides(v); sides > 0 {
		return fmt.Sprintf("d%d", sides)
	}
	return "roll"
}

func timesRolled(c define.Call) (starlark.Value, error) {
	if o, ok := c.Value(1).(*value.Outcomes); ok {
		return timesVectors(c, o)
	}
	if n, ok := c.Value(1).(starlark.Int); ok && value.IsDice(c.Value(0)) {
		return nil, c.Wrong(1, "got %s, want a roll; the number comes first, as in times(%s, %s)", value.Describe(n), value.Describe(n), dieName(c.Value(0)))
	}
	roll, err := c.Dice(1)
	if err != nil {
		return nil, err
	}
	if n, ok := value.Int(c.Value(0)); ok {
		if n < 0 {
			if roll, err = roll.Neg(c.Context()); err != nil {
				return nil, err
			}
			n = -n
		}
		return c.Rolled(roll.Times(c.Context(), n))
	}
	count, err := c.Roll(0)
	if err != nil {
		return nil, err
	}
	return c.Rolled(dist.TimesRolled(c.Context(), count, roll))
}
