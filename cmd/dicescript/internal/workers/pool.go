package workers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"dicescript/lang/isolate"
)

// A Pool has processes that answer questions. They are started when they are needed.
type Pool struct {
	command string
	args    []string // of the command, after its limits
	limits  isolate.Limits
	slots   chan struct{}

	mu     sync.Mutex
	idle   []*worker // the last used last
	closed bool
	alive  sync.WaitGroup
}

// New returns a pool of at most so many processes, which run the command with arguments
// under limits.
func New(command string, most int, limits isolate.Limits, args ...string) *Pool {
	return &Pool{command: command, args: args, limits: limits, slots: make(chan struct{}, most)}
}

// A worker is a process.
type worker struct {
	in    *os.File
	out   *bufio.Reader
	kill  context.CancelFunc
	said  bytes.Buffer  // on standard error, while it runs
	ended chan struct{} // closed when the process is gone, and err is set
	err   error
}

// grace is how much longer than its time a question may take, and how long a process that
// says nothing more may take to end by itself.
const grace = 2 * time.Second

// startTime is how long a process may take to be ready, on a busy machine.
const startTime = 30 * time.Second

// ErrOverdue is the error of a question that has passed its time.
var ErrOverdue = fmt.Errorf("the time for this run is used up: %w", context.DeadlineExceeded)

// Ask asks a question, which may take a time, and returns the answer. The error is that of
// ctx, [ErrOverdue], what package isolate says of a process that the question has ended, or
// why there is none that could be asked.
func (p *Pool) Ask(ctx context.Context, method string, args []byte, most time.Duration) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	line, err := json.Marshal(question{Method: method, Args: args})
	if err != nil {
		return nil, err
	}
	line = append(line, '\n')
	// A process that has ended while it had nothing to do, whatever ended it, says nothing
	// about this question. A new one is then started for it.
	for fresh := false; ; fresh = true {
		w, err := p.take(fresh)
		if err != nil {
			return nil, err
		}
		answer, hasBegun, err := w.ask(ctx, line, most)
		if err == nil {
			p.put(w)
			return answer, nil
		}
		w.end()
		if hasBegun || fresh || ctx.Err() != nil {
			return nil, err
		}
	}
}

// take returns a process: one that has been used before, unless a fresh one is wanted.
func (p *Pool) take(fresh bool) (*worker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errors.New("the workers have been ended")
	}
	if n := len(p.idle); n > 0 && !fresh {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	return p.start()
}

// put keeps a process for the next question.
func (p *Pool) put(w *worker) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.idle = append(p.idle, w)
	}
	p.mu.Unlock()
	if closed {
		w.end()
	}
}

// Close ends all processes.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, w := range idle {
		w.end()
	}
	p.alive.Wait()
}

// start starts a process and waits until it is ready.
func (p *Pool) start() (*worker, error) {
	in, toWorker, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromWorker, out, err := os.Pipe()
	if err != nil {
		in.Close()
		toWorker.Close()
		return nil, err
	}
	ctx, kill := context.WithCancel(context.Background())
	w := &worker{in: toWorker, out: bufio.NewReader(fromWorker), kill: kill, ended: make(chan struct{})}
	child := isolate.Child{Command: p.command, Stdin: in, Stdout: out, Stderr: &head{to: &w.said}}
	p.alive.Go(func() {
		defer close(w.ended)
		w.err = isolate.Run(ctx, child, p.limits, p.args...)
		in.Close()
		out.Close()
	})
	overdue := time.AfterFunc(startTime, kill)
	defer overdue.Stop()
	if _, err := w.expect(ready); err != nil {
		w.end()
		<-w.ended
		return nil, fmt.Errorf("a process for recipes can't be started: %w %s", errors.Join(w.err, err), &w.said)
	}
	return w, nil
}

// ask asks a process. It says as well whether the process has come to the question.
func (w *worker) ask(ctx context.Context, line []byte, most time.Duration) (answer []byte, hasBegun bool, err error) {
	overdue := time.AfterFunc(most+grace, w.kill)
	defer overdue.Stop()
	abandoned := context.AfterFunc(ctx, w.kill)
	defer abandoned()
	if _, err := w.in.Write(line); err != nil {
		return nil, false, w.why(ctx, overdue, err)
	}
	if _, err := w.expect(begun); err != nil {
		return nil, false, w.why(ctx, overdue, err)
	}
	answer, err = w.out.ReadBytes('\n')
	if err != nil {
		return nil, true, w.why(ctx, overdue, err)
	}
	if ctx.Err() != nil { // it may have been told to end
		return nil, true, ctx.Err()
	}
	return answer, true, nil
}

// expect reads a line.
func (w *worker) expect(want string) (string, error) {
	got, err := w.out.ReadString('\n')
	if err == nil && got != want+"\n" {
		err = fmt.Errorf("it says %.80q, want %q", got, want)
	}
	return got, err
}

// why is why a process has not answered.
func (w *worker) why(ctx context.Context, overdue *time.Timer, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !overdue.Stop() {
		return ErrOverdue
	}
	select {
	case <-w.ended:
	case <-time.After(grace):
		w.kill()
		<-w.ended
	}
	if w.err != nil {
		return w.err
	}
	return err
}

// end tells a process to end, which may take it a while.
func (w *worker) end() {
	w.in.Close()
	w.kill()
}

// head keeps the beginning of what is written.
type head struct {
	to *bytes.Buffer
}

const mostSaid = 2 << 10

func (h *head) Write(text []byte) (int, error) {
	if left := mostSaid - h.to.Len(); left > 0 {
		h.to.Write(text[:min(left, len(text))])
	}
	return len(text), nil
}
