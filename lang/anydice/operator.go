package anydice

import (
	"context"
	"math/big"

	"dicescript/dist"
)

// Operators on any kinds of values. Two numbers give a number; a die among the
// operands gives a die, for which every pair of outcomes counts; a sequence
// becomes its sum, except when it is compared with a number (how many elements)
// or with a sequence (in order).

func (e *prefixed) eval(r *run) (value, error) {
	x, err := e.x.eval(r)
	if err != nil {
		return value{}, err
	}
	if err := r.step(); err != nil {
		return value{}, located(e.at, err)
	}
	v, err := r.prefix(e.op, x)
	return v, located(e.at, err)
}

func (r *run) prefix(op operator, x value) (value, error) {
	switch op {
	case opPlus:
		return x, nil
	case opLength:
		return length(x), nil
	case opDice:
		d, err := r.facesOf(x)
		return dice(d), err
	}
	x, err := scalar(x)
	if err != nil {
		return value{}, err
	}
	switch {
	case x.kind == numberValue && op == opNot:
		return truth(x.n == 0), nil
	case x.kind == numberValue:
		n, err := arithmetic(opMinus, 0, x.n)
		return number(n), err
	case op == opMinus:
		d, err := r.negated(x.die)
		return dice(d), err
	case x.die.isEmpty():
		return x, nil
	}
	t, s, err := r.totalAndSlip(x.die)
	if err != nil {
		return value{}, err
	}
	return r.coin(t.PMF(0), s)
}

// length is what # gives: digits, elements, or dice.
func length(x value) value {
	switch x.kind {
	case numberValue:
		return number(len(digits(x.n)))
	case sequenceValue:
		return number(len(x.seq))
	case rollValue:
		return number(x.roll.pool.count)
	}
	return number(x.die.count)
}

func (e *infix) eval(r *run) (value, error) {
	x, err := e.x.eval(r)
	if err != nil {
		return value{}, err
	}
	y, err := e.y.eval(r)
	if err != nil {
		return value{}, err
	}
	if err := r.step(); err != nil {
		return value{}, located(e.at, err)
	}
	var v value
	switch {
	case e.op == opDice:
		v, err = r.rollDice(x, y)
	case e.op == opAt:
		if x.kind == dieValue {
			return v, faultf(e.x.place(), "@: got %s on the left, want a number or a sequence of positions", x.describe())
		}
		v, err = r.position(x, y)
	case x.kind == numberValue && y.kind == numberValue:
		v.kind = numberValue
		v.n, err = arithmetic(e.op, x.n, y.n)
	default:
		v, err = r.infix(e.op, x, y)
	}
	if err != nil {
		return v, located(e.at, err)
	}
	return v, nil
}

// infix is an operator other than d and @.
func (r *run) infix(op operator, x, y value) (value, error) {
	if op.isComparison() && x.kind != dieValue && y.kind != dieValue {
		return r.compared(op, x, y)
	}
	x, err := scalar(x)
	if err != nil {
		return value{}, err
	}
	if y, err = scalar(y); err != nil {
		return value{}, err
	}
	if x.kind == numberValue && y.kind == numberValue {
		n, err := arithmetic(op, x.n, y.n)
		return number(n), err
	}
	if isNothing(x) || isNothing(y) {
		return r.withNothing(op, x, y)
	}
	return r.combined(op, x, y)
}

// compared compares where a sequence is not its sum.
func (r *run) compared(op operator, x, y value) (value, error) {
	switch {
	case x.kind == numberValue && y.kind == numberValue:
		return truth(holds(op, x.n, y.n)), nil
	case y.kind == numberValue:
		return r.countHolding(op, x, y.n)
	case x.kind == numberValue:
		return r.countHolding(op.turned(), y, x.n)
	}
	a, err := elements(x)
	if err != nil {
		return value{}, err
	}
	b, err := elements(y)
	if err != nil {
		return value{}, err
	}
	if err := r.spend(min(len(a), len(b)) / 8); err != nil {
		return value{}, err
	}
	return truth(holds(op, inOrder(a, b), 0)), nil
}

// countHolding counts the elements of a sequence for which a comparison holds.
func (r *run) countHolding(op operator, s value, n int) (value, error) {
	if s.kind == rollValue {
		k, err := s.roll.linear(func(face int) int { return one(holds(op, face, n)) })
		return number(k), err
	}
	if err := r.spend(len(s.seq) / 8); err != nil {
		return value{}, err
	}
	count := 0
	for _, x := range s.seq {
		if holds(op, x, n) {
			count++
		}
	}
	return number(count), nil
}

// inOrder compares two sequences like words in a dictionary: -1, 0 or 1.
func inOrder(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return one(a[i] > b[i]) - one(a[i] < b[i])
		}
	}
	return one(len(a) > len(b)) - one(len(a) < len(b))
}

func isNothing(v value) bool { return v.kind == dieValue && v.die.isEmpty() }

// withNothing is an operator with an empty die among its operands: a sum
// ignores it, a logical or too, and everything else gives it.
func (r *run) withNothing(op operator, x, y value) (value, error) {
	other := x
	if isNothing(x) {
		other = y
	}
	if isNothing(other) {
		return dice(empty), nil
	}
	switch op {
	case opPlus:
		return other, nil
	case opMinus:
		if isNothing(y) {
			return other, nil
		}
		if other.kind == numberValue {
			return r.prefix(opMinus, other)
		}
		d, err := r.negated(other.die)
		if err == nil {
			d, err = r.asSingle(d)
		}
		return dice(d), err
	case opOr:
		if other.kind == numberValue {
			return truth(other.n != 0), nil
		}
		return other, nil
	}
	return dice(empty), nil
}

// combined is an operator with a die among its operands and no empty one.
func (r *run) combined(op operator, x, y value) (value, error) {
	a, err := r.singleOf(x)
	if err != nil {
		return value{}, err
	}
	b, err := r.singleOf(y)
	if err != nil {
		return value{}, err
	}
	if a, b, err = r.fitBoth(a, b); err != nil {
		return value{}, err
	}
	s := a.slip.plus(b.slip)
	switch {
	case op == opAnd:
		return r.coin(new(big.Rat).Mul(notZero(a.base), notZero(b.base)), s)
	case op == opOr:
		neither := new(big.Rat).Mul(a.base.PMF(0), b.base.PMF(0))
		return r.coin(neither.Sub(oneRat, neither), s)
	case op.isComparison():
		p, err := compareChance(r.ctx, op, a.base, b.base)
		if err != nil {
			return value{}, err
		}
		return r.coin(p, s)
	}
	out, err := pairwise(r.ctx, op, a.base, b.base)
	return dice(single(out, s)), err
}

// singleOf turns a number or a die into a pool of one.
func (r *run) singleOf(v value) (*die, error) {
	if v.kind == numberValue {
		return constant(v.n), nil
	}
	return r.asSingle(v.die)
}

var oneRat = big.NewRat(1, 1)

func notZero(d *dist.Dist) *big.Rat {
	p := d.PMF(0)
	return p.Sub(oneRat, p)
}

// coin is the die that is 1 with chance p and 0 otherwise.
func (r *run) coin(p *big.Rat, s slip) (value, error) {
	base, err := dist.Coin(p)
	return dice(single(base, s)), err
}

// compareChance is the chance that a comparison of two independent rolls holds.
func compareChance(ctx context.Context, op operator, a, b *dist.Dist) (*big.Rat, error) {
	if b.Len() == 1 {
		return chanceAgainst(op, a, b.Min()), nil
	}
	if a.Len() == 1 {
		return chanceAgainst(op.turned(), b, a.Min()), nil
	}
	c, err := dist.Compare(ctx, a, b)
	if err != nil {
		return nil, err
	}
	switch op {
	case opEqual:
		return c.Equal, nil
	case opUnequal:
		return c.Equal.Sub(oneRat, c.Equal), nil
	case opLess:
		return c.Less, nil
	case opGreater:
		return c.Greater, nil
	case opAtMost:
		return c.Greater.Sub(oneRat, c.Greater), nil
	}
	return c.Less.Sub(oneRat, c.Less), nil
}

// chanceAgainst is the chance that a roll compares with a number.
func chanceAgainst(op operator, a *dist.Dist, n int) *big.Rat {
	switch op {
	case opEqual:
		return a.PMF(n)
	case opUnequal:
		p := a.PMF(n)
		return p.Sub(oneRat, p)
	case opLess:
		return a.LessThan(n)
	case opGreater:
		return a.MoreThan(n)
	case opAtMost:
		return a.AtMost(n)
	}
	return a.AtLeast(n)
}

// pairwise is arithmetic on every pair of outcomes of two independent rolls.
func pairwise(ctx context.Context, op operator, a, b *dist.Dist) (*dist.Dist, error) {
	switch op {
	case opPlus:
		return a.Add(ctx, b)
	case opMinus:
		return a.Sub(ctx, b)
	case opTimes:
		return a.Mul(ctx, b)
	}
	if b.Len() == 1 {
		n := b.Min()
		return a.Map(ctx, func(x int) (int, error) { return arithmetic(op, x, n) })
	}
	var t dist.Tally[int]
	err := dist.Tuples(ctx, []*dist.Dist{a, b}, func(faces []int, w dist.Weight) error {
		n, err := arithmetic(op, faces[0], faces[1])
		t.Add(n, w)
		return err
	})
	if err != nil {
		return nil, err
	}
	return dist.TallyDist(ctx, &t, 0)
}
