package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
)

// A Comparison holds the chances that one roll is less than, equal to or
// greater than another, independent one. Bound says how far each may be off
// when a roll is unlimited.
type Comparison struct {
	Less, Equal, Greater *big.Rat
	Bound                float64
}

// Compare compares two independent rolls by one sweep over the merged outcomes:
// P(A > B) is the sum over b of P(B = b) P(A > b), and the cumulative weights of
// A move along with b. Cost: the sum of the numbers of outcomes, times words.
func Compare(ctx context.Context, a, b *Dist) (Comparison, error) {
	words := nat.WordsFor(new(big.Int).Mul(a.total, b.total)) + 1
	steps := nat.MulSat(int64(a.axis.len()+b.axis.len()), int64(a.w.Words*b.w.Words+a.w.Words+4))
	if err := ChargeWork(ctx, steps); err != nil {
		return Comparison{}, err
	}
	below := make([]nat.Limb, a.w.Words+1) // the weight of A below the outcome of B
	less, equal := make([]nat.Limb, words), make([]nat.Limb, words)
	tick := nat.NewTicker(ctx)
	i, n := 0, a.axis.len()
	for j, m := 0, b.axis.len(); j < m; j++ {
		if err := tick.Tick(a.w.Words * b.w.Words); err != nil {
			return Comparison{}, err
		}
		y := b.axis.at(j)
		for ; i < n && a.axis.at(i) < y; i++ {
			nat.Add(below, a.w.At(i))
		}
		nat.AddMul(less, nat.Trim(below), nat.Trim(b.w.At(j)))
		if i < n && a.axis.at(i) == y {
			nat.AddMul(equal, a.w.At(i), nat.Trim(b.w.At(j)))
		}
	}
	total := new(big.Int).Mul(a.total, b.total)
	l, e := nat.Natural(less), nat.Natural(equal)
	g := new(big.Int).Sub(total, l)
	g.Sub(g, e)
	return Comparison{
		Less:    new(big.Rat).SetFrac(l, total),
		Equal:   new(big.Rat).SetFrac(e, total),
		Greater: new(big.Rat).SetFrac(g, total),
		Bound:   min(1, addUp(a.Bound(), b.Bound())),
	}, nil
}
