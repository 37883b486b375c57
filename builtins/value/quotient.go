package value

import (
	"fmt"
	"math"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A quotient is what the division of whole numbers gives, and what comes of quotients
// and whole numbers alone: an exact [Number] that looks like the float which Starlark
// has in its place. What is neither short nor of use any more as a fraction becomes that
// float.

// mostQuotientBits is how many bits a quotient has at most; a longer one becomes the
// nearest float.
const mostQuotientBits = 4096

// Divide returns x / y for two whole numbers. m are the methods of the quotient. Its work
// is charged to the run of thread.
func Divide(thread *starlark.Thread, m Methods, x, y starlark.Int) (starlark.Value, error) {
	v, err := divided(runenv.Of(thread), x, y)
	if err != nil {
		return nil, InFunction(syntax.SLASH.String(), err)
	}
	return newQuotient(m, v)
}

func divided(env *runenv.Env, x, y starlark.Int) (exact.Number, error) {
	a, _ := ExactOf(x)
	b, _ := ExactOf(y)
	if err := env.Pays().Fraction(a.Bits() + b.Bits()); err != nil {
		return exact.Number{}, err
	}
	return exact.Arithmetic(syntax.SLASH, a, b)
}

// newQuotient returns x as a quotient, or as the nearest float where it is long.
func newQuotient(m Methods, x exact.Number) (starlark.Value, error) {
	if x.Bits() <= mostQuotientBits {
		n := NewNumber(m, x)
		n.quotient = true
		return n, nil
	}
	f := x.Float()
	if math.IsInf(f, 0) {
		return nil, fmt.Errorf("the number is too large for a float")
	}
	return starlark.Float(f), nil
}

// WholeQuotient is said to whoever divides where a whole number is wanted.
const WholeQuotient = ": // divides without a remainder, int(x) drops the fraction"

// IsQuotient reports whether v is a quotient.
func IsQuotient(v starlark.Value) bool {
	n, ok := v.(*Number)
	return ok && n.quotient
}

// ofQuotients reports whether what comes of x and y is a quotient: both are quotients or
// whole numbers.
func ofQuotients(x, y starlark.Value) bool {
	return isRational(x) && isRational(y)
}

func isRational(v starlark.Value) bool {
	if _, whole := v.(starlark.Int); whole {
		return true
	}
	return IsQuotient(v)
}

// Like returns r, of which nobody else changes anything, as a quotient where from is one
// and as another Number where it is not.
func Like(from *Number, x exact.Number) *Number {
	n := NewNumber(from.methods, x)
	n.quotient = from.quotient
	return n
}

// quotientText is a quotient as Starlark writes the float that is nearest.
func quotientText(x exact.Number) string {
	f := x.Float()
	if math.IsInf(f, 0) || f == 0 && x.Rat.Sign() != 0 {
		return x.String()
	}
	return starlark.Float(f).String()
}

// Key is what a quotient stands for as the key of a dict and as an element of a set: the
// whole number that it is, or the decimal that is exactly as large, which a recipe may
// have written as a float. Only what has no short decimal, such as 1/3, is a key by itself.
func (n *Number) Key() starlark.Value {
	if !n.quotient {
		return n
	}
	if n.exact.Rat.IsInt() {
		return starlark.MakeBigInt(n.exact.Rat.Num())
	}
	f := n.exact.Float()
	if decimal, ok := exact.Decimal(f); ok && decimal.Cmp(n.exact.Rat) == 0 {
		return starlark.Float(f)
	}
	return n
}
