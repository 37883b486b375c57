package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Rounding is for distributions whose exact weights would double in length at
// every pass of a process. The weights become multiples of 2^-bits of the
// total, no possible outcome is lost, and how far the chances may have moved is
// a bound like that of a cut process. Bounds far below the smallest float stay
// meaningful here, because what follows may divide by a tiny chance.

// Rounded returns d with its chances rounded to multiples of 2^-bits, and an
// upper bound on the total-variation distance between the two, which is rounded
// up. Every outcome of d keeps a positive chance. It is an error when d is an
// unlimited roll, and when 2^bits does not leave room for every outcome.
//
// Each weight but the largest is rounded down, or up to 1 from below it, which
// moves it by less than 1; the largest takes up the rest, which is less than
// the number of outcomes. So the distance, half the sum of all moves, is less
// than that number times 2^-bits. Cost: a division for each outcome.
func (d *Dist) Rounded(ctx context.Context, bits int) (*Dist, *big.Float, error) {
	if d.tail != nil {
		return nil, nil, badArg("roll", "it is unlimited, want one with exact chances")
	}
	if bits < 64 || bits > maxWords*nat.LimbBits/2 {
		return nil, nil, badArg("bits", "got %d, want from 64 to %d", bits, maxWords*nat.LimbBits/2)
	}
	words := bits/nat.LimbBits + 1
	n := d.axis.Len()
	if err := chargeWeights(ctx, int64(n), int64(words)); err != nil {
		return nil, nil, err
	}
	each := nat.DivisionWork * int64(words) * int64(d.w.Words) // the quotient has as many words as the result
	if err := ChargeWork(ctx, upper.MulSat(int64(n), each)); err != nil {
		return nil, nil, err
	}
	w, rest, largest := nat.NewVec(n, words), new(big.Int).Lsh(big.NewInt(1), uint(bits)), 0
	tick := work.NewTicker(ctx)
	one, q := big.NewInt(1), new(big.Int)
	for i := range n {
		x := d.w.At(i)
		if nat.IsZero(x) {
			continue
		}
		if nat.Cmp(x, d.w.At(largest)) > 0 {
			largest = i
		}
		q.Quo(q.Lsh(nat.View(nat.Trim(x)), uint(bits)), d.total)
		if q.Sign() == 0 {
			q.Set(one)
		}
		nat.PutInt(w.At(i), q)
		rest.Sub(rest, q)
		if err := tick.Tick(int(each)); err != nil {
			return nil, nil, err
		}
	}
	nat.PutInt(w.At(largest), rest.Add(rest, nat.View(nat.Trim(w.At(largest)))))
	out, err := newDist(ctx, d.axis, w, nil)
	if err != nil {
		return nil, nil, err
	}
	moved := new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf).SetInt64(int64(d.size))
	return out, moved.SetMantExp(moved, -bits), nil
}

// Within returns d standing for a distribution over integers from d.Min() to
// d.Max() of which only that it is within err of d is known: err becomes its
// [Dist.Bound]. An err of 0 returns d. It is an error when d is an
// unlimited roll already and when err is negative.
func (d *Dist) Within(err float64) (*Dist, error) {
	switch {
	case !(err >= 0):
		return nil, badArg("err", "got %v, want at least 0", err)
	case d.tail != nil:
		return nil, badArg("roll", "it is unlimited, want one with exact chances")
	case err == 0:
		return d, nil
	}
	return d.withTail(boundedTail(err, d.Min(), d.Max())), nil
}
