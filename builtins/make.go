package builtins

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

// methods are those of the values that the call makes.
func (c call) methods() value.Methods { return c.def.table }

// rolled returns a distribution as the result of a builtin.
func (c call) rolled(d *dist.Dist, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.NewRoll(c.methods(), d), nil
}

// pooled returns dice as the result of a builtin.
func (c call) pooled(p *dist.Pool, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.NewPool(c.methods(), p), nil
}

// newProb returns r, a chance that nobody changes, which is within bound of the true
// one.
func (c call) newProb(r *big.Rat, bound float64) *value.Prob {
	return value.NewProb(c.methods(), exact.New(r, bound))
}

// newNumber returns r, which nobody may change and which is within bound of the true
// number.
func (c call) newNumber(r *big.Rat, bound float64) *value.Number {
	return value.NewNumber(c.methods(), exact.New(r, bound))
}

// unscaled returns a distribution over labels that come without a scale as the result
// of a builtin.
func (c call) unscaled(in *intern.Table, over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.Unscaled(c.ctx(), c.meter(), c.methods(), in, over)
}

// placed returns a distribution over the positions of labels as the result of a
// builtin.
func (c call) placed(set *value.LabelSet, over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.NewOutcomes(c.methods(), set, over), nil
}
