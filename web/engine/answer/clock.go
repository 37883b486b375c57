package answer

import (
	"context"
	"sync/atomic"
	"time"
)

// A clock is a context that looks at the time itself. Under WebAssembly a
// computation is never interrupted, so that a timer of the usual contexts does
// not come to fire before the computation is over.
type clock struct {
	context.Context
	until time.Time
	looks atomic.Uint32
	over  atomic.Bool
}

// looksEvery is how many looks at the context pass between two at the clock,
// which is a call into JavaScript. It is a power of two.
const looksEvery = 16

// Clock returns a context that is over after a time, for computations that look
// at the error of their context. Its channel is that of the parent.
func Clock(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	c := &clock{Context: parent, until: time.Now().Add(after)}
	return c, func() {}
}

// Deadline is when the context is over.
func (c *clock) Deadline() (time.Time, bool) {
	if d, ok := c.Context.Deadline(); ok && d.Before(c.until) {
		return d, true
	}
	return c.until, true
}

// Err is context.DeadlineExceeded when the time is over.
func (c *clock) Err() error {
	if c.over.Load() {
		return context.DeadlineExceeded
	}
	if c.looks.Add(1)%looksEvery == 1 && !time.Now().Before(c.until) {
		c.over.Store(true)
		return context.DeadlineExceeded
	}
	return c.Context.Err()
}
