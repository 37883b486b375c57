package exact

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"go.starlark.net/syntax"
)

// Bounds are floats that are always rounded up, so that what is made of bounds is
// a bound again.

// up rounds a bound up, so that sums and products of bounds are bounds.
func up(x float64) float64 {
	if x == 0 {
		return 0
	}
	return math.Nextafter(x, math.Inf(1))
}

// AddUp returns a + b rounded up.
func AddUp(a, b float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return up(a + b)
}

// MulUp returns a * b rounded up.
func MulUp(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return up(a * b)
}

// SizeUp returns a float that is not below |r|.
func SizeUp(r *big.Rat) float64 {
	f, whole := new(big.Rat).Abs(r).Float64()
	if whole {
		return f
	}
	return up(f)
}

// productBound bounds |x y - x' y'| by |x| ey + |y| ex + ex ey.
func productBound(x, y Number) float64 {
	if x.Bound == 0 && y.Bound == 0 {
		return 0
	}
	b := MulUp(x.Bound, y.Bound)
	if y.Bound > 0 {
		b = AddUp(b, MulUp(SizeUp(x.Rat), y.Bound))
	}
	if x.Bound > 0 {
		b = AddUp(b, MulUp(SizeUp(y.Rat), x.Bound))
	}
	return b
}

// quotientBound bounds |x/y - x'/y'| by (ex + |x/y| ey) / (|y| - ey).
func quotientBound(x, y Number) (float64, error) {
	if y.Rat.Sign() == 0 && y.Bound == 0 {
		return 0, errDivideByZero
	}
	if x.Bound == 0 && y.Bound == 0 {
		return 0, nil
	}
	room := new(big.Rat).Abs(y.Rat)
	if room.Sub(room, FromFloat(y.Bound)); room.Sign() <= 0 {
		return 0, errors.New("the divisor is not certain to differ from 0")
	}
	top := x.Bound
	if y.Bound > 0 {
		top = AddUp(top, MulUp(SizeUp(new(big.Rat).Quo(x.Rat, y.Rat)), y.Bound))
	}
	return up(MulUp(top, SizeUp(new(big.Rat).Inv(room)))), nil
}

// FromFloat returns the fraction that a finite float is.
func FromFloat(f float64) *big.Rat {
	r := new(big.Rat)
	r.SetFloat64(f)
	return r
}

// ErrUncertain is the error of a comparison that the bounds leave open.
var ErrUncertain = errors.New("too close to call: the two numbers differ by less than their error; give the unlimited roll a limit, or compare the other way round with some room between")

// order returns -1, 0 or 1 as x is less than, equal to or greater than y.
func order(x, y Number) (int, error) {
	if x.Bound == 0 && y.Bound == 0 {
		return x.Rat.Cmp(y.Rat), nil
	}
	gap := new(big.Rat).Sub(x.Rat, y.Rat)
	sign := gap.Sign()
	if gap.Abs(gap).Cmp(FromFloat(AddUp(x.Bound, y.Bound))) <= 0 {
		return 0, ErrUncertain
	}
	return sign, nil
}

// Compare returns the answer to x op y; it is an error when the bounds leave it open.
func Compare(op syntax.Token, x, y Number) (bool, error) {
	c, err := order(x, y)
	if err != nil {
		return false, err
	}
	return threeway(op, c), nil
}

// threeway turns an order into the answer to a comparison.
func threeway(op syntax.Token, c int) bool {
	switch op {
	case syntax.EQL:
		return c == 0
	case syntax.NEQ:
		return c != 0
	case syntax.LT:
		return c < 0
	case syntax.LE:
		return c <= 0
	case syntax.GT:
		return c > 0
	case syntax.GE:
		return c >= 0
	}
	panic(fmt.Sprintf("not a comparison: %s", op))
}
