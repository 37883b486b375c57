// roll("4d6kh3 + 2"): the notation of virtual tabletops, evaluated while the
// recipe runs.

package dice

import (
	"context"
	"errors"
	"fmt"

	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Roll is the value of roll(text), and what was read. The thread is that of its operators.
func Roll(ctx context.Context, thread *starlark.Thread, text string) (starlark.Value, notation.Expr, error) {
	x, err := notation.ParseRoll(text)
	if err != nil {
		return nil, nil, rollError(text, err)
	}
	v, err := (&roller{ctx, thread}).evaluate(x)
	return v, x, err
}

// A roller evaluates one text.
type roller struct {
	ctx    context.Context
	thread *starlark.Thread
}

// rollError names the place in a text that is not the recipe's own.
func rollError(text string, err error) error {
	e, ok := err.(*notation.Error)
	if !ok {
		return err
	}
	return fmt.Errorf("%s at character %d of %s", e.Msg, e.Col, starlark.String(text))
}

func (r *roller) evaluate(x notation.Expr) (starlark.Value, error) {
	switch x := x.(type) {
	case *notation.Number:
		return starlark.MakeInt(x.Value), nil
	case *notation.Range:
		return bandValue(&x.Band)
	case *notation.Dice:
		d, err := makeDice(r.ctx, x.Literal)
		if err != nil {
			return nil, err
		}
		return r.modify(d, x.Modifiers)
	case *notation.Group:
		return r.group(x)
	case *notation.Negate:
		v, err := r.evaluate(x.X)
		if err != nil {
			return nil, err
		}
		return value.Unary(r.thread, syntax.MINUS, v)
	case *notation.Binary:
		return r.binary(x)
	}
	return nil, fmt.Errorf("this notation is not known")
}

var notationOps = map[string]syntax.Token{
	"+": syntax.PLUS, "-": syntax.MINUS, "*": syntax.STAR, "//": syntax.SLASHSLASH,
}

func (r *roller) binary(x *notation.Binary) (starlark.Value, error) {
	left, err := r.evaluate(x.X)
	if err != nil {
		return nil, err
	}
	right, err := r.evaluate(x.Y)
	if err != nil {
		return nil, err
	}
	return value.Binary(r.thread, notationOps[x.Op], left, right)
}

// group is an expression in parentheses, whose modifiers are about its dice:
// in (d8 + d6)kh1 about both of them, although d8 + d6 alone is a total.
func (r *roller) group(x *notation.Group) (starlark.Value, error) {
	if len(x.Modifiers) > 0 {
		d, err := r.diceOf(x.X)
		if err != nil {
			return nil, err
		}
		if d.pool != nil {
			d.single = d.pool.Size() == 1
			return r.modify(d, x.Modifiers)
		}
	}
	v, err := r.evaluate(x.X)
	if err != nil || len(x.Modifiers) == 0 {
		return v, err
	}
	switch v := v.(type) {
	case *value.Pool:
		return r.modify(dice{pool: v.Pool()}, x.Modifiers)
	case *value.Roll:
		pool, err := dist.NewPool(v.Dist())
		if err != nil {
			return nil, err
		}
		return r.modify(dice{pool: pool, single: true}, x.Modifiers)
	}
	return nil, fmt.Errorf("%s is about dice, and there are none in the parentheses before it", x.Modifiers[0].Text)
}

// diceOf are the dice of which notation is the plain sum, without a pool when it
// is anything else.
func (r *roller) diceOf(x notation.Expr) (dice, error) {
	switch x := x.(type) {
	case *notation.Dice:
		d, err := makeDice(r.ctx, x.Literal)
		for _, m := range x.Modifiers {
			if err != nil || m.Action == notation.KeepDrop || m.Action == notation.Count {
				return dice{}, err
			}
			d, err = d.modified(r.ctx, m)
		}
		return d, err
	case *notation.Group:
		if len(x.Modifiers) == 0 {
			return r.diceOf(x.X)
		}
	case *notation.Binary:
		if x.Op != "+" {
			return dice{}, nil
		}
		left, err := r.diceOf(x.X)
		if err != nil || left.pool == nil {
			return dice{}, err
		}
		right, err := r.diceOf(x.Y)
		if err != nil || right.pool == nil {
			return dice{}, err
		}
		if !left.added.same(right.added) {
			return dice{}, errors.New("these dice add dice in different ways: write the ! once, after the parentheses, or !! where a die explodes by itself")
		}
		pool, err := left.pool.Join(right.pool)
		return dice{pool: pool, added: left.added}, err
	}
	return dice{}, nil
}

// modify applies modifiers in order. Dice that are counted after some have
// been kept are the kept ones.
func (r *roller) modify(d dice, mods []notation.Modifier) (starlark.Value, error) {
	for i, m := range mods {
		var err error
		if m.Action == notation.KeepDrop && i+1 < len(mods) && mods[i+1].Action == notation.Count {
			when, err := bandSet(mods[i+1].When)
			if err != nil {
				return nil, err
			}
			d, err = d.countKept(r.ctx, m.Select, m.N, when)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Text, err)
			}
			return d.value(), nil
		}
		if d.pool == nil || d.total != nil {
			return nil, fmt.Errorf("%s comes after the dice have been added up", m.Text)
		}
		if d, err = d.modified(r.ctx, m); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Text, err)
		}
	}
	d, err := d.together(r.ctx)
	if err != nil {
		return nil, err
	}
	return d.value(), nil
}
