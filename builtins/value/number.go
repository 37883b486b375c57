package value

import (
	"dicescript/builtins/internal/exact"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Number is what exact arithmetic gives that is not a chance: a mean, a
// hundred times a chance, the difference of two numbers, a quotient.

// A Number is an exact fraction that is not a probability.
type Number struct {
	made
	fraction
	quotient bool // it comes of whole numbers alone: see quotient.go
}

var (
	_ starlark.HasAttrs   = (*Number)(nil)
	_ starlark.HasBinary  = (*Number)(nil)
	_ starlark.HasUnary   = (*Number)(nil)
	_ starlark.Comparable = (*Number)(nil)
)

// NewNumber returns x as a value with methods.
func NewNumber(m Methods, x exact.Number) *Number {
	return &Number{made: made{methods: m}, fraction: fraction{x}}
}
func (*Number) Type() string                               { return "Number" }
func (n *Number) Truth() starlark.Bool                     { return n.exact.Rat.Sign() != 0 }
func (n *Number) Attr(name string) (starlark.Value, error) { return n.methods.Attr(n, name) }
func (n *Number) AttrNames() []string                      { return n.methods.AttrNames(n) }

// String writes the shortest decimal of the nearest float. A number beyond the
// range of floats is written with as many digits.
func (n *Number) String() string {
	if n.quotient {
		return quotientText(n.exact)
	}
	return n.exact.String()
}

// MarshalJSON writes the number as str does.
func (n *Number) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// CompareSameType compares two numbers; see [Compare].
func (n *Number) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	m, ok := y.(*Number)
	if !ok {
		return structurally(op, false, n)
	}
	return exact.Compare(op, n.exact, m.exact)
}
