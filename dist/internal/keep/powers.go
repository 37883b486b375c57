package keep

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Equal dice that have many faces of different weights and of which few are
// kept, or of which some are dropped at either end. As the threshold t, the
// lowest kept face, goes down over the faces, the powers P^j of the generating
// function of the faces above it are kept up to date for all j below h+k, where
// h dice are dropped at the high end and k are kept: with y = w z^t for the
// face, (P+y)^a P^b = (P+y)^(a-1) P^(b+1) + y (P+y)^(a-1) P^b, which in place is
// one addition of a row times the one number w for each power and pass. The
// h highest of j dice count nothing, which only means that multiplying a power
// of at most h dice by y leaves the exponent alone: those powers are numbers.
// With T(t,j) the number of ways in which n-j dice are at most t and at least
// h+k-j of them equal to t, the kept total has
//
//	sum over t and j < h+k of C(n,j) T(t,j) P^j z^((k - max(0,j-h)) t).

// powersWork estimates the word operations of powers.
func (f *Faces) powersWork(high, k int) int64 {
	n, step, words := int64(f.groups[0].count), int64(f.groups[0].w.Words), int64(f.words)
	// A power of j dice takes about a share of j/n of the words.
	share := max(1, upper.MulSat(words, int64(high+k))/n)
	coefficients, numbers := int64(0), int64(0)
	for _, t := range f.faces {
		coefficients = upper.AddSat(coefficients, upper.MulSat(upper.MulSat(int64(k), int64(k))/2, int64(f.places-1-t)))
		numbers = upper.AddSat(numbers, int64(high+k))
	}
	passes := upper.MulSat(int64(high)+int64(k)/3+1, upper.AddSat(upper.MulSat(step, share), 10))
	sums := upper.AddSat(upper.MulSat(words, share), 12)
	work := upper.MulSat(upper.AddSat(coefficients, numbers), upper.AddSat(passes, sums))
	return upper.AddSat(work, upper.MulSat(numbers, upper.AddSat(upper.MulSat(words, 20), 200)))
}

// powers returns the weights of the total of the k highest dice that are left
// when the high highest are dropped; there is only one kind of dice.
func (f *Faces) powers(high, k int) (nat.Vec, error) {
	outcomes := upper.AddSat(upper.MulSat(int64(k), int64(f.places-1)), 1)
	cells := upper.AddSat(upper.MulSat(outcomes, int64(k)/2+2), int64(high))
	if err := f.meter.Room(cells, int64(f.words)); err != nil {
		return nat.Vec{}, err
	}
	if err := f.meter.Work(f.powersWork(high, k)); err != nil {
		return nat.Vec{}, err
	}
	p := newPowers(f, high, k, int(outcomes))
	total := new(big.Int)
	for _, t := range f.faces {
		total.Add(total, nat.View(nat.Trim(f.groups[0].w.At(t))))
	}
	p.atMost.Set(total)
	for i := len(f.faces) - 1; i >= 0; i-- {
		if err := p.threshold(f.faces[i]); err != nil {
			return nat.Vec{}, err
		}
	}
	tick := work.NewTicker(f.meter)
	return p.result.Reversed(&tick)
}

// A powers holds the powers of the polynomial of the faces above the threshold.
// Exponents count down from the highest face, so that the rows grow at their
// end.
type powers struct {
	*Faces
	high    int // dice dropped at the high end
	k       int // dice kept
	tick    work.Ticker
	result  nat.Vec
	rows    []nat.Vec
	widths  []int    // limbs that the coefficients of each power take so far
	above   *big.Int // the weight above the threshold
	atMost  *big.Int // the weight of at most the threshold
	highest int      // the exponent of the highest power so far, of one die
}

func newPowers(f *Faces, high, k, outcomes int) *powers {
	p := &powers{Faces: f, high: high, k: k, tick: work.NewTicker(f.meter), result: nat.NewVec(outcomes, f.words)}
	p.above, p.atMost = new(big.Int), new(big.Int)
	one := new(big.Int)
	for i := range f.groups[0].w.Len() {
		one.Add(one, nat.View(nat.Trim(f.groups[0].w.At(i))))
	}
	total := big.NewInt(1)
	for j := 0; j < high+k; j++ {
		p.rows = append(p.rows, nat.NewVec(p.kept(j)*(f.places-1)+1, nat.WordsFor(total)))
		p.widths = append(p.widths, 1)
		total.Mul(total, one)
	}
	p.rows[0].Data[0] = 1
	p.highest = -1
	return p
}

// kept is how many of the j highest dice are kept.
func (p *powers) kept(j int) int { return max(0, j-p.high) }

// threshold adds what the rolls whose k-th highest face is t give, and takes t
// into the powers.
func (p *powers) threshold(t int) error {
	weight := nat.Trim(p.groups[0].w.At(t))
	for j := range p.rows { // what collect adds
		if err := p.tick.Tick((p.kept(j)*max(p.highest, 0) + 16) * p.words); err != nil {
			return err
		}
	}
	w := nat.View(weight)
	s := p.places - 1 - t
	p.collect(s, w)
	p.above.Add(p.above, w)
	p.atMost.Sub(p.atMost, w)
	if err := p.include(s, weight); err != nil {
		return err
	}
	p.highest = s
	return nil
}

// collect adds C(n,j) T(t,j) P^j z^((k-j)t) for every j that the powers so far
// allow. T obeys T(N,K) = W T(N-1,K-1) - V C(N-1,K-1) w^(K-1) V^(N-K) for N dice
// of which at least K equal t, W the weight of at most t and V of less.
func (p *powers) collect(s int, w *big.Int) {
	n, k := p.groups[0].count, p.high+p.k
	less := new(big.Int).Sub(p.atMost, w)
	// From j = k-1, where T = W^N - V^N, down to 0.
	N := big.NewInt(int64(n - k + 1))
	ways := new(big.Int).Exp(p.atMost, N, nil)
	lost := new(big.Int).Exp(less, N, nil)
	ways.Sub(ways, lost)
	choose := new(big.Int).Binomial(int64(n), int64(k-1))
	factor, product := new(big.Int), new(big.Int)
	for j := k - 1; j >= 0; j-- {
		if p.highest >= 0 || j == 0 {
			product.Mul(choose, ways)
			p.addPower(j, (p.k-p.kept(j))*s, product.Bits())
		}
		if j == 0 {
			break
		}
		// T for one die more, of which one more equals t; lost is
		// V C(N-1,K-1) w^(K-1) V^(N-K) for it, with N-K = n-k.
		factor.Mul(w, product.SetInt64(int64(n-j)))
		lost.Mul(lost, factor)
		lost.Quo(lost, product.SetInt64(int64(k-j)))
		ways.Mul(ways, p.atMost)
		ways.Sub(ways, lost)
		choose.Mul(choose, product.SetInt64(int64(j)))
		choose.Quo(choose, product.SetInt64(int64(n-j+1)))
	}
}

// addPower adds c times the j-th power to the result, moved by shift.
func (p *powers) addPower(j, shift int, c []nat.Limb) {
	row, words, width := p.rows[j], p.words, p.widths[j]
	n := p.kept(j)*max(p.highest, 0) + 1
	nat.AddProducts(p.result.Data[shift*words:], words, row.Data, row.Words, width, n, c)
}

// include takes a face of the given weight, s below the highest, into the
// powers.
func (p *powers) include(s int, weight []nat.Limb) error {
	p.widen()
	for pass := 1; pass < len(p.rows); pass++ {
		for j := len(p.rows) - 1; j >= pass; j-- {
			if p.highest < 0 && j > pass {
				continue // P is still 0
			}
			// The row below is (P+y)^a P^b with a = pass-1 and b = j-pass.
			from, low := p.rows[j-1], min(pass-1, p.kept(j-1))
			n := low*s + (p.kept(j-1)-low)*max(p.highest, 0) + 1
			if err := p.tick.Tick(n * from.Words * len(weight)); err != nil {
				return err
			}
			shift := s
			if j <= p.high {
				shift = 0
			}
			p.addTimes(j, from, n, shift, weight)
		}
	}
	return nil
}

// widen makes the coefficients as wide as the powers of the weight above ask.
func (p *powers) widen() {
	power := big.NewInt(1)
	for j := range p.rows {
		p.widths[j] = nat.WordsFor(power)
		power.Mul(power, p.above)
	}
}

// addTimes adds n coefficients of from times weight z^s to the j-th power.
func (p *powers) addTimes(j int, from nat.Vec, n, s int, weight []nat.Limb) {
	to := p.rows[j]
	nat.AddProducts(to.Data[s*to.Words:], to.Words, from.Data, from.Words, p.widths[j-1], n, weight)
}
