//go:build linux || darwin || freebsd || netbsd

package isolate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

// The limits of the operating system for a process of Go.

// reserved is the address space that a process of Go takes by itself, where
// the system does not tell.
const reserved = 2 << 30

// enter limits this process. The address space of a process of Go is larger
// than its memory from the start, so the limit is put on what comes on top.
func enter(ctx context.Context, l Limits) (context.Context, error) {
	debug.SetMemoryLimit(l.Memory * 3 / 4)
	space := addressSpace() + l.Memory
	if err := limit(syscall.RLIMIT_AS, space, space); err != nil {
		return ctx, fmt.Errorf("limiting the memory: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	near := make(chan os.Signal, 1)
	signal.Notify(near, syscall.SIGXCPU)
	go func() {
		<-near
		cancel(context.DeadlineExceeded)
	}()
	seconds := int64(l.CPU / time.Second)
	if err := limit(syscall.RLIMIT_CPU, seconds, seconds+2); err != nil { // two seconds to end by itself
		return ctx, fmt.Errorf("limiting the processor time: %w", err)
	}
	return ctx, nil
}

// limit sets a limit, soft and hard.
func limit(resource int, soft, hard int64) error {
	var r syscall.Rlimit
	set(&r.Cur, soft)
	set(&r.Max, hard)
	return syscall.Setrlimit(resource, &r)
}

// set sets a number that has a sign on some systems, and none on others.
func set[N int64 | uint64](field *N, n int64) { *field = N(n) }

// addressSpace is what this process has of it now.
func addressSpace() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return reserved
	}
	first, _, _ := bytes.Cut(data, []byte(" "))
	pages, err := strconv.ParseInt(string(first), 10, 64)
	if err != nil {
		return reserved
	}
	return pages * int64(os.Getpagesize())
}

// killed reports whether the system has ended a process.
func killed(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGXCPU)
}
