package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/dist"
	"dicescript/internal/held"
	"dicescript/lang"
)

// This file is how long a command may take and what it may spend: --timeout and
// --limit. The time counts from before the recipe is read until the last byte is
// written. Whatever does not end by itself, be it a pipe that nobody reads, is
// left behind.

const (
	// patientTime is the default of --timeout, which fits the default limits: an
	// honest recipe is stopped by neither.
	patientTime = 30 * time.Second
	// suiteTime is that of test, which runs many recipes.
	suiteTime = 5 * time.Minute

	// What a command whose time is up may still take to say how far it came, and then
	// to end.
	grace = 500 * time.Millisecond
	// interruptGrace is the same for one that was interrupted.
	interruptGrace = 2 * time.Second
	// processorGrace is the same for a child that has used up its processor time: the
	// system ends it after two seconds more of that, however busy the machine is.
	processorGrace = time.Minute
)

// patience are the flags about time and limits.
type patience struct {
	timeout time.Duration
	limits  limits.Settings
}

// patienceFlags adds the flags to f.
func patienceFlags(f *flag.FlagSet, timeout time.Duration) *patience {
	p := &patience{limits: limits.Patient()}
	f.DurationVar(&p.timeout, "timeout", timeout, "stop after a time such as 10s, 0 for never: `D` (default "+plainTime(timeout)+")")
	f.Var(&p.limits, "limit", "a limit such as steps=2G, or none: `NAME=N`")
	return p
}

// plainTime writes 30s and 5m.
func plainTime(d time.Duration) string {
	if text, ok := strings.CutSuffix(d.String(), "m0s"); ok {
		return text + "m"
	}
	return d.String()
}

// limitsHelp says what the limits are.
func limitsHelp() string {
	var b strings.Builder
	b.WriteString(`The time counts from before the recipe is read until the last byte is written.
A limit is a number with K, M or G for thousands and so on (of bytes, 1024s), or
none; --limit none takes all of them away. The message of a limit that was met
says which flag raises it. There are

`)
	for _, l := range limits.All() {
		fmt.Fprintf(&b, "  %-20s %s\n", l.Name, l.About)
	}
	return b.String()
}

func (p *patience) check() error {
	if p.timeout < 0 {
		return fmt.Errorf("--timeout: got %s, want a time above 0, or 0 for never", p.timeout)
	}
	return nil
}

// context is done when the time is up.
func (p *patience) context(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.timeout > 0 {
		return context.WithTimeout(ctx, p.timeout)
	}
	return context.WithCancel(ctx)
}

// within does something within the time, and returns its exit code. What does not
// end then, or soon after an interrupt, goes on in vain until the process ends.
func (t *tool) within(p *patience, do func(t *tool) int) int {
	ctx, cancel := p.context(t.ctx)
	defer cancel()
	ctx, leave := t.watchMemory(ctx, p)
	defer leave()
	inner := *t
	inner.ctx, inner.limits, inner.unfinished = ctx, p.limits, &unfinished{}
	code := make(chan int, 1)
	go func() { code <- do(&inner) }()
	select {
	case c := <-code:
		return c
	case <-ctx.Done():
	}
	select {
	case c := <-code:
		return c
	case <-time.After(lastMoments(ctx)):
	}
	why := "stopped"
	var limit *dist.LimitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		why = "the time is used up; --timeout gives it more"
	case errors.As(context.Cause(ctx), &limit):
		why = limit.Error() + t.raise(limit)
	}
	inner.unfinished.remove()
	fmt.Fprintf(t.stderr, "dicescript: %s\n", why)
	return exitFailed
}

// watchMemory returns a context that is done when the process holds too much. A child of
// run --isolate, whose limits are those of a host, is bounded by the system.
func (t *tool) watchMemory(ctx context.Context, p *patience) (context.Context, context.CancelFunc) {
	if t.child {
		return ctx, func() {}
	}
	return held.Watch(ctx, p.limits.Own().Held)
}

// lastMoments is how long a command may go on whose context is done.
func lastMoments(ctx context.Context) time.Duration {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return grace
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded): // see [isolate.Enter]
		return processorGrace
	}
	return interruptGrace
}

// lastly is the context for what is still to be said: the time that is left, or half
// of the last moments when there is none.
func (t *tool) lastly() (context.Context, context.CancelFunc) {
	if t.ctx.Err() == nil {
		return context.WithCancel(t.ctx)
	}
	return context.WithTimeout(context.WithoutCancel(t.ctx), lastMoments(t.ctx)/2)
}

// unfinished are files that must not stay when what writes them is left behind.
type unfinished struct {
	mu    sync.Mutex
	files map[string]bool
	over  bool
}

// begin notes a file. It is false when there is no time left to write one.
func (u *unfinished) begin(file string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil {
		u.files = map[string]bool{}
	}
	u.files[file] = !u.over
	return !u.over
}

// end makes a finished file what it should be, unless it is gone.
func (u *unfinished) end(file string, finish func() error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		return context.DeadlineExceeded
	}
	delete(u.files, file)
	return finish()
}

func (u *unfinished) remove() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = true
	for file := range u.files {
		os.Remove(file)
	}
}

// raise says how to raise the limit that an error met, "" when that can't be said.
func (t *tool) raise(err error) string {
	l, value, ok := limits.Raise(err, t.inForce)
	if !ok {
		return ""
	}
	switch {
	case value == "":
		return fmt.Sprintf(" (it is set by --limit %s)", l.Name)
	case t.interactive:
		return fmt.Sprintf(" (raise it with :limits %s %s)", l.Name, value)
	}
	return fmt.Sprintf(" (raise it with --limit %s=%s)", l.Name, value)
}

// sourceBytes is how much of a recipe is read: more than it may have, so that
// what is too long is seen to be.
func (t *tool) sourceBytes() int64 {
	const moreThanDefault = 1 << 20
	switch n := t.limits.Run.SourceBytes; {
	case n == 0:
		return moreThanDefault
	case n < 0:
		return lang.Unlimited
	default:
		return n + 1
	}
}
