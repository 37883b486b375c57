package builtins

import (
	"context"
	"math/big"
	"slices"

	"dicescript/builtins/callback"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A plan is shown as a table of its decisions: what to do in each state that can
// come up, from low to high, and what that is worth.

// A Decision is what to do in one state.
type Decision struct {
	State, Move starlark.Value
	Value       *big.Rat // the mean payoff from there on
}

// Value returns the mean payoff of the plan and how far it may be off.
func (p *Plan) Value() (*big.Rat, float64) {
	if p.told != nil {
		return p.told.Value()
	}
	return p.plan.Value(), p.bound
}

// Decisions returns what to do in every state in which there is something to do.
func (p *Plan) Decisions(ctx context.Context) ([]Decision, error) {
	if p.told != nil {
		return p.decisionsOfPlay(), nil
	}
	var rows []Decision
	err := p.each(func(s *callback.State, v *big.Rat) error {
		if m := p.best(s); m != nil {
			rows = append(rows, Decision{s.Value, m, v})
		}
		if len(rows)%lookEvery == 0 {
			return ctx.Err()
		}
		return nil
	})
	slices.SortStableFunc(rows, func(a, b Decision) int { return value.ComparePlaces(a.State, b.State) })
	return rows, err
}

// lookEvery is how many states pass between two looks at the context.
const lookEvery = 1 << 10
