package builtins

import (
	"fmt"
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A table of chances that answer separate questions.

func probTableBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "prob_table", Free: true,
			Params:  []define.Param{{Name: "rows", Doc: "a list of (label, chance)"}},
			Doc:     "A table of labelled chances that answer separate questions, to be shown by output.",
			Errors:  "a chance that is not from 0 to 1",
			Example: `prob_table([("10 or more", dice_pool(3, 6).p_ge(10)), ("16 or more", dice_pool(3, 6).p_ge(16))])`,
			Result:  "ProbTable(10 or more: 0.625, 16 or more: 0.046296296296296294)",
			Run: func(c define.Call) (starlark.Value, error) {
				rows, err := labelledRows(c, 0, "chance")
				if err != nil {
					return nil, err
				}
				table := make([]value.ProbRow, len(rows))
				for i, row := range rows {
					if err := runenv.LookAt(c.Thread, i); err != nil {
						return nil, err
					}
					p, bound, problem := chanceIn(row.value)
					if problem != "" {
						return nil, c.Wrong(0, "row %d, %s: %s", i+1, value.Shorten(row.label.String()), problem)
					}
					table[i] = value.ProbRow{Label: row.label, Chance: p, Bound: bound}
				}
				return value.NewProbTable(c.Methods(), table), nil
			},
		},
		{
			Name: "labels", On: []string{"ProbTable"},
			Doc:     "The list of labels of the rows.",
			Example: `prob_table([("hit", "1/2"), ("crit", "1/20")]).labels`,
			Result:  `["hit", "crit"]`,
			Attr: func(c define.Call) (starlark.Value, error) {
				var labels []starlark.Value
				for _, row := range c.Receiver.(*value.ProbTable).Rows() {
					labels = append(labels, row.Label)
				}
				return frozenList(labels), nil
			},
		},
	}
}

// chanceIn returns a value of a table as a chance, or what is wrong with it.
func chanceIn(v starlark.Value) (*big.Rat, float64, string) {
	if yes, ok := v.(starlark.Bool); ok {
		return exact.Indicator(bool(yes)), 0, ""
	}
	r, bound, problem := value.RatOf(v)
	if problem == "" && !exact.IsChance(r) {
		problem = fmt.Sprintf("got %s, want a chance from 0 to 1%s", value.Describe(v), value.PercentHint(r))
	}
	return r, bound, problem
}

// A labelledValue is one row of a list of pairs.
type labelledValue struct{ label, value starlark.Value }

// labelledRows returns argument i as a list of (label, what) with at least one row.
func labelledRows(c define.Call, i int, what string) ([]labelledValue, error) {
	want := fmt.Sprintf("a list of rows like (\"label\", %s)", what)
	if _, isDict := c.Value(i).(*starlark.Dict); isDict {
		return nil, c.Wrong(i, "got a dict, want %s; write .items() after the dict", want)
	}
	values, ok := value.Elements(c.Value(i))
	if !ok {
		return nil, c.Want(i, want)
	}
	if len(values) == 0 {
		return nil, c.Wrong(i, "got an empty list, want at least one row like (\"label\", %s)", what)
	}
	rows := make([]labelledValue, len(values))
	for n, v := range values {
		if err := runenv.LookAt(c.Thread, n); err != nil {
			return nil, err
		}
		pair, ok := value.Elements(v)
		if !ok || len(pair) != 2 {
			return nil, c.Wrong(i, "row %d: got %s, want (\"label\", %s)", n+1, value.Describe(v), what)
		}
		if _, number := pair[0].(starlark.Int); number {
			return nil, c.Wrong(i, "row %d: the label: got %s, want text, as in (\"label\", %s)", n+1, value.Describe(pair[0]), what)
		}
		if err := value.CheckLabel(c.Meter(), pair[0]); err != nil {
			return nil, c.Label(i, fmt.Errorf("row %d: the label: %w", n+1, err))
		}
		rows[n] = labelledValue{pair[0], pair[1]}
	}
	return rows, nil
}
