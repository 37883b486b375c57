//go:build !js

package yield

import "context"

// Context is the context of what may take long: where there are threads, the one that is
// given.
func Context(ctx context.Context) context.Context { return ctx }
