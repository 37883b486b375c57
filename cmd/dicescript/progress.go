package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"dicescript/lang/report"
)

// This file tells a person who waits what is going on and how to stop it: a
// line on standard error, when that is a terminal, that goes away again.

// silence is how long nothing is said.
const silence = time.Second

// A progress is a writer in front of standard error, so that its line is taken
// away before anything else is written.
type progress struct {
	mu    sync.Mutex
	to    io.Writer
	what  string
	start time.Time
	shown bool
	done  chan struct{}
}

// waiting tells about what is being done until the function that it returns is
// called, which may happen more than once. It does nothing when standard error
// is no terminal.
func (t *tool) waiting(what string) (stop func()) {
	if !isTerminal(t.stderr) {
		return func() {}
	}
	p := &progress{to: t.stderr, what: report.Visible(what), start: time.Now(), done: make(chan struct{})}
	t.stderr = p
	go p.tell(time.NewTicker(silence))
	return sync.OnceFunc(func() {
		close(p.done)
		p.clear()
		t.stderr = p.to
	})
}

func (p *progress) tell(tick *time.Ticker) {
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
			p.line()
		}
	}
}

// line writes the line anew.
func (p *progress) line() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return
	default:
	}
	text := fmt.Sprintf("%s, %d s; Ctrl-C stops it and shows what there is so far", p.what, int(time.Since(p.start).Seconds()))
	if width, _ := terminal(p.to); width > 1 && len(text) >= width {
		text = text[:width-1]
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s", text)
	p.shown = true
}

// clear takes the line away.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		io.WriteString(p.to, "\r\x1b[K")
		p.shown = false
	}
}

// Write writes to standard error.
func (p *progress) Write(b []byte) (int, error) {
	p.clear()
	return p.to.Write(b)
}
