package dist

import (
	"math"
	"math/big"
)

// Arithmetic of bounds in floats, each result rounded outward: a bound stays one,
// whatever the floats in between lose (interval arithmetic; Moore, "Interval
// Analysis", 1966).

var inf = math.Inf(1)

// up rounds a computed bound up by one float, so that sums and products of
// bounds are bounds, also those that vanish among the floats.
func up(x float64) float64 { return math.Nextafter(x, inf) }

func down(x float64) float64 { return math.Nextafter(x, -inf) }

func addUp(a, b float64) float64 {
	if a == 0 {
		return b
	}
	if b == 0 {
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

// divUp divides bounds; b must be positive.
func divUp(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return up(a / b)
}

func sqrtUp(a float64) float64 {
	if a == 0 {
		return 0
	}
	return up(math.Sqrt(a))
}

// ratUp returns a float that is not below |r|, and ratDown one that is not
// above it.
func ratUp(r *big.Rat) float64 {
	f, exact := new(big.Rat).Abs(r).Float64()
	if exact {
		return f
	}
	return up(f)
}

func ratDown(r *big.Rat) float64 {
	f, exact := new(big.Rat).Abs(r).Float64()
	if exact {
		return f
	}
	return max(0, down(f))
}

// intUp returns a float that is not below |n|.
func intUp(n int) float64 {
	f := math.Abs(float64(n))
	if f >= 1<<53 {
		return up(f)
	}
	return f
}

// spanUp returns a float that is not below the distance of lo <= hi.
func spanUp(lo, hi int) float64 {
	f := float64(span(lo, hi))
	if f >= 1<<53 {
		return up(f)
	}
	return f
}

// geometricUp returns a float that is not below 1 + s + s² + ... of the given
// number of terms, or of any number of them when it is Unlimited.
func geometricUp(s float64, terms int) float64 {
	bound := inf
	if terms != Unlimited {
		bound = intUp(terms)
	}
	if s < 1 {
		bound = min(bound, divUp(1, down(1-s)))
	}
	return bound
}

// powUp returns a float that is not below p^n.
func powUp(p *big.Rat, n int) float64 {
	upwards := func() *big.Float { return new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf) }
	power, base := upwards().SetInt64(1), upwards().SetRat(p)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power.Mul(power, base)
		}
		base.Mul(base, base)
	}
	f, _ := power.Float64()
	return up(f)
}
