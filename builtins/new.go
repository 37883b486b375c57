package builtins

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A host whose own builtins return rolls or chances makes them here, with the methods
// that the table gives them.

// NewRoll returns d as a value for recipes. A nil d is a fault of the caller and
// panics: here it is found, rather than where a recipe uses the roll.
func NewRoll(d *dist.Dist) *value.Roll {
	if d == nil {
		panic("NewRoll: d: got nil, want a distribution")
	}
	return value.NewRoll(registered(), d)
}

// NewPool returns p as a value for recipes. As with [NewRoll] a nil p panics.
func NewPool(p *dist.Pool) *value.Pool {
	if p == nil {
		panic("NewPool: p: got nil, want a pool")
	}
	return value.NewPool(registered(), p)
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
	return value.NewProb(registered(), exact.New(new(big.Rat).Set(r), bound)), nil
}

// NewNumber returns r as a number whose true value is within bound of r. The
// bound must not be negative.
func NewNumber(r *big.Rat, bound float64) *value.Number {
	return value.NewNumber(registered(), exact.New(new(big.Rat).Set(r), max(0, bound)))
}

// Binary is x op y as recipes mean it, op being no comparison; the quotient of two whole
// numbers is an exact Number. The work is charged to the run of thread.
func Binary(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if a, ok := x.(starlark.Int); ok && op == syntax.SLASH {
		if b, ok := y.(starlark.Int); ok {
			return value.Divide(thread, registered(), a, b)
		}
	}
	return value.Binary(thread, op, x, y)
}

// NewOutcomes returns the distribution of the labels of over, in their order.
// ordered says that the order is one from worst to best.
func NewOutcomes(over *dist.Outcomes[string], ordered bool) *value.Outcomes {
	in := &intern.Table{}
	at, err := dist.Relabel(context.Background(), over, func(label string) (int, error) { return in.Index(starlark.String(label)) })
	if err != nil {
		panic(err) // text is always a label
	}
	return value.NewOutcomes(registered(), value.NewLabelSet(in, ordered), at)
}
