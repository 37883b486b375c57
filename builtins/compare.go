package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Several rolls are laid side by side on one axis.

func comparisonBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "compare", Free: true,
		Params:  []define.Param{{Name: "rolls", Doc: "a list of (label, roll)"}},
		Doc:     "Several rolls side by side on one axis, to be shown by output.",
		Errors:  "a label that comes twice",
		Example: `compare([("plain", d(20)), ("advantage", max(dice_pool(2, 20)))])`,
		Result:  "Comparison(plain: DieRoll 1..20, mean 10.500; advantage: DieRoll 1..20, mean 13.825)",
		Run:     compareRolls,
	}}
}

func compareRolls(c define.Call) (starlark.Value, error) {
	rows, err := labelledRows(c, 0, "roll")
	if err != nil {
		return nil, err
	}
	table := make([]value.ComparedRoll, len(rows))
	var seen intern.Table
	for i, row := range rows {
		if err := runenv.LookAt(c.Thread, i); err != nil {
			return nil, err
		}
		d, ok, err := value.AsRoll(c.Thread, row.value)
		if !ok {
			return nil, c.Wrong(0, "row %d, %s: %s", i+1, value.Shorten(row.label.String()), value.NotRoll(row.value))
		}
		if err != nil {
			return nil, err
		}
		if at, err := seen.Index(row.label); err != nil || at < i {
			return nil, c.Wrong(0, "row %d: the label %s comes twice", i+1, value.Shorten(row.label.String()))
		}
		table[i] = value.ComparedRoll{Label: row.label, Roll: d}
	}
	return value.NewComparison(c.Methods(), table), nil
}
