//go:build !js

package lang

import "context"

// attentive is the context of what may take long: where there are threads, the one that
// is given.
func attentive(ctx context.Context) context.Context { return ctx }
