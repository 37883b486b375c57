//go:build !unix

package main

import "context"

// readerGone is nil: that nobody reads standard output is seen when it is written to.
func (t *tool) readerGone() func(context.Context) { return nil }
