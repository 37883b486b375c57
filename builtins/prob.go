package builtins

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A chance is an exact fraction from 0 to 1. One that was asked of an unlimited
// roll also has a certified bound on its error.

// A Prob is an exact probability.
type Prob struct{ exact }

// A Number is an exact fraction that is not a probability.
type Number struct{ exact }

// exact is what chances and numbers have in common.
type exact struct {
	rat   *big.Rat // never changed
	bound float64  // the truth is within this of rat; 0 when rat is exact
}

var (
	_ starlark.HasAttrs   = (*Prob)(nil)
	_ starlark.HasBinary  = (*Prob)(nil)
	_ starlark.HasUnary   = (*Prob)(nil)
	_ starlark.Comparable = (*Prob)(nil)
)

// NewProb returns r as a chance whose true value is within bound of r. It is an
// error when r is not from 0 to 1 or bound is not from 0 to 1.
func NewProb(r *big.Rat, bound float64) (*Prob, error) {
	if !isChance(r) {
		return nil, fmt.Errorf("got %s, want a chance from 0 to 1", r.RatString())
	}
	if !(bound >= 0 && bound <= 1) {
		return nil, fmt.Errorf("got an error of %v, want one from 0 to 1", bound)
	}
	return newProb(new(big.Rat).Set(r), bound), nil
}

// newProb keeps r, which must be a chance that nobody changes.
func newProb(r *big.Rat, bound float64) *Prob { return &Prob{exact{r, bound}} }

// Rat returns the exact value.
func (x exact) Rat() *big.Rat { return new(big.Rat).Set(x.rat) }

// Error returns how far the truth may be from the exact value.
func (x exact) Error() float64 { return x.bound }

// Float returns the nearest float.
func (x exact) Float() float64 {
	f, _ := x.rat.Float64()
	return f
}

// String writes the shortest decimal of the nearest float. A number beyond the
// range of floats is written with as many digits.
func (x exact) String() string {
	f := x.Float()
	if math.IsInf(f, 0) || f == 0 && x.rat.Sign() != 0 {
		return scientific(x.rat)
	}
	return floatText(f)
}

// scientific writes 17 digits of a number that is too large or too small for a
// float. |r| = q 10^e with q from 10^16 up to 10^17; an estimate of e from the
// lengths of the numbers is off by one at most.
func scientific(r *big.Rat) string {
	const log10of2 = 0.30102999566398120
	e := int(math.Floor(float64(r.Num().BitLen()-r.Denom().BitLen())*log10of2)) - 16
	digits := scaledDown(r, e)
	for len(digits) > 17 {
		e++
		digits = scaledDown(r, e)
	}
	for len(digits) < 17 {
		e--
		digits = scaledDown(r, e)
	}
	e += 16
	fraction := strings.TrimRight(digits[1:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	sign := ""
	if r.Sign() < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%s%se%+03d", sign, digits[:1], fraction, e)
}

// scaledDown returns the digits of |r| / 10^e, rounded to the nearest whole number.
func scaledDown(r *big.Rat, e int) string {
	num, den := new(big.Int).Abs(r.Num()), new(big.Int).Set(r.Denom())
	if e < 0 {
		num.Mul(num, powerOfTen(-e))
	} else {
		den.Mul(den, powerOfTen(e))
	}
	num.Lsh(num, 1).Add(num, den)
	return num.Quo(num, den.Lsh(den, 1)).String()
}

// floatText writes a float as the shortest decimal; a whole number has no point.
func floatText(f float64) string {
	if f == 0 {
		return "0"
	}
	return strings.TrimSuffix(starlark.Float(f).String(), ".0")
}

// MarshalJSON writes the number as str does.
func (x exact) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

func (x exact) Freeze() {}

func (x exact) Hash() (uint32, error) {
	return starlark.String(x.rat.RatString()).Hash()
}

func (*Prob) Type() string                               { return "Prob" }
func (*Prob) Truth() starlark.Bool                       { return true }
func (p *Prob) Attr(name string) (starlark.Value, error) { return attrOf(p, name) }
func (*Prob) AttrNames() []string                        { return attrNames("Prob") }

// CompareSameType compares two chances; see [Compare].
func (p *Prob) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	q, ok := y.(*Prob)
	if !ok {
		return structurally(op, false, p)
	}
	return compareExact(op, p.exact, q.exact)
}

// chanceOf returns a chance that was asked of d.
func chanceOf(d *dist.Dist, p *big.Rat) *Prob { return newProb(p, d.ErrorBound()) }
