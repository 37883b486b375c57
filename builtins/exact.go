package builtins

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Arithmetic of chances and numbers is exact. Where an operand has a bound on
// its error, the result carries a certified bound: bounds are floats that are
// always rounded up.

// up rounds a bound up, so that sums and products of bounds are bounds.
func up(x float64) float64 {
	if x == 0 {
		return 0
	}
	return math.Nextafter(x, math.Inf(1))
}

func addUp(a, b float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return up(a + b)
}

func mulUp(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return up(a * b)
}

// sizeUp returns a float that is not below |r|.
func sizeUp(r *big.Rat) float64 {
	f, whole := new(big.Rat).Abs(r).Float64()
	if whole {
		return f
	}
	return up(f)
}

var errDivideByZero = errors.New("division by zero")

// arithmetic returns x op y for + - * and /.
func arithmetic(op syntax.Token, x, y exact) (exact, error) {
	z := new(big.Rat)
	switch op {
	case syntax.PLUS:
		return exact{z.Add(x.rat, y.rat), addUp(x.bound, y.bound)}, nil
	case syntax.MINUS:
		return exact{z.Sub(x.rat, y.rat), addUp(x.bound, y.bound)}, nil
	case syntax.STAR:
		return exact{z.Mul(x.rat, y.rat), productBound(x, y)}, nil
	}
	bound, err := quotientBound(x, y)
	if err != nil {
		return exact{}, err
	}
	return exact{z.Quo(x.rat, y.rat), bound}, nil
}

// productBound bounds |x y - x' y'| by |x| ey + |y| ex + ex ey.
func productBound(x, y exact) float64 {
	if x.bound == 0 && y.bound == 0 {
		return 0
	}
	b := mulUp(x.bound, y.bound)
	if y.bound > 0 {
		b = addUp(b, mulUp(sizeUp(x.rat), y.bound))
	}
	if x.bound > 0 {
		b = addUp(b, mulUp(sizeUp(y.rat), x.bound))
	}
	return b
}

// quotientBound bounds |x/y - x'/y'| by (ex + |x/y| ey) / (|y| - ey).
func quotientBound(x, y exact) (float64, error) {
	if y.rat.Sign() == 0 && y.bound == 0 {
		return 0, errDivideByZero
	}
	if x.bound == 0 && y.bound == 0 {
		return 0, nil
	}
	room := new(big.Rat).Abs(y.rat)
	if room.Sub(room, floatRat(y.bound)); room.Sign() <= 0 {
		return 0, errors.New("the divisor is not certain to differ from 0")
	}
	top := x.bound
	if y.bound > 0 {
		top = addUp(top, mulUp(sizeUp(new(big.Rat).Quo(x.rat, y.rat)), y.bound))
	}
	return up(mulUp(top, sizeUp(new(big.Rat).Inv(room)))), nil
}

func floatRat(f float64) *big.Rat {
	r := new(big.Rat)
	r.SetFloat64(f)
	return r
}

// power returns x to the n-th power. With |x'| <= |x| + e the bound is
// (|x|+e)^n - |x|^n <= n e (|x|+e)^(n-1).
func (x exact) power(n int) (exact, error) {
	if n < 0 {
		if x.rat.Sign() == 0 {
			return exact{}, argError("n", "got %d, but 0 has no negative powers", n)
		}
		inverse, err := arithmetic(syntax.SLASH, exact{rat: one}, x)
		if err != nil {
			return exact{}, err
		}
		return inverse.power(-n)
	}
	e := big.NewInt(int64(n))
	num := new(big.Int).Exp(x.rat.Num(), e, nil)
	den := new(big.Int).Exp(x.rat.Denom(), e, nil)
	z := exact{rat: new(big.Rat).SetFrac(num, den)}
	if x.bound > 0 && n > 0 {
		base := addUp(sizeUp(x.rat), x.bound)
		z.bound = mulUp(mulUp(float64(n), x.bound), up(up(math.Pow(base, float64(n-1)))))
	}
	return z, nil
}

// errUncertain is the error of a comparison that the bounds leave open.
var errUncertain = errors.New("too close to call: the two numbers differ by less than their error; give the unlimited roll a limit, or compare the other way round with some room between")

// order returns -1, 0 or 1 as x is less than, equal to or greater than y.
func order(x, y exact) (int, error) {
	if x.bound == 0 && y.bound == 0 {
		return x.rat.Cmp(y.rat), nil
	}
	gap := new(big.Rat).Sub(x.rat, y.rat)
	sign := gap.Sign()
	if gap.Abs(gap).Cmp(floatRat(addUp(x.bound, y.bound))) <= 0 {
		return 0, errUncertain
	}
	return sign, nil
}

func compareExact(op syntax.Token, x, y exact) (bool, error) {
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

// exactOf returns a chance, number or whole number as an exact one.
func exactOf(v starlark.Value) (exact, bool) {
	switch v := v.(type) {
	case *Prob:
		return v.exact, true
	case *Number:
		return v.exact, true
	case starlark.Int:
		return exact{rat: new(big.Rat).SetInt(v.BigInt())}, true
	}
	return exact{}, false
}

// divide returns the floor quotient and the remainder, which are numbers. The
// bounds must leave the quotient certain.
func divide(op syntax.Token, x, y exact) (starlark.Value, error) {
	q, err := arithmetic(syntax.SLASH, x, y)
	if err != nil {
		return nil, fail(op.String(), err)
	}
	whole, err := q.floor()
	if err != nil {
		return nil, fail(op.String(), err)
	}
	if op == syntax.SLASHSLASH {
		return newNumber(new(big.Rat).SetInt(whole), 0), nil
	}
	product, err := arithmetic(syntax.STAR, exact{rat: new(big.Rat).SetInt(whole)}, y)
	if err != nil {
		return nil, err
	}
	rest, err := arithmetic(syntax.MINUS, x, product)
	return newNumber(rest.rat, rest.bound), err
}

// floor returns the greatest whole number that is not above x.
func (x exact) floor() (*big.Int, error) {
	return x.whole(func(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) })
}

// whole turns x into a whole number by a rule that never falls as x grows. It
// is an error when the bound of x leaves open which one.
func (x exact) whole(rule func(*big.Rat) *big.Int) (*big.Int, error) {
	n := rule(x.rat)
	if x.bound == 0 {
		return n, nil
	}
	e := floatRat(x.bound)
	low, high := rule(new(big.Rat).Sub(x.rat, e)), rule(new(big.Rat).Add(x.rat, e))
	if low.Cmp(high) != 0 {
		return nil, errors.New("the number is too close to a step of the rounding to be certain; give the unlimited roll a limit")
	}
	return n, nil
}

// bits is the size of the exact value.
func (x exact) bits() int64 {
	return int64(x.rat.Num().BitLen() + x.rat.Denom().BitLen())
}

// maxPowerBits bounds one power, and maxNumberBits the result of other
// arithmetic. Bringing a longer fraction to lowest terms would take more than a
// tenth of a second, and nothing can interrupt it.
const (
	maxPowerBits  = 1 << 18
	maxNumberBits = 1 << 19
)

// reduceCost is what bringing a fraction of that many bits into lowest terms
// takes: some multiple of the square of its words.
func reduceCost(bits int64) int64 {
	words := bits/64 + 1
	return 8*words*words + 64*words
}

// smallBits is the size of operands whose arithmetic is not worth charging.
const smallBits = 1 << 9

// chargeArithmetic charges an operation on two numbers, which can grow to any
// size when its result goes into the next one.
func chargeArithmetic(env *Env, x, y exact) error {
	bits := x.bits() + y.bits()
	if bits <= smallBits {
		return nil
	}
	if bits > maxNumberBits {
		return &dist.LimitError{Resource: "bits for one number", Need: bits, Limit: maxNumberBits}
	}
	return dist.ChargeWork(env.context(), reduceCost(bits))
}

// chargeNumbers charges a look at long numbers: to compare, round or show them.
func chargeNumbers(thread *starlark.Thread, values ...starlark.Value) error {
	for _, v := range values {
		var x exact
		switch v := v.(type) {
		case *Prob:
			x.rat = v.rat
		case *Number:
			x.rat = v.rat
		default:
			continue
		}
		if bits := x.bits(); bits > smallBits {
			if err := dist.ChargeWork(EnvOf(thread).context(), reduceCost(bits)); err != nil {
				return err
			}
		}
	}
	return nil
}

// chargePower charges the words of the n-th power, and refuses one that nobody
// could use.
func (c call) chargePower(x exact, n int) error {
	if x.bits() <= 2 {
		return nil // 0, 1 and -1 stay as small as they are
	}
	size := int64(max(n, -n))
	if n == math.MinInt || size > maxPowerBits || x.bits()*size > maxPowerBits {
		return c.wrong(0, "got %d, which makes a number of too many digits", n)
	}
	return dist.ChargeWork(c.ctx(), reduceCost(x.bits()*size))
}

// ceil returns the least whole number that is not below x.
func (x exact) ceil() (*big.Int, error) {
	n, err := exact{new(big.Rat).Neg(x.rat), x.bound}.floor()
	if err != nil {
		return nil, err
	}
	return n.Neg(n), nil
}

// wholeRule returns the exact form of a function that rounds to a whole number.
func wholeRule(name string) func(exact) (*big.Int, error) {
	switch name {
	case "floor":
		return exact.floor
	case "ceil":
		return exact.ceil
	}
	return nil
}
