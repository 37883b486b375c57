// Dice and ranges as values: what is written 4d6kh3 or 5..6 in a recipe is made
// when a run gets there, once, and is charged to that run.

package lang

import (
	"context"
	"errors"
	"math"

	"dicescript/builtins"
	"dicescript/dist"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
)

// literal is the value of a literal of the recipe.
func (r *run) literal(l *notation.Literal) (starlark.Value, error) {
	if v, ok := r.values[l.Text]; ok {
		return v, nil
	}
	v, err := r.makeLiteral(l)
	if err != nil {
		return nil, prefixed(l.Text, err)
	}
	r.values[l.Text] = v
	return v, nil
}

func (r *run) makeLiteral(l *notation.Literal) (starlark.Value, error) {
	if l.Range != nil {
		return bandValue(l.Range)
	}
	dice, err := makeDice(r.env.Context, l.Dice)
	if err != nil {
		return nil, err
	}
	return dice.value(), nil
}

// prefixed puts the text of a literal before an error.
func prefixed(text string, err error) error {
	return &textError{text, err}
}

// A textError is an error about a piece of notation.
type textError struct {
	text string
	err  error
}

func (e *textError) Error() string { return e.text + ": " + e.err.Error() }
func (e *textError) Unwrap() error { return e.err }

func bandValue(b *notation.Band) (starlark.Value, error) {
	switch {
	case b.Lo == nil:
		return builtins.AtMost(*b.Hi), nil
	case b.Hi == nil:
		return builtins.AtLeast(*b.Lo), nil
	}
	return builtins.Through(*b.Lo, *b.Hi)
}

// bandSet is a range as the results that it holds.
func bandSet(b *notation.Band) (dist.Set, error) {
	switch {
	case b.Lo == nil:
		return dist.UpTo(*b.Hi), nil
	case b.Hi == nil:
		return dist.From(*b.Lo), nil
	}
	return dist.Through(*b.Lo, *b.Hi)
}

// dice is what notation means: a single die, several dice, or, once dice have
// been kept or counted, a total.
type dice struct {
	pool   *dist.Pool
	single bool
	total  *dist.Dist // instead of pool
}

func (d dice) value() starlark.Value {
	switch {
	case d.total != nil:
		return builtins.NewRoll(d.total)
	case d.single:
		return builtins.NewRoll(d.pool.Dice()[0])
	}
	return builtins.NewPool(d.pool)
}

// makeDice makes the dice of a literal.
func makeDice(ctx context.Context, p notation.Pool) (dice, error) {
	die, err := makeDie(ctx, p)
	if err != nil {
		return dice{}, err
	}
	pool, err := dist.Repeat(die, p.Count)
	if err != nil {
		return dice{}, err
	}
	d := dice{pool: pool, single: p.Single}
	if p.Select == notation.KeepAll {
		return d, nil
	}
	return d.selected(ctx, p.Select, p.N)
}

func makeDie(ctx context.Context, p notation.Pool) (*dist.Dist, error) {
	if p.Fate {
		return dist.Faces(-1, 0, 1)
	}
	if err := dist.ChargeTable(ctx, int64(p.Sides), 1); err != nil {
		return nil, err
	}
	return dist.Die(p.Sides)
}

// selected totals the n highest or lowest dice, or all others.
func (d dice) selected(ctx context.Context, s notation.Select, n int) (dice, error) {
	n = min(n, d.pool.Size())
	var err error
	switch s {
	case notation.KeepHighest:
		d.total, err = d.pool.Highest(ctx, n)
	case notation.KeepLowest:
		d.total, err = d.pool.Lowest(ctx, n)
	case notation.DropHighest:
		d.total, err = d.pool.DropHighest(ctx, n)
	case notation.DropLowest:
		d.total, err = d.pool.DropLowest(ctx, n)
	}
	return d, err
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
		return d.each(func(die *dist.Dist) (*dist.Dist, error) {
			if m.When == nil {
				return die.Explode(ctx, die.TopFace(), dist.Unlimited)
			}
			return die.Explode(ctx, when, dist.Unlimited)
		})
	case notation.RerollOnce:
		return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Reroll(ctx, when, 1) })
	case notation.RerollUntil:
		return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Reroll(ctx, when, dist.Unlimited) })
	case notation.RaiseTo:
		return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Clamp(ctx, m.N, math.MaxInt) })
	case notation.CapAt:
		return d.each(func(die *dist.Dist) (*dist.Dist, error) { return die.Clamp(ctx, math.MinInt, m.N) })
	case notation.KeepDrop:
		return d.selected(ctx, m.Select, m.N)
	case notation.Count:
		total, err := d.pool.Count(ctx, when)
		return dice{total: total}, err
	}
	return d, errors.New("this modifier is not known")
}

func (d dice) each(f func(*dist.Dist) (*dist.Dist, error)) (dice, error) {
	pool, err := d.pool.Each(f)
	return dice{pool: pool, single: d.single}, err
}

// countKept counts the dice that match among those that a selection keeps. The
// kept dice stand together in ascending order, so that one pass over the faces
// knows of each die whether it is kept.
func (d dice) countKept(ctx context.Context, s notation.Select, n int, when dist.Set) (dice, error) {
	size := d.pool.Size()
	n = min(n, size)
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
	tally, err := dist.Evaluate(ctx, d.pool, state{}, func(s state, face, count int) (state, error) {
		kept := max(0, min(to, s.seen+count)-max(from, s.seen))
		s.seen += count
		if when.Contains(face) {
			s.matched += kept
		}
		return s, nil
	})
	if err != nil {
		return d, err
	}
	var counts dist.Tally[int]
	for s, w := range tally.All() {
		counts.Add(s.matched, w)
	}
	bound := 0.0
	for _, die := range d.pool.Dice() {
		bound += die.ErrorBound()
	}
	total, err := dist.TallyDist(ctx, &counts, bound)
	return dice{total: total}, err
}
