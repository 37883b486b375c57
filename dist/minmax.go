package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The highest of several independent rolls is at most x exactly when all of
// them are, so cumulative chances multiply: P(max <= x) is the product of
// P(X_i <= x). The lowest is the same with the order turned round.

// Max returns the highest of one or more independent rolls. Cost: the outcomes
// of all of them, times the rolls, times words.
func Max(ctx context.Context, ds ...*Dist) (*Dist, error) { return extreme(ctx, ds, true) }

// Min returns the lowest of one or more independent rolls; see [Max].
func Min(ctx context.Context, ds ...*Dist) (*Dist, error) { return extreme(ctx, ds, false) }

func extreme(ctx context.Context, ds []*Dist, highest bool) (*Dist, error) {
	if len(ds) == 0 {
		return nil, badArg("rolls", "got none, want at least one")
	}
	if len(ds) == 1 {
		return ds[0], nil
	}
	c := contest{dice: ds, highest: highest}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	if nat.Checking {
		nat.InsistMass(c.w, c.total, "an extreme")
	}
	return newDist(ctx, c.axis, c.w, extremeTail(ds, highest))
}

// A contest sweeps over the outcomes of all its dice in the order in which they
// are beaten: upwards for the highest, downwards for the lowest.
type contest struct {
	dice    []*Dist
	highest bool
	total   *big.Int // the product of the totals
	axis    axis.Axis
	w       nat.Vec // the weight of each outcome
	passed  []passed
}

// passed is how far the sweep has come on one die.
type passed struct {
	next   int        // the index of the next outcome, counted from the start of the sweep
	weight []nat.Limb // the weight of those before
}

func (c *contest) prepare(ctx context.Context) error {
	total, places, widest := big.NewInt(1), int64(0), 1
	rows := make([]row, len(c.dice))
	for i, d := range c.dice {
		words := int64(nat.WordsFor(total))
		if err := chargeWeights(ctx, 1, words); err != nil {
			return err
		}
		if err := ChargeWork(ctx, upper.MulSat(words, int64(d.w.Words))); err != nil {
			return err
		}
		widest = max(widest, d.w.Words)
		total.Mul(total, d.total)
		places = upper.AddSat(places, int64(d.axis.Len()))
		rows[i] = row{axis: d.axis, w: d.w}
		c.passed = append(c.passed, passed{weight: make([]nat.Limb, d.w.Words+1)})
	}
	c.total = total
	words := nat.WordsFor(total)
	if err := ChargeWork(ctx, upper.MulSat(upper.MulSat(places, int64(len(c.dice))), upper.MulSat(int64(words), int64(widest))+4)); err != nil {
		return err
	}
	var err error
	if c.axis, err = commonGrid(ctx, rows, places, int64(words+1)); err != nil {
		return err
	}
	c.w = nat.NewVec(c.axis.Len(), words+1)
	return nil
}

// run takes the differences of the cumulative products.
func (c *contest) run(ctx context.Context) error {
	tick := work.NewTicker(ctx)
	n := c.axis.Len()
	before, product, scratch := make([]nat.Limb, c.w.Words), make([]nat.Limb, c.w.Words), make([]nat.Limb, c.w.Words)
	for i := 0; i < n; i++ {
		at := c.turned(i, n)
		clear(product)
		product[0] = 1
		for k := range c.dice {
			factor := c.pass(k, c.axis.At(at))
			clear(scratch)
			x, y := nat.Trim(product), nat.Trim(factor)
			if err := tick.Tick(c.w.Words + len(x)*len(y)); err != nil {
				return err
			}
			nat.AddMul(scratch, x, y)
			product, scratch = scratch, product
		}
		copy(c.w.At(at), product)
		nat.Sub(c.w.At(at), nat.Trim(before))
		copy(before, product)
	}
	return nil
}

// pass moves the sweep on die k to x and returns the weight of what it has
// passed.
func (c *contest) pass(k, x int) []nat.Limb {
	d, p := c.dice[k], &c.passed[k]
	for n := d.axis.Len(); p.next < n; p.next++ {
		at := c.turned(p.next, n)
		if y := d.axis.At(at); c.highest && y > x || !c.highest && y < x {
			break
		}
		nat.Add(p.weight, d.w.At(at))
	}
	return p.weight
}

// turned is the index of the i-th of n outcomes in the order of the sweep.
func (c *contest) turned(i, n int) int {
	if c.highest {
		return i
	}
	return n - 1 - i
}

// extremeTail: the result lies above the lowest outcomes of all the rolls for
// Max, and below the highest outcomes of all for Min.
func extremeTail(ds []*Dist, highest bool) *tail {
	t := lipschitzTail(ds...)
	if t == nil {
		return nil
	}
	r := ds[0].reach()
	for _, d := range ds[1:] {
		if highest {
			r = higher(r, d.reach())
		} else {
			r = higher(r.turned(), d.reach().turned()).turned()
		}
	}
	t.above, t.below = r.above, r.below
	return t.narrowed(r)
}

// higher is the reach of the higher of two rolls. Where only one of them has a
// lowest outcome, the result has that too, and where the other is represented
// from a higher one on, that end is not represented.
func higher(a, b reach) reach {
	out := reach{lo: max(a.lo, b.lo), hi: max(a.hi, b.hi), above: a.above || b.above}
	out.below = a.below && (b.below || b.lo < a.lo) || b.below && (a.below || a.lo < b.lo)
	return out
}

// turned returns the reach of the bitwise complements -1 - x, which reverse the
// order without leaving the integers.
func (r reach) turned() reach {
	return reach{lo: ^r.hi, hi: ^r.lo, below: r.above, above: r.below}
}
