package dist

import (
	"context"
	"fmt"
	"sync/atomic"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A Budget is what one computation may spend. Operations charge it before they
// work, so that a request that is too large fails at once instead of filling
// memory or time. It may be shared by goroutines.

// Limits bounds a [Budget]. A zero field is no limit.
type Limits struct {
	Work     int64 // basic word operations, summed over the whole computation
	Cells    int64 // outcomes times machine words held, summed over the whole computation
	Outcomes int64 // outcomes of any one table
}

// A Budget counts what a computation has been charged against its Limits.
type Budget struct {
	limits      Limits
	work, cells atomic.Int64
	outcomes    atomic.Int64 // of the largest table
	asked       atomic.Int64 // the most work that has been asked for, done or not
}

// NewBudget returns a budget with nothing spent.
func NewBudget(l Limits) *Budget { return &Budget{limits: l} }

// Used returns the work and the cells charged so far, and the outcomes of the
// largest table.
func (b *Budget) Used() Limits {
	return Limits{Work: b.work.Load(), Cells: b.cells.Load(), Outcomes: b.outcomes.Load()}
}

// Asked returns the most work, with what had been charged before, that an operation has
// made sure of before it began. It may be more than what was charged in the end.
func (b *Budget) Asked() int64 { return max(b.asked.Load(), b.work.Load()) }

type budgetKey struct{}

// WithBudget returns a context under which every operation charges b.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

// BudgetOf returns the budget that ctx carries, or nil.
func BudgetOf(ctx context.Context) *Budget { return budgetOf(ctx) }

func budgetOf(ctx context.Context) *Budget {
	b, _ := ctx.Value(budgetKey{}).(*Budget)
	return b
}

// A Resource is what a limit counts. Its text is the name of the limit, which others
// than this package may have more of.
type Resource string

// What the engine counts: that of a [Budget], and what no budget can raise.
const (
	WorkResource     Resource = "work"
	CellsResource    Resource = "cells"
	OutcomesResource Resource = "outcomes"
	WordsResource    Resource = "words"  // of one weight
	StatesResource   Resource = "states" // of a process
)

// A LimitError reports an operation that would have exceeded its budget.
type LimitError struct {
	Resource Resource
	Unit     string // what Need and Limit are numbers of, in words; "" follows from Resource
	Need     int64  // what would have been needed in all; math.MaxInt64 when it is more than that
	Limit    int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("would need %s %s; the limit is %s", upper.Grouped(e.Need), e.unit(), upper.Grouped(e.Limit))
}

func (e *LimitError) unit() string {
	switch {
	case e.Unit != "":
		return e.Unit
	case e.Resource == WorkResource:
		return "steps of work"
	case e.Resource == WordsResource:
		return "machine words for one weight"
	}
	return string(e.Resource)
}

// ChargeWork charges n basic operations before they are done. It returns a
// [LimitError] when the budget does not hold them, and the context's error when
// the context is done.
func ChargeWork(ctx context.Context, n int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b := budgetOf(ctx)
	if b == nil {
		return nil
	}
	return charge(&b.work, n, b.limits.Work, WorkResource)
}

// lookWork is what it takes to look at one outcome, besides the words of its
// weight.
const lookWork = 8

// maxCells bounds one table, whatever the budget, so that its size can be
// computed with: 128 GiB.
const maxCells = 1 << 34

// maxWords bounds one weight, whatever the budget: a quarter of a million bits,
// those of 100 000d6. A greatest common divisor of two such numbers takes the
// better part of a tenth of a second, in which nobody looks at the context.
const maxWords = 1 << 12

// wouldFit returns the error of [ChargeWork] without charging anything: for a
// long series of operations that each charge themselves, so that a hopeless one
// is not begun.
func wouldFit(ctx context.Context, n int64) error {
	b := budgetOf(ctx)
	if b == nil {
		return ctx.Err()
	}
	need := upper.AddSat(b.work.Load(), n)
	if b.limits.Work > 0 && need > b.limits.Work {
		return &LimitError{Resource: WorkResource, Need: need, Limit: b.limits.Work}
	}
	raise(&b.asked, need)
	return ctx.Err()
}

// ChargeTable charges a table of the given number of outcomes, each of so many
// words, before it is allocated. It returns a [LimitError] when the table is
// larger than one table may be or when the budget does not hold its cells.
func ChargeTable(ctx context.Context, outcomes, words int64) error {
	b := budgetOf(ctx)
	if b != nil && b.limits.Outcomes > 0 && outcomes > b.limits.Outcomes {
		return &LimitError{Resource: OutcomesResource, Need: outcomes, Limit: b.limits.Outcomes}
	}
	if cells := upper.MulSat(outcomes, words); cells > maxCells {
		return &LimitError{Resource: CellsResource, Need: cells, Limit: maxCells}
	}
	if err := fitsHeld(ctx, upper.MulSat(outcomes, words)); err != nil {
		return err
	}
	if b == nil {
		return nil
	}
	if err := charge(&b.cells, upper.MulSat(outcomes, words), b.limits.Cells, CellsResource); err != nil {
		return err
	}
	raise(&b.outcomes, outcomes)
	return nil
}

// raise makes a counter at least n.
func raise(counter *atomic.Int64, n int64) {
	for most := counter.Load(); n > most && !counter.CompareAndSwap(most, n); {
		most = counter.Load()
	}
}

// ChargeAgain charges what it took to work out d, which is shared between
// computations: each of them costs the same, whichever was the first.
func ChargeAgain(ctx context.Context, d *Dist, spent Limits) error {
	if err := ChargeWork(ctx, spent.Work); err != nil {
		return err
	}
	if err := ChargeTable(ctx, int64(d.Len()), 0); err != nil {
		return err
	}
	b := budgetOf(ctx)
	if b == nil {
		return nil
	}
	return charge(&b.cells, spent.Cells, b.limits.Cells, CellsResource)
}

// indexable refuses a table of more outcomes than any table may have, before
// its size is worked out further. The limit that it names is the one that is
// in force: that of the budget when there is one.
func indexable(ctx context.Context, outcomes int64) error {
	if outcomes <= axis.MaxOutcomes {
		return nil
	}
	limit := int64(axis.MaxOutcomes)
	if b := budgetOf(ctx); b != nil && b.limits.Outcomes > 0 {
		limit = min(limit, b.limits.Outcomes)
	}
	return &LimitError{Resource: OutcomesResource, Need: outcomes, Limit: limit}
}

// chargeWeights charges a table of weights of so many words each. It refuses
// weights that are wider than a weight may be.
func chargeWeights(ctx context.Context, outcomes, words int64) error {
	if words > maxWords {
		return &LimitError{Resource: WordsResource, Need: words, Limit: maxWords}
	}
	return ChargeTable(ctx, outcomes, words)
}

// chargeProduct charges a number of so many words that multiplications make, as
// a power or a product of many.
func chargeProduct(ctx context.Context, words int64) error {
	if err := chargeWeights(ctx, 4, words); err != nil {
		return err
	}
	return ChargeWork(ctx, 4*nat.Karatsuba(words))
}

// chargeRoom charges a table before it is allocated and refuses one that no
// machine should be asked for, whatever the budget.
func chargeRoom(ctx context.Context, outcomes, words int64) error {
	if upper.MulSat(outcomes, words) > axis.MaxOutcomes {
		return &LimitError{Resource: CellsResource, Need: upper.MulSat(outcomes, words), Limit: axis.MaxOutcomes}
	}
	return chargeWeights(ctx, outcomes, words)
}

// charge adds n to a counter. What does not fit is not added: a computation
// that goes on after a refusal still has what was left.
func charge(counter *atomic.Int64, n, limit int64, resource Resource) error {
	for {
		used := counter.Load()
		sum := upper.AddSat(used, n)
		if limit > 0 && sum > limit {
			return &LimitError{Resource: resource, Need: sum, Limit: limit}
		}
		if counter.CompareAndSwap(used, sum) {
			return nil
		}
	}
}

// A meter is how the machinery of internal packages charges the budget of a context.
type meter struct{ context.Context }

func meterOf(ctx context.Context) work.Meter { return meter{ctx} }

func (m meter) Work(n int64) error                 { return ChargeWork(m.Context, n) }
func (m meter) Table(entries, words int64) error   { return ChargeTable(m.Context, entries, words) }
func (m meter) Weights(entries, words int64) error { return chargeWeights(m.Context, entries, words) }
func (m meter) Product(words int64) error          { return chargeProduct(m.Context, words) }
func (m meter) Room(entries, words int64) error    { return chargeRoom(m.Context, entries, words) }
func (m meter) Places(n int64) error               { return indexable(m.Context, n) }
func (m meter) Fits(n int64) error                 { return wouldFit(m.Context, n) }
