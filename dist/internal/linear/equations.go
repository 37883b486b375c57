// Package linear solves equations with integer coefficients exactly, without an
// elimination in long numbers: modulo a prime p the equations are eliminated
// once, in machine words, and the solution is then found digit by digit in base
// p. With x = x_0 + p x', A x = b leaves A x' = (b - A x_0)/p, and every digit
// costs one substitution (Dixon, "Exact solution of linear equations using
// p-adic expansions", 1982). Enough digits determine the fractions. They are
// multiplied out at the end, so that what is returned is certain: equations that
// have one solution modulo p have at most one in fractions.
package linear

import (
	"errors"
	"math/big"
	"slices"
)

// Equations are A x = b, row by row. Every diagonal coefficient is a good pivot:
// those of a process that leaves all its states are (its matrix is an M-matrix).
type Equations struct {
	to    [][]int // the columns of a row, ascending
	coeff [][]*big.Int
}

// Add adds a row, whose coefficients are given by column and may not be changed
// afterwards.
func (eq *Equations) Add(row map[int]*big.Int) {
	to := make([]int, 0, len(row))
	for j := range row {
		to = append(to, j)
	}
	slices.Sort(to)
	coeff := make([]*big.Int, len(to))
	for e, j := range to {
		coeff[e] = row[j]
	}
	eq.to, eq.coeff = append(eq.to, to), append(eq.coeff, coeff)
}

// ErrSingular is the error of equations that have no single solution.
var ErrSingular = errors.New("linear: the equations have no single solution")
