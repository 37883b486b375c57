package callback

import (
	"runtime"
	"sync"
	"sync/atomic"

	"dicescript/builtins/runenv"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// Where a callback is compiled and a row of a grid takes long, several processors fill
// rows side by side while the run waits. Each row is worked out as a part of the run with
// an account of its own, and the rows are taken in their order. A row that would have
// gone another way in the run by itself is asked for again by the run: one that fails,
// that meets a limit of the run, or that has paid for what a row before it has paid for.
// So the result, what it costs, and where it fails are the same on every machine.

// When rows are filled side by side, in operations: from how many on that are left, and
// how many each processor does before all wait for each other, or a row if that is more.
const (
	manyOperations  = 1 << 16
	operationsAhead = 1 << 22
	mostRowsAhead   = 64
)

// A gridCrew fills rows of a grid side by side.
type gridCrew struct {
	*gridFilling
	cols    []slot.Value
	workers []gridWorker
	ahead   int // rows that are filled before all wait
	wasted  int // rows that the run has asked for again
}

// A gridWorker fills rows, one after the other.
type gridWorker struct {
	thread   *starlark.Thread
	computed slot.Forked
}

// A gridRow is a row that was filled beside the run.
type gridRow struct {
	cells []value.GridCell // fewer than columns when the run has to ask for them
	spent besides
}

// sideBySide fills the first row, which shows what rows take, and others side by side if
// that is worth it.
func (f *gridFilling) sideBySide() error {
	if f.cb.computed == nil || f.cb.meter == nil {
		return nil
	}
	before := f.cb.meter.Used()
	if err := f.row(); err != nil {
		return err
	}
	crew := f.crew(f.cb.meter.Effort(before))
	if crew == nil {
		return nil
	}
	for len(f.cells) < len(f.Rows) && !crew.broken() {
		if err := crew.fill(); err != nil {
			return err
		}
	}
	return nil
}

// crew returns who fills rows side by side that take so many operations each, nil when
// they are filled one after the other.
func (f *gridFilling) crew(each int64) *gridCrew {
	rest := len(f.Rows) - 1
	cores := min(runtime.GOMAXPROCS(0), maxCores, rest)
	if cores < 2 || upper.MulSat(each, int64(rest)) < manyOperations || f.cb.computed == nil {
		return nil
	}
	c := &gridCrew{gridFilling: f, workers: make([]gridWorker, cores)}
	for i := range c.workers {
		w := &c.workers[i]
		w.thread = &starlark.Thread{Name: f.cb.thread.Name}
		if w.computed = f.cb.computed.Fork(w.thread); w.computed == nil {
			return nil
		}
	}
	for _, col := range f.Cols {
		c.cols = append(c.cols, slot.Of(col))
	}
	c.ahead = cores * int(min(max(1, operationsAhead/max(1, each)), mostRowsAhead))
	return c
}

// broken reports whether the run goes on by itself.
func (c *gridCrew) broken() bool {
	return c.wasted > 2*len(c.workers) && 2*c.wasted > len(c.cells)
}

// fill fills some more rows.
func (c *gridCrew) fill() error {
	first := len(c.cells)
	rows := make([]gridRow, min(c.ahead, len(c.Rows)-first))
	env := runenv.Of(c.cb.thread)
	ctx := env.Engine()
	env.ID() // which is given when it is first asked for
	next := atomic.Int64{}
	var wait sync.WaitGroup
	for i := range c.workers {
		wait.Go(func() {
			for at := int(next.Add(1)) - 1; at < len(rows); at = int(next.Add(1)) - 1 {
				if ctx.Err() != nil {
					return
				}
				w := &c.workers[i]
				rows[at].spent = begin(env, w.thread, w.computed, len(rows))
				w.fill(&rows[at], slot.Of(c.Rows[first+at]), c.cols)
			}
		})
	}
	wait.Wait()
	for i := range rows {
		if c.broken() {
			return nil
		}
		if err := c.take(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// fill asks for the cells of a row up to one that the run has to ask for.
func (w *gridWorker) fill(r *gridRow, row slot.Value, cols []slot.Value) {
	defer func() {
		if recover() != nil { // the run comes to it again
			r.cells = nil
		}
	}()
	r.cells = make([]value.GridCell, 0, len(cols))
	args := []slot.Value{row, {}}
	for _, col := range cols {
		args[1] = col
		v, err := w.computed.Call(args)
		if err != nil {
			return
		}
		cell, ok := cellOf(v.Starlark())
		if !ok {
			return
		}
		r.cells = append(r.cells, cell)
	}
	r.spent.end(w.computed)
}

// take takes the next row.
func (c *gridCrew) take(r *gridRow) error {
	if len(r.cells) == len(c.Cols) {
		ok, err := r.spent.settle(c.cb)
		if err != nil {
			return err
		}
		if ok {
			c.cells = append(c.cells, r.cells)
			return nil
		}
	}
	c.wasted++
	return c.row()
}
