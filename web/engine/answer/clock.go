package answer

import (
	"context"
	"sync/atomic"
	"time"

	"dicescript/dist"
	"dicescript/internal/held"
)

// A clock is a context that looks at the time itself. Under WebAssembly a
// computation is never interrupted, so that a timer of the usual contexts does
// not come to fire before the computation is over.
type clock struct {
	context.Context
	until time.Time
	looks atomic.Uint32
	over  atomic.Bool

	check   func()       // ends the parent when too much is held; nil does not look
	checked atomic.Int64 // when, in nanoseconds
}

// looksEvery is how many looks at the context pass between two at the clock,
// which is a call into JavaScript. It is a power of two.
const looksEvery = 16

// checksEvery is how much time passes between two looks at the memory.
const checksEvery = 10 * time.Millisecond

// Watch returns what [Clock] does, for computations that also end, with a
// *[dist.LimitError], when the process holds more than limit bytes.
func Watch(limit int64) func(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	return func(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancelCause(dist.WithHeld(parent, limit/2))
		c := &clock{Context: ctx, until: time.Now().Add(after)}
		c.check = func() {
			if err := held.Over(limit); err != nil {
				cancel(err)
			}
		}
		return c, func() { cancel(context.Canceled) }
	}
}

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
	if c.looks.Add(1)%looksEvery == 1 && c.look(time.Now()) {
		return context.DeadlineExceeded
	}
	return c.Context.Err()
}

// look reports whether the time is over, and looks at the memory now and then.
func (c *clock) look(now time.Time) bool {
	if !now.Before(c.until) {
		c.over.Store(true)
		return true
	}
	if last := c.checked.Load(); c.check != nil && now.UnixNano()-last > int64(checksEvery) && c.checked.CompareAndSwap(last, now.UnixNano()) {
		c.check()
	}
	return false
}
