package builtins

import (
	"fmt"
	"math/big"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A table of chances answers several separate questions side by side. Its
// chances need not add up to 1: "at least 10" and "at least 15" overlap.

// A ProbTable is a list of labelled chances.
type ProbTable struct{ rows []ProbRow }

// A ProbRow is one labelled chance of a [ProbTable].
type ProbRow struct {
	Label  starlark.Value // text, a whole number or a tuple
	Chance *big.Rat
	Error  float64 // the truth is within this of Chance
}

var (
	_ starlark.HasAttrs   = (*ProbTable)(nil)
	_ starlark.Comparable = (*ProbTable)(nil)
)

// Rows returns the rows in their order.
func (t *ProbTable) Rows() []ProbRow { return append([]ProbRow(nil), t.rows...) }

// String shows the chances: ProbTable(10+: 0.5, 15+: 0.25).
func (t *ProbTable) String() string {
	parts := make([]string, len(t.rows))
	for i, row := range t.rows {
		parts[i] = labelText(row.Label) + ": " + newProb(row.Chance, row.Error).String()
	}
	return "ProbTable(" + strings.Join(parts, ", ") + ")"
}

func (t *ProbTable) Type() string                             { return "ProbTable" }
func (t *ProbTable) Freeze()                                  {}
func (t *ProbTable) Truth() starlark.Bool                     { return true }
func (t *ProbTable) Hash() (uint32, error)                    { return starlark.String(t.String()).Hash() }
func (t *ProbTable) Attr(name string) (starlark.Value, error) { return attrOf(t, name) }
func (t *ProbTable) AttrNames() []string                      { return attrNames("ProbTable") }

// CompareSameType reports whether two tables have the same rows.
func (t *ProbTable) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*ProbTable)
	return structurally(op, ok && t.sameAs(other), t)
}

func (t *ProbTable) sameAs(u *ProbTable) bool {
	if len(t.rows) != len(u.rows) {
		return false
	}
	for i, a := range t.rows {
		b := u.rows[i]
		if a.Chance.Cmp(b.Chance) != 0 || a.Error != b.Error || a.Label.String() != b.Label.String() {
			return false
		}
	}
	return true
}

func probTableBuiltins() []builtin {
	return []builtin{
		{
			name: "prob_table", free: true,
			params:  []Param{{Name: "rows", Doc: "a list of (label, chance)"}},
			doc:     "A table of labelled chances that answer separate questions, to be shown by output.",
			errors:  "a chance that is not from 0 to 1",
			example: `prob_table([("10 or more", dice_pool(3, 6).p_ge(10)), ("16 or more", dice_pool(3, 6).p_ge(16))])`,
			result:  "ProbTable(10 or more: 0.625, 16 or more: 0.046296296296296294)",
			run: func(c call) (starlark.Value, error) {
				rows, err := c.labelled(0, "chance")
				if err != nil {
					return nil, err
				}
				t := &ProbTable{rows: make([]ProbRow, len(rows))}
				for i, row := range rows {
					if err := lookAt(c.thread, i); err != nil {
						return nil, err
					}
					p, bound, problem := chanceIn(row.value)
					if problem != "" {
						return nil, c.wrong(0, "row %d, %s: %s", i+1, row.label, problem)
					}
					t.rows[i] = ProbRow{Label: row.label, Chance: p, Error: bound}
				}
				return t, nil
			},
		},
		{
			name: "labels", on: []string{"ProbTable"},
			doc:     "The list of labels of the rows.",
			example: `prob_table([("hit", "1/2"), ("crit", "1/20")]).labels`,
			result:  `["hit", "crit"]`,
			attr: func(v starlark.Value) (starlark.Value, error) {
				var labels []starlark.Value
				for _, row := range v.(*ProbTable).rows {
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
		return boolRat(bool(yes)), 0, ""
	}
	r, bound, problem := ratOf(v)
	if problem == "" && !isChance(r) {
		problem = fmt.Sprintf("got %s, want a chance from 0 to 1%s", describe(v), percentHint(r))
	}
	return r, bound, problem
}

func boolRat(yes bool) *big.Rat {
	if yes {
		return big.NewRat(1, 1)
	}
	return new(big.Rat)
}

// A labelledValue is one row of a list of pairs.
type labelledValue struct{ label, value starlark.Value }

// labelled returns argument i as a list of (label, what) with at least one row.
func (c call) labelled(i int, what string) ([]labelledValue, error) {
	want := fmt.Sprintf("a list of rows like (\"label\", %s)", what)
	if _, isDict := c.value(i).(*starlark.Dict); isDict {
		return nil, c.wrong(i, "got a dict, want %s; write .items() after the dict", want)
	}
	values, ok := elements(c.value(i))
	if !ok {
		return nil, c.want(i, want)
	}
	if len(values) == 0 {
		return nil, c.wrong(i, "got an empty list, want at least one row like (\"label\", %s)", what)
	}
	rows := make([]labelledValue, len(values))
	for n, v := range values {
		if err := lookAt(c.thread, n); err != nil {
			return nil, err
		}
		pair, ok := elements(v)
		if !ok || len(pair) != 2 {
			return nil, c.wrong(i, "row %d: got %s, want (\"label\", %s)", n+1, describe(v), what)
		}
		if err := checkLabel(pair[0]); err != nil {
			return nil, c.wrong(i, "row %d: the label: %v", n+1, err)
		}
		rows[n] = labelledValue{pair[0], pair[1]}
	}
	return rows, nil
}
