package anydice

import (
	"math/big"

	"dicescript/dist"
)

// A die is weights over totals and the pool behind it: so many dice with the
// same faces. 3d6 is a pool of three; every computed die is a pool of one,
// whose faces are its totals.
type die struct {
	base  *dist.Dist // the faces of one of the dice; nil when there are none
	count int        // of dice; 0 for the empty die, 1 for the empty die "of one"
	slip  slip       // of the faces
}

// The empty die has no outcomes. That "of one" is what is left of a roll that
// cannot be made: it counts as one die.
var (
	empty      = &die{}
	emptyOfOne = &die{count: 1}
)

func (d *die) isEmpty() bool { return d.base == nil }

// single returns a die that is a pool of one.
func single(base *dist.Dist, s slip) *die { return &die{base: base, count: 1, slip: s} }

func constant(n int) *die { return single(dist.Constant(n), nil) }

// isFair says whether the faces are 1 to k of equal weight.
func isFair(d *dist.Dist) bool {
	return d.Min() == 1 && d.Max() == d.Len() && d.Total().Cmp(big.NewInt(int64(d.Len()))) == 0
}

// fair returns one die with the faces that a number stands for: 1 to k, or k to
// -1 when it is negative, or the one face 0.
func (r *run) fair(k int) (*die, error) {
	if d, ok := r.fairDice[k]; ok {
		return d, nil
	}
	if k == 0 {
		return constant(0), nil
	}
	sides := int64(max(k, -max(k, -1<<62)))
	if err := dist.ChargeTable(r.ctx, sides, 1); err != nil {
		return nil, err
	}
	var base *dist.Dist
	var err error
	if k > 0 {
		base, err = dist.Die(k)
	} else {
		base, err = dist.Uniform(k, -1)
	}
	if err != nil {
		return nil, err
	}
	d := single(base, nil)
	r.fairDice[k] = d
	return d, nil
}

// dieOfFaces returns a die with one face for each element.
func (r *run) dieOfFaces(faces []int) (*die, error) {
	if len(faces) == 0 {
		return empty, nil
	}
	if err := r.holdElements(len(faces)); err != nil {
		return nil, err
	}
	base, err := dist.Faces(faces...)
	if err != nil {
		return nil, err
	}
	return single(base, nil), nil
}

// toDie turns a number into a die with that one face, and a sequence into one
// with its sum.
func (r *run) toDie(v value) (*die, error) {
	s, err := scalar(v)
	if err != nil {
		return nil, err
	}
	if s.kind == dieValue {
		return s.die, nil
	}
	return constant(s.n), nil
}

// A sumKey is what the sum of some equal dice is remembered by.
type sumKey struct {
	base  *dist.Dist
	count int
}

// total returns the distribution of the sum of a pool that is not empty.
func (r *run) total(d *die) (*dist.Dist, error) {
	t, _, err := r.totalAndSlip(d)
	return t, err
}

func (r *run) totalAndSlip(d *die) (*dist.Dist, slip, error) {
	if d.count == 1 {
		return d.base, d.slip, nil
	}
	d = &die{base: r.canonical(d.base), count: d.count, slip: d.slip}
	key := sumKey{d.base, d.count}
	s := d.slip.times(d.count)
	if known, ok := r.sums[key]; ok {
		return known.base, s.plus(known.slip), nil
	}
	base, moved, err := r.fit(d.base, nil, d.count)
	if err != nil {
		return nil, nil, err
	}
	sum, err := base.Times(r.ctx, d.count)
	if err != nil {
		return nil, nil, err
	}
	moved = moved.times(d.count)
	r.sums[key] = single(sum, moved)
	return sum, s.plus(moved), nil
}

// asSingle returns a die as a pool of one.
func (r *run) asSingle(d *die) (*die, error) {
	if d.isEmpty() || d.count == 1 {
		return d, nil
	}
	t, s, err := r.totalAndSlip(d)
	return single(t, s), err
}

// rollDice is the operator d between a count and faces.
func (r *run) rollDice(count, faces value) (value, error) {
	count, err := scalar(count)
	if err != nil {
		return value{}, err
	}
	d, err := r.facesOf(faces)
	if err != nil {
		return value{}, err
	}
	switch {
	case count.kind == dieValue && (count.die.isEmpty() || d.isEmpty()):
		return dice(emptyOfOne), nil
	case count.kind == dieValue:
		d, err = r.randomCount(count.die, d)
		return dice(d), err
	case d.isEmpty():
		return dice(empty), nil
	case count.n == 0:
		return dice(constant(0)), nil
	case count.n == 1:
		return dice(d), nil
	}
	if d, err = r.asSingle(d); err != nil {
		return value{}, err
	}
	n := count.n
	if n < 0 {
		if n, _ = sub(0, n); n < 0 {
			return value{}, errRange
		}
		if d, err = r.negated(d); err != nil {
			return value{}, err
		}
	}
	return dice(&die{base: d.base, count: n, slip: d.slip}), nil
}

// facesOf returns the die that a value stands for on the right of d.
func (r *run) facesOf(v value) (*die, error) {
	switch v.kind {
	case numberValue:
		return r.fair(v.n)
	case dieValue:
		return v.die, nil
	}
	seq, err := elements(v)
	if err != nil {
		return nil, err
	}
	return r.dieOfFaces(seq)
}

// negated returns the pool with negated faces.
func (r *run) negated(d *die) (*die, error) {
	if d.isEmpty() {
		return d, nil
	}
	base, err := d.base.Neg(r.ctx)
	return &die{base: base, count: d.count, slip: d.slip}, err
}

// randomCount returns the sum of as many dice as another die shows; a negative
// number of them counts with negated faces.
func (r *run) randomCount(count, d *die) (*die, error) {
	n, nSlip, err := r.totalAndSlip(count)
	if err != nil {
		return nil, err
	}
	t, tSlip, err := r.totalAndSlip(d)
	if err != nil {
		return nil, err
	}
	most := max(n.Max(), -max(n.Min(), -1<<62))
	if t, tSlip, err = r.fit(t, tSlip, most); err != nil {
		return nil, err
	}
	if n, nSlip, err = r.fit(n, nSlip, 1); err != nil {
		return nil, err
	}
	s := nSlip.plus(tSlip.times(most))
	if n.Min() >= 0 {
		sum, err := dist.TimesRolled(r.ctx, n, t)
		return single(sum, s), err
	}
	var m mixer
	for _, side := range []dist.Set{dist.UpTo(-1), dist.From(0)} {
		p := n.In(side)
		if p.Sign() == 0 {
			continue
		}
		sum, err := r.countedSide(n, t, side)
		if err != nil {
			return nil, err
		}
		m.addDie(single(sum, nil), p)
	}
	out, err := m.finish(r, nil)
	if err != nil {
		return nil, err
	}
	return single(out.base, s), nil
}

// countedSide is the sum for the counts on one side of 0.
func (r *run) countedSide(n, t *dist.Dist, side dist.Set) (*dist.Dist, error) {
	n, err := n.Keep(r.ctx, side)
	if err != nil {
		return nil, err
	}
	if n.Max() < 0 {
		if n, err = n.Neg(r.ctx); err != nil {
			return nil, err
		}
		if t, err = t.Neg(r.ctx); err != nil {
			return nil, err
		}
	}
	return dist.TimesRolled(r.ctx, n, t)
}
