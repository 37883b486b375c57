package dist

import (
	"context"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
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
	s, err := sweep(ctx, a, b)
	if err != nil {
		return Comparison{}, err
	}
	return Comparison{
		Less:    s.chance(Less),
		Equal:   s.chance(Equal),
		Greater: s.chance(Greater),
		Bound:   min(1, upper.Add(a.Bound(), b.Bound())),
	}, nil
}

// A Relation is how one number stands to another: some of [Less], [Equal] and
// [Greater].
type Relation uint8

// Relations of two numbers, which are joined by |.
const (
	Less Relation = 1 << iota
	Equal
	Greater
)

// Versus returns the chance that a stands to b, another, independent roll, in one
// of the given relations, and how far that may be off. Cost: that of [Compare].
func Versus(ctx context.Context, a *Dist, relation Relation, b *Dist) (p *big.Rat, bound float64, err error) {
	s, err := sweep(ctx, a, b)
	if err != nil {
		return nil, 0, err
	}
	return s.chance(relation), min(1, upper.Add(a.Bound(), b.Bound())), nil
}

// A swept comparison holds the weights of less and equal, out of a total: of one
// machine word each, or as big numbers.
type swept struct {
	less, equal, total          uint64
	bigLess, bigEqual, bigTotal *big.Int // nil where the total is a word
}

// chance returns the chance of some relations.
func (s *swept) chance(r Relation) *big.Rat {
	if s.bigTotal == nil {
		n := uint64(0)
		if r&Less != 0 {
			n += s.less
		}
		if r&Equal != 0 {
			n += s.equal
		}
		if r&Greater != 0 {
			n += s.total - s.less - s.equal
		}
		return new(big.Rat).SetFrac(new(big.Int).SetUint64(n), new(big.Int).SetUint64(s.total))
	}
	n := new(big.Int)
	if r&Less != 0 {
		n.Add(n, s.bigLess)
	}
	if r&Equal != 0 {
		n.Add(n, s.bigEqual)
	}
	if r&Greater != 0 {
		n.Add(n, s.bigTotal)
		n.Sub(n, s.bigLess)
		n.Sub(n, s.bigEqual)
	}
	return new(big.Rat).SetFrac(n, s.bigTotal)
}

func sweep(ctx context.Context, a, b *Dist) (swept, error) {
	steps := upper.MulSat(int64(a.axis.Len()+b.axis.Len()), int64(a.w.Words*b.w.Words+a.w.Words+4))
	if err := ChargeWork(ctx, steps); err != nil {
		return swept{}, err
	}
	if hi, total := bits.Mul64(a.total.Uint64(), b.total.Uint64()); hi == 0 && a.w.Words*b.w.Words == 1 && steps < work.TickEvery {
		s := swept{total: total}
		s.words(a, b)
		return s, nil
	}
	total := new(big.Int).Mul(a.total, b.total)
	words := nat.WordsFor(total) + 1
	below := make([]nat.Limb, a.w.Words+1) // the weight of A below the outcome of B
	less, equal := make([]nat.Limb, words), make([]nat.Limb, words)
	tick := work.NewTicker(ctx)
	i, n := 0, a.axis.Len()
	for j, m := 0, b.axis.Len(); j < m; j++ {
		if err := tick.Tick(a.w.Words * b.w.Words); err != nil {
			return swept{}, err
		}
		y := b.axis.At(j)
		for ; i < n && a.axis.At(i) < y; i++ {
			nat.Add(below, a.w.At(i))
		}
		nat.AddMul(less, nat.Trim(below), nat.Trim(b.w.At(j)))
		if i < n && a.axis.At(i) == y {
			nat.AddMul(equal, a.w.At(i), nat.Trim(b.w.At(j)))
		}
	}
	return swept{bigLess: nat.Natural(less), bigEqual: nat.Natural(equal), bigTotal: total}, nil
}

// words compares rolls whose totals have a product of one machine word.
func (s *swept) words(a, b *Dist) {
	below := uint64(0) // the weight of A below the outcome of B
	i, x := 0, a.axis.At(0)
	for j, w := range b.w.Data {
		y := b.axis.At(j)
		for i < len(a.w.Data) && x < y {
			below += uint64(a.w.Data[i])
			if i++; i < len(a.w.Data) {
				x = a.axis.At(i)
			}
		}
		s.less += below * uint64(w)
		if i < len(a.w.Data) && x == y {
			s.equal += uint64(a.w.Data[i]) * uint64(w)
		}
	}
}
