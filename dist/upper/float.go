package upper

import (
	"math"
	"math/big"
)

// Bounds in floats: they are not negative, and 0 is exact. A sum or product of
// others is rounded up, also where it vanishes among the floats.

// Up returns the next float above x, and Down the next one below it.
func Up(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }

func Down(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }

// Add returns a + b, rounded up.
func Add(a, b float64) float64 {
	if a == 0 {
		return b
	}
	if b == 0 {
		return a
	}
	return Up(a + b)
}

// Mul returns a * b, rounded up. Of two bounds of which one is 0 and the other
// infinite the product is 0.
func Mul(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return Up(a * b)
}

// Div returns a / b, rounded up; b must be positive.
func Div(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return Up(a / b)
}

// Sqrt returns the square root of a, rounded up.
func Sqrt(a float64) float64 {
	if a == 0 {
		return 0
	}
	return Up(math.Sqrt(a))
}

// Abs returns a float that is not below |r|, and AbsDown one that is not above it.
func Abs(r *big.Rat) float64 {
	f, exact := new(big.Rat).Abs(r).Float64()
	if exact {
		return f
	}
	return Up(f)
}

func AbsDown(r *big.Rat) float64 {
	f, exact := new(big.Rat).Abs(r).Float64()
	if exact {
		return f
	}
	return max(0, Down(f))
}

// Int returns a float that is not below |n|.
func Int(n int) float64 { return rounded(math.Abs(float64(n))) }

// Span returns a float that is not below the distance of lo <= hi.
func Span(lo, hi int) float64 { return rounded(float64(uint(hi) - uint(lo))) }

// rounded rounds up what was an integer, when it may have been rounded down.
func rounded(f float64) float64 {
	if f >= 1<<53 {
		return Up(f)
	}
	return f
}

// Pow returns a float that is not below p^n; p and n must not be negative.
func Pow(p *big.Rat, n int) float64 {
	upwards := func() *big.Float { return new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf) }
	power, base := upwards().SetInt64(1), upwards().SetRat(p)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power.Mul(power, base)
		}
		base.Mul(base, base)
	}
	f, _ := power.Float64()
	return Up(f)
}
