package nat

import (
	"context"
	"math"

	"dicescript/dist/upper"
)

// What work on long naturals takes, counted in operations on words, and a look at
// the context while it goes on. Estimates saturate: they are compared with limits.

// A Ticker looks at a context now and then inside a long loop.
type Ticker struct {
	ctx  context.Context
	left int
}

// TickEvery is how many units of work pass between two looks: well below a
// millisecond of word operations.
const TickEvery = 1 << 17

func NewTicker(ctx context.Context) Ticker { return Ticker{ctx: ctx, left: TickEvery} }

// Tick notes n units of work and returns the context's error when it is done.
func (t *Ticker) Tick(n int) error {
	t.left -= n
	if t.left > 0 {
		return nil
	}
	t.left = TickEvery
	return t.ctx.Err()
}

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
