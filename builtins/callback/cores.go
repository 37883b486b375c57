package callback

import (
	"runtime"
	"sync"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/slot"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Where a callback only computes and is called very often, several processors make
// its calls side by side. Each has a part of the rows; what they answer is paid for
// and taken in the order of the rows, chunk by chunk as one processor would have
// done it. So the result, what it costs, and where it fails are the same on every
// machine. A call that a processor can't make by computing alone, and all that
// come after it, are made one after the other.

// When calls are made side by side: from how many on, and how many each
// processor makes before all wait for each other.
const (
	manyCalls  = 1 << 15
	callsAhead = 1 << 13
	maxCores   = 8
)

// A crew makes the calls of a callback side by side.
type crew struct {
	cb      *Func
	visit   func(slot.Value, dist.Weight) error
	last    dist.Row
	workers []worker
	rows    int // rows that wait for their calls
	each    int // rows for each worker
	broken  bool
}

// A worker makes the calls of some rows.
type worker struct {
	thread   *starlark.Thread
	computed slot.Forked
	args     []slot.Value  // of the rows, one after the other
	weights  []dist.Weight // of the rows
	room     []slot.Value  // for the answers
	chunks   []chunk
}

// A chunk is what one look at a row came to.
type chunk struct {
	row, at, calls int
	spent          besides
}

// besides is what a part of a run has spent that was worked out beside it.
type besides struct {
	env          *runenv.Env
	part         meter.Part
	nodes, steps int64
	depth        int
}

// crew returns who makes so many calls side by side, nil when they are made one
// after the other.
func (cb *Func) crew(calls int64, visit func(slot.Value, dist.Weight) error) *crew {
	cores := min(runtime.GOMAXPROCS(0), maxCores)
	if cores < 2 || calls < manyCalls || cb.computed == nil || cb.meter == nil {
		return nil
	}
	c := &crew{cb: cb, visit: visit, workers: make([]worker, cores)}
	for i := range c.workers {
		w := &c.workers[i]
		w.thread = &starlark.Thread{Name: cb.thread.Name}
		if w.computed = cb.computed.Fork(w.thread); w.computed == nil {
			return nil
		}
	}
	return c
}

// row takes a row, whose first arguments are set, and has calls made when enough
// rows have gathered.
func (c *crew) row(w dist.Weight, last dist.Row) error {
	if c.broken = c.broken || last.Len() > callsAhead; c.broken {
		return c.cb.rowFrom(0, w, last, c.visit)
	}
	if c.each == 0 {
		c.last, c.each = last, max(1, callsAhead/last.Len())
	}
	at := &c.workers[c.rows/c.each]
	at.args = append(at.args, c.cb.args...)
	at.weights = append(at.weights, w)
	if c.rows++; c.rows < c.each*len(c.workers) {
		return nil
	}
	return c.finish()
}

// finish makes the calls of the rows that have gathered, and takes the answers.
func (c *crew) finish() error {
	if c.rows == 0 {
		return nil
	}
	env := runenv.Of(c.cb.thread)
	env.ID() // which is given when it is first asked for
	var wait sync.WaitGroup
	for i := range c.workers {
		if w := &c.workers[i]; len(w.weights) > 0 {
			wait.Go(func() { w.compute(env, c.last, len(c.workers)) })
		}
	}
	wait.Wait()
	c.rows = 0
	for i := range c.workers {
		w := &c.workers[i]
		if err := c.take(w); err != nil {
			return err
		}
		w.args, w.weights, w.chunks = w.args[:0], w.weights[:0], w.chunks[:0]
	}
	return nil
}

// compute makes the calls of all rows up to one that can't be made.
func (w *worker) compute(env *runenv.Env, last dist.Row, parts int) {
	defer func() { _ = recover() }() // the run comes to it again
	if need := len(w.weights) * last.Len(); len(w.room) < need {
		w.room = make([]slot.Value, need)
	}
	n := len(w.args) / len(w.weights)
	for row := range w.weights {
		args, room := w.args[row*n:][:n], w.room[row*last.Len():][:last.Len()]
		for at := 0; at < last.Len(); {
			spent := begin(env, w.thread, w.computed, parts)
			calls, err := w.computed.Row(args, last.Faces[at:], room[at:min(at+rowRoom, len(room))])
			if err != nil || env.Engine().Err() != nil {
				return
			}
			spent.end(w.computed)
			w.chunks = append(w.chunks, chunk{row, at, calls, spent})
			at += calls
		}
	}
}

// begin opens an account for one of so many parts of the run that others work out.
func begin(env *runenv.Env, thread *starlark.Thread, computed slot.Forked, parts int) besides {
	part := env.Beside(env.Meter.Beside(thread, parts))
	runenv.Set(thread, part)
	computed.Begin()
	return besides{env: part}
}

// end notes what the part has spent.
func (b *besides) end(computed slot.Forked) {
	b.nodes, b.steps, b.depth = computed.Spent()
	b.part = b.env.Meter.Part()
}

// settle has the run pay for a part; it reports whether the run would have come to the
// same by itself.
func (b *besides) settle(cb *Func) (ok bool, err error) {
	if b.env.PaidTwice() {
		return false, nil
	}
	if ok, err = cb.meter.Take(b.part, b.steps); !ok || err != nil {
		return false, err
	}
	b.env.Settle()
	return true, cb.computed.(slot.Payer).Pay(b.nodes, b.depth)
}

// take pays for the answers of a worker and takes them in their order. What it has
// not come to is done here.
func (c *crew) take(w *worker) error {
	n := len(c.cb.args)
	chunks := w.chunks
	for row, weight := range w.weights {
		copy(c.cb.args, w.args[row*n:][:n])
		at := 0
		for len(chunks) > 0 && chunks[0].row == row && !c.broken {
			k := &chunks[0]
			chunks = chunks[1:]
			ok, err := k.spent.settle(c.cb)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			room := w.room[row*c.last.Len()+k.at:][:k.calls]
			if err := c.cb.takeRow(weight, c.last, k.at, room, c.visit); err != nil {
				return err
			}
			at += k.calls
		}
		if at < c.last.Len() {
			c.broken = true
			if err := c.cb.rowFrom(at, weight, c.last, c.visit); err != nil {
				return err
			}
		}
	}
	return nil
}
