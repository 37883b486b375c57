package anydice

import (
	"context"

	"dicescript/dist"
	"dicescript/dist/upper"
)

// What a run may spend comes from outside. The interpreter counts its own steps
// and tells them to a [Meter]; the engine charges its work and its tables to
// the budget that the context carries.

// A Meter is told what the interpreter spends. Charge notes so many steps, each
// about one operation of the program, and returns an error when the run has to
// end.
type Meter interface {
	Charge(steps int64) error
}

// chargeEvery is how many steps pass between two looks at the meter and the
// context.
const chargeEvery = 1024

// step counts one step.
func (r *run) step() error {
	r.steps++
	if r.steps < chargeEvery {
		return nil
	}
	return r.settleSteps()
}

// spend counts n steps at once.
func (r *run) spend(n int) error {
	r.steps += int64(n)
	if r.steps < chargeEvery {
		return nil
	}
	return r.settleSteps()
}

// settleSteps tells the meter what was counted.
func (r *run) settleSteps() error {
	n := r.steps
	r.steps = 0
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.meter == nil {
		return nil
	}
	return r.meter.Charge(n)
}

// maxElements bounds one sequence, whatever the budget.
const maxElements = 1 << 22

// What no host can set: how long one sequence is, and how deeply calls nest.
const (
	sequenceResource dist.Resource = "sequence"
	callsResource    dist.Resource = "function-depth"
	diceResource     dist.Resource = "dice"
)

// repeatDie returns so many equal dice, of which a pool has room for a million.
func repeatDie(base *dist.Dist, count int) (*dist.Pool, error) {
	if err := poolOf(count); err != nil {
		return nil, err
	}
	return dist.Repeat(base, count)
}

// poolOf refuses a pool of more dice than there may be.
func poolOf(count int) error {
	if count > dist.MaxDice {
		return &dist.LimitError{Resource: diceResource, Unit: "dice in a pool", Need: int64(count), Limit: dist.MaxDice}
	}
	return nil
}

// holdElements charges a sequence before it is built.
func (r *run) holdElements(n int) error {
	if n > maxElements {
		return &dist.LimitError{Resource: sequenceResource, Unit: "elements of a sequence", Need: int64(n), Limit: maxElements}
	}
	if n < 64 {
		return r.spend(n)
	}
	if err := r.spend(n / 8); err != nil {
		return err
	}
	return dist.ChargeTable(r.ctx, int64(n), 1)
}

// chargeCombinations charges a look at so many combinations of rolls before the
// first of them.
func chargeCombinations(ctx context.Context, n int64) error {
	const each = 40 // operations on words for one look at one roll
	return dist.ChargeWork(ctx, upper.MulSat(each, n))
}
