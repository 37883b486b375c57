// What roll("...") does to dice: explosions, rerolls, bounds of a face, what is
// kept and what is counted.

package dice

import (
	"context"
	"errors"
	"math"

	"dicescript/dist"
	"dicescript/lang/notation"
)

// addedDice is the rule of !: a die that shows one of certain faces adds one of its
// kind. For a total that is the same as rolling again and adding; where dice are
// kept or counted afterwards, each added die stands for itself.
type addedDice struct {
	on *notation.Band // nil for the highest face of each die
}

func (a addedDice) rule() (dist.Again, error) {
	if a.on == nil {
		return dist.AgainOnTop(), nil
	}
	faces, err := bandSet(a.on)
	return dist.AgainOn(faces), err
}

// clamped is the rule for dice whose faces count as no less than lo and no more
// than hi.
func (a addedDice) clamped(lo, hi int) *addedDice {
	if a.on == nil {
		return &a
	}
	on := &notation.Band{}
	for _, end := range []struct {
		from *int
		to   **int
	}{{a.on.Lo, &on.Lo}, {a.on.Hi, &on.Hi}} {
		if end.from != nil {
			n := min(max(*end.from, lo), hi)
			*end.to = &n
		}
	}
	return &addedDice{on}
}

func (a *addedDice) same(b *addedDice) bool {
	if a == nil || b == nil || a.on == nil || b.on == nil {
		return a == b || a != nil && b != nil && a.on == b.on
	}
	equal := func(x, y *int) bool { return x == y || x != nil && y != nil && *x == *y }
	return equal(a.on.Lo, b.on.Lo) && equal(a.on.Hi, b.on.Hi)
}

// modified is d with one modifier of roll("...").
func (d dice) modified(ctx context.Context, m notation.Modifier) (dice, error) {
	when := dist.Everything
	if m.When != nil {
		var err error
		if when, err = bandSet(m.When); err != nil {
			return d, err
		}
	}
	switch m.Action {
	case notation.Explode:
		d.added = &addedDice{m.When}
		return d, nil
	case notation.Compound:
		return d.exploded(ctx, addedDice{m.When})
	case notation.RerollOnce:
		return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Reroll(ctx, when, 1) })
	case notation.RerollUntil:
		return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Reroll(ctx, when, dist.Unlimited) })
	case notation.RaiseTo:
		return d.clamped(ctx, m.N, math.MaxInt)
	case notation.CapAt:
		return d.clamped(ctx, math.MinInt, m.N)
	case notation.KeepDrop:
		return d.selected(ctx, m.Select, m.N)
	case notation.Count:
		return d.counted(ctx, when)
	}
	return d, errors.New("this modifier is not known")
}

func (d dice) each(f func(*dist.Dist) (*dist.Dist, error)) (dice, error) {
	pool, err := d.pool.Each(f)
	d.pool = pool
	return d, err
}

// exploded adds to each die what is rolled for it.
func (d dice) exploded(ctx context.Context, added addedDice) (dice, error) {
	again, err := added.rule()
	if err != nil {
		return d, err
	}
	return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Explode(ctx, again(die), dist.Unlimited) })
}

// together gives every added die to the one that has added it.
func (d dice) together(ctx context.Context) (dice, error) {
	if d.added == nil || d.total != nil {
		return d, nil
	}
	added := *d.added
	d.added = nil
	return d.exploded(ctx, added)
}

// clamped lets faces below lo count as lo and faces above hi as hi. Those that add
// a die must still be told from those that do not.
func (d dice) clamped(ctx context.Context, lo, hi int) (dice, error) {
	if d.added == nil {
		return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Clamp(ctx, lo, hi) })
	}
	before, err := d.added.rule()
	if err != nil {
		return d, err
	}
	d.added = d.added.clamped(lo, hi)
	after, err := d.added.rule()
	if err != nil {
		return d, err
	}
	return d.each(func(die *dist.Dist) (*dist.Dist, error) {
		clamped, err := die.Clamp(ctx, lo, hi)
		if err == nil && die.In(before(die)).Cmp(clamped.In(after(clamped))) != 0 {
			err = errors.New("faces that add a die and faces that do not would count as the same: write it before the !")
		}
		return clamped, err
	})
}

// counted counts the dice that match.
func (d dice) counted(ctx context.Context, when dist.Set) (dice, error) {
	if d.added == nil {
		total, err := d.pool.Count(ctx, when)
		return dice{total: total}, err
	}
	if d.added.on != nil {
		again, err := bandSet(d.added.on)
		if err != nil {
			return d, err
		}
		total, err := d.pool.CountAgain(ctx, when, again)
		return dice{total: total}, err
	}
	// Each kind of die has a highest face of its own.
	total := dist.Constant(0)
	for die, n := range d.pool.Kinds() {
		pool, err := dist.Repeat(die, n)
		if err != nil {
			return d, err
		}
		count, err := pool.CountAgain(ctx, when, die.TopFace())
		if err != nil {
			return d, err
		}
		if total, err = total.Add(ctx, count); err != nil {
			return d, err
		}
	}
	return dice{total: total}, nil
}

// of returns what a function makes of the dice, with those that they add. It lies within
// a set, however many are added.
func (d dice) of(ctx context.Context, within dist.Set, f func(*dist.Pool) (*dist.Dist, error)) (dice, error) {
	if d.added == nil {
		total, err := f(d.pool)
		return dice{pool: d.pool, total: total}, err
	}
	again, err := d.added.rule()
	if err != nil {
		return d, err
	}
	total, err := d.pool.Added(ctx, again, within, f)
	return dice{pool: d.pool, total: total}, err
}

// selected totals the n highest or lowest dice, or all others. Of dropped dice
// one always stays.
func (d dice) selected(ctx context.Context, s notation.Select, n int) (dice, error) {
	if d.added != nil && (s == notation.KeepHighest || s == notation.KeepLowest) {
		again, err := d.added.rule()
		if err != nil {
			return d, err
		}
		keep := d.pool.HighestAgain
		if s == notation.KeepLowest {
			keep = d.pool.LowestAgain
		}
		total, err := keep(ctx, again, n)
		return dice{pool: d.pool, total: total}, err
	}
	return d.of(ctx, dist.Everything, func(p *dist.Pool) (*dist.Dist, error) {
		n := min(n, p.Size())
		switch s {
		case notation.KeepHighest:
			return p.Highest(ctx, n)
		case notation.KeepLowest:
			return p.Lowest(ctx, n)
		case notation.DropHighest:
			return p.DropHighest(ctx, n)
		case notation.DropLowest:
			return p.DropLowest(ctx, n)
		}
		return nil, errors.New("this selection is not known")
	})
}

// countKept counts the dice that match among those that a selection keeps.
func (d dice) countKept(ctx context.Context, s notation.Select, n int, when dist.Set) (dice, error) {
	within := dist.From(0)
	if s == notation.KeepHighest || s == notation.KeepLowest {
		within, _ = dist.Through(0, n)
	}
	return d.of(ctx, within, func(p *dist.Pool) (*dist.Dist, error) { return countKept(ctx, p, s, n, when) })
}

// countKept counts among the kept dice of a pool. They stand together in ascending
// order, so that one pass over the faces knows of each die whether it is kept.
func countKept(ctx context.Context, p *dist.Pool, s notation.Select, n int, when dist.Set) (*dist.Dist, error) {
	size := p.Size()
	if n = min(n, size); s == notation.DropHighest || s == notation.DropLowest {
		n = min(n, max(size-1, 0))
	}
	from, to := 0, size
	switch s {
	case notation.KeepHighest:
		from = size - n
	case notation.KeepLowest:
		to = n
	case notation.DropHighest:
		to = size - n
	case notation.DropLowest:
		from = n
	}
	type state struct{ seen, matched int }
	tally, err := dist.Evaluate(ctx, p, state{}, func(s state, face, count int) (state, error) {
		kept := max(0, min(to, s.seen+count)-max(from, s.seen))
		s.seen += count
		if when.Contains(face) {
			s.matched += kept
		}
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	var counts dist.Tally[int]
	for s, w := range tally.All() {
		counts.Add(s.matched, w)
	}
	return dist.TallyDist(ctx, &counts, p.Bound())
}
