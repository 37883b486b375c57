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
		w = append(w, make([]limb, words)...)
		putInt(w[len(w)-words:], weight)
	}
	return newDist(ctx, axis{list: faces}, vec{words: words, data: w}, p.keptTail(k, k))
}

// A rankSweep goes through the faces of a pool in ascending order with the
// weights of showing at most the face and more than it.
type rankSweep struct {
	tick   ticker
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
	s := &rankSweep{tick: newTicker(ctx), pool: p, at: make([]int, len(p.groups))}
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
	perFace := mulSat(few+4*kinds, 8*words+16)
	if kinds > 1 {
		if err := chargeRoom(ctx, 3*(few+1), words); err != nil {
			return nil, err
		}
		terms := min(mulSat(few, kinds), int64(p.size)) + kinds
		perFace = addSat(perFace, mulSat(mulSat(few+1, terms), words*words/4+16))
	}
	if err := ChargeWork(ctx, mulSat(faces, perFace)); err != nil {
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
func (s *rankSweep) atMost() (*big.Int, error) {
	var product []*big.Int
	sum := new(big.Int)
	for i, g := range s.pool.groups {
		counted, others := s.gt[i], s.le[i]
		if !s.above {
			counted, others = others, counted
		}
		if len(s.pool.groups) == 1 {
			err := eachBinomialTerm(&s.tick, g.count, others, counted, s.few, func(_ int, t *big.Int) { sum.Add(sum, t) })
			if err != nil {
				return nil, err
			}
			break
		}
		terms, err := binomialTerms(&s.tick, g.count, others, counted, s.few)
		if err != nil {
			return nil, err
		}
		if product == nil {
			product = terms
			continue
		}
		if product, err = mulTruncated(&s.tick, product, terms, s.few); err != nil {
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

// binomialTerms returns C(n,j) a^(n-j) b^j for j from 0 to min(n, upto).
func binomialTerms(tick *ticker, n int, a, b *big.Int, upto int) ([]*big.Int, error) {
	terms := make([]*big.Int, min(n, upto)+1)
	err := eachBinomialTerm(tick, n, a, b, upto, func(j int, t *big.Int) { terms[j] = new(big.Int).Set(t) })
	return terms, err
}

// eachBinomialTerm visits C(n,j) a^(n-j) b^j for j from 0 to min(n, upto). The
// term is only good until the next.
func eachBinomialTerm(tick *ticker, n int, a, b *big.Int, upto int, visit func(j int, t *big.Int)) error {
	upto = min(n, upto)
	if a.Sign() == 0 {
		for j := 0; j < upto; j++ {
			visit(j, a)
		}
		last := new(big.Int)
		if upto == n {
			last.Exp(b, big.NewInt(int64(n)), nil)
		}
		visit(upto, last)
		return nil
	}
	t := new(big.Int).Exp(a, big.NewInt(int64(n)), nil)
	visit(0, t)
	factor, divisor := new(big.Int), new(big.Int)
	for j := 1; j <= upto; j++ {
		factor.SetInt64(int64(n - j + 1))
		factor.Mul(factor, b)
		divisor.SetInt64(int64(j))
		divisor.Mul(divisor, a)
		t.Mul(t, factor)
		t.Quo(t, divisor)
		if err := tick.tick(8 * len(t.Bits()) * len(factor.Bits())); err != nil {
			return err
		}
		visit(j, t)
	}
	return nil
}

// mulTruncated multiplies two polynomials up to the power upto.
func mulTruncated(tick *ticker, a, b []*big.Int, upto int) ([]*big.Int, error) {
	out := make([]*big.Int, min(upto, len(a)+len(b)-2)+1)
	product := new(big.Int)
	for i := range out {
		out[i] = new(big.Int)
		for j := max(0, i-len(b)+1); j < len(a) && j <= i; j++ {
			out[i].Add(out[i], product.Mul(a[j], b[i-j]))
			if err := tick.tick(16 + len(a[j].Bits())*len(b[i-j].Bits())); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
