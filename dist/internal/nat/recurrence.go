package nat

import (
	"math/big"

	"dicescript/dist/internal/work"
)

// The recurrence of a power and the machine that runs it. A weight is a sum of
// a few earlier weights, each times a small number, divided by a small number;
// all of it happens in place, on limbs.

// A Recurrence gives the coefficients of a power:
//
//	lead k q_k = sum over terms of (alpha + beta k) q_(k-shift)
type Recurrence struct {
	lead  *big.Int
	terms []recurrenceTerm // ascending shifts
}

type recurrenceTerm struct {
	shift       int
	alpha, beta *big.Int
}

// NewRecurrence returns the recurrence of the n-th power of a product of powers
// Q = F1^e1 F2^e2 ... With A = F1 F2 ... the logarithmic derivative Q'/Q is
// sum e_i F_i'/F_i = B/A, and A Q' = B Q is compared by the coefficients of z^(k-1)
// (Knuth, TAOCP vol. 2, 4.7, after Euler).
func NewRecurrence(g *GenFunc, n int) Recurrence {
	if len(g.Factors) == 0 {
		return Recurrence{lead: big.NewInt(1)}
	}
	first := g.Factors[0]
	a, b := first.Poly, scaledDerivative(first.Poly, first.Power*n)
	for _, f := range g.Factors[1:] {
		b = Terms(append(MulTerms(b, f.Poly), MulTerms(a, scaledDerivative(f.Poly, f.Power*n))...))
		a = MulTerms(a, f.Poly)
	}
	r := Recurrence{lead: a[0].C, terms: make([]recurrenceTerm, 0, len(a)+len(b))}
	a = a[1:]
	for len(a) > 0 || len(b) > 0 {
		t := recurrenceTerm{alpha: new(big.Int), beta: new(big.Int)}
		switch {
		case len(a) == 0 || len(b) > 0 && b[0].Exp+1 < a[0].Exp:
			t.shift = b[0].Exp + 1
		default:
			t.shift = a[0].Exp
		}
		if len(b) > 0 && b[0].Exp+1 == t.shift {
			t.alpha.Set(b[0].C)
			b = b[1:]
		}
		if len(a) > 0 && a[0].Exp == t.shift {
			t.alpha.Add(t.alpha, t.beta.Mul(big.NewInt(int64(t.shift)), a[0].C))
			t.beta.Neg(a[0].C)
			a = a[1:]
		}
		if t.alpha.Sign() != 0 || t.beta.Sign() != 0 {
			r.terms = append(r.terms, t)
		}
	}
	return r.reduced()
}

// reduced takes out what divides every coefficient and makes lead positive.
func (r Recurrence) reduced() Recurrence {
	g := new(big.Int).Abs(r.lead)
	for _, t := range r.terms {
		if g.IsInt64() && g.Int64() == 1 {
			break
		}
		g = t.content(g)
	}
	if r.lead.Sign() < 0 {
		g.Neg(g)
	}
	if g.IsInt64() && g.Int64() == 1 {
		return r
	}
	r.lead = new(big.Int).Quo(r.lead, g)
	for _, t := range r.terms {
		t.alpha.Quo(t.alpha, g)
		t.beta.Quo(t.beta, g)
	}
	return r
}

// content returns the greatest common divisor of g and the coefficients.
func (t recurrenceTerm) content(g *big.Int) *big.Int {
	g = new(big.Int).GCD(nil, nil, g, new(big.Int).Abs(t.alpha))
	return g.GCD(nil, nil, g, new(big.Int).Abs(t.beta))
}

// split divides the terms into the near ones and the far ones, for which only
// lead and the near coefficients have the large factor g in common. It returns
// the recurrence
//
//	lead/g k q_k = sum of near terms/g + (sum of far terms)/g
//
// whose last division leaves no remainder either. A capped explosion is like
// that: the terms of its cap come after many steps and miss a high power of its
// total, which otherwise stands in every coefficient.
func (r Recurrence) split() (near Recurrence, far []recurrenceTerm, g *big.Int) {
	const large = 16
	cut, g := 0, big.NewInt(1)
	common := new(big.Int).Set(r.lead)
	for i, t := range r.terms {
		common = t.content(common)
		if common.BitLen() <= large {
			break
		}
		cut, g = i+1, common
	}
	if cut == 0 || cut == len(r.terms) {
		return r, nil, big.NewInt(1)
	}
	near.lead = new(big.Int).Quo(r.lead, g)
	for _, t := range r.terms[:cut] {
		near.terms = append(near.terms, recurrenceTerm{t.shift, new(big.Int).Quo(t.alpha, g), new(big.Int).Quo(t.beta, g)})
	}
	return near, r.terms[cut:], g
}

// A Powering runs a recurrence over fixed-width weights.
type Powering struct {
	Recurrence
	First     *big.Int // the weight at 0
	N, Words  int      // how many weights there are, and the words of each
	Symmetric bool
}

// Run returns the n weights. When they are symmetric the second half is a copy
// of the first.
func (p Powering) Run(ctx work.Context) (Vec, error) {
	out := NewVec(p.N, p.Words)
	PutInt(out.At(0), p.First)
	upto := p.N
	if p.Symmetric {
		upto = (p.N + 1) / 2
	}
	run := p.runWide
	if p.fitsWords() {
		run = p.runWords
	}
	if err := run(ctx, out, upto); err != nil {
		return Vec{}, err
	}
	for k := upto; k < p.N; k++ {
		copy(out.At(k), out.At(p.N-1-k))
	}
	return out, nil
}

// runWide computes the weights from 1 to before upto with coefficients of any size.
func (p Powering) runWide(ctx work.Context, out Vec, upto int) error {
	nearTerms, farTerms, g := p.split()
	near, far := p.steppers(nearTerms.terms), p.steppers(farTerms)
	lead, farLead := newDivisor(nearTerms.lead), newDivisor(g)
	room := p.Words + p.extraWords()
	plus, minus := accumulator{limbs: make([]Limb, room)}, accumulator{limbs: make([]Limb, room)}
	tick := work.NewTicker(ctx)
	for k := 1; k < upto; k++ {
		plus.reset()
		minus.reset()
		if err := sum(far, out, k, &plus, &minus, &tick); err != nil {
			return err
		}
		if plus.used+minus.used > 0 {
			sign := &plus
			if !plus.takeOff(&minus) {
				sign = &minus
			}
			farLead.divide(sign.limbs[:sign.used], 1)
		}
		if err := sum(near, out, k, &plus, &minus, &tick); err != nil {
			return err
		}
		plus.takeOff(&minus)
		q := plus.limbs[:plus.used]
		lead.divide(q, k)
		if Checking {
			Insist(minus.used == 0 && len(Trim(q)) <= p.Words, "a weight of a power")
		}
		copy(out.At(k), Trim(q))
	}
	return nil
}

// sum adds the terms of step k to what they add to: the positive ones to plus,
// the negative ones to minus.
func sum(steps []stepper, weights Vec, k int, plus, minus *accumulator, tick *work.Ticker) error {
	for i := range steps {
		s := &steps[i]
		negative, m := s.next()
		if s.shift > k {
			continue
		}
		x := Trim(weights.At(k - s.shift))
		if negative {
			minus.addMul(x, m)
		} else {
			plus.addMul(x, m)
		}
		if err := tick.Tick(len(x)*len(m) + 4); err != nil {
			return err
		}
	}
	return tick.Tick(weights.Words)
}

// An accumulator is a sum of naturals. Only its first used limbs are not zero.
type accumulator struct {
	limbs []Limb
	used  int
}

func (a *accumulator) reset() {
	clear(a.limbs[:a.used])
	a.used = 0
}

// addMul adds x times a number of few words.
func (a *accumulator) addMul(x, m []Limb) {
	if len(x) == 0 || len(m) == 0 {
		return
	}
	for j, word := range m {
		AddMulWord(a.limbs[j:], x, word)
	}
	// A sum of several products may need one limb more than each.
	a.used = min(max(a.used, len(x)+len(m))+1, len(a.limbs))
	for a.used > 0 && a.limbs[a.used-1] == 0 {
		a.used--
	}
}

// takeOff subtracts b and resets it. When b is larger, b becomes the
// difference, a is reset, and the result is false.
func (a *accumulator) takeOff(b *accumulator) bool {
	longer := max(a.used, b.used)
	if Cmp(a.limbs[:longer], b.limbs[:longer]) < 0 {
		Sub(b.limbs, a.limbs[:a.used])
		a.reset()
		return false
	}
	Sub(a.limbs, b.limbs[:b.used])
	b.reset()
	return true
}

// extraWords is the room that the sum of a recurrence needs beyond a weight.
func (p Powering) extraWords() int {
	most := big.NewInt(1)
	for _, t := range p.terms {
		size := new(big.Int).Mul(t.beta, big.NewInt(int64(p.N)))
		most.Add(most, size.Abs(size))
		most.Add(most, new(big.Int).Abs(t.alpha))
	}
	return WordsFor(most) + 1
}

// A divisor divides by a fixed number, and by the number of the step, where that
// leaves no remainder.
type divisor struct {
	small Limb           // one factor, which leaves room for the number of the step
	words []exactDivisor // further factors of one word
	rest  *big.Int       // what has no factors of one word that were found, or nil
}

// roomForStep is how many bits of a word the number of a step takes.
const roomForStep = 31

func newDivisor(n *big.Int) divisor {
	d := divisor{small: 1}
	rest, q, r := new(big.Int).Set(n), new(big.Int), new(big.Int)
	word := big.NewInt(1)
	for prime := int64(2); prime < 2000 && WordsFor(rest) > 1; prime++ {
		f := big.NewInt(prime)
		for q.QuoRem(rest, f, r); r.Sign() == 0; q.QuoRem(rest, f, r) {
			rest.Set(q)
			if word.Mul(word, f); word.BitLen() > LimbBits-12 {
				d.take(word)
				word.SetInt64(1)
			}
		}
	}
	d.take(word)
	if WordsFor(rest) > 1 {
		d.rest = rest
	} else {
		d.take(rest)
	}
	return d
}

// take takes in a factor of one word.
func (d *divisor) take(factor *big.Int) {
	f := Limb(factor.Uint64())
	if d.small == 1 && factor.BitLen() <= LimbBits-roomForStep {
		d.small = f
		return
	}
	d.words = append(d.words, NewExactDivisor(f))
}

// divide replaces x by its quotient by the divisor times k.
func (d divisor) divide(x []Limb, k int) {
	if f := d.small * Limb(k); f != 1 {
		NewExactDivisor(f).Divide(x)
	}
	for _, e := range d.words {
		e.Divide(x)
	}
	if d.rest != nil {
		q, r := new(big.Int).QuoRem(Natural(x), d.rest, new(big.Int))
		if Checking {
			Insist(r.Sign() == 0, "an exact quotient")
		}
		PutInt(x, q)
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
	word  [1]Limb
}

func (p Powering) steppers(terms []recurrenceTerm) []stepper {
	steps := make([]stepper, len(terms))
	for i, t := range terms {
		reach := new(big.Int).Mul(t.beta, big.NewInt(int64(p.N)))
		reach.Abs(reach).Add(reach, new(big.Int).Abs(t.alpha))
		s := stepper{shift: t.shift, small: reach.BitLen() < 63 && LimbBits == 64}
		if s.small {
			s.value, s.slope = t.alpha.Int64(), t.beta.Int64()
		} else {
			s.big, s.beta = new(big.Int).Set(t.alpha), t.beta
		}
		steps[i] = s
	}
	return steps
}

func (s *stepper) next() (negative bool, words []Limb) {
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
		s.word[0] = Limb(-v)
		return true, s.word[:]
	}
	s.word[0] = Limb(v)
	return false, s.word[:]
}
