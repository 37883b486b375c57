package anydice

import (
	"errors"
	"math"
	"math/bits"
)

// Numbers are 64-bit integers. A result that does not fit is an error, never
// wrapped.

var errRange = errors.New("a number would leave the range -2^63..2^63-1")

func add(a, b int) (int, bool) {
	c := a + b
	return c, (a^c)&(b^c) >= 0
}

func sub(a, b int) (int, bool) {
	c := a - b
	return c, (a^b)&(a^c) >= 0
}

func mul(a, b int) (int, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	return c, c/b == a && !(a == -1 && b == math.MinInt) && !(b == -1 && a == math.MinInt)
}

// quotient cuts toward zero, and anything divided by 0 is 0.
func quotient(a, b int) (int, bool) {
	if b == 0 {
		return 0, true
	}
	return a / b, !(a == math.MinInt && b == -1)
}

// power is a^b. A negative exponent gives 1 for base 1, 1 or -1 for base -1, 0
// for the rest, and the least integer for base 0.
func power(a, b int) (int, bool) {
	switch {
	case b == 0 || a == 1:
		return 1, true
	case a == -1:
		return 1 - 2*(b&1), true
	case a == 0 && b < 0:
		return math.MinInt, true
	case a == 0 || b < 0:
		return 0, true
	case b >= bits.UintSize:
		return 0, false
	}
	p, ok := 1, true
	for range b {
		if p, ok = mul(p, a); !ok {
			return 0, false
		}
	}
	return p, true
}

// digits are the decimal digits of a number from the left, each with its sign.
func digits(n int) []int {
	if n == 0 {
		return []int{0}
	}
	var ds []int
	for ; n != 0; n /= 10 {
		ds = append(ds, n%10)
	}
	for i, j := 0, len(ds)-1; i < j; i, j = i+1, j-1 {
		ds[i], ds[j] = ds[j], ds[i]
	}
	return ds
}

// arithmetic is the operator on two numbers.
func arithmetic(op operator, a, b int) (int, error) {
	n, ok := 0, true
	switch op {
	case opPlus:
		n, ok = add(a, b)
	case opMinus:
		n, ok = sub(a, b)
	case opTimes:
		n, ok = mul(a, b)
	case opDivide:
		n, ok = quotient(a, b)
	case opPower:
		n, ok = power(a, b)
	case opAnd:
		n = one(a != 0 && b != 0)
	case opOr:
		n = one(a != 0 || b != 0)
	default:
		n = one(holds(op, a, b))
	}
	if !ok {
		return 0, errRange
	}
	return n, nil
}

// holds says whether a comparison holds.
func holds(op operator, a, b int) bool {
	switch op {
	case opEqual:
		return a == b
	case opUnequal:
		return a != b
	case opLess:
		return a < b
	case opGreater:
		return a > b
	case opAtMost:
		return a <= b
	}
	return a >= b
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isComparison says whether an operator compares.
func (op operator) isComparison() bool { return opEqual <= op && op <= opAtLeast }

// turned is the comparison with its sides exchanged.
func (op operator) turned() operator {
	switch op {
	case opLess:
		return opGreater
	case opGreater:
		return opLess
	case opAtMost:
		return opAtLeast
	case opAtLeast:
		return opAtMost
	}
	return op
}
