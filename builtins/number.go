package builtins

import (
	"math/big"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Number is what exact arithmetic gives that is not a chance: a mean, a
// hundred times a chance, the difference of two numbers.

var (
	_ starlark.HasAttrs   = (*Number)(nil)
	_ starlark.HasBinary  = (*Number)(nil)
	_ starlark.HasUnary   = (*Number)(nil)
	_ starlark.Comparable = (*Number)(nil)
)

// NewNumber returns r as a number whose true value is within bound of r. The
// bound must not be negative.
func NewNumber(r *big.Rat, bound float64) *Number {
	return newNumber(new(big.Rat).Set(r), max(0, bound))
}

// newNumber keeps r, which nobody may change.
func newNumber(r *big.Rat, bound float64) *Number { return &Number{exact{r, bound}} }

func (*Number) Type() string                               { return "Number" }
func (n *Number) Truth() starlark.Bool                     { return n.rat.Sign() != 0 }
func (n *Number) Attr(name string) (starlark.Value, error) { return attrOf(n, name) }
func (*Number) AttrNames() []string                        { return attrNames("Number") }

// CompareSameType compares two numbers; see [Compare].
func (n *Number) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	m, ok := y.(*Number)
	if !ok {
		return structurally(op, false, n)
	}
	return compareExact(op, n.exact, m.exact)
}
