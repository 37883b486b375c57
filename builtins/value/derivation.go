package value

import (
	"go.starlark.net/starlark"
)

// A value of dice can remember how it was made, so that it can be thrown die by die. Only a
// run that is thrown makes values that do; see package throwing.

// A Derivation is how a value was made.
type Derivation interface {
	// Text writes it as a recipe does: "max(2d20) + 5".
	Text() string
}

// Derived returns v as a value that was made in a certain way. A value that knows how it
// was made already, and one that has no dice in it, is returned as it is; any other is
// copied, since it may be shared.
func Derived(v starlark.Value, from Derivation) starlark.Value {
	switch v := v.(type) {
	case *Roll:
		if v.from == nil {
			return &Roll{made{v.methods, from}, v.dist, v.steps, v.extra}
		}
	case *Pool:
		if v.from == nil {
			p := &Pool{made: made{v.methods, from}, dice: v.dice, extra: v.extra}
			p.sum.Store(v.sum.Load())
			return p
		}
	case *Prob:
		if v.from == nil {
			return &Prob{made{v.methods, from}, v.fraction}
		}
	case *Outcomes:
		if v.from == nil {
			return &Outcomes{made{v.methods, from}, v.set, v.over, v.steps, v.vectors}
		}
	case *Multiset:
		if v.from == nil {
			return &Multiset{made{v.methods, from}, v.dist, v.cards}
		}
	}
	return v
}

// DerivationOf returns how a value was made, nil where that is not known.
func DerivationOf(v starlark.Value) Derivation {
	switch v := v.(type) {
	case *Roll:
		return v.from
	case *Pool:
		return v.from
	case *Prob:
		return v.from
	case *Outcomes:
		return v.from
	case *Multiset:
		return v.from
	}
	return nil
}

// MethodsOf returns the methods that a value was made with, nil where it has none.
func MethodsOf(v starlark.Value) Methods { return methodsOf(v) }
