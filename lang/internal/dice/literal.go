// Dice and ranges as values: what is written 4d6kh3 or 5..6 in a recipe.

package dice

import (
	"context"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
)

// Literal is the value of a literal. Its errors begin with the text of the literal.
func Literal(ctx context.Context, l *notation.Literal) (starlark.Value, error) {
	v, err := literal(ctx, l)
	if err != nil {
		return nil, &textError{l.Text, err}
	}
	return v, nil
}

func literal(ctx context.Context, l *notation.Literal) (starlark.Value, error) {
	if l.Range != nil {
		return bandValue(l.Range)
	}
	d, err := makeDice(ctx, l.Dice)
	if err != nil {
		return nil, err
	}
	return d.value(), nil
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
		return value.AtMost(*b.Hi), nil
	case b.Hi == nil:
		return value.AtLeast(*b.Lo), nil
	}
	return value.Through(*b.Lo, *b.Hi)
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
	added  *addedDice // which faces add a die that stands for itself; nil for none
	total  *dist.Dist // instead of pool
}

func (d dice) value() starlark.Value {
	switch {
	case d.total != nil:
		return builtins.NewRoll(d.total)
	case d.single:
		for die := range d.pool.Kinds() {
			return builtins.NewRoll(die)
		}
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
	if err := meter.Faces(ctx, p.Sides); err != nil {
		return nil, err
	}
	return dist.Die(p.Sides)
}
