package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"dicescript/lang/isolate"
)

// A pool has a fixed number of workers and a queue in front of them, which is
// bounded: whoever finds it full is told so at once, rather than waiting in vain.

// Errors of a pool. None is the fault of a recipe: the same request may be sent
// again, here or elsewhere.
var (
	errLost    = errors.New("the process that ran the recipe was ended, which was not the recipe's fault")
	errFull    = errors.New("the queue is full")
	errWaited  = errors.New("no worker became free in time")
	errClosing = errors.New("the service is stopping")
)

type poolOptions struct {
	command string   // what a worker runs
	env     []string // of workers; nil is that of the service
	workers int
	queue   int           // how many jobs may wait
	wait    time.Duration // how long one may wait
	memory  int64         // bytes of a worker
	jobs    int           // after which a worker is replaced, lest leaks add up
	log     *slog.Logger
	metrics *metrics
}

type pool struct {
	poolOptions
	seed maphash.Seed

	mu      sync.Mutex
	idle    []*worker
	waiting []chan *worker
	alive   int // workers that run or are idle
	closed  bool
	closing chan struct{}  // closed with it
	running sync.WaitGroup // everything that has to do with a worker
}

// A worker, as the service sees it.
type worker struct {
	in    *os.File
	out   *bufio.Reader
	kill  context.CancelFunc
	ended chan struct{} // closed when the process is gone, and err is set
	err   error
	done  int             // jobs
	seen  map[uint64]bool // recipes that it has compiled, most likely
}

func newPool(o poolOptions) *pool {
	p := &pool{poolOptions: o, seed: maphash.MakeSeed(), closing: make(chan struct{})}
	for range o.workers {
		p.running.Go(p.replace)
	}
	return p
}

// workerTime is the processor time of a worker in all its life.
const workerTime = time.Hour

// start starts a process.
func (p *pool) start() (*worker, error) {
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
	w := &worker{in: toWorker, out: bufio.NewReader(fromWorker), kill: kill, ended: make(chan struct{}), seen: map[uint64]bool{}}
	child := isolate.Child{Command: p.command, Env: p.env, Stdin: in, Stdout: out, Stderr: &logWriter{log: p.log}}
	p.running.Go(func() {
		defer close(w.ended)
		w.err = isolate.Run(ctx, child, isolate.Limits{Memory: p.memory, CPU: workerTime})
		in.Close()
		out.Close()
	})
	if err := w.greet(); err != nil {
		w.kill()
		w.in.Close()
		<-w.ended
		return nil, fmt.Errorf("%w (%v)", err, w.err)
	}
	return w, nil
}

// startTime is how long a worker may take to say that it is ready, on a busy machine.
const startTime = time.Minute

// greet waits until a worker is ready for jobs.
func (w *worker) greet() error {
	overdue := time.AfterFunc(startTime, w.kill)
	defer overdue.Stop()
	return expect(w.out, ready)
}

// stop lets a worker end, which it does when nobody gives it jobs.
func (w *worker) stop() {
	w.in.Close()
	<-w.ended
	w.kill()
}

// replace brings a new worker into the pool. Where none can be started, it tries
// again, ever less often.
func (p *pool) replace() {
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 10*time.Second) {
		if p.isClosed() {
			return
		}
		w, err := p.start()
		if err == nil {
			p.mu.Lock()
			p.alive++
			p.mu.Unlock()
			p.running.Go(func() { p.watch(w) })
			p.release(w)
			return
		}
		p.log.Error("a worker can't be started", "error", err)
		select {
		case <-time.After(pause):
		case <-p.closing:
		}
	}
}

// watch takes a worker out of the pool that ends while it has nothing to do. Whoever has
// given a job to one that ends notices by itself.
func (p *pool) watch(w *worker) {
	<-w.ended
	p.mu.Lock()
	i := slices.Index(p.idle, w)
	if i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
	}
	p.mu.Unlock()
	if i >= 0 {
		p.lose(w)
	}
}

// lose replaces a worker that was ended when it had nothing to do.
func (p *pool) lose(w *worker) {
	p.log.Warn("a worker has ended", "outcome", lost, "error", w.err, "jobs", w.done)
	p.metrics.ends.WithLabelValues(string(lost)).Inc()
	p.remove(w)
}

// hasEnded reports whether the process is gone.
func (w *worker) hasEnded() bool {
	select {
	case <-w.ended:
		return true
	default:
		return false
	}
}

func (p *pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// acquire waits for a worker, one that knows the recipe if it can choose.
func (p *pool) acquire(ctx context.Context, recipe uint64) (*worker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosing
	}
	if n := len(p.idle); n > 0 {
		i := slices.IndexFunc(p.idle, func(w *worker) bool { return w.seen[recipe] })
		if i < 0 {
			i = n - 1
		}
		w := p.idle[i]
		p.idle = slices.Delete(p.idle, i, i+1)
		p.mu.Unlock()
		return w, nil
	}
	if len(p.waiting) >= p.queue {
		p.mu.Unlock()
		return nil, errFull
	}
	turn := make(chan *worker, 1)
	p.waiting = append(p.waiting, turn)
	p.mu.Unlock()

	late := time.NewTimer(p.wait)
	defer late.Stop()
	err := errWaited
	select {
	case w := <-turn:
		return w, nil
	case <-late.C:
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.mu.Lock()
	if i := slices.Index(p.waiting, turn); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		p.mu.Unlock()
		return nil, err
	}
	p.mu.Unlock()
	return <-turn, nil // it came at the same moment
}

// release gives a worker to whoever waits longest.
func (p *pool) release(w *worker) {
	p.mu.Lock()
	if w.hasEnded() { // afterwards it is watch that sees it, in idle
		p.mu.Unlock()
		p.lose(w)
		return
	}
	defer p.mu.Unlock()
	switch {
	case len(p.waiting) > 0:
		p.waiting[0] <- w
		p.waiting = p.waiting[1:]
	case p.closed:
		p.alive--
		p.running.Go(w.stop)
	default:
		p.idle = append(p.idle, w)
	}
}

// remove takes a worker out of the pool and has another one take its place.
func (p *pool) remove(w *worker) {
	p.mu.Lock()
	p.alive--
	p.mu.Unlock()
	p.running.Go(w.stop)
	p.running.Go(p.replace)
}

// grace is how much longer than its time a job may take: to render what it had, and
// to be read.
const grace = renderTime + time.Second

// Workers that a job may cost. One that was killed from outside says nothing about the
// recipe; one that ended by itself, nobody knows why, makes it a suspect.
const (
	mostLost    = 3
	mostCrashed = 2
)

// run runs a job. The error is one of the pool, or that of ctx: nothing that a recipe
// does is an error here. What is no fault of the recipe is tried again on another worker:
// a job that no worker has begun as often as there may be workers that have just ended,
// one that was begun as often as the constants say.
func (p *pool) run(ctx context.Context, j job) (answer, error) {
	recipe := maphash.Comparable(p.seed, cacheKey{j.Name, j.Recipe})
	untouched, sacrificed, crashes := 0, 0, 0
	for {
		began := time.Now()
		w, err := p.acquire(ctx, recipe)
		p.metrics.waits.Observe(time.Since(began).Seconds())
		if err != nil {
			return answer{}, err
		}
		began = time.Now()
		a := p.on(w, j, recipe)
		p.metrics.runs.WithLabelValues(string(a.Outcome)).Observe(time.Since(began).Seconds())
		p.metrics.programs.WithLabelValues(strconv.FormatBool(a.Cached)).Inc()
		switch {
		case a.Outcome == lost && !a.begun:
			untouched++
		case a.Outcome == lost:
			sacrificed++
		case a.Outcome == crashed:
			crashes++
		default:
			return a, nil
		}
		switch {
		case crashes >= mostCrashed:
			return a, nil
		case sacrificed >= mostLost || untouched > p.workers+1:
			return answer{}, errLost
		}
	}
}

// on runs a job on a worker and puts that one, or a new one, back.
func (p *pool) on(w *worker, j job, recipe uint64) answer {
	started := time.Now()
	overdue := time.AfterFunc(j.Timeout+grace, w.kill)
	err := json.NewEncoder(w.in).Encode(j)
	if err == nil {
		err = expect(w.out, begun)
	}
	hasBegun := err == nil
	var a answer
	if hasBegun {
		a, err = readAnswer(w.out)
	}
	killed := !overdue.Stop()
	if err != nil || killed {
		a = p.post(w, killed, hasBegun, err)
		p.log.Warn("a worker has ended", "outcome", a.Outcome, "error", w.err, "after", time.Since(started), "jobs", w.done)
		p.metrics.ends.WithLabelValues(string(a.Outcome)).Inc()
		p.remove(w)
		return a
	}
	w.seen[recipe] = true
	if w.done++; w.done >= p.jobs {
		p.metrics.ends.WithLabelValues("replaced").Inc()
		p.remove(w)
	} else {
		p.release(w)
	}
	return a
}

// lastWords is how long a worker that says nothing more may take to end by itself.
const lastWords = 5 * time.Second

// post tells why a worker has ended. One that was killed, that has ended without a
// mistake, or that never came to the job, has done so for a reason of its own.
func (p *pool) post(w *worker, killed, hasBegun bool, err error) answer {
	select {
	case <-w.ended:
	case <-time.After(lastWords):
	}
	w.kill()
	<-w.ended
	switch {
	case killed:
		return answer{Outcome: late, body: failure("deadline", "the time of the run is used up")}
	case errors.Is(w.err, isolate.ErrMemory):
		return answer{Outcome: exceeded, body: failure("limit", w.err.Error())}
	case !hasBegun, w.err == nil, errors.Is(w.err, isolate.ErrKilled), errors.Is(w.err, isolate.ErrCPU):
		return answer{Outcome: lost, begun: hasBegun}
	}
	p.log.Error("a worker crashed", "error", err)
	return answer{Outcome: crashed, body: failure("internal", "the recipe could not be run to its end")}
}

// delay is when to try again: when about half of those that wait will have had their
// turn, if each takes as long as one may wait for all.
func (p *pool) delay() time.Duration {
	_, _, waiting := p.state()
	return max(time.Second, p.wait*time.Duration(waiting)/time.Duration(2*p.queue))
}

// state is how many workers there are and how many jobs wait.
func (p *pool) state() (alive, idle, waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.alive, len(p.idle), len(p.waiting)
}

// close takes no more jobs, lets those that wait or run end, and ends all workers.
func (p *pool) close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.closing)
	}
	for _, w := range p.idle {
		p.alive--
		p.running.Go(w.stop)
	}
	p.idle = nil
	p.mu.Unlock()
	p.running.Wait()
}

// A logWriter puts what a worker says into the log, so much of it as a person reads.
type logWriter struct {
	log  *slog.Logger
	said int
}

const mostSaid = 4 << 10

func (l *logWriter) Write(text []byte) (int, error) {
	if l.said < mostSaid {
		l.log.Error("a worker says", "text", string(text[:min(len(text), mostSaid)]))
	}
	l.said += len(text)
	return len(text), nil
}
