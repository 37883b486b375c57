package value

import (
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A chance is an exact fraction from 0 to 1. One that was asked of an unlimited
// roll also has a certified bound on its error.

// A Prob is an exact probability.
type Prob struct {
	made
	fraction
}

// fraction is what chances and numbers have in common.
type fraction struct{ exact exact.Number }

var (
	_ starlark.HasAttrs   = (*Prob)(nil)
	_ starlark.HasBinary  = (*Prob)(nil)
	_ starlark.HasUnary   = (*Prob)(nil)
	_ starlark.Comparable = (*Prob)(nil)
)

// NewProb returns x, which must be a chance, as a value with methods.
func NewProb(m Methods, x exact.Number) *Prob { return &Prob{made{methods: m}, fraction{x}} }

// Exact returns the number for exact arithmetic. Its fraction may not be changed.
func (f fraction) Exact() exact.Number { return f.exact }

// Rat returns the exact value.
func (f fraction) Rat() *big.Rat { return new(big.Rat).Set(f.exact.Rat) }

// Bound returns how far the truth may be from the exact value.
func (f fraction) Bound() float64 { return f.exact.Bound }

// Float returns the nearest float.
func (f fraction) Float() float64 { return f.exact.Float() }

func (f fraction) Freeze() {}

func (f fraction) Hash() (uint32, error) {
	return starlark.String(f.exact.Rat.RatString()).Hash()
}

// String writes the shortest decimal of the nearest float.
func (p *Prob) String() string { return p.exact.String() }

// MarshalJSON writes the chance as str does.
func (p *Prob) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

func (*Prob) Type() string                               { return "Prob" }
func (*Prob) Truth() starlark.Bool                       { return true }
func (p *Prob) Attr(name string) (starlark.Value, error) { return p.methods.Attr(p, name) }
func (p *Prob) AttrNames() []string                      { return p.methods.AttrNames(p) }

// CompareSameType compares two chances; see [Compare].
func (p *Prob) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	q, ok := y.(*Prob)
	if !ok {
		return structurally(op, false, p)
	}
	return exact.Compare(op, p.exact, q.exact)
}

// fractionBytes is what a short fraction takes.
const fractionBytes = 288

// Size is that of the fraction.
func (f fraction) Size() meter.Size {
	bits := f.exact.Bits()
	return meter.Size{Elements: 1 + bits/64, Products: meter.FractionProducts(bits), Bytes: 32, Memory: fractionBytes + bits/64*8}
}

// FloatOf returns a chance or a number as its nearest float, and any other value
// as it is.
func FloatOf(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case *Prob:
		return starlark.Float(v.Float())
	case *Number:
		return starlark.Float(v.Float())
	}
	return v
}

// complement returns the chance that it does not happen.
func (p *Prob) complement() *Prob {
	return NewProb(p.methods, exact.New(new(big.Rat).Sub(exact.One, p.exact.Rat), p.exact.Bound))
}
