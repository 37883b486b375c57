package define

import (
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What a call comes to are values, which have the methods of the table that the
// builtin is in.

// Methods are those of the values that the call makes.
func (c Call) Methods() value.Methods { return c.def.table }

// Rolled returns a distribution as the result of a builtin.
func (c Call) Rolled(d *dist.Dist, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.NewRoll(c.Methods(), d), nil
}

// Pooled returns dice as the result of a builtin.
func (c Call) Pooled(p *dist.Pool, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.NewPool(c.Methods(), p), nil
}

// NewProb returns r, a chance that nobody changes, which is within bound of the true
// one.
func (c Call) NewProb(r *big.Rat, bound float64) *value.Prob {
	return value.NewProb(c.Methods(), exact.New(r, bound))
}

// NewNumber returns r, which nobody may change and which is within bound of the true
// number.
func (c Call) NewNumber(r *big.Rat, bound float64) *value.Number {
	return value.NewNumber(c.Methods(), exact.New(r, bound))
}

// Unscaled returns a distribution over labels that come without a scale as the result
// of a builtin.
func (c Call) Unscaled(in *intern.Table, over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.Unscaled(c.Context(), c.Meter(), c.Methods(), in, over)
}

// Placed returns a distribution over the positions of labels as the result of a
// builtin.
func (c Call) Placed(set *value.LabelSet, over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.NewOutcomes(c.Methods(), set, over), nil
}
