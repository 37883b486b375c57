package nat

import (
	"math/big"
	"sort"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A GenFunc writes the weights of a distribution, up to a common factor, as the
// coefficients of (N/D)^power, where N and D are polynomials of few terms. A
// fair die is (1 - z^s) / (1 - z), whatever its size, and an exploding die is
// short too, because it repeats itself; see streak.go. Sums of many such dice
// obey a recurrence with as few terms; see recurrence.go.
//
// Exponents count steps of the distribution's axis, from its lowest outcome.
type GenFunc struct {
	Num, Den []Term // ascending exponents, the first is 0, coefficients not zero
	Power    int    // when num is nil it is 1, and num follows from the weights
}

type Term struct {
	Exp int
	C   *big.Int
}

func Terms(coefficients map[int]*big.Int) []Term {
	ts := make([]Term, 0, len(coefficients))
	for e, c := range coefficients {
		if c.Sign() != 0 {
			ts = append(ts, Term{Exp: e, C: c})
		}
	}
	sort.Slice(ts, func(i, j int) bool { return ts[i].Exp < ts[j].Exp })
	return ts
}

// TermCells is about how many words a term of a polynomial takes beyond those
// of its coefficient.
const TermCells = 6

// Differencing is 1 - z.
var Differencing = []Term{{0, big.NewInt(1)}, {1, big.NewInt(-1)}}

// TimesTerms multiplies the weights by a short polynomial. It gives up, and
// returns nil, when the product has more than so many terms.
func TimesTerms(ctx work.Context, v Vec, p []Term, most int) ([]Term, error) {
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

// TimesTermsWork estimates the word operations of TimesTerms.
func TimesTermsWork(v Vec, p []Term) int64 {
	places := upper.AddSat(int64(v.Len()), int64(p[len(p)-1].Exp))
	return upper.MulSat(upper.MulSat(places, int64(len(p))), int64(v.Words+4))
}

// Differences counts the places where a weight differs from the one before.
func Differences(v Vec) int {
	count := 2 // at both ends
	for i := 1; i < v.Len(); i++ {
		if Cmp(v.At(i), v.At(i-1)) != 0 {
			count++
		}
	}
	return count
}

// Cost is about how many terms the recurrence of powers has.
func (g *GenFunc) Cost() int { return len(g.Num) * len(g.Den) }

// Words is how many words the coefficients of that recurrence have at most, but
// for the numbers of copies and of the step.
func (g *GenFunc) Words() int { return widest(g.Num) + widest(g.Den) }

func widest(p []Term) int {
	words := 0
	for _, t := range p {
		words = max(words, len(t.C.Bits()))
	}
	return words
}

func WeightTerms(v Vec) []Term {
	ts := make([]Term, 0, v.Len())
	for i := 0; i < v.Len(); i++ {
		if w := v.At(i); !IsZero(w) {
			ts = append(ts, Term{i, Natural(w)})
		}
	}
	return ts
}

func DifferenceTerms(v Vec) []Term {
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

// Reversed returns the generating function of the weights in reverse order,
// z^deg W(1/z): both polynomials reversed.
func (g *GenFunc) Reversed() *GenFunc {
	if g == nil {
		return nil
	}
	out := &GenFunc{Den: reversedTerms(g.Den), Power: g.Power}
	if g.Num != nil {
		out.Num = reversedTerms(g.Num)
	}
	return out
}

func reversedTerms(p []Term) []Term {
	out := make([]Term, len(p))
	degree := p[len(p)-1].Exp
	for i, t := range p {
		out[len(p)-1-i] = Term{degree - t.Exp, t.C}
	}
	return out
}

// MulTerms multiplies two short polynomials.
func MulTerms(a, b []Term) map[int]*big.Int {
	out := map[int]*big.Int{}
	for _, x := range a {
		for _, y := range b {
			AddTerm(out, x.Exp+y.Exp, new(big.Int).Mul(x.C, y.C))
		}
	}
	return out
}

func AddTerm(m map[int]*big.Int, exp int, c *big.Int) {
	if old, ok := m[exp]; ok {
		old.Add(old, c)
		return
	}
	m[exp] = c
}

// derivative differentiates a short polynomial.
func derivative(p []Term) []Term {
	var out []Term
	for _, t := range p {
		if t.Exp > 0 {
			out = append(out, Term{t.Exp - 1, new(big.Int).Mul(t.C, big.NewInt(int64(t.Exp)))})
		}
	}
	return out
}
