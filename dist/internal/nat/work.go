package nat

import (
	"math"

	"dicescript/dist/upper"
)

// What work on long naturals takes, counted in operations on words.

// ReductionWork is what a greatest common divisor of two numbers of so many words
// takes.
func ReductionWork(words int64) int64 { return upper.MulSat(words, 4*words) }

// Karatsuba is an estimate of the work of multiplying two numbers of n words.
func Karatsuba(n int64) int64 {
	const threshold = 40
	if n <= threshold {
		return n * n
	}
	return int64(threshold * threshold * math.Pow(float64(n)/threshold, 1.585))
}
