package dist

import (
	"context"
	"math/big"
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
	words := wordsFor(s.total)
	var faces []int
	var w []limb
	before := new(big.Int)
	for {
		face, ok := s.next()
		if !ok {
			break
		}
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		now := s.atMost()
		weight := new(big.Int).Sub(now, before)
		before = now
		if weight.Sign() == 0 {
			continue
		}
		faces = append(faces, face)
		w = append(w, make([]limb, words)...)
		putInt(w[len(w)-words:], weight)
	}
	return newDist(axis{list: faces}, vec{words: words, data: w}, p.keptTail(k, k)), nil
}

// A rankSweep goes through the faces of a pool in ascending order with the
// weights of showing at most the face and more than it.
type rankSweep struct {
	ctx    context.Context
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
		faces = addSat(faces, int64(g.die.axis.len()))
	}
	s := &rankSweep{ctx: ctx, pool: p, at: make([]int, len(p.groups))}
	// At most k-1 dice are above, or at most size-k are not above.
	s.few, s.above = k-1, true
	if p.size-k < s.few {
		s.few, s.above = p.size-k, false
	}
	words := p.wordsBound()
	if err := chargeRoom(ctx, faces, words); err != nil {
		return nil, err
	}
	products := int64(1)
	if len(p.groups) > 1 {
		products = int64(s.few) + 1
	}
	if err := ChargeWork(ctx, mulSat(mulSat(faces, mulSat(int64(s.few)+4, products)), 8*words+16)); err != nil {
		return nil, err
	}
	for _, g := range p.groups {
		s.le = append(s.le, new(big.Int))
		s.gt = append(s.gt, new(big.Int).Set(g.die.total))
	}
	s.total = p.total()
	return s, nil
}

// next moves on to the next face.
func (s *rankSweep) next() (int, bool) {
	face, ok := 0, false
	for i, g := range s.pool.groups {
		if s.at[i] < g.die.axis.len() {
			if x := g.die.axis.at(s.at[i]); !ok || x < face {
				face, ok = x, true
			}
		}
	}
	if !ok {
		return 0, false
	}
	for i, g := range s.pool.groups {
		if s.at[i] < g.die.axis.len() && g.die.axis.at(s.at[i]) == face {
			w := view(trim(g.die.w.at(s.at[i])))
			s.le[i].Add(s.le[i], w)
			s.gt[i].Sub(s.gt[i], w)
			s.at[i]++
		}
	}
	return face, true
}

// atMost returns the weight of the k-th highest die being at most the face.
func (s *rankSweep) atMost() *big.Int {
	var product []*big.Int
	for i, g := range s.pool.groups {
		counted, others := s.gt[i], s.le[i]
		if !s.above {
			counted, others = others, counted
		}
		terms := binomialTerms(g.count, others, counted, s.few)
		if product == nil {
			product = terms
			continue
		}
		product = mulTruncated(product, terms, s.few)
	}
	sum := new(big.Int)
	for _, c := range product {
		sum.Add(sum, c)
	}
	if !s.above {
		sum.Sub(s.total, sum)
	}
	return sum
}

// binomialTerms returns C(n,j) a^(n-j) b^j for j from 0 to min(n, upto).
func binomialTerms(n int, a, b *big.Int, upto int) []*big.Int {
	upto = min(n, upto)
	terms := make([]*big.Int, upto+1)
	if a.Sign() == 0 {
		for j := range terms {
			terms[j] = new(big.Int)
		}
		if upto == n {
			terms[n].Exp(b, big.NewInt(int64(n)), nil)
		}
		return terms
	}
	terms[0] = new(big.Int).Exp(a, big.NewInt(int64(n)), nil)
	factor, divisor := new(big.Int), new(big.Int)
	for j := 1; j <= upto; j++ {
		factor.SetInt64(int64(n - j + 1))
		factor.Mul(factor, b)
		divisor.SetInt64(int64(j))
		divisor.Mul(divisor, a)
		terms[j] = new(big.Int).Mul(terms[j-1], factor)
		terms[j].Quo(terms[j], divisor)
	}
	return terms
}

// mulTruncated multiplies two polynomials up to the power upto.
func mulTruncated(a, b []*big.Int, upto int) []*big.Int {
	out := make([]*big.Int, min(upto, len(a)+len(b)-2)+1)
	product := new(big.Int)
	for i := range out {
		out[i] = new(big.Int)
		for j := max(0, i-len(b)+1); j < len(a) && j <= i; j++ {
			out[i].Add(out[i], product.Mul(a[j], b[i-j]))
		}
	}
	return out
}
