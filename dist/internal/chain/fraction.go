package chain

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The numbers of a process are fractions, and their denominators are products of the few
// numbers that states are left by: the totals of their weights. So a denominator is kept
// as powers of factors, a common one takes the larger power of each, and fractions are
// added without a division. They need not be in lowest terms; where a denominator has
// grown much, powers that the numerator has too are taken out.

// A denominator is a product of powers of factors. Equal ones are one object.
type denominator struct {
	id     int32
	powers []power // ascending in factors
	bits   int     // at least as many as the value has
	value  *big.Int
	float  scaled // of the value
	known  bool   // whether value and float are worked out
}

type power struct{ factor, exp int32 }

// A number is a fraction.
type number struct {
	n *big.Int
	d *denominator
}

// A scaled is a float with an exponent of its own.
type scaled struct {
	m float64
	e int
}

// arithmetic computes with fractions and holds their denominators.
type arithmetic struct {
	meter  work.Meter
	credit int64 // work that is charged and not done yet

	factors []*big.Int
	places  map[string]int32
	byKey   map[string]*denominator
	words   map[nat.Limb]*denominator // by value, of one word
	joined  map[[2]int32]joint
	product map[[2]int32]*denominator
	one     *denominator
	count   int32

	term, scratch big.Int
	limb          [1]nat.Limb
	word          big.Int
}

// A joint is the least common multiple of two denominators, and what each is multiplied
// by to be it; nil is 1.
type joint struct {
	d      *denominator
	fa, fb *big.Int
}

func newArithmetic(meter work.Meter) *arithmetic {
	a := &arithmetic{
		meter: meter, places: map[string]int32{}, byKey: map[string]*denominator{}, words: map[nat.Limb]*denominator{},
		joined: map[[2]int32]joint{}, product: map[[2]int32]*denominator{},
	}
	a.one = a.denominator(nil)
	return a
}

// payAhead is how many operations are charged at once.
const payAhead = 1 << 9

// pay charges so many operations before they are done.
func (a *arithmetic) pay(n int64) error {
	if a.credit < n {
		ask := max(n, payAhead)
		if err := a.meter.Work(ask); err != nil {
			return err
		}
		a.credit += ask
	}
	a.credit -= n
	return nil
}

// denominator returns the only one with these powers.
func (a *arithmetic) denominator(powers []power) *denominator {
	key := make([]byte, 0, 4*len(powers))
	size := 1
	for _, p := range powers {
		key = binary.AppendUvarint(key, uint64(p.factor))
		key = binary.AppendUvarint(key, uint64(p.exp))
		size += int(math.Ceil(float64(p.exp) * log2(a.factors[p.factor])))
	}
	d, ok := a.byKey[string(key)]
	if !ok {
		d = &denominator{id: a.count, powers: powers, bits: size}
		a.count++
		a.byKey[string(key)] = d
	}
	return d
}

// log2 is not below the logarithm of n.
func log2(n *big.Int) float64 {
	f := scale(n)
	return math.Nextafter(math.Log2(f.m)+float64(f.e), math.Inf(1)) + 1e-9
}

// wordsOf is about how many words a denominator has.
func (d *denominator) wordsOf() int64 { return int64(d.bits/nat.LimbBits) + 1 }

// smallPrimes are divided out of denominators.
var smallPrimes = []uint64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97}

// split returns a positive number as a denominator: powers of small primes and one more
// factor.
func (a *arithmetic) split(n *big.Int) *denominator {
	isWord := len(n.Bits()) == 1
	if isWord {
		if d, ok := a.words[n.Bits()[0]]; ok {
			return d
		}
	}
	var powers []power
	rest := new(big.Int).Set(n)
	p, q, r := new(big.Int), new(big.Int), new(big.Int)
	for _, prime := range smallPrimes {
		exp := int32(0)
		for nat.ModWord(nat.Trim(rest.Bits()), uint(prime)) == 0 {
			q.QuoRem(rest, p.SetUint64(prime), r)
			rest, q = q, rest
			exp++
		}
		if exp > 0 {
			powers = append(powers, power{a.factor(p.SetUint64(prime)), exp})
		}
	}
	if !rest.IsInt64() || rest.Int64() != 1 {
		powers = append(powers, power{a.factor(rest), 1})
	}
	slices.SortFunc(powers, func(x, y power) int { return int(x.factor - y.factor) })
	d := a.denominator(powers)
	if isWord {
		a.words[n.Bits()[0]] = d
	}
	return d
}

// factor returns the number of a factor.
func (a *arithmetic) factor(n *big.Int) int32 {
	name := string(n.Bytes())
	i, ok := a.places[name]
	if !ok {
		i = int32(len(a.factors))
		a.factors = append(a.factors, new(big.Int).Set(n))
		a.places[name] = i
	}
	return i
}

// binary returns 2^n.
func (a *arithmetic) binary(n int) *denominator {
	return a.denominator([]power{{a.factor(big.NewInt(2)), int32(n)}})
}

// times returns the product of two denominators.
func (a *arithmetic) times(x, y *denominator) (*denominator, error) {
	if x == a.one {
		return y, nil
	}
	if y == a.one {
		return x, nil
	}
	d, ok := a.product[[2]int32{x.id, y.id}]
	if ok {
		return d, nil
	}
	if err := a.newDenominator(x, y); err != nil {
		return nil, err
	}
	d = a.denominator(merge(x.powers, y.powers, func(p, q int32) int32 { return p + q }))
	a.product[[2]int32{x.id, y.id}] = d
	return d, nil
}

// newDenominator charges what is made of two denominators.
func (a *arithmetic) newDenominator(x, y *denominator) error {
	n := int64(len(x.powers)+len(y.powers)) + 8
	if err := a.meter.Table(n, 2); err != nil {
		return err
	}
	return a.pay(8 * n)
}

// join returns the least common multiple of two denominators.
func (a *arithmetic) join(x, y *denominator) (joint, error) {
	if x == y {
		return joint{d: x}, nil
	}
	if x.id > y.id {
		j, err := a.join(y, x)
		return joint{j.d, j.fb, j.fa}, err
	}
	j, ok := a.joined[[2]int32{x.id, y.id}]
	if ok {
		return j, nil
	}
	if err := a.newDenominator(x, y); err != nil {
		return j, err
	}
	j.d = a.denominator(merge(x.powers, y.powers, func(p, q int32) int32 { return max(p, q) }))
	if err := a.meter.Weights(0, j.d.wordsOf()); err != nil { // longer than a weight may be
		return j, err
	}
	words := 2*j.d.wordsOf() - x.wordsOf() - y.wordsOf() + 8
	if err := a.meter.Table(words, 1); err != nil {
		return j, err
	}
	if err := a.pay(upper.MulSat(2*words, words)); err != nil {
		return j, err
	}
	j.fa, j.fb = a.quotient(j.d, x), a.quotient(j.d, y)
	a.joined[[2]int32{x.id, y.id}] = j
	return j, nil
}

// quotient returns d over a denominator that divides it; nil is 1.
func (a *arithmetic) quotient(d, by *denominator) *big.Int {
	if d == by {
		return nil
	}
	out, x := big.NewInt(1), new(big.Int)
	k := 0
	for _, p := range d.powers {
		exp := p.exp
		for k < len(by.powers) && by.powers[k].factor < p.factor {
			k++
		}
		if k < len(by.powers) && by.powers[k].factor == p.factor {
			exp -= by.powers[k].exp
		}
		switch {
		case exp == 0:
		case a.factors[p.factor].IsInt64() && a.factors[p.factor].Int64() == 2:
			out.Lsh(out, uint(exp))
		default:
			out.Mul(out, x.Exp(a.factors[p.factor], big.NewInt(int64(exp)), nil))
		}
	}
	return out
}

// merge merges powers of two denominators.
func merge(x, y []power, both func(p, q int32) int32) []power {
	out := make([]power, 0, len(x)+len(y))
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].factor < y[0].factor:
			out, x = append(out, x[0]), x[1:]
		case len(x) == 0 || y[0].factor < x[0].factor:
			out, y = append(out, y[0]), y[1:]
		default:
			out = append(out, power{x[0].factor, both(x[0].exp, y[0].exp)})
			x, y = x[1:], y[1:]
		}
	}
	return out
}

// evaluate works out the value of a denominator.
func (a *arithmetic) evaluate(d *denominator) error {
	if d.known {
		return nil
	}
	if err := a.meter.Weights(1, d.wordsOf()); err != nil {
		return err
	}
	if err := a.pay(upper.MulSat(d.wordsOf(), d.wordsOf())); err != nil {
		return err
	}
	d.value = big.NewInt(1)
	if v := a.quotient(d, a.one); v != nil {
		d.value = v
	}
	d.float, d.known = scale(d.value), true
	return nil
}

// A sum of fractions grows term by term. It is zero as long as it has no denominator.
type sum struct {
	n big.Int
	d *denominator
}

// number returns the sum as a number that shares its memory.
func (s *sum) number(a *arithmetic) number {
	if s.d == nil {
		return number{&s.n, a.one}
	}
	return number{&s.n, s.d}
}

// add adds n / d times a weight.
func (a *arithmetic) add(s *sum, n *big.Int, d *denominator, w weight) error {
	if n.Sign() == 0 {
		return nil
	}
	if err := a.pay(int64(len(n.Bits())) + work.Visit); err != nil {
		return err
	}
	switch {
	case w.wide != nil:
		if err := a.pay(int64(len(n.Bits())) * int64(len(w.wide.Bits()))); err != nil {
			return err
		}
		a.term.Mul(n, w.wide)
	case w.word == 1:
		return a.plus(s, n, d)
	default:
		a.limb[0] = w.word
		a.term.Mul(n, a.word.SetBits(a.limb[:]))
	}
	return a.plus(s, &a.term, d)
}

// plus adds n / d.
func (a *arithmetic) plus(s *sum, n *big.Int, d *denominator) error {
	if s.d == nil {
		s.n.Set(n)
		s.d = d
		return nil
	}
	if s.d == d {
		s.n.Add(&s.n, n)
		return nil
	}
	j, err := a.join(s.d, d)
	if err != nil {
		return err
	}
	words := j.d.wordsOf()
	if j.fa != nil {
		if err := a.pay(upper.MulSat(words, int64(len(j.fa.Bits())))); err != nil {
			return err
		}
		s.n.Mul(&s.n, j.fa)
	}
	if j.fb != nil {
		if err := a.pay(upper.MulSat(words, int64(len(j.fb.Bits())))); err != nil {
			return err
		}
		n = a.scratch.Mul(n, j.fb)
	}
	s.n.Add(&s.n, n)
	s.d = j.d
	return nil
}

// strip takes powers that n shares with d out of both, when there are many. It changes
// n. The factors of d that are words are tried together, by one division by a word.
func (a *arithmetic) strip(n *big.Int, d *denominator) (*denominator, error) {
	if err := a.pay(4*int64(len(n.Bits())) + 16); err != nil {
		return nil, err
	}
	var tries []try
	for at, p := range d.powers {
		f := a.factors[p.factor]
		if f.IsUint64() && f.BitLen() <= tryBits {
			tries = append(tries, try{at: at, factor: f.Uint64()})
		}
	}
	if len(tries) == 0 || n.Sign() == 0 {
		return d, nil
	}
	modulus := uint64(1)
	for i := range tries {
		t := &tries[i]
		room := 62 / len(tries)
		if room < bits.Len64(t.factor) {
			tries = tries[:i]
			break
		}
		t.chunk = 1
		for t.exp < d.powers[t.at].exp && bits.Len64(t.chunk)+bits.Len64(t.factor) <= room {
			t.chunk *= t.factor
			t.exp++
		}
		modulus *= t.chunk
	}
	powers := slices.Clone(d.powers)
	rest := uint64(nat.ModWord(nat.Trim(n.Bits()), uint(modulus)))
	q, r, chunk := new(big.Int), new(big.Int), new(big.Int)
	for _, t := range tries {
		for left := rest % t.chunk; left == 0 && t.exp > 0 && powers[t.at].exp >= t.exp; {
			if err := a.pay(4 * int64(len(n.Bits()))); err != nil {
				return nil, err
			}
			q.QuoRem(n, chunk.SetUint64(t.chunk), r)
			n.Set(q)
			powers[t.at].exp -= t.exp
			left = uint64(nat.ModWord(nat.Trim(n.Bits()), uint(t.chunk)))
		}
	}
	powers = slices.DeleteFunc(powers, func(p power) bool { return p.exp == 0 })
	return a.denominator(powers), nil
}

// A try is a power of a factor that may divide a numerator.
type try struct {
	at            int // in the powers of the denominator
	factor, chunk uint64
	exp           int32
}

// tryBits is how long the factors are that are tried.
const tryBits = 31

// shared takes the greatest common divisor out of a fraction.
func (a *arithmetic) shared(x number) (number, error) {
	if err := a.evaluate(x.d); err != nil {
		return x, err
	}
	if err := a.pay(nat.ReductionWork(x.d.wordsOf())); err != nil {
		return x, err
	}
	r := new(big.Rat).SetFrac(x.n, x.d.value)
	return number{new(big.Int).Set(r.Num()), a.split(r.Denom())}, nil
}

// floor rounds a fraction down to a multiple of 2^-places.
func (a *arithmetic) floor(x number, places int) (number, error) {
	unit := a.binary(places)
	if x.d == unit {
		return x, nil
	}
	if err := a.evaluate(x.d); err != nil {
		return x, err
	}
	if err := a.pay(upper.MulSat(int64(len(x.n.Bits()))+int64(places)/nat.LimbBits+1, x.d.wordsOf())); err != nil {
		return x, err
	}
	n := new(big.Int).Lsh(x.n, uint(places))
	return number{n.Div(n, x.d.value), unit}, nil
}

// rat returns a number in lowest terms.
func (a *arithmetic) rat(x number) (*big.Rat, error) {
	if err := a.evaluate(x.d); err != nil {
		return nil, err
	}
	if err := a.pay(nat.ReductionWork(x.d.wordsOf())); err != nil {
		return nil, err
	}
	return new(big.Rat).SetFrac(x.n, x.d.value), nil
}

// near returns a number as a float, to within one part in 2^50.
func (a *arithmetic) near(x number) (float64, error) {
	if err := a.evaluate(x.d); err != nil {
		return 0, err
	}
	n := scale(x.n)
	return math.Ldexp(n.m/x.d.float.m, n.e-x.d.float.e), nil
}

// scale returns the leading bits of an integer.
func scale(x *big.Int) scaled {
	words := x.Bits()
	k := len(words)
	if k == 0 {
		return scaled{}
	}
	top := float64(words[k-1])
	if k > 1 {
		top += math.Ldexp(float64(words[k-2]), -nat.LimbBits)
	}
	if x.Sign() < 0 {
		top = -top
	}
	m, e := math.Frexp(top)
	return scaled{m, e + (k-1)*nat.LimbBits}
}
