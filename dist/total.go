package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// The total of a pool of several kinds of dice is a product of powers. There are three
// ways to multiply it out: one recurrence of the whole product, where that is short;
// window by window for dice of equal weights, one after another; or the power of each
// kind by itself, and these together by products of two.

// Total returns the sum of all dice. Cost: that of [Dist.Times] for equal dice. For
// different ones it is the least of those of one recurrence for all of them, of two
// additions for each fair die and outcome, and of [Dist.Add] of the kinds.
func (p *Pool) Total(ctx context.Context) (*Dist, error) {
	var exact, sums []*Dist
	var counts []int
	for _, g := range p.groups {
		if g.die.tail == nil && g.die.size > 1 {
			exact, counts = append(exact, g.die), append(counts, g.count)
			continue
		}
		sum, err := g.die.Times(ctx, g.count)
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	if len(exact) > 0 {
		sum, err := totalOfKinds(ctx, exact, counts)
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	return addAll(ctx, sums)
}

// totalOfKinds returns the sum of counts of exact dice of different kinds.
func totalOfKinds(ctx context.Context, dice []*Dist, counts []int) (*Dist, error) {
	k := kinds{dice: dice, counts: counts}
	if len(dice) == 1 || !k.align() {
		return k.oneByOne(ctx)
	}
	if err := indexable(ctx, k.outcomes); err != nil {
		return nil, err
	}
	if err := ChargeTable(ctx, k.outcomes, 0); err != nil {
		return nil, err
	}
	if err := chargeWeights(ctx, 1, k.words); err != nil {
		return nil, err
	}
	if upper.MulSat(k.outcomes, upper.MulSat(k.outcomes, k.words)) < briefSum {
		return k.oneByOne(ctx)
	}
	windows := k.windowWork()
	p, err := k.power(ctx)
	if err != nil {
		return nil, err
	}
	least := min(windows, nat.ProductWork(k.outcomes/2, k.outcomes/2, k.words))
	switch {
	case p != nil && p.work(k.words) <= least:
		p.first, p.total = k.firstAndTotal()
		return p.dist(ctx, k.words)
	case windows == least:
		return k.byWindows(ctx)
	}
	return k.oneByOne(ctx)
}

// kinds is how many there are of several dice, on one axis.
type kinds struct {
	dice     []*Dist
	counts   []int
	lo, step int
	outcomes int64 // of the sum
	words    int64
}

// align finds the axis of the sum, and reports whether all dice fit one without wasting
// much room.
func (k *kinds) align() bool {
	step := uint(0)
	for _, d := range k.dice {
		if d.axis.List != nil {
			return false
		}
		step = nat.GCD(step, uint(d.axis.Step))
	}
	k.step, k.outcomes = int(step), 1
	bits := int64(0)
	for i, d := range k.dice {
		if d.axis.Step > 8*k.step {
			return false
		}
		lo, ok1 := axis.MulInt(d.Min(), k.counts[i])
		_, ok2 := axis.MulInt(d.Max(), k.counts[i])
		sum, ok3 := axis.AddInt(k.lo, lo)
		if !ok1 || !ok2 || !ok3 {
			return false
		}
		k.lo = sum
		k.outcomes = upper.AddSat(k.outcomes, upper.MulSat(int64(k.degree(i)), int64(k.counts[i])))
		bits = upper.AddSat(bits, nat.PowerBits(d.total, k.counts[i]))
	}
	k.words = bits/nat.LimbBits + 1
	_, fits := axis.MulInt(int(min(k.outcomes, axis.MaxOutcomes)), k.step)
	return fits
}

// degree is how many places the outcomes of a die span, without the first.
func (k *kinds) degree(i int) int { return (k.dice[i].axis.N - 1) * (k.dice[i].axis.Step / k.step) }

// axis is the axis of the sum.
func (k *kinds) axis() axis.Axis { return axis.Axis{Lo: k.lo, Step: k.step, N: int(k.outcomes)} }

// oneByOne takes the power of each kind by itself.
func (k *kinds) oneByOne(ctx context.Context) (*Dist, error) {
	sums := make([]*Dist, len(k.dice))
	for i, d := range k.dice {
		sum, err := d.Times(ctx, k.counts[i])
		if err != nil {
			return nil, err
		}
		sums[i] = sum
	}
	return addAll(ctx, sums)
}

// power returns the sum as one recurrence, nil where that is long.
func (k *kinds) power(ctx context.Context) (*power, error) {
	product := nat.NewGenFunc()
	symmetric := true
	for i, d := range k.dice {
		if d.gf == nil && d.size > nat.MostTerms {
			return nil, nil
		}
		g, err := nat.ShortestGenFunc(meterOf(ctx), d.w, d.size, d.gf)
		if err != nil {
			return nil, err
		}
		product = product.Times(g.Stretched(d.axis.Step / k.step).ToPower(k.counts[i]))
		if product.Cost() > nat.MostTerms {
			return nil, nil
		}
		symmetric = symmetric && d.w.IsSymmetric()
	}
	return &power{plan: nat.PlanOf(product), n: 1, symmetric: symmetric, axis: k.axis()}, nil
}

// firstAndTotal returns the lowest weight of the sum and the sum of all weights.
func (k *kinds) firstAndTotal() (first, total *big.Int) {
	first, total = big.NewInt(1), big.NewInt(1)
	for i, d := range k.dice {
		n := big.NewInt(int64(k.counts[i]))
		total.Mul(total, new(big.Int).Exp(d.total, n, nil))
		first.Mul(first, new(big.Int).Exp(nat.View(d.w.At(0)), n, nil))
	}
	return first, total
}

// isRun reports whether all weights of a die are 1, on the steps of the sum.
func (k *kinds) isRun(i int) bool {
	d := k.dice[i]
	return d.axis.Step == k.step && d.w.IsWord() && d.size == d.axis.N && d.total.IsInt64() && d.total.Int64() == int64(d.size)
}

// byWindows sums up the dice whose weights are not equal, and moves a window over that
// for each of the others.
func (k *kinds) byWindows(ctx context.Context) (*Dist, error) {
	rest := kinds{}
	var runs []nat.Run
	for i, d := range k.dice {
		if k.isRun(i) {
			runs = append(runs, nat.Run{Length: d.axis.N, Count: k.counts[i]})
			continue
		}
		rest.dice, rest.counts = append(rest.dice, d), append(rest.counts, k.counts[i])
	}
	sum, err := rest.oneByOne(ctx)
	if err != nil {
		return nil, err
	}
	base, err := sum.spread(ctx, k.step)
	if err != nil {
		return nil, err
	}
	if err := chargeWeights(ctx, k.outcomes, k.words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, nat.RunsWork(base, runs)); err != nil {
		return nil, err
	}
	w, err := nat.TimesRuns(ctx, base, runs)
	if err != nil {
		return nil, err
	}
	_, total := k.firstAndTotal()
	return newPrimitive(k.axis(), w, total, nil), nil
}

// windowWork estimates the work of byWindows.
func (k *kinds) windowWork() int64 {
	var runs []nat.Run
	places, bits := int64(1), int64(1)
	for i, d := range k.dice {
		if k.isRun(i) {
			runs = append(runs, nat.Run{Length: d.axis.N, Count: k.counts[i]})
			continue
		}
		places = upper.AddSat(places, upper.MulSat(int64(k.degree(i)), int64(k.counts[i])))
		bits = upper.AddSat(bits, nat.PowerBits(d.total, k.counts[i]))
	}
	words := bits/nat.LimbBits + 1
	return upper.AddSat(nat.RunsWorkOf(places, bits, true, runs), nat.ProductWork(places/2+1, places/2+1, words))
}
