//go:build js

package yield

import (
	"context"
	"runtime"
)

// In a browser there is one thread, and nothing else runs for as long as a recipe does:
// not the timer of a deadline either. So whoever looks at the context lets others run.

// yielding is a context that lets others run when it is looked at.
type yielding struct{ context.Context }

func (y yielding) Err() error {
	runtime.Gosched()
	return y.Context.Err()
}

// Context is the context of what may take long.
func Context(ctx context.Context) context.Context { return yielding{ctx} }
