// Package held ends a computation at one's own machine when the process holds too much
// memory. What is made and let go counts for nothing; time bounds that.
package held

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"dicescript/dist"
)

// most is how many bytes may be held by default, however much the machine has.
const most = 4 << 30

// Default is how many bytes a process may hold: half of the memory of the machine, at most
// 4 GiB.
func Default() int64 {
	if n := machine() / 2; n > 0 {
		return min(n, most)
	}
	return most / 2 // a machine that does not tell
}

// pace is how often the memory is looked at.
const pace = 20 * time.Millisecond

// Watch returns a context that is done, with a *[dist.LimitError] as its cause, when the
// process holds more than limit bytes, until the function that it returns is called. One
// table alone may take half of that, so that none is begun that the machine has no room
// for. The collector of garbage works harder near the limit.
func Watch(ctx context.Context, limit int64) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	ctx, cancel := context.WithCancelCause(dist.WithHeld(ctx, limit/2))
	before := debug.SetMemoryLimit(limit)
	go func() {
		tick := time.NewTicker(pace)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := Over(limit); err != nil {
					cancel(err)
				}
			}
		}
	}()
	return ctx, func() {
		debug.SetMemoryLimit(before)
		cancel(context.Canceled)
	}
}

// Over returns the *[dist.LimitError] of a process that holds more than limit bytes, nil
// for one that does not. Where garbage may be the reason it is collected first.
func Over(limit int64) error {
	if objects() <= limit {
		return nil
	}
	runtime.GC()
	if n := objects(); n > limit {
		return dist.OverHeld(n, limit)
	}
	return nil
}

// objects returns the bytes of what the heap has, garbage among it.
func objects() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}
