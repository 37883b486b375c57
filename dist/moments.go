package dist

import (
	"math"
	"math/big"
)

// Moments holds the mean and the variance of a roll. For an exact roll, and
// for an unlimited one with a closed form, they are exact and the errors are
// zero; otherwise the truth lies within the errors.
type Moments struct {
	Mean, Variance           *big.Rat
	MeanError, VarianceError float64
}

// Mean returns E X exactly, or nil when d is an unlimited roll whose mean has
// no closed form; [Dist.Moments] may still bound it.
func (d *Dist) Mean() *big.Rat {
	m := d.rawMoment1()
	if m == nil {
		return nil
	}
	return new(big.Rat).Set(m)
}

// Variance returns E X² - (E X)² exactly, or nil when d is an unlimited roll
// whose variance has no closed form.
func (d *Dist) Variance() *big.Rat {
	m1, m2 := d.bothMoments()
	if m1 == nil || m2 == nil {
		return nil
	}
	return variance(m1, m2)
}

func (d *Dist) bothMoments() (m1, m2 *big.Rat) {
	if d.tail != nil {
		return d.tail.m1, d.tail.m2
	}
	return d.cutMoments()
}

func variance(m1, m2 *big.Rat) *big.Rat {
	square := new(big.Rat).Mul(m1, m1)
	return square.Sub(m2, square)
}

// Moments returns the mean and the variance, exact where that is possible and
// with certified bounds where the roll is unlimited. It is an error when
// nothing is known about them, as after an arbitrary map of an unlimited roll.
func (d *Dist) Moments() (Moments, error) {
	m1, m2 := d.bothMoments()
	if m1 != nil && m2 != nil {
		return Moments{Mean: new(big.Rat).Set(m1), Variance: variance(m1, m2)}, nil
	}
	if math.IsInf(d.tail.d1, 1) || math.IsInf(d.tail.d2, 1) {
		return Moments{}, errUnlimited("the mean and the variance are")
	}
	return d.boundedMoments(), nil
}

// boundedMoments takes the moments of what is represented. With X = X~ + D,
// |E X² - E X~²| <= E|D||2 X~ + D| <= 2 sqrt(E D² E X~²) + E D² (Cauchy-Schwarz).
func (d *Dist) boundedMoments() Moments {
	c1, c2 := d.cutMoments()
	m := Moments{Mean: c1, MeanError: d.tail.d1, Variance: variance(c1, c2)}
	square := addUp(mulUp(2, sqrtUp(mulUp(d.tail.d2, ratUp(c2)))), d.tail.d2)
	meanSquare := mulUp(d.tail.d1, addUp(mulUp(2, ratUp(c1)), d.tail.d1))
	m.VarianceError = addUp(square, meanSquare)
	if d.tail.m1 != nil {
		m.Mean, m.MeanError = new(big.Rat).Set(d.tail.m1), 0
	}
	return m
}

// cutMoments returns E X~ and E X~² of what is represented, summed over the
// index i of the axis: with x = lo + step i, E x = lo + step E i and
// E x² = lo² + 2 lo step E i + step² E i².
func (d *Dist) cutMoments() (m1, m2 *big.Rat) {
	if d.axis.list != nil {
		return d.listMoments()
	}
	s1, s2 := d.indexSums()
	i1 := new(big.Rat).SetFrac(s1, d.total)
	i2 := new(big.Rat).SetFrac(s2, d.total)
	lo := new(big.Rat).SetInt64(int64(d.axis.lo))
	step := new(big.Rat).SetInt64(int64(d.axis.step))
	i1.Mul(i1, step)
	i2.Mul(i2, step).Mul(i2, step)
	m1 = new(big.Rat).Add(lo, i1)
	// lo² + 2 lo i1 + i2 = lo (m1 + i1) + i2
	m2 = new(big.Rat).Add(m1, i1)
	m2.Mul(m2, lo)
	return m1, m2.Add(m2, i2)
}

// indexSums returns the sums of i w_i and of i² w_i.
func (d *Dist) indexSums() (s1, s2 *big.Int) {
	a1 := make([]limb, d.w.words+3)
	a2 := make([]limb, d.w.words+3)
	for i, n := 1, d.axis.n; i < n; i++ {
		w := d.w.at(i)
		addMulWord(a1, w, limb(i))
		addMulLimbs(a2, w, squareLimbs(i))
	}
	return natural(a1), natural(a2)
}

func squareLimbs(i int) []limb {
	if uint64(i) < 1<<(limbBits/2) {
		return []limb{limb(i) * limb(i)}
	}
	n := big.NewInt(int64(i))
	return n.Mul(n, n).Bits()
}

func (d *Dist) listMoments() (m1, m2 *big.Rat) {
	s1, s2, x, xw := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	for i, v := range d.axis.list {
		x.SetInt64(int64(v))
		xw.Mul(x, view(d.w.at(i)))
		s1.Add(s1, xw)
		s2.Add(s2, xw.Mul(xw, x))
	}
	return new(big.Rat).SetFrac(s1, d.total), new(big.Rat).SetFrac(s2, d.total)
}
