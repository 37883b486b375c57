// Package gauss solves linear equations by elimination in plain fractions: slow, and too
// simple to be wrong. It is what tests compare solutions with.
package gauss

import "math/big"

// Solve solves the equations of which each row has the coefficients and then the right
// side. No element of the diagonal may become 0 on the way; the rows are overwritten.
func Solve(rows [][]*big.Rat) []*big.Rat {
	for k := range rows {
		for i := range rows {
			if i == k || rows[i][k].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Quo(rows[i][k], rows[k][k])
			for j := range rows[i] {
				rows[i][j].Sub(rows[i][j], new(big.Rat).Mul(f, rows[k][j]))
			}
		}
	}
	x := make([]*big.Rat, len(rows))
	for i, row := range rows {
		x[i] = new(big.Rat).Quo(row[len(rows)], row[i])
	}
	return x
}
