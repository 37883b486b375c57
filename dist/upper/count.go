package upper

import (
	"math"
	"strconv"
)

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

// Grouped writes a count with its thousands apart, 99 900 001, and says of the largest
// that there are more.
func Grouped(n int64) string {
	if n == math.MaxInt64 {
		return "more than 9 000 000 000 000 000 000"
	}
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
