package meter

import (
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A part of a run that is worked out beside it has a meter of its own. What it has spent
// is charged to the run at once, if the run would not have met a limit on the way.

// Beside returns a meter for one of so many parts of the run, which another goroutine
// works out with a thread of its own. The part may spend its share of what the run has
// left, so that all of them together hold no more than the run could.
func (m *Meter) Beside(thread *starlark.Thread, parts int) *Meter {
	part := &Meter{Limits: m.Limits, table: m.table}
	l, used := &part.Limits, m.Used()
	for _, share := range []struct {
		limit *int64
		used  int64
	}{{&l.Steps, used.Steps}, {&l.Bytes, used.Bytes}, {&l.Work, used.Work}, {&l.Cells, used.Cells}} {
		if *share.limit >= 0 {
			*share.limit = max(1, (*share.limit-share.used)/int64(parts))
		}
	}
	thread.Steps = 0 // of the part before
	part.Begin(m.ctx, thread)
	return part
}

// A Part is what a part of a run has spent.
type Part struct {
	used  Usage
	asked int64 // of work
}

// Part returns what the part has spent whose meter m is.
func (m *Meter) Part() Part { return Part{m.Used(), m.budget.Asked()} }

// Take pays for what a part has spent, but for so many of its steps, which are paid for in
// another way. Where the run would have met a limit, or nearly so, ok is false and it pays
// nothing.
func (m *Meter) Take(part Part, otherwise int64) (ok bool, err error) {
	used, l, now := part.used, &m.Limits, m.Used()
	steps := used.Steps - otherwise
	if Check(Steps, upper.AddSat(now.Steps, used.Steps+lookEvery), l.Steps) != nil ||
		Check(Bytes, upper.AddSat(now.Bytes, used.Bytes), l.Bytes) != nil ||
		tooMuch(upper.AddSat(now.Work, part.asked), l.engine().Work) ||
		tooMuch(upper.AddSat(now.Cells, used.Cells), l.engine().Cells) || used.Cells > mostTaken {
		return false, nil
	}
	m.thread.Steps += uint64(steps)
	m.made += used.Bytes
	m.most = m.most.and(used.Most)
	if err := dist.ChargeWork(m.ctx, used.Work); err != nil {
		return false, err
	}
	if err := dist.ChargeTable(m.ctx, used.Outcomes, 0); err != nil {
		return false, err
	}
	if used.Cells == 0 { // and so no table of one outcome
		return true, nil
	}
	return true, dist.ChargeTable(m.ctx, 1, used.Cells)
}

// mostTaken is less than what the engine refuses as one table.
const mostTaken = 1 << 33

// Effort is about how many operations a run has done since it had spent so much.
func (m *Meter) Effort(since Usage) int64 {
	const stepOperations = 16
	now := m.Used()
	return upper.AddSat(now.Work-since.Work, upper.MulSat(stepOperations, now.Steps-since.Steps))
}

// tooMuch reports whether a budget does not hold so much; 0 is no limit.
func tooMuch(n, limit int64) bool { return limit > 0 && n > limit }

// and is the larger of each of two.
func (a Most) and(b Most) Most {
	return Most{
		TextBytes: max(a.TextBytes, b.TextBytes), Elements: max(a.Elements, b.Elements),
		Entries: max(a.Entries, b.Entries), NameBytes: max(a.NameBytes, b.NameBytes),
		IntBits: max(a.IntBits, b.IntBits),
	}
}
