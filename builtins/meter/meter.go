package meter

import (
	"context"

	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A Meter is the account of one run. It belongs to the goroutine of the run. A nil
// Meter, that of a thread without a run, counts nothing and keeps the default
// sizes of values.
type Meter struct {
	Limits Limits

	table  *Table
	ctx    context.Context // of the run, with the budget of the engine
	budget *dist.Budget
	thread *starlark.Thread
	made   int64 // bytes
	unseen int64 // units of time since the last look at the context
	most   Most
	handed map[Sized]bool // large values of the call that is being paid for
}

// NewMeter returns a meter for runs with these limits, which are filled.
func (t *Table) NewMeter(l Limits) *Meter { return &Meter{Limits: l, table: t} }

const meterKey = "dicescript.meter"

// Of returns the meter of the run that a thread belongs to, nil when it belongs to
// none.
func Of(thread *starlark.Thread) *Meter {
	if thread == nil {
		return nil
	}
	m, _ := thread.Local(meterKey).(*Meter)
	return m
}

func (m *Meter) limits() *Limits {
	if m == nil {
		return &defaults
	}
	return &m.Limits
}

// Begin opens a fresh account for a thread. A session does so for every input.
func (m *Meter) Begin(ctx context.Context, thread *starlark.Thread) {
	m.budget = dist.NewBudget(m.Limits.engine())
	m.ctx = dist.WithBudget(ctx, m.budget)
	m.thread = thread
	m.made, m.unseen, m.most = 0, 0, Most{}
	thread.SetLocal(meterKey, m)
}

// Context is that of the run, and carries the budget to which the engine
// charges its work.
func (m *Meter) Context() context.Context { return m.ctx }

// Used is what the run has spent so far.
func (m *Meter) Used() Usage {
	engine := m.budget.Used()
	return Usage{
		Steps: int64(m.thread.ExecutionSteps()), Work: engine.Work, Cells: engine.Cells, Bytes: m.made,
		Outcomes: engine.Outcomes, Most: m.most,
	}
}

// lookEvery is how many units of time pass between two looks at the context: some
// 20 microseconds.
const lookEvery = 1 << 10

// Spend pays for work of so many steps before it is done.
func (m *Meter) Spend(steps int64) error {
	if m == nil || steps <= 0 {
		return nil
	}
	used := int64(m.thread.Steps)
	if l := m.Limits.Steps; l >= 0 && steps > l-used {
		return Check(Steps, upper.AddSat(used, steps), l)
	}
	m.thread.Steps += uint64(steps)
	return m.pass(steps)
}

// pass notes that time passes that nobody pays for, and looks at the context now
// and then.
func (m *Meter) pass(units int64) error {
	if m == nil {
		return nil
	}
	if m.unseen += units; m.unseen < lookEvery {
		return nil
	}
	m.unseen = 0
	return m.ctx.Err()
}

// work charges the engine with a look at so many cells.
func (m *Meter) work(cells int64) error {
	if m == nil || cells == 0 {
		return nil
	}
	return dist.ChargeWork(m.ctx, cells)
}

// Make pays for so many bytes before they are made.
func (m *Meter) Make(bytes int64) error {
	if m == nil {
		return nil
	}
	need := upper.AddSat(m.made, bytes)
	if err := Check(Bytes, need, m.Limits.Bytes); err != nil {
		return err
	}
	m.made = need
	return m.pass(bytes / bytesPerUnit)
}

// bytesPerUnit is how many bytes are written in the time of a step.
const bytesPerUnit = 64

// What a value takes in memory.
const (
	elementBytes = 16  // a place in a list or tuple, or a captured variable
	letterBytes  = 24  // a letter that is a text of its own, and what is left of gathering many
	headBytes    = 48  // a list, a tuple or a number on its own
	dictBytes    = 560 // a dict or set has room for eight entries from the start
	entryBytes   = 128 // an entry beyond those
	closureBytes = 96  // a function made at run time
	valueBytes   = 256 // a value of ours, besides its cells
	keptBytes    = 192 // a label, a state or a row that a builtin keeps
)

// Made pays for a value that has just been made of values that are not too large,
// and refuses one that is. What it holds is paid for by whoever made that.
func (m *Meter) Made(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.Int:
		if smallInt(v) {
			return nil
		}
		if isSmall(v) {
			return m.Make(headBytes)
		}
		bits := int64(v.BigInt().BitLen())
		if err := m.fits(IntBits, bits); err != nil {
			return err
		}
		return m.Make(headBytes + bits/8)
	case starlark.Float, starlark.Bool, starlark.NoneType:
		return nil
	case *starlark.Builtin:
		return m.Make(closureBytes)
	case Sized:
		return m.Make(v.Size().memory())
	case Flat:
		return m.Make(v.Memory())
	case starlark.String, starlark.Bytes:
		n := int64(starlark.Len(v))
		if err := m.fits(TextBytes, n); err != nil {
			return err
		}
		return m.Make(elementBytes + n)
	case *starlark.List, starlark.Tuple:
		n := int64(starlark.Len(v))
		if err := m.fits(Elements, n); err != nil {
			return err
		}
		return m.Make(headBytes + elementBytes*n)
	case *starlark.Dict, *starlark.Set:
		if err := m.Make(dictBytes); err != nil {
			return err
		}
		return m.grown(v, 0)
	}
	return m.Make(valueBytes) // of a host: what it holds is for the host to bound
}

// memory is what one more value takes besides its cells.
func (s Size) memory() int64 {
	if s.Memory > 0 {
		return s.Memory
	}
	return upper.AddSat(valueBytes, s.Bytes)
}

// smallInt reports whether Starlark holds a whole number without memory of its own.
func smallInt(n starlark.Int) bool {
	small, ok := n.Int64()
	return ok && small == int64(int32(small))
}

// Tuple pays for a tuple of so many elements before it is made.
func (m *Meter) Tuple(elements int64) error {
	if err := m.fits(Elements, elements); err != nil {
		return err
	}
	return m.Make(headBytes + elementBytes*elements)
}

// Closure pays for a function that is made at run time, with so many parameters and
// variables of functions around it.
func (m *Meter) Closure(variables int64) error {
	return m.Make(closureBytes + 2*elementBytes*variables)
}

// Slice pays for a part of so many elements of a list, a tuple or a text before it is made.
func (m *Meter) Slice(of starlark.Value, elements int64) error {
	switch of.(type) {
	case starlark.String, starlark.Bytes:
		return m.Make(elementBytes + elements)
	case *starlark.List, starlark.Tuple:
		return m.Tuple(elements)
	}
	return m.Make(headBytes)
}
