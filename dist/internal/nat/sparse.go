package nat

import (
	"math/big"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Polynomials whose exponents lie far apart, as those in several variables do that are
// written in one, are lists of exponents with a row of weights. A product with one of few
// terms, and a power of that, go through the exponents of the result in ascending order:
// each term has its own place in the list that it multiplies, and the least exponent that
// a term comes to is the next. Nothing is looked up.

// A Sparse is a polynomial with ascending exponents, the first of which is 0.
type Sparse struct {
	Exps []int
	W    Vec
}

// MostSparseTerms is how many terms the shorter factor of a sparse product may have: all
// of them are looked at for each exponent.
const MostSparseTerms = 64

// A front says for each term where it is in the list that it multiplies.
type front struct {
	exps []int // of the terms
	at   []int
}

func newFront(exps []int) front { return front{exps: exps, at: make([]int, len(exps))} }

// least returns the least exponent that a term comes to; false at the end.
func (f *front) least(list []int) (k int, ok bool) {
	for t, e := range f.exps {
		if i := f.at[t]; i < len(list) {
			if e += list[i]; !ok || e < k {
				k, ok = e, true
			}
		}
	}
	return k, ok
}

// comes reports whether term t comes to k, and from which place of the list, where no
// term is beyond k.
func (f *front) comes(t, k int, list []int) (i int, ok bool) {
	for i = f.at[t]; i < len(list) && list[i]+f.exps[t] < k; i++ {
	}
	if f.at[t] = i; i == len(list) || list[i]+f.exps[t] != k {
		return 0, false
	}
	f.at[t]++
	return i, true
}

// A growing is a list of exponents that is charged as it grows.
type growing struct {
	exps, fewest []int // fewest is how many terms of the base come to each exponent
	meter        work.Meter
	tick         work.Ticker
	each         int // work for each exponent
}

func newGrowing(m work.Meter, terms int) *growing {
	return &growing{meter: m, tick: work.NewTicker(m), each: 2*terms + 4}
}

func (g *growing) add(k, fewest int) error {
	if n := len(g.exps); n == cap(g.exps) {
		more := max(16, n/2)
		if err := g.meter.Table(int64(n+1), 0); err != nil {
			return err
		}
		if err := g.meter.Table(int64(more), 2); err != nil {
			return err
		}
		if err := g.meter.Work(int64(more) * int64(g.each)); err != nil {
			return err
		}
		g.exps = append(make([]int, 0, n+more), g.exps...)
		g.fewest = append(make([]int, 0, n+more), g.fewest...)
	}
	g.exps, g.fewest = append(g.exps, k), append(g.fewest, fewest)
	return g.tick.Tick(g.each)
}

// productExps returns the exponents of a product.
func productExps(m work.Meter, list, terms []int) ([]int, error) {
	f, g := newFront(terms), newGrowing(m, len(terms))
	for k, ok := f.least(list); ok; k, ok = f.least(list) {
		for t := range terms {
			f.comes(t, k, list)
		}
		if err := g.add(k, 0); err != nil {
			return nil, err
		}
	}
	return g.exps, nil
}

// powerExps returns the exponents of the n-th power, which are the sums of at most n of
// the terms, since 0 is one of them. Each is one of the power and one of the terms, so
// that the list that is read is the one that is written.
func powerExps(m work.Meter, terms []int, n int) ([]int, error) {
	f, g := newFront(terms[1:]), newGrowing(m, len(terms))
	if err := g.add(0, 0); err != nil {
		return nil, err
	}
	for k, ok := f.least(g.exps); ok; k, ok = f.least(g.exps) {
		fewest := n
		for t := range f.exps {
			if i, ok := f.comes(t, k, g.exps); ok {
				fewest = min(fewest, g.fewest[i])
			}
		}
		if fewest == n {
			continue
		}
		if err := g.add(k, fewest+1); err != nil {
			return nil, err
		}
	}
	return g.exps, nil
}

// newSparse charges and returns a polynomial with weights that are 0, whose computation
// adds up so many terms for each.
func newSparse(m work.Meter, exps []int, words, terms int) (Sparse, error) {
	if err := m.Weights(int64(len(exps)), int64(words)); err != nil {
		return Sparse{}, err
	}
	if err := m.Work(upper.MulSat(int64(len(exps)), sparseWork(terms, words))); err != nil {
		return Sparse{}, err
	}
	return Sparse{exps, NewVec(len(exps), words)}, nil
}

// sparseWork is the work of each weight of a product with so many terms.
func sparseWork(terms, words int) int64 { return int64(terms) * int64(words+4) }

// wordsOf returns the weights as words, false where they are too large to be multiplied
// by and added up.
func (p Sparse) wordsOf() (ws []int64, sum *big.Int, ok bool) {
	if len(p.Exps) > MostSparseTerms || p.W.Words > 1 || LimbBits != 64 {
		return nil, nil, false
	}
	ws = make([]int64, len(p.Exps))
	for t, w := range p.W.Data {
		ws[t] = int64(w)
	}
	sum = p.W.Sum()
	return ws, sum, sum.BitLen() <= sumBits
}

// TimesSparse returns the product of two polynomials, of which the second has few terms
// and small weights; ok is false where it has not. The words must hold every weight.
func TimesSparse(m work.Meter, a, b Sparse, words int) (product Sparse, ok bool, err error) {
	ws, _, ok := b.wordsOf()
	if !ok {
		return Sparse{}, false, nil
	}
	exps, err := productExps(m, a.Exps, b.Exps)
	if err != nil {
		return Sparse{}, false, err
	}
	if product, err = newSparse(m, exps, words, len(ws)); err != nil {
		return Sparse{}, false, err
	}
	a.W = a.W.Resized(words)
	f, d := newFront(b.Exps), newDotter(words, len(ws))
	d.high = words
	tick := work.NewTicker(m)
	for j, k := range exps {
		for t, w := range ws {
			if i, ok := f.comes(t, k, a.Exps); ok {
				d.add(w, i*words)
			}
		}
		if err := tick.Tick(int(sparseWork(len(ws), words))); err != nil {
			return Sparse{}, false, err
		}
		d.quotient(product.W.At(j), a.W.Data, 1)
	}
	return product, true, nil
}

// SparsePower returns the n-th power of a polynomial; ok is false where it has many terms
// or its numbers are too large. The words must hold every weight. As for a dense one (see
// [NewRecurrence]) P (P^n)' = n P' P^n, which compares to
//
//	p_0 k q_k = sum over t > 0 of ((n+1) e_t - k) p_t q_(k - e_t).
func SparsePower(m work.Meter, p Sparse, n, words int) (power Sparse, ok bool, err error) {
	ws, sum, ok := p.wordsOf()
	if !ok || !p.powerFits(sum, n) {
		return Sparse{}, false, nil
	}
	exps, err := powerExps(m, p.Exps, n)
	if err != nil {
		return Sparse{}, false, err
	}
	if power, err = newSparse(m, exps, words, len(ws)); err != nil {
		return Sparse{}, false, err
	}
	PutInt(power.W.At(0), new(big.Int).Exp(View(p.W.At(0)), big.NewInt(int64(n)), nil))
	f, d := newFront(p.Exps[1:]), newDotter(words, len(ws))
	d.see(power.W.At(0))
	tick := work.NewTicker(m)
	for j, k := range exps[1:] {
		for t, e := range f.exps {
			if i, ok := f.comes(t, k, exps[:j+1]); ok {
				d.add(int64((n+1)*e-k)*ws[t+1], i*words)
			}
		}
		if err := tick.Tick(int(sparseWork(len(ws), words))); err != nil {
			return Sparse{}, false, err
		}
		d.quotient(power.W.At(j+1), power.W.Data, uint(ws[0])*uint(k))
	}
	return power, true, nil
}

// powerFits reports whether the coefficients of a step stay small: no exponent of the power
// exceeds n times the last of p.
func (p Sparse) powerFits(sum *big.Int, n int) bool {
	last := new(big.Int).Mul(big.NewInt(int64(p.Exps[len(p.Exps)-1])), big.NewInt(int64(n)+1))
	return last.Mul(last, sum).BitLen() <= sumBits
}
