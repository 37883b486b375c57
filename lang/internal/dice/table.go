// roll("...", dialect="..."): what virtual tabletops write, as their documents say.

package dice

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/builtins/suggest"
	"dicescript/dist"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
)

// Table is the value of roll(text, dialect, inputs): the total that the table shows.
func Table(ctx context.Context, dialect, text string, inputs map[string]int) (starlark.Value, error) {
	if !slices.Contains(notation.Dialects(), dialect) {
		return nil, fmt.Errorf("roll: dialect: got %q, want %s%s", dialect, strings.Join(notation.Dialects(), ", "),
			suggest.DidYouMean(suggest.Among(dialect, notation.Dialects())))
	}
	f, err := notation.ParseTable(notation.Dialect(dialect), text)
	if err != nil {
		return nil, rollError(text, err)
	}
	for _, name := range f.Names {
		if _, ok := inputs[name]; !ok {
			return nil, fmt.Errorf("roll: inputs: %s has no value, want one as in inputs={%q: 3}", name, name)
		}
	}
	t := tableRoller{ctx, f.Dialect, inputs}
	x, err := t.term(f.X)
	if err == nil {
		x, err = t.finished(x)
	}
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, starlark.String(text))
	}
	return builtins.NewRoll(x.d), nil
}

// A tableRoller evaluates one formula.
type tableRoller struct {
	ctx     context.Context
	dialect notation.Dialect
	inputs  map[string]int
}

// A part is a number that a formula comes to: what d shows, over a divisor.
type part struct {
	d     *dist.Dist
	under int
}

// isWhole reports whether the number is one, whatever the dice show.
func (x part) isWhole() bool { return x.under == 1 }

// constant is the number where there are no dice in it.
func (x part) constant() (n int, ok bool) {
	if x.under != 1 || x.d.Len() != 1 || x.d.Bound() > 0 {
		return 0, false
	}
	return x.d.Min(), true
}

// finished is a whole total. Avrae cuts what is behind the point off.
func (t tableRoller) finished(x part) (part, error) {
	if x.isWhole() {
		return x, nil
	}
	if t.dialect == notation.Avrae {
		d, err := x.d.Map(t.ctx, func(n int) (int, error) { return n / x.under, nil })
		return part{d, 1}, err
	}
	reduced, whole, err := t.reduced(x)
	if err != nil || whole {
		return reduced, err
	}
	return x, fmt.Errorf("the total has fractions, which a roll has not: write floor(...), ceil(...) or round(...)")
}

// reduced divides where every result can be divided.
func (t tableRoller) reduced(x part) (part, bool, error) {
	whole := true
	d, err := x.d.Map(t.ctx, func(n int) (int, error) {
		whole = whole && n%x.under == 0
		return n / x.under, nil
	})
	return part{d, 1}, whole, err
}

func (t tableRoller) term(x notation.Term) (part, error) {
	switch x := x.(type) {
	case *notation.Fixed:
		return part{dist.Constant(x.Over), x.Under}, nil
	case *notation.TableName:
		return part{dist.Constant(t.inputs[x.Name]), 1}, nil
	case *notation.TableDice:
		d, err := t.dice(x)
		return part{d, 1}, err
	case *notation.TableGroup:
		d, err := t.group(x)
		return part{d, 1}, err
	case *notation.TableCall:
		return t.call(x)
	case *notation.TableOp:
		return t.operation(x)
	}
	return part{}, fmt.Errorf("this notation is not known")
}

// whole is a term that has to be whole.
func (t tableRoller) whole(x notation.Term) (*dist.Dist, error) {
	v, err := t.term(x)
	if err != nil {
		return nil, err
	}
	if !v.isWhole() {
		return nil, fmt.Errorf("fractions can't be chosen from: write floor(...)")
	}
	return v.d, nil
}

func (t tableRoller) operation(x *notation.TableOp) (part, error) {
	right, err := t.term(x.Y)
	if err != nil {
		return right, err
	}
	if x.X == nil {
		d, err := right.d.Neg(t.ctx)
		return part{d, right.under}, err
	}
	left, err := t.term(x.X)
	if err != nil {
		return left, err
	}
	switch x.Op {
	case "*":
		d, err := left.d.Mul(t.ctx, right.d)
		return t.over(d, left.under, right.under, err)
	case "/":
		return t.divided(left, right)
	case "//", "%":
		return t.remainder(x.Op, left, right)
	}
	if left, right, err = t.common(left, right); err != nil {
		return left, err
	}
	if x.Op == "+" {
		d, err := left.d.Add(t.ctx, right.d)
		return part{d, left.under}, err
	}
	d, err := left.d.Sub(t.ctx, right.d)
	if err != nil || x.Op == "-" {
		return part{d, left.under}, err
	}
	d, err = d.Map(t.ctx, func(n int) (int, error) {
		holds := map[string]bool{"==": n == 0, "!=": n != 0, ">": n > 0, "<": n < 0, ">=": n >= 0, "<=": n <= 0}
		if holds[x.Op] {
			return 1, nil
		}
		return 0, nil
	})
	return part{d, 1}, err
}

// mostUnder bounds a divisor.
const mostUnder = 1_000_000_000

func (t tableRoller) over(d *dist.Dist, a, b int, err error) (part, error) {
	if err == nil && a > mostUnder/b {
		err = fmt.Errorf("the divisors are too large")
	}
	return part{d, a * b}, err
}

// common are two numbers over one divisor.
func (t tableRoller) common(x, y part) (part, part, error) {
	if x.under == y.under {
		return x, y, nil
	}
	gcd := int(new(big.Int).GCD(nil, nil, big.NewInt(int64(x.under)), big.NewInt(int64(y.under))).Int64())
	if x.under/gcd > mostUnder/y.under {
		return x, y, fmt.Errorf("the divisors are too large")
	}
	under := x.under / gcd * y.under
	a, err := x.d.Scale(t.ctx, under/x.under)
	if err != nil {
		return x, y, err
	}
	b, err := y.d.Scale(t.ctx, under/y.under)
	return part{a, under}, part{b, under}, err
}

// divided is x / y, of a number y.
func (t tableRoller) divided(x, y part) (part, error) {
	if y.d.Len() != 1 || y.d.Bound() > 0 {
		return x, fmt.Errorf("the divisor of / has to be a number: it has dice in it")
	}
	by := y.d.Min()
	if by == 0 {
		return x, fmt.Errorf("division by zero")
	}
	scale := y.under
	if by < 0 {
		by, scale = -by, -scale
	}
	d, err := x.d.Scale(t.ctx, scale)
	return t.over(d, x.under, by, err)
}

// remainder is x // y and x % y of whole numbers, rounded down in Avrae; elsewhere the
// remainder has the sign of x.
func (t tableRoller) remainder(op string, x, y part) (part, error) {
	n, ok := y.constant()
	switch {
	case !ok || !x.isWhole():
		return x, fmt.Errorf("%s wants whole numbers, and no dice behind it", op)
	case n == 0:
		return x, fmt.Errorf("division by zero")
	}
	d, err := x.d.Map(t.ctx, func(m int) (int, error) {
		down, rest := m/n, m%n
		if rest != 0 && (rest < 0) != (n < 0) && t.dialect == notation.Avrae {
			down, rest = down-1, rest+n
		}
		if op == "%" {
			return rest, nil
		}
		return down, nil
	})
	return part{d, 1}, err
}

// call is floor(x) and the like.
func (t tableRoller) call(x *notation.TableCall) (part, error) {
	args := make([]part, len(x.Args))
	for i, a := range x.Args {
		var err error
		if args[i], err = t.term(a); err != nil {
			return part{}, err
		}
	}
	if x.Name == "min" || x.Name == "max" {
		return t.extreme(x.Name, args)
	}
	a := args[0]
	d, err := a.d.Map(t.ctx, func(n int) (int, error) {
		down := n / a.under
		if n%a.under < 0 {
			down--
		}
		rest := n - down*a.under // from 0 to below under
		switch x.Name {
		case "ceil":
			if rest > 0 {
				down++
			}
		case "round": // halves go up, also below 0
			if 2*rest >= a.under {
				down++
			}
		case "abs":
			return max(n, -n), nil
		}
		return down, nil
	})
	if x.Name == "abs" {
		return part{d, a.under}, err
	}
	return part{d, 1}, err
}

func (t tableRoller) extreme(name string, args []part) (part, error) {
	all := []*dist.Dist{}
	under := 1
	for i := range args {
		first, next, err := t.common(part{dist.Constant(0), under}, args[i])
		if err != nil {
			return part{}, err
		}
		for k, d := range all {
			if all[k], err = d.Scale(t.ctx, first.under/under); err != nil {
				return part{}, err
			}
		}
		all, under = append(all, next.d), first.under
	}
	f := dist.Max
	if name == "min" {
		f = dist.Min
	}
	d, err := f(t.ctx, all...)
	return part{d, under}, err
}
