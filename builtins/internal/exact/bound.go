package exact

import (
	"errors"
	"fmt"
	"math/big"

	"go.starlark.net/syntax"

	"dicescript/dist/upper"
)

// productBound bounds |x y - x' y'| by |x| ey + |y| ex + ex ey.
func productBound(x, y Number) float64 {
	if x.Bound == 0 && y.Bound == 0 {
		return 0
	}
	b := upper.Mul(x.Bound, y.Bound)
	if y.Bound > 0 {
		b = upper.Add(b, upper.Mul(upper.Abs(x.Rat), y.Bound))
	}
	if x.Bound > 0 {
		b = upper.Add(b, upper.Mul(upper.Abs(y.Rat), x.Bound))
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
		top = upper.Add(top, upper.Mul(upper.Abs(new(big.Rat).Quo(x.Rat, y.Rat)), y.Bound))
	}
	return upper.Mul(top, upper.Abs(new(big.Rat).Inv(room))), nil
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
	if gap.Abs(gap).Cmp(FromFloat(upper.Add(x.Bound, y.Bound))) <= 0 {
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
