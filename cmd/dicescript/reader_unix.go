//go:build unix

package main

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// This file notices that whoever reads the output is gone.

// readerGone returns what waits until nobody reads standard output any more, nil when
// that can't be seen.
func (t *tool) readerGone() func(context.Context) {
	out, ok := t.stdout.(*os.File)
	if !ok {
		return nil
	}
	fd := int32(out.Fd())
	return func(ctx context.Context) {
		for ctx.Err() == nil {
			fds := []unix.PollFd{{Fd: fd}}
			n, err := unix.Poll(fds, 0)
			if err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLNVAL) != 0 {
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
}
