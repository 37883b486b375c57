package dist

import (
	"context"
	"math/big"
	"sort"
)

// A genfunc writes the weights of a distribution, up to a common factor, as the
// coefficients of (N/D)^power, where N and D are polynomials of few terms. A
// fair die is (1 - z^s) / (1 - z), whatever its size, and an exploding die is
// short too, because it repeats itself; see streak.go. Sums of many such dice
// obey a recurrence with as few terms; see powers.go.
//
// Exponents count steps of the distribution's axis, from its lowest outcome.
type genfunc struct {
	num, den []term // ascending exponents, the first is 0, coefficients not zero
	power    int    // when num is nil it is 1, and num follows from the weights
}

type term struct {
	exp int
	c   *big.Int
}

func terms(coefficients map[int]*big.Int) []term {
	ts := make([]term, 0, len(coefficients))
	for e, c := range coefficients {
		if c.Sign() != 0 {
			ts = append(ts, term{exp: e, c: c})
		}
	}
	sort.Slice(ts, func(i, j int) bool { return ts[i].exp < ts[j].exp })
	return ts
}

// genfunc returns the generating function that d was built with or the shortest
// that it finds. It is nil for scattered outcomes.
func (d *Dist) genfunc(ctx context.Context) (*genfunc, error) {
	switch {
	case d.axis.list != nil:
		return nil, nil
	case d.gf == nil:
		return d.plainGenfunc(ctx)
	case d.gf.num == nil:
		return d.shortGenfunc(ctx, d.gf.den)
	}
	return d.gf, nil
}

// termCells is about how many words a term of a polynomial takes beyond those
// of its coefficient.
const termCells = 6

// plainGenfunc returns the shorter of the weights as they are and their
// differences over 1 - z: weights that come in runs of equals have few
// differences.
func (d *Dist) plainGenfunc(ctx context.Context) (*genfunc, error) {
	if err := ChargeWork(ctx, int64(d.axis.n)); err != nil {
		return nil, err
	}
	differences := d.differences()
	short := 2*differences < d.size
	count := d.size
	if short {
		count = differences
	}
	if err := chargeWeights(ctx, int64(count), int64(d.w.words+termCells)); err != nil {
		return nil, err
	}
	if short {
		return &genfunc{num: d.differenceTerms(), den: differencing, power: 1}, nil
	}
	return &genfunc{num: d.weightTerms(), den: []term{{0, big.NewInt(1)}}, power: 1}, nil
}

// differencing is 1 - z.
var differencing = []term{{0, big.NewInt(1)}, {1, big.NewInt(-1)}}

// shortGenfunc multiplies the weights by a denominator that is known to cancel
// most of them, and by 1 - z besides where that cancels more.
func (d *Dist) shortGenfunc(ctx context.Context, den []term) (*genfunc, error) {
	best, err := d.plainGenfunc(ctx)
	if err != nil {
		return nil, err
	}
	for _, den := range [][]term{den, terms(mulTerms(den, differencing))} {
		num, err := d.timesTerms(ctx, den, best.cost()/len(den))
		if err != nil {
			return nil, err
		}
		if g := (&genfunc{num: num, den: den, power: 1}); num != nil && g.cost() < best.cost() {
			best = g
		}
	}
	return best, nil
}

// timesTerms multiplies the weights by a short polynomial. It gives up, and
// returns nil, when the product has more than so many terms.
func (d *Dist) timesTerms(ctx context.Context, p []term, most int) ([]term, error) {
	places := int64(d.axis.n) + int64(p[len(p)-1].exp)
	if err := ChargeWork(ctx, mulSat(mulSat(places, int64(len(p))), int64(d.w.words+4))); err != nil {
		return nil, err
	}
	var out []term
	sum, product := new(big.Int), new(big.Int)
	tick := newTicker(ctx)
	for e := 0; e < int(places); e++ {
		if err := tick.tick(len(p) * (d.w.words + 16)); err != nil {
			return nil, err
		}
		sum.SetInt64(0)
		for _, t := range p {
			if i := e - t.exp; i >= 0 && i < d.axis.n {
				sum.Add(sum, product.Mul(view(trim(d.w.at(i))), t.c))
			}
		}
		if sum.Sign() == 0 {
			continue
		}
		if len(out) == most {
			return nil, nil
		}
		out = append(out, term{e, new(big.Int).Set(sum)})
	}
	return out, nil
}

// differences counts the places where a weight differs from the one before.
func (d *Dist) differences() int {
	count := 2 // at both ends
	for i := 1; i < d.axis.n; i++ {
		if cmpLimbs(d.w.at(i), d.w.at(i-1)) != 0 {
			count++
		}
	}
	return count
}

// cost is about how many terms the recurrence of powers has.
func (g *genfunc) cost() int { return len(g.num) * len(g.den) }

// words is how many words the coefficients of that recurrence have at most, but
// for the numbers of copies and of the step.
func (g *genfunc) words() int { return widest(g.num) + widest(g.den) }

func widest(p []term) int {
	words := 0
	for _, t := range p {
		words = max(words, len(t.c.Bits()))
	}
	return words
}

func (d *Dist) weightTerms() []term {
	ts := make([]term, 0, d.size)
	for i := 0; i < d.axis.n; i++ {
		if w := d.w.at(i); !isZero(w) {
			ts = append(ts, term{i, natural(w)})
		}
	}
	return ts
}

func (d *Dist) differenceTerms() []term {
	var ts []term
	for i := 0; i <= d.axis.n; i++ {
		if 0 < i && i < d.axis.n && cmpLimbs(d.w.at(i), d.w.at(i-1)) == 0 {
			continue
		}
		c := new(big.Int)
		if i < d.axis.n {
			c.Set(view(d.w.at(i)))
		}
		if i > 0 {
			c.Sub(c, view(d.w.at(i-1)))
		}
		if c.Sign() != 0 {
			ts = append(ts, term{i, c})
		}
	}
	return ts
}

// reversed returns the generating function of the weights in reverse order,
// z^deg W(1/z): both polynomials reversed.
func (g *genfunc) reversed() *genfunc {
	if g == nil {
		return nil
	}
	out := &genfunc{den: reversedTerms(g.den), power: g.power}
	if g.num != nil {
		out.num = reversedTerms(g.num)
	}
	return out
}

func reversedTerms(p []term) []term {
	out := make([]term, len(p))
	degree := p[len(p)-1].exp
	for i, t := range p {
		out[len(p)-1-i] = term{degree - t.exp, t.c}
	}
	return out
}

// mulTerms multiplies two short polynomials.
func mulTerms(a, b []term) map[int]*big.Int {
	out := map[int]*big.Int{}
	for _, x := range a {
		for _, y := range b {
			addTerm(out, x.exp+y.exp, new(big.Int).Mul(x.c, y.c))
		}
	}
	return out
}

func addTerm(m map[int]*big.Int, exp int, c *big.Int) {
	if old, ok := m[exp]; ok {
		old.Add(old, c)
		return
	}
	m[exp] = c
}

// derivative differentiates a short polynomial.
func derivative(p []term) []term {
	var out []term
	for _, t := range p {
		if t.exp > 0 {
			out = append(out, term{t.exp - 1, new(big.Int).Mul(t.c, big.NewInt(int64(t.exp)))})
		}
	}
	return out
}
