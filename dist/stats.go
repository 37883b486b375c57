package dist

import (
	"context"
	"math"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
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
func (d *Dist) SD(ctx context.Context) (float64, error) {
	m, err := d.Moments(ctx)
	if err != nil {
		return 0, err
	}
	if v := upper.AbsDown(m.Variance); m.VarianceBound > math.Ldexp(v, -30) {
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
// unlimited roll and for one that has a single outcome. Cost: some multiple of
// the words of all weights, and products of a few times the words of one.
func (d *Dist) Skewness(ctx context.Context) (float64, error) {
	m, err := d.centralMoments(ctx, "the skewness is")
	if err != nil {
		return 0, err
	}
	m2 := new(big.Float).SetPrec(floatPrec).SetInt(m.m2)
	sd := new(big.Float).SetPrec(floatPrec).Sqrt(m2)
	m3 := new(big.Float).SetPrec(floatPrec).SetInt(m.m3)
	f, _ := m3.Quo(m3, m2.Mul(m2, sd)).Float64()
	return f, nil
}

// Kurtosis returns the excess kurtosis, E (X - mean)⁴ / variance² - 3, as a
// float. It is an error for an unlimited roll and for one that has a single
// outcome. It costs as much as [Dist.Skewness].
func (d *Dist) Kurtosis(ctx context.Context) (float64, error) {
	m, err := d.centralMoments(ctx, "the kurtosis is")
	if err != nil {
		return 0, err
	}
	square := new(big.Int).Mul(m.m2, m.m2)
	over := new(big.Int).Mul(square, big.NewInt(3))
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return floatQuotient(over.Sub(m.m4, over), square), nil
}

const floatPrec = 192

// floatQuotient returns a / b, rounded once, for b above zero. It does without
// the greatest common divisor of a fraction, which takes long for wide numbers.
func floatQuotient(a, b *big.Int) float64 {
	// A quotient of at least 66 bits, whose last says whether more would follow.
	shift := max(0, b.BitLen()-a.BitLen()+66)
	q, r := new(big.Int).Lsh(a, uint(shift)), new(big.Int)
	q.QuoRem(q, b, r)
	q.Lsh(q, 1)
	if r.Sign() != 0 {
		q.Add(q, big.NewInt(int64(a.Sign())))
	}
	x := new(big.Float).SetInt(q)
	f, _ := x.SetMantExp(x, -shift-1).Float64()
	return f
}

// scaledMoments are the second, third and fourth moments about the mean, in units
// of an axis: with T the total weight, they are m2/T², m3/T³ and m4/T⁴.
type scaledMoments struct{ m2, m3, m4 *big.Int }

// centralMoments returns the exact moments about the mean, from power sums about
// the lowest outcome. With S_p = T E Y^p for the distance Y from it,
//
//	T² E(Y-m)² = T S2 - S1²
//	T³ E(Y-m)³ = T² S3 - 3 T S1 S2 + 2 S1³
//	T⁴ E(Y-m)⁴ = T³ S4 - 4 T² S1 S3 + 6 T S1² S2 - 3 S1⁴
func (d *Dist) centralMoments(ctx context.Context, what string) (scaledMoments, error) {
	if d.tail != nil {
		return scaledMoments{}, errUnlimited(what)
	}
	if d.size == 1 {
		return scaledMoments{}, badArg("roll", "%s not defined for a roll with a single outcome", what)
	}
	words := int64(d.w.Words)
	sums := upper.MulSat(int64(d.axis.Len()), nat.MostPower*(words+32))
	if err := ChargeWork(ctx, upper.AddSat(sums, 20*nat.Karatsuba(2*words+8))); err != nil {
		return scaledMoments{}, err
	}
	tick := work.NewTicker(ctx)
	s, err := d.distanceSums(&tick)
	if err != nil {
		return scaledMoments{}, err
	}
	stopped := error(nil)
	mul := func(c int64, fs ...*big.Int) *big.Int {
		out := big.NewInt(c)
		for _, f := range fs {
			if stopped = ctx.Err(); stopped != nil {
				return out
			}
			out.Mul(out, f)
		}
		return out
	}
	t, s1, s2, s3, s4 := d.total, s[0], s[1], s[2], s[3]
	m2 := mul(1, t, s2)
	m2.Sub(m2, mul(1, s1, s1))
	m3 := mul(1, t, t, s3)
	m3.Add(m3, mul(-3, t, s1, s2)).Add(m3, mul(2, s1, s1, s1))
	m4 := mul(1, t, t, t, s4)
	m4.Add(m4, mul(-4, t, t, s1, s3)).Add(m4, mul(6, t, s1, s1, s2)).Add(m4, mul(-3, s1, s1, s1, s1))
	return scaledMoments{m2, m3, m4}, stopped
}

// distanceSums returns the sums of the weights times the first four powers of
// the distance from the lowest outcome, in steps of the axis.
func (d *Dist) distanceSums(tick *work.Ticker) ([]*big.Int, error) {
	if d.axis.List == nil {
		return d.w.PowerSums(tick)
	}
	sums := make([]*big.Int, nat.MostPower)
	for p := range sums {
		sums[p] = new(big.Int)
	}
	lo, x, term := big.NewInt(int64(d.Min())), new(big.Int), new(big.Int)
	for i, v := range d.axis.List {
		if err := tick.Tick(nat.MostPower * (d.w.Words + 32)); err != nil {
			return nil, err
		}
		x.SetInt64(int64(v))
		x.Sub(x, lo)
		term.Set(nat.View(d.w.At(i)))
		for p := range sums {
			term.Mul(term, x)
			sums[p].Add(sums[p], term)
		}
	}
	return sums, nil
}

// Entropy returns the Shannon entropy in bits, as a float. It is an error for
// an unlimited roll. Cost: the words of all weights, and a logarithm for each.
func (d *Dist) Entropy(ctx context.Context) (float64, error) {
	if d.tail != nil {
		return 0, errUnlimited("the entropy is")
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), int64(d.w.Words+surpriseWork))); err != nil {
		return 0, err
	}
	sum, lost := 0.0, 0.0 // Kahan summation
	total := new(big.Float).SetPrec(floatPrec).SetInt(d.total)
	tick := work.NewTicker(ctx)
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if err := tick.Tick(d.w.Words + surpriseWork); err != nil {
			return 0, err
		}
		w := nat.View(nat.Trim(d.w.At(i)))
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
// both ends are known and every integer between them is possible. Cost: a look at
// each outcome.
func (d *Dist) Support(ctx context.Context) ([]int, error) {
	if d.UnboundedAbove() || d.UnboundedBelow() || d.tail != nil && d.hasGaps() {
		return nil, errUnlimited("all outcomes are")
	}
	if err := d.chargePass(ctx, 1); err != nil {
		return nil, err
	}
	if err := ChargeTable(ctx, int64(d.size), 1); err != nil {
		return nil, err
	}
	return d.Outcomes(), ctx.Err()
}

// chargePass charges so many looks at every word of the weights.
func (d *Dist) chargePass(ctx context.Context, looks int64) error {
	return ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), upper.MulSat(looks, int64(d.w.Words)+1)))
}

// Quantile returns the smallest x with P(X <= x) >= q. It is an error when q is
// not from 0 to 1 (above 0 for a roll without a lowest outcome, below 1 for one
// without a highest) and when the error of an unlimited roll leaves the answer
// uncertain. Cost: a look at the weights up to there.
func (d *Dist) Quantile(ctx context.Context, q *big.Rat) (int, error) {
	if q.Sign() < 0 || q.Cmp(big.NewRat(1, 1)) > 0 {
		return 0, badArg("q", "got %s, want a chance from 0 to 1", q.RatString())
	}
	passes := int64(1)
	if d.tail != nil {
		passes = 3
	}
	if err := d.chargePass(ctx, passes); err != nil {
		return 0, err
	}
	if err := ChargeWork(ctx, upper.MulSat(passes, nat.Karatsuba(int64(max(nat.WordsFor(q.Denom()), d.w.Words))+20))); err != nil {
		return 0, err
	}
	i := d.quantileIndex(q)
	if d.tail == nil {
		return d.axis.At(i), nil
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
	return d.axis.At(i), nil
}

// quantileIndex finds the first possible outcome whose cumulative weight is at
// least q of the total.
func (d *Dist) quantileIndex(q *big.Rat) int {
	// cumulative / total >= num / den  <=>  cumulative * den >= num * total
	need := new(big.Int).Mul(q.Num(), d.total)
	need.Add(need, q.Denom())
	need.Sub(need, big.NewInt(1))
	need.Quo(need, q.Denom()) // rounded up
	acc := make([]nat.Limb, d.w.Words+1)
	n := d.axis.Len()
	for i := 0; i < n; i++ {
		nat.Add(acc, d.w.At(i))
		if nat.View(acc).Cmp(need) >= 0 && !nat.IsZero(d.w.At(i)) {
			return i
		}
	}
	return n - 1
}

// Median returns the smallest x with P(X <= x) >= 1/2.
func (d *Dist) Median(ctx context.Context) (int, error) { return d.Quantile(ctx, big.NewRat(1, 2)) }

// Mode returns the most likely outcomes, ascending. It is an error when the
// error of an unlimited roll leaves the answer uncertain. Cost: a few looks at
// every word of the weights.
func (d *Dist) Mode(ctx context.Context) ([]int, error) {
	if err := d.chargePass(ctx, 3); err != nil {
		return nil, err
	}
	best := d.w.At(0)
	for i, n := 1, d.axis.Len(); i < n; i++ {
		if nat.Cmp(d.w.At(i), best) > 0 {
			best = d.w.At(i)
		}
	}
	var modes []int
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if nat.Cmp(d.w.At(i), best) == 0 {
			modes = append(modes, d.axis.At(i))
		}
	}
	if d.tail != nil && !d.modeIsCertain(best, len(modes)) {
		return nil, errUnlimited("the mode is")
	}
	return modes, ctx.Err()
}

// modeIsCertain reports whether the other chances are below the best one by
// more than the error on both. Several outcomes of equal chance are certain
// only in an exact roll.
func (d *Dist) modeIsCertain(best []nat.Limb, count int) bool {
	if count > 1 {
		return false
	}
	// w/T >= best/T - 2 err  <=>  w >= best - 2 err T, where w and best are whole.
	slack := new(big.Rat).SetFloat64(2 * d.tail.err)
	slack.Mul(slack, new(big.Rat).SetInt(d.total))
	rival := new(big.Int).Quo(slack.Num(), slack.Denom())
	rival.Sub(nat.View(nat.Trim(best)), rival)
	if rival.Sign() <= 0 {
		return false // what is not represented may be as likely
	}
	for i, n := 0, d.axis.Len(); i < n; i++ {
		w := d.w.At(i)
		if nat.Cmp(w, best) != 0 && nat.View(nat.Trim(w)).Cmp(rival) >= 0 {
			return false
		}
	}
	return true
}
