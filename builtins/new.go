package builtins

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Values are made here with the methods that the table gives them: by the
// builtins, and by a host whose own builtins return rolls or chances.

// tableMethods are the methods that the table defines.
type tableMethods struct{}

func (tableMethods) Attr(v starlark.Value, name string) (starlark.Value, error) {
	return attrOf(v, name)
}

func (tableMethods) AttrNames(v starlark.Value) []string { return attrNames(v.Type()) }

// NewRoll returns d as a value for recipes. A nil d is a fault of the caller and
// panics: here it is found, rather than where a recipe uses the roll.
func NewRoll(d *dist.Dist) *value.Roll {
	if d == nil {
		panic("NewRoll: d: got nil, want a distribution")
	}
	return value.NewRoll(tableMethods{}, d)
}

// NewPool returns p as a value for recipes. As with [NewRoll] a nil p panics.
func NewPool(p *dist.Pool) *value.Pool {
	if p == nil {
		panic("NewPool: p: got nil, want a pool")
	}
	return value.NewPool(tableMethods{}, p)
}

// NewProb returns r as a chance whose true value is within bound of r. It is an
// error when r is not from 0 to 1 or bound is not from 0 to 1.
func NewProb(r *big.Rat, bound float64) (*value.Prob, error) {
	if !exact.IsChance(r) {
		return nil, fmt.Errorf("got %s, want a chance from 0 to 1", r.RatString())
	}
	if !(bound >= 0 && bound <= 1) {
		return nil, fmt.Errorf("got an error of %v, want one from 0 to 1", bound)
	}
	return newProb(new(big.Rat).Set(r), bound), nil
}

// NewNumber returns r as a number whose true value is within bound of r. The
// bound must not be negative.
func NewNumber(r *big.Rat, bound float64) *value.Number {
	return newNumber(new(big.Rat).Set(r), max(0, bound))
}

// NewOutcomes returns the distribution of the labels of over, in their order.
// ordered says that the order is one from worst to best.
func NewOutcomes(over *dist.Outcomes[string], ordered bool) *value.Outcomes {
	in := &intern.Table{}
	at, err := dist.Relabel(context.Background(), over, func(label string) (int, error) { return in.Index(starlark.String(label)) })
	if err != nil {
		panic(err) // text is always a label
	}
	return value.NewOutcomes(tableMethods{}, value.NewLabelSet(in, ordered), at)
}

// newProb keeps r, which must be a chance that nobody changes.
func newProb(r *big.Rat, bound float64) *value.Prob {
	return value.NewProb(tableMethods{}, exact.New(r, bound))
}

// newNumber keeps r, which nobody may change.
func newNumber(r *big.Rat, bound float64) *value.Number {
	return value.NewNumber(tableMethods{}, exact.New(r, bound))
}

// newScale returns the scale of the given labels, which are distinct, without
// bands.
func newScale(labels ...string) *value.Scale { return value.NewScale(tableMethods{}, labels...) }

// unscaled returns a distribution over labels that come without a scale.
func unscaled(ctx context.Context, pays *meter.Meter, in *intern.Table, over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.Unscaled(ctx, pays, tableMethods{}, in, over)
}

// asOutcomes returns a distribution over the positions of labels as a value.
func asOutcomes(set *value.LabelSet, over *dist.Outcomes[int], err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.NewOutcomes(tableMethods{}, set, over), nil
}
