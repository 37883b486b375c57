package dist

import (
	"context"
	"math/big"
	"math/bits"
)

// The sum of n independent copies has the n-th power of the generating
// function. Q = (N/D)^n satisfies N D Q' = n (N'D - N D') Q, which compares
// coefficient by coefficient to a linear recurrence with as many terms as N and
// D have together (Knuth, TAOCP vol. 2, 4.7, after Euler): each weight costs a
// few multiplications by small numbers instead of a convolution.

// Times returns the sum of n independent copies of d; 0 copies sum to 0. Cost:
// outcomes of the result times words of its total times terms of the
// recurrence, which are four for a fair die of any size.
func (d *Dist) Times(ctx context.Context, n int) (*Dist, error) {
	switch {
	case n < 0:
		return nil, badArg("n", "got %d, want at least 0", n)
	case n == 0:
		return Constant(0), nil
	case n == 1:
		return d, nil
	}
	lo, ok1 := mulInt(d.Min(), n)
	_, ok2 := mulInt(d.Max(), n)
	if !ok1 || !ok2 {
		return nil, errRange("n")
	}
	if d.size == 1 {
		return d.moved1(lo-d.Min(), timesTail(d, n)), nil
	}
	if d.axis.list != nil {
		return d.timesBySquaring(ctx, n)
	}
	return d.timesStepped(ctx, n, lo)
}

func (d *Dist) timesStepped(ctx context.Context, n, lo int) (*Dist, error) {
	outcomes := addSat(mulSat(int64(d.axis.n-1), int64(n)), 1)
	totalBits := mulSat(int64(d.total.BitLen()), int64(n))
	words := totalBits/limbBits + 1
	if outcomes > maxOutcomes {
		return nil, &LimitError{Resource: "outcomes", Need: outcomes, Limit: maxOutcomes}
	}
	g := d.genfunc()
	recurrence := mulSat(mulSat(outcomes, words+4), int64(2*g.cost()+4))
	if squaringWork(d, outcomes, words) < recurrence {
		return d.timesBySquaring(ctx, n)
	}
	if err := ChargeTable(ctx, outcomes, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, recurrence); err != nil {
		return nil, err
	}
	total := new(big.Int).Exp(d.total, big.NewInt(int64(n)), nil)
	p := powering{
		recurrence: newRecurrence(g, n),
		first:      new(big.Int).Exp(view(d.w.at(0)), big.NewInt(int64(n)), nil),
		n:          int(outcomes),
		words:      wordsFor(total),
		symmetric:  d.isSymmetric(),
	}
	w, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	out := newPrimitive(axis{lo: lo, step: d.axis.step, n: int(outcomes)}, w, total, timesTail(d, n))
	if out.axis.list == nil {
		out.gf = &genfunc{num: g.num, den: g.den, power: g.power * n}
	}
	return out, nil
}

// squaringWork is about the work of the last doubling, which is most of it. A
// run of equal weights is cheaper still, but the recurrence is too.
func squaringWork(d *Dist, outcomes, words int64) int64 {
	half, halfWords := outcomes/2+1, words/2+1
	return mulSat(mulSat(half, half), mulSat(halfWords, halfWords))
}

// timesBySquaring doubles and adds, for scattered outcomes and a few copies.
func (d *Dist) timesBySquaring(ctx context.Context, n int) (*Dist, error) {
	sum := d
	for bit := bits.Len(uint(n)) - 2; bit >= 0; bit-- {
		var err error
		if sum, err = sum.Add(ctx, sum); err != nil {
			return nil, err
		}
		if n>>bit&1 == 1 {
			if sum, err = sum.Add(ctx, d); err != nil {
				return nil, err
			}
		}
	}
	return sum.withTail(timesTail(d, n)), nil
}

// isSymmetric reports whether the weights read the same from both ends.
func (d *Dist) isSymmetric() bool {
	for i, j := 0, d.w.len()-1; i < j; i, j = i+1, j-1 {
		if cmpLimbs(d.w.at(i), d.w.at(j)) != 0 {
			return false
		}
	}
	return true
}

// A recurrence gives the coefficients of a power:
//
//	lead k q_k = sum over terms of (alpha + beta k) q_(k-shift)
type recurrence struct {
	lead  *big.Int
	terms []recurrenceTerm
}

type recurrenceTerm struct {
	shift       int
	alpha, beta *big.Int
}

// newRecurrence compares the coefficients of z^(k-1) in A Q' = n B Q, where
// A = N D and B = N'D - N D'.
func newRecurrence(g *genfunc, n int) recurrence {
	a := terms(mulTerms(g.num, g.den))
	b := mulTerms(derivative(g.num), g.den)
	for e, c := range mulTerms(g.num, derivative(g.den)) {
		addTerm(b, e, c.Neg(c))
	}
	power := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(int64(g.power)))
	alpha, beta := map[int]*big.Int{}, map[int]*big.Int{}
	for e, c := range b {
		addTerm(alpha, e+1, c.Mul(c, power))
	}
	for _, t := range a[1:] {
		addTerm(alpha, t.exp, new(big.Int).Mul(t.c, big.NewInt(int64(t.exp))))
		addTerm(beta, t.exp, new(big.Int).Neg(t.c))
	}
	r := recurrence{lead: new(big.Int).Set(a[0].c)}
	for e, c := range alpha {
		if beta[e] == nil {
			beta[e] = new(big.Int)
		}
		if c.Sign() != 0 || beta[e].Sign() != 0 {
			r.terms = append(r.terms, recurrenceTerm{e, c, beta[e]})
		}
	}
	return r.reduced()
}

// reduced takes out what divides every coefficient and makes lead positive.
func (r recurrence) reduced() recurrence {
	g := new(big.Int).Abs(r.lead)
	for _, t := range r.terms {
		g.GCD(nil, nil, g, new(big.Int).Abs(t.alpha))
		g.GCD(nil, nil, g, new(big.Int).Abs(t.beta))
	}
	if r.lead.Sign() < 0 {
		g.Neg(g)
	}
	r.lead.Quo(r.lead, g)
	for _, t := range r.terms {
		t.alpha.Quo(t.alpha, g)
		t.beta.Quo(t.beta, g)
	}
	return r
}

// A powering runs a recurrence over fixed-width weights.
type powering struct {
	recurrence
	first     *big.Int
	n, words  int
	symmetric bool
}

// run returns the n weights. When they are symmetric the second half is a copy
// of the first.
func (p powering) run(ctx context.Context) (vec, error) {
	out := newVec(p.n, p.words)
	putInt(out.at(0), p.first)
	upto := p.n
	if p.symmetric {
		upto = (p.n + 1) / 2
	}
	steps := p.steppers()
	lead := p.leadWords()
	plus, minus := make([]limb, p.words+p.extraWords()), make([]limb, p.words+p.extraWords())
	tick := newTicker(ctx)
	for k := 1; k < upto; k++ {
		if err := tick.tick(p.words * (len(steps) + 2)); err != nil {
			return vec{}, err
		}
		clear(plus)
		clear(minus)
		for i := range steps {
			s := &steps[i]
			negative, m := s.next()
			if s.shift > k || len(m) == 0 {
				continue
			}
			acc := plus
			if negative {
				acc = minus
			}
			x := trim(out.at(k - s.shift))
			for j, word := range m {
				addMulWord(acc[j:], x, word)
			}
		}
		subLimbs(plus, minus)
		divideLead(plus, lead, k)
		copy(out.at(k), plus[:p.words])
	}
	for k := upto; k < p.n; k++ {
		copy(out.at(k), out.at(p.n-1-k))
	}
	return out, nil
}

// extraWords is the room that the sum of a recurrence needs beyond a weight.
func (p powering) extraWords() int {
	most := big.NewInt(1)
	for _, t := range p.terms {
		size := new(big.Int).Mul(t.beta, big.NewInt(int64(p.n)))
		most.Add(most, size.Abs(size))
		most.Add(most, new(big.Int).Abs(t.alpha))
	}
	return wordsFor(most) + 1
}

// leadWords splits lead into factors of one word; the last entry may be what
// could not be split, as a number of several words.
func (p powering) leadWords() leadFactors {
	var f leadFactors
	rest, q, r := new(big.Int).Set(p.lead), new(big.Int), new(big.Int)
	word := big.NewInt(1)
	for prime := int64(2); prime < 2000 && wordsFor(rest) > 1; prime++ {
		d := big.NewInt(prime)
		for q.QuoRem(rest, d, r); r.Sign() == 0; q.QuoRem(rest, d, r) {
			rest.Set(q)
			if word.Mul(word, d); word.BitLen() > limbBits-12 {
				f.words = append(f.words, newExactDivisor(limb(word.Uint64())))
				word.SetInt64(1)
			}
		}
	}
	if word.Cmp(big.NewInt(1)) > 0 {
		f.words = append(f.words, newExactDivisor(limb(word.Uint64())))
	}
	if wordsFor(rest) > 1 {
		f.rest = rest
	} else if rest.Cmp(big.NewInt(1)) > 0 {
		f.words = append(f.words, newExactDivisor(limb(rest.Uint64())))
	}
	return f
}

type leadFactors struct {
	words []exactDivisor
	rest  *big.Int
}

// divideLead divides x by lead times k without a remainder.
func divideLead(x []limb, lead leadFactors, k int) {
	newExactDivisor(limb(k)).divide(x)
	for _, e := range lead.words {
		e.divide(x)
	}
	if lead.rest != nil {
		putInt(x, new(big.Int).Quo(natural(x), lead.rest))
	}
}

// A stepper yields alpha + beta k for k = 1, 2, ...
type stepper struct {
	shift int
	small bool
	value int64 // when small
	slope int64
	big   *big.Int // otherwise
	beta  *big.Int
	word  [1]limb
}

func (p powering) steppers() []stepper {
	steps := make([]stepper, len(p.terms))
	for i, t := range p.terms {
		reach := new(big.Int).Mul(t.beta, big.NewInt(int64(p.n)))
		reach.Abs(reach).Add(reach, new(big.Int).Abs(t.alpha))
		s := stepper{shift: t.shift, small: reach.BitLen() < 63 && limbBits == 64}
		if s.small {
			s.value, s.slope = t.alpha.Int64(), t.beta.Int64()
		} else {
			s.big, s.beta = new(big.Int).Set(t.alpha), t.beta
		}
		steps[i] = s
	}
	return steps
}

func (s *stepper) next() (negative bool, words []limb) {
	if !s.small {
		s.big.Add(s.big, s.beta)
		return s.big.Sign() < 0, s.big.Bits()
	}
	s.value += s.slope
	v := s.value
	if v == 0 {
		return false, nil
	}
	if v < 0 {
		s.word[0] = limb(-v)
		return true, s.word[:]
	}
	s.word[0] = limb(v)
	return false, s.word[:]
}
