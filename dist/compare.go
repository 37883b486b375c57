package dist

import (
	"context"
	"math/big"
)

// A Comparison holds the chances that one roll is less than, equal to or
// greater than another, independent one. Error bounds how far each may be off
// when a roll is unlimited.
type Comparison struct {
	Less, Equal, Greater *big.Rat
	Error                float64
}

// Compare compares two independent rolls by one sweep over the merged outcomes:
// P(A > B) is the sum over b of P(B = b) P(A > b), and the cumulative weights of
// A move along with b. Cost: the sum of the numbers of outcomes, times words.
func Compare(ctx context.Context, a, b *Dist) (Comparison, error) {
	words := wordsFor(new(big.Int).Mul(a.total, b.total)) + 1
	steps := mulSat(int64(a.axis.len()+b.axis.len()), int64(a.w.words*b.w.words+a.w.words+4))
	if err := ChargeWork(ctx, steps); err != nil {
		return Comparison{}, err
	}
	below := make([]limb, a.w.words+1) // the weight of A below the outcome of B
	less, equal := make([]limb, words), make([]limb, words)
	tick := newTicker(ctx)
	i, n := 0, a.axis.len()
	for j, m := 0, b.axis.len(); j < m; j++ {
		if err := tick.tick(a.w.words * b.w.words); err != nil {
			return Comparison{}, err
		}
		y := b.axis.at(j)
		for ; i < n && a.axis.at(i) < y; i++ {
			addLimbs(below, a.w.at(i))
		}
		addMulLimbs(less, trim(below), trim(b.w.at(j)))
		if i < n && a.axis.at(i) == y {
			addMulLimbs(equal, a.w.at(i), trim(b.w.at(j)))
		}
	}
	total := new(big.Int).Mul(a.total, b.total)
	l, e := natural(less), natural(equal)
	g := new(big.Int).Sub(total, l)
	g.Sub(g, e)
	return Comparison{
		Less:    new(big.Rat).SetFrac(l, total),
		Equal:   new(big.Rat).SetFrac(e, total),
		Greater: new(big.Rat).SetFrac(g, total),
		Error:   min(1, addUp(a.ErrorBound(), b.ErrorBound())),
	}, nil
}
