package value

import (
	"strings"

	"dicescript/builtins/meter"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A comparison lays several rolls side by side on one axis, to be shown
// together.

// A Comparison is a list of labelled rolls.
type Comparison struct {
	made
	rows []ComparedRoll
	size meter.Size
}

// A ComparedRoll is one labelled roll of a [Comparison].
type ComparedRoll struct {
	Label starlark.Value // text, a whole number or a tuple
	Roll  *dist.Dist
}

var (
	_ starlark.HasAttrs   = (*Comparison)(nil)
	_ starlark.Comparable = (*Comparison)(nil)
)

// NewComparison returns rows, which nobody may change, as a value with methods.
func NewComparison(m Methods, rows []ComparedRoll) *Comparison {
	return &Comparison{made: made{methods: m}, rows: rows, size: sizeOfComparison(rows)}
}

// Rolls returns the rolls in their order.
func (t *Comparison) Rolls() []ComparedRoll { return append([]ComparedRoll(nil), t.rows...) }

// String shows the rolls: Comparison(plain: DieRoll 1..20, mean 10.500).
func (t *Comparison) String() string {
	parts := make([]string, len(t.rows))
	for i, row := range t.rows {
		parts[i] = LabelText(row.Label) + ": " + NewRoll(t.methods, row.Roll).String()
	}
	return "Comparison(" + strings.Join(parts, "; ") + ")"
}

func (t *Comparison) Type() string                             { return "Comparison" }
func (t *Comparison) Freeze()                                  {}
func (t *Comparison) Truth() starlark.Bool                     { return true }
func (t *Comparison) Hash() (uint32, error)                    { return starlark.String(t.String()).Hash() }
func (t *Comparison) Attr(name string) (starlark.Value, error) { return t.methods.Attr(t, name) }
func (t *Comparison) AttrNames() []string                      { return t.methods.AttrNames(t) }

// CompareSameType reports whether two comparisons have the same rolls.
func (t *Comparison) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Comparison)
	return structurally(op, ok && t.sameAs(other), t)
}

func (t *Comparison) sameAs(u *Comparison) bool {
	if len(t.rows) != len(u.rows) {
		return false
	}
	for i, a := range t.rows {
		if b := u.rows[i]; !sameLabel(a.Label, b.Label) || !sameDist(a.Roll, b.Roll) {
			return false
		}
	}
	return true
}
