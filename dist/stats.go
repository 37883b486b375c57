package dist

import (
	"context"
	"math"
	"math/big"
)

// Statistics of a distribution other than its mean and variance. Those that
// depend on every outcome are errors for an unlimited roll; those that compare
// chances are errors where the comparison is not certain.

// errUnlimited is the error of a statistic that an unlimited roll does not have
// or that its cut form cannot give.
func errUnlimited(what string) error {
	return badArg("roll", "%s not known for this unlimited roll; give the roll a limit", what)
}

// SD returns the standard deviation as a float, rounded from the exact variance.
// It is an error when the bounds on the variance of an unlimited roll leave less
// than nine digits.
func (d *Dist) SD() (float64, error) {
	m, err := d.Moments()
	if err != nil {
		return 0, err
	}
	if v := ratDown(m.Variance); m.VarianceError > math.Ldexp(v, -30) {
		return 0, errUnlimited("the standard deviation is")
	}
	return sqrtRat(m.Variance), nil
}

// sqrtRat returns the square root of a rational that is not negative, rounded
// from more digits than a float holds.
func sqrtRat(r *big.Rat) float64 {
	if r.Sign() <= 0 {
		return 0
	}
	x := new(big.Float).SetPrec(128).SetRat(r)
	f, _ := x.Sqrt(x).Float64()
	return f
}

// Skewness returns E (X - mean)³ / sd³ as a float. It is an error for an
// unlimited roll and for one that has a single outcome.
func (d *Dist) Skewness() (float64, error) { return d.SkewnessContext(context.Background()) }

// SkewnessContext is [Dist.Skewness] that ends when the context is done. Cost:
// some multiple of the words of all weights.
func (d *Dist) SkewnessContext(ctx context.Context) (float64, error) {
	m2, m3, _, err := d.centralMoments(ctx, "the skewness is")
	if err != nil {
		return 0, err
	}
	sd := sqrtFloat(m2)
	return quotient(m3, new(big.Float).SetPrec(floatPrec).Mul(toFloat(m2), sd)), nil
}

// Kurtosis returns the excess kurtosis, E (X - mean)⁴ / variance² - 3, as a
// float. It is an error for an unlimited roll and for one that has a single
// outcome.
func (d *Dist) Kurtosis() (float64, error) { return d.KurtosisContext(context.Background()) }

// KurtosisContext is [Dist.Kurtosis] that ends when the context is done. Cost:
// some multiple of the words of all weights.
func (d *Dist) KurtosisContext(ctx context.Context) (float64, error) {
	m2, _, m4, err := d.centralMoments(ctx, "the kurtosis is")
	if err != nil {
		return 0, err
	}
	ratio := new(big.Rat).Quo(m4, new(big.Rat).Mul(m2, m2))
	f, _ := ratio.Sub(ratio, big.NewRat(3, 1)).Float64()
	return f, nil
}

const floatPrec = 192

func toFloat(r *big.Rat) *big.Float { return new(big.Float).SetPrec(floatPrec).SetRat(r) }

func sqrtFloat(r *big.Rat) *big.Float {
	x := toFloat(r)
	return x.Sqrt(x)
}

func quotient(a *big.Rat, b *big.Float) float64 {
	f, _ := new(big.Float).SetPrec(floatPrec).Quo(toFloat(a), b).Float64()
	return f
}

// centralMoments returns the exact second, third and fourth moments about the
// mean, from power sums about the lowest outcome.
func (d *Dist) centralMoments(ctx context.Context, what string) (m2, m3, m4 *big.Rat, err error) {
	if d.tail != nil {
		return nil, nil, nil, errUnlimited(what)
	}
	if d.size == 1 {
		return nil, nil, nil, badArg("roll", "%s not defined for a roll with a single outcome", what)
	}
	tick := newTicker(ctx)
	sums, unit, err := d.distanceSums(&tick)
	if err != nil {
		return nil, nil, nil, err
	}
	var r [mostPower + 1]*big.Rat // E Y^p, where Y is the distance from the lowest outcome
	for p, scale := 1, unit; p < len(r); p++ {
		r[p] = new(big.Rat).SetFrac(sums[p-1].Mul(sums[p-1], scale), d.total)
		scale = new(big.Int).Mul(scale, unit)
	}
	mul := func(c int64, fs ...*big.Rat) *big.Rat {
		out := new(big.Rat).SetInt64(c)
		for _, f := range fs {
			out.Mul(out, f)
		}
		return out
	}
	m := r[1]
	// E(Y-m)² = r2 - m²; E(Y-m)³ = r3 - 3 m r2 + 2 m³;
	// E(Y-m)⁴ = r4 - 4 m r3 + 6 m² r2 - 3 m⁴
	m2 = new(big.Rat).Sub(r[2], mul(1, m, m))
	m3 = new(big.Rat).Add(r[3], mul(-3, m, r[2]))
	m3.Add(m3, mul(2, m, m, m))
	m4 = new(big.Rat).Add(r[4], mul(-4, m, r[3]))
	m4.Add(m4, mul(6, m, m, r[2]))
	m4.Add(m4, mul(-3, m, m, m, m))
	return m2, m3, m4, nil
}

// distanceSums returns the sums of the weights times the first four powers of
// the distance from the lowest outcome, in units of unit.
func (d *Dist) distanceSums(tick *ticker) (sums []*big.Int, unit *big.Int, err error) {
	if d.axis.list == nil {
		sums, err = d.powerSums(tick)
		return sums, big.NewInt(int64(d.axis.step)), err
	}
	sums = make([]*big.Int, mostPower)
	for p := range sums {
		sums[p] = new(big.Int)
	}
	lo, x, term := big.NewInt(int64(d.Min())), new(big.Int), new(big.Int)
	for i, v := range d.axis.list {
		if err := tick.tick(mostPower * (d.w.words + 32)); err != nil {
			return nil, nil, err
		}
		x.SetInt64(int64(v))
		x.Sub(x, lo)
		term.Set(view(d.w.at(i)))
		for p := range sums {
			term.Mul(term, x)
			sums[p].Add(sums[p], term)
		}
	}
	return sums, big.NewInt(1), nil
}

// Entropy returns the Shannon entropy in bits, as a float. It is an error for
// an unlimited roll.
func (d *Dist) Entropy() (float64, error) { return d.EntropyContext(context.Background()) }

// EntropyContext is [Dist.Entropy] that ends when the context is done. Cost: the
// words of all weights, and a logarithm for each.
func (d *Dist) EntropyContext(ctx context.Context) (float64, error) {
	if d.tail != nil {
		return 0, errUnlimited("the entropy is")
	}
	sum, lost := 0.0, 0.0 // Kahan summation
	total := new(big.Float).SetPrec(floatPrec).SetInt(d.total)
	tick := newTicker(ctx)
	for i, n := 0, d.axis.len(); i < n; i++ {
		if err := tick.tick(d.w.words + surpriseWork); err != nil {
			return 0, err
		}
		w := view(trim(d.w.at(i)))
		if w.Sign() == 0 {
			continue
		}
		y := surprise(w, d.total, total) - lost
		t := sum + y
		lost = (t - sum) - y
		sum = t
	}
	return sum, nil
}

// surpriseWork is about what a logarithm takes in operations on words.
const surpriseWork = 300

// surprise returns -p log2 p for p = w / total. Near 1 the logarithm is taken
// of what is missing, which keeps its digits.
func surprise(w, total *big.Int, floatTotal *big.Float) float64 {
	x := new(big.Float).SetPrec(floatPrec).SetInt(w)
	p := x.Quo(x, floatTotal)
	f, _ := p.Float64()
	if f <= 0.5 {
		mantissa := new(big.Float)
		exp := p.MantExp(mantissa)
		m, _ := mantissa.Float64()
		return -f * (float64(exp) + math.Log2(m))
	}
	rest := new(big.Float).SetPrec(floatPrec).SetInt(new(big.Int).Sub(total, w))
	g, _ := rest.Quo(rest, floatTotal).Float64()
	return -f * math.Log1p(-g) / math.Ln2
}

// Support returns the possible outcomes in ascending order. It is an error for
// an unlimited roll, which may have outcomes that are not represented, unless
// both ends are known and every integer between them is possible.
func (d *Dist) Support() ([]int, error) {
	if d.UnboundedAbove() || d.UnboundedBelow() || d.tail != nil && d.hasGaps() {
		return nil, errUnlimited("all outcomes are")
	}
	return d.Outcomes(), nil
}

// Quantile returns the smallest x with P(X <= x) >= q. It is an error when q is
// not from 0 to 1 (above 0 for a roll without a lowest outcome, below 1 for one
// without a highest) and when the error of an unlimited roll leaves the answer
// uncertain.
func (d *Dist) Quantile(q *big.Rat) (int, error) {
	if q.Sign() < 0 || q.Cmp(big.NewRat(1, 1)) > 0 {
		return 0, badArg("q", "got %s, want a chance from 0 to 1", q.RatString())
	}
	i := d.quantileIndex(q)
	if d.tail == nil {
		return d.axis.at(i), nil
	}
	e := new(big.Rat)
	e.SetFloat64(d.tail.err)
	low, high := new(big.Rat).Sub(q, e), new(big.Rat).Add(q, e)
	if low.Sign() <= 0 && d.tail.below || high.Cmp(big.NewRat(1, 1)) >= 0 && d.tail.above {
		return 0, errUnlimited("this quantile is")
	}
	if d.quantileIndex(low) != i || d.quantileIndex(high) != i {
		return 0, errUnlimited("this quantile is")
	}
	return d.axis.at(i), nil
}

// quantileIndex finds the first possible outcome whose cumulative weight is at
// least q of the total.
func (d *Dist) quantileIndex(q *big.Rat) int {
	// cumulative / total >= num / den  <=>  cumulative * den >= num * total
	need := new(big.Int).Mul(q.Num(), d.total)
	need.Add(need, q.Denom())
	need.Sub(need, big.NewInt(1))
	need.Quo(need, q.Denom()) // rounded up
	acc := make([]limb, d.w.words+1)
	n := d.axis.len()
	for i := 0; i < n; i++ {
		addLimbs(acc, d.w.at(i))
		if view(acc).Cmp(need) >= 0 && !isZero(d.w.at(i)) {
			return i
		}
	}
	return n - 1
}

// Median returns the smallest x with P(X <= x) >= 1/2.
func (d *Dist) Median() (int, error) { return d.Quantile(big.NewRat(1, 2)) }

// Mode returns the most likely outcomes, ascending. It is an error when the
// error of an unlimited roll leaves the answer uncertain.
func (d *Dist) Mode() ([]int, error) {
	best := d.w.at(0)
	for i, n := 1, d.axis.len(); i < n; i++ {
		if cmpLimbs(d.w.at(i), best) > 0 {
			best = d.w.at(i)
		}
	}
	var modes []int
	for i, n := 0, d.axis.len(); i < n; i++ {
		if cmpLimbs(d.w.at(i), best) == 0 {
			modes = append(modes, d.axis.at(i))
		}
	}
	if d.tail != nil && !d.modeIsCertain(best, len(modes)) {
		return nil, errUnlimited("the mode is")
	}
	return modes, nil
}

// modeIsCertain reports whether the other chances are below the best one by
// more than the error on both. Several outcomes of equal chance are certain
// only in an exact roll.
func (d *Dist) modeIsCertain(best []limb, count int) bool {
	if count > 1 {
		return false
	}
	e := new(big.Rat)
	e.SetFloat64(2 * d.tail.err)
	limit := new(big.Rat).Sub(d.chance(natural(best)), e)
	if limit.Sign() <= 0 {
		return false // what is not represented may be as likely
	}
	for i, n := 0, d.axis.len(); i < n; i++ {
		w := d.w.at(i)
		if cmpLimbs(w, best) != 0 && d.chance(natural(w)).Cmp(limit) >= 0 {
			return false
		}
	}
	return true
}
