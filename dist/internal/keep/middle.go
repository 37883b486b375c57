package keep

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Equal dice of which h are dropped at the high end and l at the low end, by the
// pair of the lowest and the highest kept face t < u, as in window.go. For
// equal dice the ways with a dice of at least u, b of at most t and m between are
//
//	n!/(a! b! m!) A^a B^b P^m
//
// with A and B the weights of those faces and P the polynomial of the faces
// between. The factors of P^m are numbers at few exponents, and Horner's rule
// over m adds them up. Pairs with the same faces between share one run of the
// rule: for a fair die all pairs of the same distance do, so that a middle costs
// about as much as keeping at either end.

// middleApplies reports whether the numbers of the rule go on from one to the
// next by factors of a word: one die's weight times the number of dice.
func (f *Faces) middleApplies(k int) bool {
	if len(f.groups) != 1 || k < 2 {
		return false
	}
	g := &f.groups[0]
	one := new(big.Int).Mul(g.w.Sum(), big.NewInt(int64(g.count)))
	return one.BitLen() <= nat.LimbBits
}

// middleWork estimates the word operations of middle.
func (f *Faces) middleWork(high, k int) int64 {
	g := &f.groups[0]
	faces, n, words := int64(len(f.faces)), int64(g.count), int64(f.words)
	pairs := upper.MulSat(faces, faces) / 2
	squared := upper.MulSat(int64(k), int64(k))
	numbers := upper.MulSat(upper.MulSat(pairs, squared)/2, 8*words+16)
	// Every run goes over rows of up to k times the places, k times.
	runs, places := pairs, int64(f.places)/3+1
	passes := int64(min(2*g.size, 2*len(g.changes)+6))
	if len(g.changes) == 0 {
		runs, places, passes = faces, int64(f.places), 2
	}
	rows := upper.MulSat(upper.MulSat(upper.MulSat(runs, squared), places), passes*words)
	diagonal := upper.MulSat(upper.MulSat(faces, n), 16*words+64)
	return upper.AddSat(upper.AddSat(numbers, rows), upper.AddSat(diagonal, upper.MulSat(pairs, 64)))
}

// middle returns the weights of the total of equal dice without the high highest
// and the low lowest.
func (f *Faces) middle(high, low int) (nat.Vec, error) {
	k := f.groups[0].count - high - low
	outcomes := upper.AddSat(upper.MulSat(int64(k), int64(f.places-1)), 1)
	if err := f.meter.Room(upper.MulSat(outcomes, 3), int64(f.words)); err != nil {
		return nat.Vec{}, err
	}
	faces := int64(len(f.faces))
	if err := f.meter.Room(upper.AddSat(upper.MulSat(faces, faces), int64(high+1)), int64(f.words)); err != nil {
		return nat.Vec{}, err
	}
	if err := f.meter.Work(f.middleWork(high, k)); err != nil {
		return nat.Vec{}, err
	}
	m := &middle{Faces: f, high: high, low: low, k: k, tick: work.NewTicker(f.meter)}
	m.result = nat.NewVec(int(outcomes), f.words)
	m.row, m.product = make([]nat.Limb, int(outcomes)*f.words), make([]nat.Limb, int(outcomes)*f.words)
	m.upTo = f.weightsUpTo()
	for i := range f.faces {
		if err := m.diagonal(i); err != nil {
			return nat.Vec{}, err
		}
	}
	shared, err := m.shared()
	if err != nil {
		return nat.Vec{}, err
	}
	for _, pairs := range shared {
		if err := m.horner(pairs); err != nil {
			return nat.Vec{}, err
		}
	}
	return m.result, nil
}

// weightsUpTo returns the weights of showing at most each of the faces.
func (f *Faces) weightsUpTo() []nat.Limb {
	out, sum := make([]nat.Limb, len(f.faces)), nat.Limb(0)
	for i, t := range f.faces {
		sum += f.groups[0].w.At(t)[0]
		out[i] = sum
	}
	return out
}

// A middle holds the rows of Horner's rule, whose exponents count from the
// lowest face of the pairs that share it.
type middle struct {
	*Faces
	high, low, k int
	tick         work.Ticker
	result       nat.Vec
	row, product []nat.Limb
	upTo         []nat.Limb
}

// A facePair is a pair of faces i < j.
type facePair struct{ i, j int }

// shared returns the pairs of faces, those with the same run of faces between
// together.
func (m *middle) shared() ([][]facePair, error) {
	type run struct{ length, lowest, faces int }
	var out [][]facePair
	for distance := 1; distance < len(m.faces); distance++ {
		known := map[run]int{}
		for i := range len(m.faces) - distance {
			pair := facePair{i, i + distance}
			between := m.between(pair)
			key := run{between.Length, between.Lowest, between.Run}
			at, ok := known[key]
			if !ok || between.Length > 0 && between.Run == 0 {
				at = len(out)
				known[key] = at
				out = append(out, nil)
			}
			out[at] = append(out[at], pair)
			if err := m.tick.Tick(m.faces[pair.j] - m.faces[i] + 64); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (m *middle) between(p facePair) nat.Multiplier {
	return m.groups[0].between(m.faces[p.i], m.faces[p.j])
}

// horner adds what comes with pairs of faces that have the same faces between.
func (m *middle) horner(pairs []facePair) error {
	between, w := m.between(pairs[0]), m.words
	terms := make([]middleTerms, len(pairs))
	most := m.k - 2
	if between.Length == 0 {
		most = 0 // a power of no faces is zero
	}
	base := m.faces[pairs[0].i]
	for i, p := range pairs {
		terms[i] = m.newTerms(p, base, most)
	}
	length := 0
	for c := most; c >= 0; c-- {
		if length > 0 {
			between.Times(m.product, m.row[:length*w], w)
			m.row, m.product = m.product, m.row
			length += between.Length
		}
		need := 0
		for i := range terms {
			need = max(need, terms[i].end(m.k-c))
		}
		if need > length {
			clear(m.row[length*w : need*w])
			length = need
		}
		if err := m.tick.Tick(length * w * int(between.Work())); err != nil {
			return err
		}
		for i := range terms {
			if err := terms[i].addTo(m, c); err != nil {
				return err
			}
		}
	}
	nat.PlusRow(m.result.Data[m.k*base*w:], m.row[:length*w], w)
	return nil
}

// middleTerms yields the numbers of a pair of faces for one number of dice
// between after the other, from the most down.
type middleTerms struct {
	over, under nat.Limb // the weights of at least the higher face and of at most the lower
	at          int      // the exponent of the lower face for all kept dice
	apart       int      // from the lower face to the higher
	sink, lift  int      // to the next face below the higher, and above the lower
	between     int      // faces between: 0, 1, or 2 for more
	first       []nat.Limb
	value       []nat.Limb
}

func (m *middle) newTerms(p facePair, base, most int) middleTerms {
	t, u := m.faces[p.i], m.faces[p.j]
	x := middleTerms{
		over: m.upTo[len(m.upTo)-1] - m.upTo[p.j-1], under: m.upTo[p.i],
		at: m.k * (t - base), apart: u - t,
		sink: m.faces[p.j-1] - t, lift: m.faces[p.i+1] - t, between: min(2, p.j-p.i-1),
	}
	// With one die more at the higher face than are dropped and most between.
	n, a := int64(m.groups[0].count), int64(m.high+1)
	b := n - a - int64(most)
	number := new(big.Int).Binomial(n, a)
	number.Mul(number, new(big.Int).Binomial(n-a, b))
	power := new(big.Int)
	for _, f := range []struct {
		weight nat.Limb
		dice   int64
	}{{x.over, a}, {x.under, b}} {
		power.SetUint64(uint64(f.weight))
		number.Mul(number, power.Exp(power, big.NewInt(f.dice), nil))
	}
	// A number is at most the total; a factor of a word comes before its divisor.
	x.first, x.value = make([]nat.Limb, m.words+1), make([]nat.Limb, m.words+1)
	nat.PutInt(x.first, number)
	return x
}

// end is how many exponents the numbers reach for so many dice at the two faces.
func (x *middleTerms) end(dice int) int { return x.at + (dice-1)*x.apart + x.lift + 1 }

// addTo adds the numbers with c dice between to the row, at the four places of
// (z^(pu) - z^(pu-)) (z^(qt) - z^(qt+)) for p kept dice of at least u and q of at
// most t, and goes on to one die less between.
func (x *middleTerms) addTo(m *middle, c int) error {
	w := m.words
	copy(x.value, x.first)
	for p := 1; p < m.k-c; p++ {
		q := m.k - c - p
		a, b := m.high+p, m.low+q
		value := nat.Trim(x.value)
		nat.AddAt(m.row, x.at+p*x.apart, w, value, false)
		if x.between > 0 {
			nat.AddAt(m.row, x.at+p*x.sink, w, value, true)
			nat.AddAt(m.row, x.at+p*x.apart+q*x.lift, w, value, true)
		}
		if x.between > 1 {
			nat.AddAt(m.row, x.at+p*x.sink+q*x.lift, w, value, false)
		}
		x.value = nat.NextNumber(x.value, x.over*nat.Limb(b), x.under*nat.Limb(a+1))
	}
	if c > 0 {
		b := m.low + m.k - c - 1
		x.first = nat.NextNumber(x.first, x.under*nat.Limb(c), nat.Limb(b+1))
	}
	return m.tick.Tick((m.k - c) * (8*w + 16))
}

// diagonal adds the rolls whose kept dice all show face i. With x dice above it
// there are C(n,x) O^x S(n-x) of them, where S(N) is the sum of C(N,y) U^y w^(N-y)
// over up to low dice y below, and S(N+1) = (w+U) S(N) - U C(N,low) U^low w^(N-low).
func (m *middle) diagonal(i int) error {
	n, g := m.groups[0].count, &m.groups[0]
	word := func(x nat.Limb) *big.Int { return new(big.Int).SetUint64(uint64(x)) }
	here := word(g.w.At(m.faces[i])[0])
	upTo := word(m.upTo[i])
	under, over := new(big.Int).Sub(upTo, here), word(m.upTo[len(m.upTo)-1]-m.upTo[i])
	above, err := nat.BinomialTerms(&m.tick, n, big.NewInt(1), over, m.high)
	if err != nil {
		return err
	}
	N := n - m.high
	s, last := new(big.Int), new(big.Int)
	err = nat.EachBinomialTerm(&m.tick, N, here, under, m.low, func(_ int, t *big.Int) {
		s.Add(s, t)
		last.Set(t)
	})
	if err != nil {
		return err
	}
	last.Mul(last, under)
	sum, product, factor := new(big.Int), new(big.Int), new(big.Int)
	for x := m.high; ; x-- {
		sum.Add(sum, product.Mul(above[x], s))
		if x == 0 {
			break
		}
		s.Sub(product.Mul(s, upTo), last)
		N++
		last.Mul(last, factor.Mul(here, factor.SetInt64(int64(N))))
		last.Quo(last, factor.SetInt64(int64(N-m.low)))
		if err := m.tick.Tick(16*m.words + len(above[x].Bits())*len(s.Bits())); err != nil {
			return err
		}
	}
	nat.AddAt(m.result.Data, m.k*m.faces[i], m.words, sum.Bits(), false)
	return nil
}
