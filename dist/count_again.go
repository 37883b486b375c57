package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/upper"
)

// Dice that add dice: a die that shows one of certain faces adds another die of
// its kind, which is counted too and may add one itself, without end. A die and
// what it adds are a streak (see streak.go) of coins, so the mean number of
// matches is P(match) / (1 - P(again)) for each die.

// CountAgain returns how many dice of the pool match, where every die that shows
// a face in again adds one more die of its kind. It is cut like every unlimited
// process; its mean and variance are exact. It is an error when every face of a
// die adds one. Cost: a power of a polynomial with as many terms as a streak has
// rolls before it is cut, for each kind of die.
func (p *Pool) CountAgain(ctx context.Context, match, again Set) (*Dist, error) {
	counts := make([]*Dist, len(p.groups))
	for i, g := range p.groups {
		one, err := countStreak(ctx, g.die, match, again)
		if err != nil {
			return nil, err
		}
		if counts[i], err = one.Times(ctx, g.count); err != nil {
			return nil, err
		}
	}
	return addAll(ctx, counts)
}

// countStreak returns how many match of a die and those that it adds.
func countStreak(ctx context.Context, d *Dist, match, again Set) (*Dist, error) {
	c, err := newStreak(ctx, d, again)
	if err != nil {
		return nil, err
	}
	if c.never() {
		return nil, badArg("again", "got every face, so there is always one more die")
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(d.axis.Len()), 2*int64(d.w.Words+lookWork))); err != nil {
		return nil, err
	}
	out := c.stop.matches(match)
	if c.p.Sign() > 0 {
		coins := streak{p: c.p, on: c.on.matches(match), stop: out}
		if out, err = coins.unlimited(ctx); err != nil {
			return nil, err
		}
	}
	if d.tail == nil {
		return out, nil
	}
	// Each roll may show what is not represented, and there are 1/(1-p) of them.
	rolls := geometricUp(upper.Add(upper.Abs(c.p), d.tail.err), Unlimited)
	t := unknownTail(upper.Add(upper.Mul(d.tail.err, rolls), out.Bound()))
	t.below = out.Min() > 0
	return out.withTail(t), nil
}

// HighestAgain returns the sum of the k highest dice of a pool in which every die
// that shows a face in again adds one more die of its kind, which stands for
// itself. The number of added dice is cut where more have a chance below 2^-80.
// Cost: that of [Pool.Highest] for every number of added dice of each kind.
func (p *Pool) HighestAgain(ctx context.Context, again Again, k int) (*Dist, error) {
	return p.keepAgain(ctx, again, k, func(q *Pool) (*Dist, error) { return q.Highest(ctx, k) })
}

// LowestAgain returns the sum of the k lowest dice; see [Pool.HighestAgain].
func (p *Pool) LowestAgain(ctx context.Context, again Again, k int) (*Dist, error) {
	return p.keepAgain(ctx, again, k, func(q *Pool) (*Dist, error) { return q.Lowest(ctx, k) })
}

// keepAgain mixes the kept dice over the numbers of added dice: k of them, or as few as
// the pool has, between the lowest and the highest face.
func (p *Pool) keepAgain(ctx context.Context, again Again, k int, keep func(*Pool) (*Dist, error)) (*Dist, error) {
	if k < 0 {
		return nil, badArg("keep", "got %d, want at least 0", k)
	}
	if p.size == 0 {
		return Constant(0), nil
	}
	within := Everything
	if !anyTail(p.dies()...) {
		lo, hi := p.ends()
		least, ok1 := axis.MulInt(lo, k)
		most, ok2 := axis.MulInt(hi, k)
		if ok1 && ok2 {
			fewest := min(k, p.size)
			within = Set{lo: min(least, lo*fewest), hi: max(most, hi*fewest), hasLo: true, hasHi: true}
		}
	}
	return p.Added(ctx, again, within, keep)
}

// mixAgain mixes what keep makes of the dice over the numbers of added dice, without its
// tail, and returns the error of the whole. Given that a pool of n dice adds m, it is n
// dice that do not show again and m that do. The faces of each kind of die that add one are again(die).
func (p *Pool) mixAgain(ctx context.Context, again func(*Dist) Set, keep func(*Pool) (*Dist, error)) (*Dist, float64, error) {
	b := againBuilder{ctx: ctx, keep: keep}
	bound := p.Bound()
	for _, g := range p.groups {
		c, err := newStreak(ctx, g.die, again(g.die))
		if err != nil {
			return nil, 0, err
		}
		if c.never() {
			return nil, 0, badArg("again", "got every face, so there is always one more die")
		}
		added, cut, err := addedDice(ctx, c, g.count)
		if err != nil {
			return nil, 0, err
		}
		b.groups = append(b.groups, againGroup{streak: c, count: g.count, added: added})
		rolls := geometricUp(upper.Add(upper.Abs(c.p), g.die.Bound()), Unlimited)
		bound = upper.Add(bound, upper.Add(cut, upper.Mul(upper.Mul(g.die.Bound(), upper.Int(g.count)), rolls)))
	}
	if err := b.mix(0, big.NewRat(1, 1), newPoolBuilder()); err != nil {
		return nil, 0, err
	}
	out, err := Mixture(ctx, b.parts)
	return out, bound, err
}

// dies returns one die of each kind.
func (p *Pool) dies() []*Dist {
	var ds []*Dist
	for _, g := range p.groups {
		ds = append(ds, g.die)
	}
	return ds
}

// addedDice returns how many dice a group adds, and the chance of more.
func addedDice(ctx context.Context, c streak, count int) (*Dist, float64, error) {
	if c.p.Sign() == 0 {
		return Constant(0), 0, nil
	}
	n, err := cutAfter(c.p)
	if err != nil {
		return nil, 0, err
	}
	one, err := streakLength(ctx, c.p, n, true)
	if err != nil {
		return nil, 0, err
	}
	all, err := one.Times(ctx, count)
	if err != nil {
		return nil, 0, err
	}
	return all, upper.Mul(upper.Pow(c.p, n+1), upper.Int(count)), nil
}

type againGroup struct {
	streak streak
	count  int
	added  *Dist
}

// An againBuilder goes through the numbers of added dice of all groups.
type againBuilder struct {
	ctx    context.Context
	keep   func(*Pool) (*Dist, error)
	groups []againGroup
	parts  []Part
}

func (b *againBuilder) mix(i int, p *big.Rat, pool *poolBuilder) error {
	if i == len(b.groups) {
		kept, err := b.keep(&pool.pool)
		if err != nil {
			return err
		}
		b.parts = append(b.parts, Part{Weight: p, Roll: kept})
		return nil
	}
	g := b.groups[i]
	for m, w := range g.added.All() {
		if err := ChargeWork(b.ctx, int64(g.added.w.Words)*8); err != nil {
			return err
		}
		more := newPoolBuilder()
		more.join(&pool.pool)
		more.add(g.streak.stop, g.count)
		if m > 0 {
			more.add(g.streak.on, m)
		}
		weight := new(big.Rat).SetFrac(w, g.added.total)
		if err := b.mix(i+1, weight.Mul(weight, p), more); err != nil {
			return err
		}
	}
	return nil
}

// Dice that add dice, in general: whatever can be asked of a pool can be asked of
// one whose dice add others, as the mixture over how many are added. [Pool.Count]
// has a closed form for them, see [Pool.CountAgain].

// Again tells which faces of a die add one more die of its kind.
type Again func(die *Dist) Set

// AgainOn is the rule that one set of faces adds a die, whatever the die.
func AgainOn(faces Set) Again { return func(*Dist) Set { return faces } }

// AgainOnTop is the rule that the highest face of each die adds one.
func AgainOnTop() Again { return (*Dist).TopFace }

// Added returns the mixture of what of makes of the pools that p may become when
// each die that shows certain faces adds one of its kind, which stands for itself
// and may add one too. The number of added dice is cut where more have a chance
// below 2^-80. Whatever of may make lies within the given set, and where that has ends
// they bound the moments. It is an error when every face of a die adds one. Cost: that of
// the callback for every number of added dice of each kind of die.
func (p *Pool) Added(ctx context.Context, again Again, within Set, of func(*Pool) (*Dist, error)) (*Dist, error) {
	if p.size == 0 {
		return of(p)
	}
	out, bound, err := p.mixAgain(ctx, again, of)
	if err != nil || bound == 0 {
		return out, err
	}
	slack := upper.Add(bound, out.Bound())
	r := within.reach()
	if r.bounded() {
		return out.withTail(boundedTail(slack, r.lo, r.hi)), nil
	}
	t := unknownTail(slack)
	t.above, t.below = r.above || out.Max() < r.hi, r.below || out.Min() > r.lo
	return out.withTail(t), nil
}
