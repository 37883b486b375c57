package builtins

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A roll is a distribution over whole numbers. It is not a rolled face: r + r
// adds two independent rolls.

// A Roll is the DieRoll of recipes.
type Roll struct{ dist *dist.Dist }

var (
	_ starlark.HasAttrs   = (*Roll)(nil)
	_ starlark.HasBinary  = (*Roll)(nil)
	_ starlark.HasUnary   = (*Roll)(nil)
	_ starlark.Comparable = (*Roll)(nil)
)

// NewRoll returns d as a value for recipes. A nil d is a fault of the caller and
// panics: here it is found, rather than where a recipe uses the roll.
func NewRoll(d *dist.Dist) *Roll {
	if d == nil {
		panic("NewRoll: d: got nil, want a distribution")
	}
	return &Roll{d}
}

// Dist returns the distribution.
func (r *Roll) Dist() *dist.Dist { return r.dist }

// String summarises the roll: "DieRoll 1..6, mean 3.500".
func (r *Roll) String() string {
	d, b := r.dist, new(strings.Builder)
	b.WriteString("DieRoll ")
	b.WriteString(rangeText(d))
	if m, err := d.Moments(); err == nil && (d.Len() > 1 || d.ErrorBound() > 0) {
		fmt.Fprintf(b, ", mean %s", roundText(m.Mean, 3))
	}
	return b.String()
}

// rangeText writes the ends of what is possible: 1..6, 1.. when there is no end.
func rangeText(d *dist.Dist) string {
	low, high := fmt.Sprint(d.Min()), fmt.Sprint(d.Max())
	if d.UnboundedBelow() {
		low = ""
	}
	if d.UnboundedAbove() {
		high = ""
	}
	if low == high && low != "" {
		return low
	}
	return low + ".." + high
}

func (r *Roll) Type() string         { return "DieRoll" }
func (r *Roll) Freeze()              {}
func (r *Roll) Truth() starlark.Bool { return true }

// Hash covers the ends and the total, which equal rolls share.
func (r *Roll) Hash() (uint32, error) {
	h := fnv.New32a()
	fmt.Fprint(h, r.dist.Min(), r.dist.Max(), r.dist.Len())
	h.Write(r.dist.Total().Bytes())
	return h.Sum32(), nil
}

func (r *Roll) Attr(name string) (starlark.Value, error) { return attrOf(r, name) }
func (r *Roll) AttrNames() []string                      { return attrNames("DieRoll") }

// CompareSameType is what containers ask: whether two rolls are the same
// distribution. The operators of a recipe ask for chances; see [Compare].
func (r *Roll) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Roll)
	return structurally(op, ok && dist.Same(r.dist, other.dist), r)
}

// structurally answers == and != of values that have no order.
func structurally(op syntax.Token, same bool, v starlark.Value) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s has no place in an order; sort by a number, as in sorted(rolls, key = lambda r: r.mean())", describe(v))
}

// roundText writes r with a number of decimals, rounded half away from zero.
func roundText(r *big.Rat, digits int) string { return r.FloatString(digits) }

// MarshalJSON refuses: json.encode writes single values.
func (r *Roll) MarshalJSON() ([]byte, error) { return nil, errNoJSON }

var errNoJSON = errors.New("a roll has no form in json; write what you ask of it, as in [roll.pmf(x) for x in roll.support()]")
