package keep

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Equal dice whose faces are equally likely and in a row. The faces above a
// threshold t, m of them, have the polynomial P = z (1 - z^m) / (1 - z), counted
// from t, and so the sum of horner.go for the threshold t, with W the weight of
// at most t, is
//
//	sum over j < k and i <= j of
//	    C(n,j) W^(n-j) C(j,i) (-1)^i z^(kt + mi) (z^j - z^k) / (1-z)^j.
//
// The numerators over each power of 1-z are a few numbers for each threshold, and
// they are collected from all thresholds. Dividing by 1-z takes running sums, so
// Horner's rule over j divides the whole row k-1 times in all, instead of a row for
// each threshold: the work is linear in the number of faces.

// fairApplies reports whether all dice are equal, with equally likely faces at
// equal distances.
func (f *Faces) fairApplies() bool {
	g := &f.groups[0]
	return len(f.groups) == 1 && len(f.faces) == f.places && len(g.changes) == 0 && g.w.IsWord() && g.w.Data[0] == 1
}

// fairWork estimates the word operations of fair.
func (f *Faces) fairWork(k int) int64 {
	keep, words, faces := int64(k), int64(f.words), int64(f.places)
	numbers := upper.MulSat(faces, upper.MulSat(keep, keep+1)/2)
	work := upper.MulSat(numbers, upper.AddSat(upper.MulSat(4*words, keep/96+1), 40))
	work = upper.AddSat(work, upper.MulSat(upper.MulSat(faces, keep), upper.AddSat(upper.MulSat(words, 6), 24)))
	work = upper.AddSat(work, upper.MulSat(faces, 2*nat.Karatsuba(words)))
	return upper.AddSat(work, upper.MulSat(upper.MulSat(keep, keep), upper.MulSat(faces, 3*words)))
}

// fair returns the weights of the total of the k highest dice.
func (f *Faces) fair(k int) (nat.Vec, error) {
	outcomes := upper.AddSat(upper.MulSat(int64(k), int64(f.places-1)), 1)
	if err := f.meter.Room(upper.AddSat(outcomes, int64(f.places)), int64(f.words+1)); err != nil {
		return nat.Vec{}, err
	}
	if err := f.meter.Work(f.fairWork(k)); err != nil {
		return nat.Vec{}, err
	}
	p := &fairRow{Faces: f, k: k, tick: work.NewTicker(f.meter), result: nat.NewVec(int(outcomes), f.words)}
	if err := p.begin(); err != nil {
		return nat.Vec{}, err
	}
	for j := k - 1; j >= 0; j-- {
		if j < k-1 {
			if err := p.divide(j); err != nil {
				return nat.Vec{}, err
			}
		}
		if err := p.collect(j); err != nil {
			return nat.Vec{}, err
		}
	}
	return p.result, nil
}

// A fairRow holds the row that Horner's rule works on.
type fairRow struct {
	*Faces
	k       int
	tick    work.Ticker
	result  nat.Vec
	factors nat.Vec // C(n,j) W^(n-j) by threshold, with a word of headroom
}

// begin sets the factors to those of k-1 dice above the threshold.
func (p *fairRow) begin() error {
	n, j := int64(p.groups[0].count), int64(p.k-1)
	choose := new(big.Int).Binomial(n, j)
	p.factors = nat.NewVec(p.places, p.words+1)
	number, exponent := new(big.Int), big.NewInt(n-j)
	for t := range p.places {
		number.SetInt64(int64(t + 1))
		number.Exp(number, exponent, nil)
		number.Mul(number, choose)
		if t < p.places-1 || j == 0 { // where no face is above, the factor may be too wide
			nat.PutInt(p.factors.At(t), number)
		}
		if err := p.tick.Tick(int(2 * nat.Karatsuba(int64(p.words)))); err != nil {
			return err
		}
	}
	return nil
}

// divide divides the row by 1-z and takes the factors on to j dice above the
// threshold: C(n,j) W^(n-j) = C(n,j+1) W^(n-j-1) W (j+1)/(n-j).
func (p *fairRow) divide(j int) error {
	for at := 0; at < p.result.Len(); at += work.TickEvery {
		upto := min(p.result.Len(), at+work.TickEvery+1) // the first goes on from the part before
		nat.PrefixRow(p.result.Data[at*p.words:upto*p.words], p.words)
		if err := p.tick.Tick((upto - at) * p.words); err != nil {
			return err
		}
	}
	n := p.groups[0].count
	divisor := nat.NewExactDivisor(nat.Limb(n - j))
	for t := range p.places - 1 {
		x := p.factors.At(t)
		nat.MulWord(x, nat.Limb(j+1))
		divisor.Divide(x)
		nat.MulWord(x, nat.Limb(t+1))
		if err := p.tick.Tick(6*p.words + 24); err != nil {
			return err
		}
	}
	if j == 0 {
		total := new(big.Int).Exp(big.NewInt(int64(p.places)), big.NewInt(int64(n)), nil)
		nat.PutInt(p.factors.At(p.places-1), total)
	}
	return nil
}

// collect adds the numerators over (1-z)^j of all thresholds. With i fixed, both
// the thresholds and their places in the row ascend.
func (p *fairRow) collect(j int) error {
	choose, number := big.NewInt(1), new(big.Int)
	for i := 0; i <= j; i++ {
		choice := choose.Bits()
		for t := range p.places {
			at := p.k*t + (p.places-1-t)*i
			if at+j >= p.result.Len() {
				break
			}
			factor := nat.Trim(p.factors.At(t)[:p.words])
			p.add(at+j, factor, choice, i%2 == 1)
			p.add(at+p.k, factor, choice, i%2 == 0)
			if err := p.tick.Tick(2*len(factor)*len(choice) + 16); err != nil {
				return err
			}
		}
		// C(j,i+1) = C(j,i) (j-i)/(i+1)
		choose.Mul(choose, number.SetInt64(int64(j-i)))
		choose.Quo(choose, number.SetInt64(int64(i+1)))
	}
	return nil
}

// add adds factor times choice to a coefficient that is not beyond the end, or
// subtracts it.
func (p *fairRow) add(at int, factor, choice []nat.Limb, negative bool) {
	if at >= p.result.Len() {
		return
	}
	dst := p.result.At(at)
	for l, c := range choice[:min(len(choice), p.words)] {
		if negative {
			nat.SubMulModulo(dst[l:], factor, c)
		} else {
			nat.AddMulModulo(dst[l:], factor, c)
		}
	}
}
