package dist

import (
	"context"
	"math"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// Moments holds the mean and the variance of a roll. For an exact roll, and
// for an unlimited one with a closed form, they are exact and the errors are
// zero; otherwise the truth lies within the errors.
type Moments struct {
	Mean, Variance           *big.Rat
	MeanBound, VarianceBound float64
}

// Mean returns E X exactly, or nil when d is an unlimited roll whose mean has
// no closed form; [Dist.Moments] may still bound it. Cost: a look at every word
// of the weights, and one reduction of a fraction.
func (d *Dist) Mean() *big.Rat {
	if d.tail != nil {
		if d.tail.m1 == nil {
			return nil
		}
		return new(big.Rat).Set(d.tail.m1)
	}
	return d.rawSums().mean()
}

// MeanQuotient returns the mean of what is represented as num/den, not in lowest terms, for
// print, and how far the mean may be from it: it costs a look at every word of the weights. An
// unlimited roll has none when nothing is known about its mean.
func (d *Dist) MeanQuotient() (num, den *big.Int, bound float64, ok bool) {
	switch {
	case d.tail != nil && d.tail.m1 != nil:
		return d.tail.m1.Num(), d.tail.m1.Denom(), 0, true
	case d.tail != nil && (math.IsInf(d.tail.d1, 1) || math.IsInf(d.tail.d2, 1)):
		return nil, nil, 0, false
	}
	if d.tail != nil {
		bound = d.tail.d1
	}
	s := d.rawSums()
	return s.first, s.total, bound, true
}

// Variance returns E X² - (E X)² exactly, or nil when d is an unlimited roll
// whose variance has no closed form. It costs some multiple of [Dist.Mean].
func (d *Dist) Variance() *big.Rat {
	if d.tail == nil {
		v, _ := d.rawSums().variance(context.Background())
		return v
	}
	if d.tail.m1 == nil || d.tail.m2 == nil {
		return nil
	}
	return variance(d.tail.m1, d.tail.m2)
}

// Moments returns the mean and the variance, exact where that is possible and
// with certified bounds where the roll is unlimited. It is an error when
// nothing is known about them, as after an arbitrary map of an unlimited roll.
// Cost: a look at every word of the weights, and a few reductions of fractions.
func (d *Dist) Moments(ctx context.Context) (Moments, error) {
	words := int64(d.w.Words)
	if err := ChargeWork(ctx, upper.AddSat(upper.MulSat(int64(d.axis.Len()), 4*words+lookWork), 3*nat.ReductionWork(words))); err != nil {
		return Moments{}, err
	}
	if d.tail == nil {
		s := d.rawSums()
		v, err := s.variance(ctx)
		return Moments{Mean: s.mean(), Variance: v}, err
	}
	if m1, m2 := d.tail.m1, d.tail.m2; m1 != nil && m2 != nil {
		return Moments{Mean: new(big.Rat).Set(m1), Variance: variance(m1, m2)}, ctx.Err()
	}
	if math.IsInf(d.tail.d1, 1) || math.IsInf(d.tail.d2, 1) {
		return Moments{}, errUnlimited("the mean and the variance are")
	}
	return d.boundedMoments(), ctx.Err()
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

// boundedMoments takes the moments of what is represented. With X = X~ + D,
// |E X² - E X~²| <= E|D||2 X~ + D| <= 2 sqrt(E D² E X~²) + E D² (Cauchy-Schwarz).
func (d *Dist) boundedMoments() Moments {
	c1, c2 := d.cutMoments()
	m := Moments{Mean: c1, MeanBound: d.tail.d1, Variance: variance(c1, c2)}
	square := upper.Add(upper.Mul(2, upper.Sqrt(upper.Mul(d.tail.d2, upper.Abs(c2)))), d.tail.d2)
	meanSquare := upper.Mul(d.tail.d1, upper.Add(upper.Mul(2, upper.Abs(c1)), d.tail.d1))
	m.VarianceBound = upper.Add(square, meanSquare)
	if d.tail.m1 != nil {
		m.Mean, m.MeanBound = new(big.Rat).Set(d.tail.m1), 0
	}
	return m
}

// cutMoments returns E X~ and E X~² of what is represented.
func (d *Dist) cutMoments() (m1, m2 *big.Rat) {
	s := d.rawSums()
	return s.mean(), new(big.Rat).SetFrac(s.squares, s.total)
}

// rawSums are sums over the outcomes x of weight w: of w, x w and x² w.
type rawSums struct{ total, first, squares *big.Int }

// rawSums sums over the index i of the axis: with x = lo + step i,
//
//	sum of x w  = lo T + step S1
//	sum of x² w = lo² T + 2 lo step S1 + step² S2
func (d *Dist) rawSums() rawSums {
	if d.axis.List != nil {
		return d.listSums()
	}
	s1, s2 := d.indexSums()
	lo, step := big.NewInt(int64(d.axis.Lo)), big.NewInt(int64(d.axis.Step))
	s1.Mul(s1, step)
	s2.Mul(s2, step).Mul(s2, step)
	first := new(big.Int).Mul(lo, d.total)
	first.Add(first, s1)
	// lo² T + 2 lo step S1 = lo (first + step S1)
	squares := new(big.Int).Add(first, s1)
	squares.Mul(squares, lo)
	return rawSums{d.total, first, squares.Add(squares, s2)}
}

func (d *Dist) listSums() rawSums {
	s := rawSums{d.total, new(big.Int), new(big.Int)}
	x, xw := new(big.Int), new(big.Int)
	for i, v := range d.axis.List {
		x.SetInt64(int64(v))
		xw.Mul(x, nat.View(d.w.At(i)))
		s.first.Add(s.first, xw)
		s.squares.Add(s.squares, xw.Mul(xw, x))
	}
	return s
}

func (s rawSums) mean() *big.Rat { return new(big.Rat).SetFrac(s.first, s.total) }

// variance returns E X² - (E X)². With the mean n/t in lowest terms and T = g t,
//
//	variance = (t S2 - g n²) / (g t²),
//
// where t is prime to n. What divides both sides divides g or is a common divisor
// of g and t, so that reducing by g and then by t takes numbers of the words of T,
// where reducing (T S2 - S1²) / T² would take twice as many.
func (s rawSums) variance(ctx context.Context) (*big.Rat, error) {
	if s.first.Sign() == 0 {
		return new(big.Rat).SetFrac(s.squares, s.total), ctx.Err()
	}
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(s.first), s.total)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n, t := new(big.Int).Quo(s.first, g), new(big.Int).Quo(s.total, g)
	num, den := new(big.Int).Mul(t, s.squares), new(big.Int).Mul(n, n)
	num.Sub(num, den.Mul(den, g))
	rest := new(big.Int)
	den.SetInt64(1)
	for _, divisor := range []*big.Int{g, t, t} {
		common := new(big.Int).GCD(nil, nil, rest.Rem(num, divisor), divisor)
		num.Quo(num, common)
		den.Mul(den, new(big.Int).Quo(divisor, common))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return lowestTerms(num, den), nil
}

// lowestTerms returns num/den, which have no common divisor, without looking for
// one as [big.Rat.SetFrac] would.
func lowestTerms(num, den *big.Int) *big.Rat {
	if nat.Checking {
		common := new(big.Int).GCD(nil, nil, new(big.Int).Abs(num), den)
		nat.Insist(common.Cmp(big.NewInt(1)) == 0, "lowest terms")
	}
	r := big.NewRat(1, 2)
	r.Num().Set(num)
	r.Denom().Set(den)
	return r
}

// indexSums returns the sums of i w_i and of i² w_i.
func (d *Dist) indexSums() (s1, s2 *big.Int) {
	a1 := make([]nat.Limb, d.w.Words+3)
	a2 := make([]nat.Limb, d.w.Words+3)
	for i, n := 1, d.axis.N; i < n; i++ {
		w := d.w.At(i)
		nat.AddMulWord(a1, w, nat.Limb(i))
		nat.AddMul(a2, w, squareLimbs(i))
	}
	return nat.Natural(a1), nat.Natural(a2)
}

func squareLimbs(i int) []nat.Limb {
	if uint64(i) < 1<<(nat.LimbBits/2) {
		return []nat.Limb{nat.Limb(i) * nat.Limb(i)}
	}
	n := big.NewInt(int64(i))
	return n.Mul(n, n).Bits()
}
