package exact

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/syntax"
)

var errDivideByZero = errors.New("division by zero")

// Arithmetic returns x op y for + - * and /.
func Arithmetic(op syntax.Token, x, y Number) (Number, error) {
	z := new(big.Rat)
	switch op {
	case syntax.PLUS:
		return Number{z.Add(x.Rat, y.Rat), upper.Add(x.Bound, y.Bound)}, nil
	case syntax.MINUS:
		return Number{z.Sub(x.Rat, y.Rat), upper.Add(x.Bound, y.Bound)}, nil
	case syntax.STAR:
		return Number{z.Mul(x.Rat, y.Rat), productBound(x, y)}, nil
	}
	bound, err := quotientBound(x, y)
	if err != nil {
		return Number{}, err
	}
	return Number{z.Quo(x.Rat, y.Rat), bound}, nil
}

// Power returns x to the n-th power. With |x'| <= |x| + e the bound is
// (|x|+e)^n - |x|^n <= n e (|x|+e)^(n-1).
func (x Number) Power(n int) (Number, error) {
	if n < 0 {
		if x.Rat.Sign() == 0 {
			return Number{}, &dist.ArgError{Param: "n", Problem: fmt.Sprintf("got %d, but 0 has no negative powers", n)}
		}
		inverse, err := Arithmetic(syntax.SLASH, Number{Rat: One}, x)
		if err != nil {
			return Number{}, err
		}
		return inverse.Power(-n)
	}
	e := big.NewInt(int64(n))
	num := new(big.Int).Exp(x.Rat.Num(), e, nil)
	den := new(big.Int).Exp(x.Rat.Denom(), e, nil)
	z := Number{Rat: new(big.Rat).SetFrac(num, den)}
	if x.Bound > 0 && n > 0 {
		base := upper.Add(upper.Abs(x.Rat), x.Bound)
		z.Bound = upper.Mul(upper.Mul(float64(n), x.Bound), upper.Up(upper.Up(math.Pow(base, float64(n-1)))))
	}
	return z, nil
}

// Divide returns the floor quotient and the remainder, which are numbers. The
// bounds must leave the quotient certain.
func Divide(op syntax.Token, x, y Number) (Number, error) {
	q, err := Arithmetic(syntax.SLASH, x, y)
	if err != nil {
		return Number{}, err
	}
	whole, err := q.Floor()
	if err != nil {
		return Number{}, err
	}
	if op == syntax.SLASHSLASH {
		return Number{Rat: new(big.Rat).SetInt(whole)}, nil
	}
	product, err := Arithmetic(syntax.STAR, Number{Rat: new(big.Rat).SetInt(whole)}, y)
	if err != nil {
		return Number{}, err
	}
	return Arithmetic(syntax.MINUS, x, product)
}

// Floor returns the greatest whole number that is not above x.
func (x Number) Floor() (*big.Int, error) {
	return x.Whole(func(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) })
}

// Whole turns x into a whole number by a rule that never falls as x grows. It
// is an error when the bound of x leaves open which one.
func (x Number) Whole(rule func(*big.Rat) *big.Int) (*big.Int, error) {
	n := rule(x.Rat)
	if x.Bound == 0 {
		return n, nil
	}
	e := FromFloat(x.Bound)
	low, high := rule(new(big.Rat).Sub(x.Rat, e)), rule(new(big.Rat).Add(x.Rat, e))
	if low.Cmp(high) != 0 {
		return nil, errors.New("the number is too close to a step of the rounding to be certain; give the unlimited roll a limit")
	}
	return n, nil
}

// Bits is the size of the exact value.
func (x Number) Bits() int64 {
	return int64(x.Rat.Num().BitLen() + x.Rat.Denom().BitLen())
}

// Ceil returns the least whole number that is not below x.
func (x Number) Ceil() (*big.Int, error) {
	n, err := Number{new(big.Rat).Neg(x.Rat), x.Bound}.Floor()
	if err != nil {
		return nil, err
	}
	return n.Neg(n), nil
}

// An exact number is a fraction with a bound on its error.
type Number struct {
	Rat   *big.Rat // never changed
	Bound float64  // the truth is within this of rat; 0 when rat is exact
}

// New returns r, which nobody may change any more, with a bound on its error.
func New(r *big.Rat, bound float64) Number { return Number{r, bound} }

// Float returns the nearest float.
func (x Number) Float() float64 {
	f, _ := x.Rat.Float64()
	return f
}

// Truncate returns r without its fraction.
func Truncate(r *big.Rat) *big.Int { return new(big.Int).Quo(r.Num(), r.Denom()) }

// Rounded returns x in units of its last digit, a half away from zero.
func (x Number) Rounded(digits int) (*big.Int, error) {
	scale := new(big.Rat).SetInt(PowerOfTen(digits))
	return x.Whole(func(r *big.Rat) *big.Int {
		half := big.NewRat(int64(r.Sign()), 2)
		return Truncate(half.Add(half, new(big.Rat).Mul(r, scale)))
	})
}

// PowerOfTen returns 10 to the n-th power.
func PowerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// One and Hundred may not be changed.
var (
	One     = big.NewRat(1, 1)
	Hundred = big.NewRat(100, 1)
)

// IsChance reports whether r is from 0 to 1.
func IsChance(r *big.Rat) bool { return r.Sign() >= 0 && r.Cmp(One) <= 0 }

// Indicator returns the chance of what is certain, or can't be.
func Indicator(certain bool) *big.Rat {
	if certain {
		return big.NewRat(1, 1)
	}
	return new(big.Rat)
}
