package upper

import "math"

// Counts are not negative; math.MaxInt64 stands for all that are too large.

// AddSat returns a + b, or math.MaxInt64 when that is larger (saturating
// arithmetic).
func AddSat(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// MulSat returns a * b, or math.MaxInt64 when that is larger.
func MulSat(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
