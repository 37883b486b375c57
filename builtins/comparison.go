package builtins

import (
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A comparison lays several rolls side by side on one axis, to be shown
// together.

// A Comparison is a list of labelled rolls.
type Comparison struct{ rows []ComparedRoll }

// A ComparedRoll is one labelled roll of a [Comparison].
type ComparedRoll struct {
	Label starlark.Value // text, a whole number or a tuple
	Roll  *dist.Dist
}

var (
	_ starlark.HasAttrs   = (*Comparison)(nil)
	_ starlark.Comparable = (*Comparison)(nil)
)

// Rolls returns the rolls in their order.
func (t *Comparison) Rolls() []ComparedRoll { return append([]ComparedRoll(nil), t.rows...) }

// String shows the rolls: Comparison(plain: DieRoll 1..20, mean 10.500).
func (t *Comparison) String() string {
	parts := make([]string, len(t.rows))
	for i, row := range t.rows {
		parts[i] = labelText(row.Label) + ": " + NewRoll(row.Roll).String()
	}
	return "Comparison(" + strings.Join(parts, "; ") + ")"
}

func (t *Comparison) Type() string                             { return "Comparison" }
func (t *Comparison) Freeze()                                  {}
func (t *Comparison) Truth() starlark.Bool                     { return true }
func (t *Comparison) Hash() (uint32, error)                    { return starlark.String(t.String()).Hash() }
func (t *Comparison) Attr(name string) (starlark.Value, error) { return attrOf(t, name) }
func (t *Comparison) AttrNames() []string                      { return attrNames("Comparison") }

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
		if b := u.rows[i]; a.Label.String() != b.Label.String() || !dist.Same(a.Roll, b.Roll) {
			return false
		}
	}
	return true
}

func comparisonBuiltins() []builtin {
	return []builtin{{
		name: "compare", free: true,
		params:  []Param{{Name: "rolls", Doc: "a list of (label, roll)"}},
		doc:     "Several rolls side by side on one axis, to be shown by output.",
		errors:  "a label that comes twice",
		example: `compare([("plain", d(20)), ("advantage", max(dice_pool(2, 20)))])`,
		result:  "Comparison(plain: DieRoll 1..20, mean 10.500; advantage: DieRoll 1..20, mean 13.825)",
		run:     compareRolls,
	}}
}

func compareRolls(c call) (starlark.Value, error) {
	rows, err := c.labelled(0, "roll")
	if err != nil {
		return nil, err
	}
	t := &Comparison{rows: make([]ComparedRoll, len(rows))}
	var seen interner
	for i, row := range rows {
		if err := lookAt(c.thread, i); err != nil {
			return nil, err
		}
		d, ok, err := rollOf(c.thread, row.value)
		if !ok {
			return nil, c.wrong(0, "row %d, %s: %s", i+1, row.label, notRoll(row.value))
		}
		if err != nil {
			return nil, err
		}
		if at, err := seen.index(row.label); err != nil || at < i {
			return nil, c.wrong(0, "row %d: the label %s comes twice", i+1, row.label)
		}
		t.rows[i] = ComparedRoll{Label: row.label, Roll: d}
	}
	return t, nil
}
