package dist

import (
	"context"
	"math/big"

	"dicescript/dist/upper"
)

// Dice that are compared in pairs: the highest of one side against the highest of the
// other, the second against the second, and so on, as in Risk. Both sides are gone
// through face by face, from the end at which the pairs begin. The die of a side that
// comes first has won its pair, or lost it where the lowest faces come first, so all that
// has to be known is how many dice each side has placed.

// A pairing is how far a comparison in pairs has come.
type pairing struct {
	ahead int // how many dice a has placed that b has no partner for yet; below 0, b
	first int // pairs in which the die of a came first
	ties  int // pairs in which both came together
}

// placed returns the pairing after one more face that a shows i times and b j times: the
// dice of b first find the partners that wait for them, and the other way round.
func (p pairing) placed(i, j int) pairing {
	ahead := p.ahead + i - j
	return pairing{
		ahead: ahead,
		first: p.first + max(0, min(i, ahead)),
		ties:  p.ties + max(0, min(p.ahead+i, j)-max(p.ahead, 0)),
	}
}

// CompareSorted compares dice or cards in pairs: with the order [Descending] the highest
// of a meets the highest of b, the second the second, as far as both have any, but no more
// than so many pairs; with [Ascending] the lowest meet first. The vectors are how many
// pairs a wins, how many are ties, and how many a loses. Cost: that of [EvaluateTogether]
// for the dice that are compared, with a state for each number of dice that wait for a
// partner and each result so far.
func CompareSorted(ctx context.Context, a, b *Multiset, pairs int, order Order) (*Vectors, error) {
	if pairs < 0 {
		return nil, badArg("pairs", "got %d, want at least 0", pairs)
	}
	pairs = min(pairs, a.Size(), b.Size())
	if pairs == 0 {
		return NewVectors(ctx, [][]int{{0, 0, 0}}, []*big.Int{big.NewInt(1)}, 0)
	}
	sides := make([]*Multiset, 2)
	for i, m := range []*Multiset{a, b} {
		from := 1
		if order == Ascending {
			from = m.Size() - pairs + 1
		}
		kept, err := m.kept(from, from+pairs-1)
		if err != nil {
			return nil, err
		}
		sides[i] = kept
	}
	ends, err := EvaluateTogether(ctx, sides, order, pairing{}, func(p pairing, _ int, counts []int) (pairing, error) {
		return p.placed(counts[0], counts[1]), nil
	})
	if err != nil {
		return nil, err
	}
	var points [][]int
	var weights []*big.Int
	for p, w := range ends.All() {
		won, lost := p.first, pairs-p.first-p.ties
		if order == Ascending {
			won, lost = lost, won
		}
		points, weights = append(points, []int{won, p.ties, lost}), append(weights, w.Int())
	}
	return NewVectors(ctx, points, weights, min(1, upper.Add(a.Bound(), b.Bound())))
}
