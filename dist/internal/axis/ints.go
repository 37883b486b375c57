package axis

import "math"

// Span is the distance between two outcomes lo <= hi, which may exceed an int.
func Span(lo, hi int) uint { return uint(hi) - uint(lo) }

// AddInt, SubInt and MulInt are checked arithmetic on outcomes.
func AddInt(a, b int) (int, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func SubInt(a, b int) (int, bool) {
	s := a - b
	return s, (s < a) == (b > 0)
}

func MulInt(a, b int) (int, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	p := a * b
	if p/b != a || (a == -1 && b == math.MinInt) || (b == -1 && a == math.MinInt) {
		return 0, false
	}
	return p, true
}
