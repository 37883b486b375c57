// Package form is what lang/report asks of the json of results, beside what any host gets
// from json.Marshal.
package form

import (
	"context"
	"io"
	"math/big"
)

// JSON chooses how results are written.
type JSON struct {
	Weights bool // outcomes have weights over one total instead of fractions
	Floats  bool // there are no exact values

	// Look is called now and then, and may panic to end the writing; nil does nothing.
	Look func()

	// Shares returns what gives the further chances of the outcomes of a distribution, a
	// lang.Roll or lang.Outcomes, from the first to the last by their weights; nil where
	// there are none.
	Shares func(of any, total func() *big.Int) func(weight *big.Int) []Share
}

// A Share is a chance with its name.
type Share struct {
	Name  string
	Value *big.Rat
}

// A Source is json that is read, until the context is done.
type Source struct {
	Context context.Context
	Text    io.Reader
}
