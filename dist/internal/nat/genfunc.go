package nat

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A GenFunc writes the weights of a distribution, up to a common factor, as the
// coefficients of a product of powers of polynomials of few terms. A fair die is
// (1 - z^s) (1 - z)^-1, whatever its size, and an exploding die is short too,
// because it repeats itself; see streak.go. Sums of many such dice, equal or not,
// obey a recurrence with as few terms; see recurrence.go.
//
// Exponents count steps of the distribution's axis, from its lowest outcome.
type GenFunc struct {
	Factors []Factor // distinct polynomials
	Rest    bool     // there is one more factor of the power 1, which follows from the weights
}

// A Factor is a power of a polynomial.
type Factor struct {
	Poly  []Term // ascending exponents, the first is 0; coprime coefficients, the first positive
	Power int    // may be negative, not 0
}

// A Term is one term of a polynomial.
type Term struct {
	Exp int
	C   *big.Int
}

// TermCells is about how many words a term of a polynomial takes beyond those
// of its coefficient.
const TermCells = 6

// MostTerms bounds the terms of the recurrence of a product for which its
// generating function is kept.
const MostTerms = 512

// NewGenFunc returns the product of powers of polynomials, which are given with
// ascending exponents from 0.
func NewGenFunc(factors ...Factor) *GenFunc {
	g := &GenFunc{}
	for _, f := range factors {
		g.multiply(Factor{normalTerms(f.Poly), f.Power})
	}
	return g
}

// multiply takes in one more factor.
func (g *GenFunc) multiply(f Factor) {
	if f.Power == 0 || len(f.Poly) == 1 {
		return
	}
	for i, h := range g.Factors {
		if !equalTerms(h.Poly, f.Poly) {
			continue
		}
		if g.Factors[i].Power += f.Power; g.Factors[i].Power == 0 {
			g.Factors = slices.Delete(g.Factors, i, i+1)
		}
		return
	}
	g.Factors = append(g.Factors, f)
}

// Times returns the product of two generating functions, nil where one is not known.
func (g *GenFunc) Times(h *GenFunc) *GenFunc {
	if g == nil || h == nil || g.Rest || h.Rest {
		return nil
	}
	out := &GenFunc{Factors: slices.Clone(g.Factors)}
	for _, f := range h.Factors {
		out.multiply(f)
	}
	return out
}

// ToPower returns the n-th power.
func (g *GenFunc) ToPower(n int) *GenFunc {
	out := &GenFunc{Factors: slices.Clone(g.Factors)}
	for i := range out.Factors {
		out.Factors[i].Power *= n
	}
	return out
}

// Reversed returns the generating function of the weights in reverse order,
// z^deg W(1/z): all polynomials reversed.
func (g *GenFunc) Reversed() *GenFunc {
	return g.changed(func(p []Term) []Term {
		out := make([]Term, len(p))
		degree := p[len(p)-1].Exp
		for i, t := range p {
			out[len(p)-1-i] = Term{degree - t.Exp, t.C}
		}
		return out
	})
}

// Stretched returns the generating function in z^every for z.
func (g *GenFunc) Stretched(every int) *GenFunc {
	if every == 1 {
		return g
	}
	return g.changed(func(p []Term) []Term {
		out := make([]Term, len(p))
		for i, t := range p {
			out[i] = Term{t.Exp * every, t.C}
		}
		return out
	})
}

func (g *GenFunc) changed(change func([]Term) []Term) *GenFunc {
	if g == nil {
		return nil
	}
	out := &GenFunc{Rest: g.Rest, Factors: make([]Factor, len(g.Factors))}
	for i, f := range g.Factors {
		out.Factors[i] = Factor{normalTerms(change(f.Poly)), f.Power}
	}
	return out
}

// Cost is about how many terms the recurrence of powers has: those of the product
// of all polynomials, which are no more than its degree has places.
func (g *GenFunc) Cost() int {
	terms, degree := 1, 1
	for _, f := range g.Factors {
		if hi, lo := bits.Mul(uint(terms), uint(len(f.Poly))); hi == 0 && lo < 1<<31 {
			terms = int(lo)
		} else {
			terms = 1 << 31
		}
		degree += f.Poly[len(f.Poly)-1].Exp
	}
	return min(terms, degree)
}

// Words is how many words the coefficients of that recurrence have at most, with
// some room for the numbers of copies and of the step.
func (g *GenFunc) Words() int {
	sum, total := new(big.Int), roomForStep
	for _, f := range g.Factors {
		sum.SetInt64(0)
		for _, t := range f.Poly {
			sum.Add(sum, new(big.Int).Abs(t.C))
		}
		total += sum.BitLen()
	}
	return total/LimbBits + 1
}

// WeightTerms returns the polynomial that has the weights as coefficients.
func WeightTerms(v Vec) []Term {
	ts := make([]Term, 0, v.Len())
	for i := 0; i < v.Len(); i++ {
		if w := v.At(i); !IsZero(w) {
			ts = append(ts, Term{i, Natural(w)})
		}
	}
	return ts
}

// differenceTerms returns the polynomial of the weights times 1 - z.
func differenceTerms(v Vec) []Term {
	var ts []Term
	for i := 0; i <= v.Len(); i++ {
		if 0 < i && i < v.Len() && Cmp(v.At(i), v.At(i-1)) == 0 {
			continue
		}
		c := new(big.Int)
		if i < v.Len() {
			c.Set(View(v.At(i)))
		}
		if i > 0 {
			c.Sub(c, View(v.At(i-1)))
		}
		if c.Sign() != 0 {
			ts = append(ts, Term{i, c})
		}
	}
	return ts
}

// differencing returns 1 - z.
func differencing() []Term { return []Term{{0, big.NewInt(1)}, {1, big.NewInt(-1)}} }

// differences counts the places where a weight differs from the one before.
func differences(v Vec) int {
	count := 2 // at both ends
	for i := 1; i < v.Len(); i++ {
		if Cmp(v.At(i), v.At(i-1)) != 0 {
			count++
		}
	}
	return count
}

// timesTerms multiplies the weights by a short polynomial. It gives up, and
// returns nil, when the product has more than so many terms.
func timesTerms(ctx work.Context, v Vec, p []Term, most int) ([]Term, error) {
	places := v.Len() + p[len(p)-1].Exp
	var out []Term
	sum, product := new(big.Int), new(big.Int)
	tick := work.NewTicker(ctx)
	for e := 0; e < places; e++ {
		if err := tick.Tick(len(p) * (v.Words + 16)); err != nil {
			return nil, err
		}
		sum.SetInt64(0)
		for _, t := range p {
			if i := e - t.Exp; i >= 0 && i < v.Len() {
				sum.Add(sum, product.Mul(View(Trim(v.At(i))), t.C))
			}
		}
		if sum.Sign() == 0 {
			continue
		}
		if len(out) == most {
			return nil, nil
		}
		out = append(out, Term{e, new(big.Int).Set(sum)})
	}
	return out, nil
}

// timesTermsWork estimates the word operations of timesTerms.
func timesTermsWork(v Vec, p []Term) int64 {
	places := upper.AddSat(int64(v.Len()), int64(p[len(p)-1].Exp))
	return upper.MulSat(upper.MulSat(places, int64(len(p))), int64(v.Words+4))
}

// Terms returns the sum of terms in any order, of which several may have one
// exponent, as a polynomial.
func Terms(ts []Term) []Term {
	slices.SortStableFunc(ts, func(a, b Term) int { return cmp.Compare(a.Exp, b.Exp) })
	out := ts[:0]
	for i := 0; i < len(ts); {
		sum, j := ts[i], i+1
		for ; j < len(ts) && ts[j].Exp == sum.Exp; j++ {
			sum.C = new(big.Int).Add(sum.C, ts[j].C)
		}
		if i = j; sum.C.Sign() != 0 {
			out = append(out, sum)
		}
	}
	return out
}

// MulTerms multiplies two polynomials.
func MulTerms(a, b []Term) []Term {
	out := make([]Term, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, Term{x.Exp + y.Exp, new(big.Int).Mul(x.C, y.C)})
		}
	}
	return Terms(out)
}

// scaledDerivative returns m times the derivative of a polynomial.
func scaledDerivative(p []Term, m int) []Term {
	out := make([]Term, 0, len(p))
	factor := big.NewInt(int64(m))
	for _, t := range p {
		if t.Exp > 0 {
			c := big.NewInt(int64(t.Exp))
			out = append(out, Term{t.Exp - 1, c.Mul(c.Mul(c, factor), t.C)})
		}
	}
	return out
}

// normalTerms returns a polynomial without the common divisor of its coefficients and
// with a positive first one: polynomials in proportion become equal.
func normalTerms(p []Term) []Term {
	g := new(big.Int)
	for _, t := range p {
		if g.GCD(nil, nil, g, new(big.Int).Abs(t.C)); g.IsInt64() && g.Int64() == 1 {
			break
		}
	}
	if p[0].C.Sign() < 0 {
		g.Neg(g)
	}
	if g.IsInt64() && g.Int64() == 1 {
		return p
	}
	out := make([]Term, len(p))
	for i, t := range p {
		out[i] = Term{t.Exp, new(big.Int).Quo(t.C, g)}
	}
	return out
}

func equalTerms(a, b []Term) bool {
	return slices.EqualFunc(a, b, func(x, y Term) bool { return x.Exp == y.Exp && x.C.Cmp(y.C) == 0 })
}
