package value

import (
	"dicescript/builtins/internal/exact"

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

// NewNumber returns x as a value with methods.
func NewNumber(m Methods, x exact.Number) *Number          { return &Number{made{m}, fraction{x}} }
func (*Number) Type() string                               { return "Number" }
func (n *Number) Truth() starlark.Bool                     { return n.exact.Rat.Sign() != 0 }
func (n *Number) Attr(name string) (starlark.Value, error) { return n.methods.Attr(n, name) }
func (n *Number) AttrNames() []string                      { return n.methods.AttrNames(n) }

// CompareSameType compares two numbers; see [Compare].
func (n *Number) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	m, ok := y.(*Number)
	if !ok {
		return structurally(op, false, n)
	}
	return exact.Compare(op, n.exact, m.exact)
}
