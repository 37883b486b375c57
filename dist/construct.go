package dist

import (
	"context"
	"math"
	"math/big"
	"sort"
	"sync"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// Constructors of single dice. Those that take no context build no more than what
// they are given or, for a fair die, than maxDie, and reduce nothing.

// maxDie is the largest number of faces that a constructor builds.
const maxDie = 1 << 24

// Die returns a fair die with the faces 1 to sides.
func Die(sides int) (*Dist, error) {
	if sides < 1 {
		return nil, badArg("sides", "got %d, want at least 1", sides)
	}
	if sides > maxDie {
		return nil, badArg("sides", "got %s, want at most %s", upper.Grouped(int64(sides)), upper.Grouped(maxDie))
	}
	if sides <= largestCommonDie {
		return commonDice()[sides], nil
	}
	return uniform(1, sides), nil
}

// largestCommonDie is the largest of the dice that are on every table, which are made
// once: a die never changes.
const largestCommonDie = 20

var commonDice = sync.OnceValue(func() (dice [largestCommonDie + 1]*Dist) {
	for sides := 1; sides < len(dice); sides++ {
		dice[sides] = uniform(1, sides)
	}
	return dice
})

// Uniform returns the equally likely integers from lo to hi.
func Uniform(lo, hi int) (*Dist, error) {
	if lo > hi {
		return nil, badArg("hi", "got %d, want at least lo, which is %d", hi, lo)
	}
	if axis.Span(lo, hi) >= maxDie {
		return nil, badArg("hi", "got more than %s outcomes from %d to %d", upper.Grouped(maxDie), lo, hi)
	}
	return uniform(lo, hi-lo+1), nil
}

func uniform(lo, n int) *Dist {
	w := nat.NewVec(n, 1)
	for i := range w.Data {
		w.Data[i] = 1
	}
	return &Dist{axis: axis.Axis{Lo: lo, Step: 1, N: n}, w: w, total: big.NewInt(int64(n)), size: n}
}

// Constant returns the distribution of an outcome that is certain.
func Constant(n int) *Dist { return uniform(n, 1) }

// Faces returns a die on which each of the given faces is equally likely. A
// face that is listed twice is twice as likely.
func Faces(faces ...int) (*Dist, error) {
	if len(faces) == 0 {
		return nil, badArg("faces", "got none, want at least one")
	}
	sorted := append([]int(nil), faces...)
	sort.Ints(sorted)
	list, w := sorted[:0:0], []nat.Limb(nil)
	for i, x := range sorted {
		if i > 0 && x == sorted[i-1] {
			w[len(w)-1]++
			continue
		}
		list, w = append(list, x), append(w, 1)
	}
	return smallDist(axis.Axis{List: list}, nat.Vec{Words: 1, Data: w}, nil), nil
}

// Weighted returns a die that shows faces[i] with a chance in proportion to
// weights[i]. Weights must not be negative; a face of weight zero is left out,
// and the weights of a face that is listed twice are added.
//
// Cost: that of reducing the weights by their greatest common divisor.
func Weighted(ctx context.Context, faces []int, weights []*big.Int) (*Dist, error) {
	if len(faces) != len(weights) {
		return nil, badArg("weights", "got %d for %d faces", len(weights), len(faces))
	}
	var t Tally[int]
	for i, x := range faces {
		w, err := NewWeight(weights[i])
		if err != nil {
			return nil, badArg("weights", "got %v for face %d, want at least 0", weights[i], x)
		}
		t.Add(x, w)
	}
	return TallyDist(ctx, &t, 0)
}

// Coin returns 1 with chance p and 0 otherwise.
func Coin(p *big.Rat) (*Dist, error) {
	if p.Sign() < 0 || p.Cmp(big.NewRat(1, 1)) > 0 {
		return nil, badArg("p", "got %s, want a chance from 0 to 1", p.RatString())
	}
	total := new(big.Int).Set(p.Denom())
	w := nat.NewVec(2, nat.WordsFor(total))
	nat.PutInt(w.At(0), new(big.Int).Sub(total, p.Num()))
	nat.PutInt(w.At(1), p.Num())
	return newPrimitive(axis.Axis{Lo: 0, Step: 1, N: 2}, w, total, nil), nil
}

// Near returns a distribution as [Weighted] does, which stands for one that lies within
// bound of it in total variation, and of which no more is known than the mean and the
// variance, where they are not nil: what another program has written down of an unlimited
// roll. The bound is from 0 to 1; with 0 it is that of Weighted.
//
// Cost: that of Weighted.
func Near(ctx context.Context, faces []int, weights []*big.Int, bound float64, mean, variance *big.Rat) (*Dist, error) {
	if !(bound >= 0 && bound <= 1) {
		return nil, badArg("bound", "got %v, want one from 0 to 1", bound)
	}
	d, err := Weighted(ctx, faces, weights)
	if err != nil || bound == 0 {
		return d, err
	}
	t := &tail{err: bound, above: true, below: true, d1: math.Inf(1), d2: math.Inf(1)}
	if mean != nil {
		t.m1 = new(big.Rat).Set(mean)
		if variance != nil {
			square := new(big.Rat).Mul(mean, mean)
			t.m2 = square.Add(square, variance)
		}
	}
	return d.withTail(t), nil
}
