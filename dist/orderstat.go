package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The k-th highest die is at most t exactly when fewer than k dice are above t,
// and how many are above t is (Poisson-)binomial (David and Nagaraja, "Order
// Statistics", 2.1 and 5.2).

// OrderStat returns what the k-th highest die shows; k = 1 is the highest. Cost:
// for every face, min(k, size-k) multiplications of a large number by a small
// one, for equal dice; the product of those counts for different ones.
func (p *Pool) OrderStat(ctx context.Context, k int) (*Dist, error) {
	if k < 1 || k > p.size {
		return nil, badArg("k", "got %d, want 1 to %d, the number of dice", k, p.size)
	}
	return p.rank(ctx, k)
}

func (p *Pool) rank(ctx context.Context, k int) (*Dist, error) {
	if p.size == 1 {
		return p.groups[0].die, nil
	}
	s, err := newRankSweep(ctx, p, k)
	if err != nil {
		return nil, err
	}
	words := nat.WordsFor(s.total)
	var faces []int
	var w []nat.Limb
	before := new(big.Int)
	for {
		face, ok := s.next()
		if !ok {
			break
		}
		now, err := s.atMost()
		if err != nil {
			return nil, err
		}
		weight := new(big.Int).Sub(now, before)
		before = now
		if weight.Sign() == 0 {
			continue
		}
		faces = append(faces, face)
		w = append(w, make([]nat.Limb, words)...)
		nat.PutInt(w[len(w)-words:], weight)
	}
	return newDist(ctx, axis.Axis{List: faces}, nat.Vec{Words: words, Data: w}, p.keptTail(k, k))
}

// A rankSweep goes through the faces of a pool in ascending order with the
// weights of showing at most the face and more than it.
type rankSweep struct {
	tick   work.Ticker
	pool   *Pool
	at     []int      // the next place of each die's axis
	le, gt []*big.Int // weight of at most the face and of more
	total  *big.Int
	few    int  // dice that are counted are at most this many
	above  bool // whether the dice above the face are counted, or those not above
}

func newRankSweep(ctx context.Context, p *Pool, k int) (*rankSweep, error) {
	faces := int64(0)
	for _, g := range p.groups {
		faces = upper.AddSat(faces, int64(g.die.axis.Len()))
	}
	s := &rankSweep{tick: work.NewTicker(ctx), pool: p, at: make([]int, len(p.groups))}
	// At most k-1 dice are above, or at most size-k are not above.
	s.few, s.above = k-1, true
	if p.size-k < s.few {
		s.few, s.above = p.size-k, false
	}
	words := p.wordsBound()
	if err := chargeRoom(ctx, faces, words); err != nil {
		return nil, err
	}
	total, err := p.total(ctx)
	if err != nil {
		return nil, err
	}
	s.total = total
	// For each face the terms of every kind of dice, and their products.
	kinds, few := int64(len(p.groups)), int64(s.few)
	perFace := upper.AddSat(upper.MulSat(few+4*kinds, 12*words+200), upper.MulSat(kinds, 2*nat.Karatsuba(words))) // with a power of each kind
	if kinds > 1 {
		if err := chargeRoom(ctx, 3*(few+1), words); err != nil {
			return nil, err
		}
		terms := min(upper.MulSat(few, kinds), int64(p.size)) + kinds
		perFace = upper.AddSat(perFace, upper.MulSat(upper.MulSat(few+1, terms), words*words/4+16))
	}
	if err := ChargeWork(ctx, upper.MulSat(faces, perFace)); err != nil {
		return nil, err
	}
	for _, g := range p.groups {
		s.le = append(s.le, new(big.Int))
		s.gt = append(s.gt, new(big.Int).Set(g.die.total))
	}
	return s, nil
}

// next moves on to the next face.
func (s *rankSweep) next() (int, bool) {
	face, ok := 0, false
	for i, g := range s.pool.groups {
		if s.at[i] < g.die.axis.Len() {
			if x := g.die.axis.At(s.at[i]); !ok || x < face {
				face, ok = x, true
			}
		}
	}
	if !ok {
		return 0, false
	}
	for i, g := range s.pool.groups {
		if s.at[i] < g.die.axis.Len() && g.die.axis.At(s.at[i]) == face {
			w := nat.View(nat.Trim(g.die.w.At(s.at[i])))
			s.le[i].Add(s.le[i], w)
			s.gt[i].Sub(s.gt[i], w)
			s.at[i]++
		}
	}
	return face, true
}

// atMost returns the weight of the k-th highest die being at most the face.
func (s *rankSweep) atMost() (*big.Int, error) {
	var product []*big.Int
	sum := new(big.Int)
	for i, g := range s.pool.groups {
		counted, others := s.gt[i], s.le[i]
		if !s.above {
			counted, others = others, counted
		}
		if len(s.pool.groups) == 1 {
			err := nat.EachBinomialTerm(&s.tick, g.count, others, counted, s.few, func(_ int, t *big.Int) { sum.Add(sum, t) })
			if err != nil {
				return nil, err
			}
			break
		}
		terms, err := nat.BinomialTerms(&s.tick, g.count, others, counted, s.few)
		if err != nil {
			return nil, err
		}
		if product == nil {
			product = terms
			continue
		}
		if product, err = nat.MulTruncated(&s.tick, product, terms, s.few); err != nil {
			return nil, err
		}
	}
	for _, c := range product {
		sum.Add(sum, c)
	}
	if !s.above {
		sum.Sub(s.total, sum)
	}
	return sum, nil
}
