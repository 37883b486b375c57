// Package markov computes with processes whose next state depends on the present one
// alone (Kemeny and Snell, "Finite Markov Chains", 1960). States are numbers, and the
// process begins in state 0. Weights stay integers: a step multiplies all of them by
// the least common multiple of the totals of the rows that it uses.
//
// A [Vector] is followed step by step (vector.go). [Absorb] says where a process ends,
// by taking states out of it (absorb.go); [Until] how long it takes (passage.go); and
// [Shares] how often it is where in the long run (stationary.go), both by equations.
package markov

import (
	"math/big"

	"dicescript/dist/internal/nat"
)

// A Row says where a state goes.
type Row struct {
	Known     bool
	To        []int // states, with the weights beside them
	W         nat.Vec
	Total     *big.Int
	Words     int // of the total
	Err       float64
	Absorbing bool // it stays where it is with certainty
}
