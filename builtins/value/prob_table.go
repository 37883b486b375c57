package value

import (
	"math/big"
	"strings"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A table of chances answers several separate questions side by side. Its
// chances need not add up to 1: "at least 10" and "at least 15" overlap.

// A ProbTable is a list of labelled chances.
type ProbTable struct {
	made
	rows []ProbRow
	size meter.Size
}

// A ProbRow is one labelled chance of a [ProbTable].
type ProbRow struct {
	Label  starlark.Value // text, a whole number or a tuple
	Chance *big.Rat
	Bound  float64 // the truth is within this of Chance
}

var (
	_ starlark.HasAttrs   = (*ProbTable)(nil)
	_ starlark.Comparable = (*ProbTable)(nil)
)

// NewProbTable returns rows, which nobody may change, as a value with methods.
func NewProbTable(m Methods, rows []ProbRow) *ProbTable {
	return &ProbTable{made: made{methods: m}, rows: rows, size: sizeOfTable(rows)}
}

// Rows returns the rows in their order.
func (t *ProbTable) Rows() []ProbRow { return append([]ProbRow(nil), t.rows...) }

// String shows the chances: ProbTable(10+: 0.5, 15+: 0.25).
func (t *ProbTable) String() string {
	parts := make([]string, len(t.rows))
	for i, row := range t.rows {
		parts[i] = LabelText(row.Label) + ": " + exact.New(row.Chance, row.Bound).String()
	}
	return "ProbTable(" + strings.Join(parts, ", ") + ")"
}

func (t *ProbTable) Type() string                             { return "ProbTable" }
func (t *ProbTable) Freeze()                                  {}
func (t *ProbTable) Truth() starlark.Bool                     { return true }
func (t *ProbTable) Hash() (uint32, error)                    { return starlark.String(t.String()).Hash() }
func (t *ProbTable) Attr(name string) (starlark.Value, error) { return t.methods.Attr(t, name) }
func (t *ProbTable) AttrNames() []string                      { return t.methods.AttrNames(t) }

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
		if a.Chance.Cmp(b.Chance) != 0 || a.Bound != b.Bound || !sameLabel(a.Label, b.Label) {
			return false
		}
	}
	return true
}
