package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Matching sets: dice of a pool that show the same face. In general they are
// asked of the multiset state machine (evaluate.go). For equal fair dice there
// are closed recurrences, in which a face is a box and a die a labelled ball.

// LargestSet returns how many dice are in the largest set of dice that show
// the same face. Cost: for fair equal dice, size² times faces (or times size,
// when that is less) multiplications of a weight by a number; otherwise that of
// [Evaluate] with at most size states.
func (p *Pool) LargestSet(ctx context.Context) (*Dist, error) {
	if p.size == 0 {
		return Constant(0), nil
	}
	if f, n, ok := p.fair(); ok {
		return largestFair(ctx, f, n)
	}
	step := func(most, _, count int) (int, error) { return max(most, count), nil }
	return evaluateNumber(ctx, p.Multiset(), 0, step, same, p.countTail(1, p.size))
}

// Sets returns how many faces are shown by at least width dice. width must be
// at least 1; Sets(ctx, 1) is [Pool.Unique]. Cost: that of [Evaluate] with at
// most size/width states.
func (p *Pool) Sets(ctx context.Context, width int) (*Dist, error) {
	if width < 1 {
		return nil, badArg("width", "got %d, want at least 1", width)
	}
	if width > p.size {
		return Constant(0), nil
	}
	if width == 1 {
		return p.Unique(ctx)
	}
	step := func(sets, _, count int) (int, error) {
		if count >= width {
			sets++
		}
		return sets, nil
	}
	return evaluateNumber(ctx, p.Multiset(), 0, step, same, p.countTail(0, p.size/width))
}

// Pairs returns the number of disjoint pairs of dice that show the same face:
// four of a kind are two pairs. Cost: that of [Evaluate] with at most size/2
// states.
func (p *Pool) Pairs(ctx context.Context) (*Dist, error) {
	step := func(pairs, _, count int) (int, error) { return pairs + count/2, nil }
	return evaluateNumber(ctx, p.Multiset(), 0, step, same, p.countTail(0, p.size/2))
}

// Unique returns how many different faces show. Cost: for fair equal dice,
// size²/2 additions; otherwise that of [Evaluate] with at most size states.
func (p *Pool) Unique(ctx context.Context) (*Dist, error) {
	if p.size == 0 {
		return Constant(0), nil
	}
	if f, n, ok := p.fair(); ok {
		return uniqueFair(ctx, f, n)
	}
	step := func(faces, _, count int) (int, error) { return faces + min(1, count), nil }
	return evaluateNumber(ctx, p.Multiset(), 0, step, same, p.countTail(1, p.size))
}

func same(n int) int { return n }

// countTail is the tail of a number that lies between lo and hi.
func (p *Pool) countTail(lo, hi int) *tail { return boundedTail(p.Bound(), lo, hi) }

// fair returns the number of faces and of dice when all dice are alike and
// their faces equally likely.
func (p *Pool) fair() (faces, dice int, ok bool) {
	g := p.groups[0]
	if len(p.groups) > 1 || g.die.tail != nil || !g.die.total.IsInt64() || g.die.total.Int64() != int64(g.die.size) {
		return 0, 0, false
	}
	return g.die.size, g.count, true
}

// largestFair counts, for every m, the ways in which no face shows more than m
// times, which leaves those of exactly m as differences.
func largestFair(ctx context.Context, faces, dice int) (*Dist, error) {
	words := upper.MulSat(int64(dice), int64(big.NewInt(int64(faces)).BitLen()))/nat.LimbBits + 1
	steps := upper.MulSat(upper.MulSat(int64(dice), int64(dice)), int64(min(faces, 4*dice)))
	if err := chargeRoom(ctx, 4*(int64(dice)+1), words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(steps, 4*words+4)); err != nil {
		return nil, err
	}
	if err := chargeProduct(ctx, words); err != nil {
		return nil, err
	}
	total := new(big.Int).Exp(big.NewInt(int64(faces)), big.NewInt(int64(dice)), nil)
	least := (dice + faces - 1) / faces
	w := nat.NewVec(dice-least+1, nat.WordsFor(total))
	before := new(big.Int)
	boxes := newBoxes(ctx, faces, dice, nat.WordsFor(total))
	for m := least; m <= dice; m++ {
		ways := total
		if m < dice {
			var err error
			if ways, err = boxes.atMost(m); err != nil {
				return nil, err
			}
		}
		nat.PutInt(w.At(m-least), before.Sub(ways, before))
		before = ways
	}
	return newDist(ctx, axis.Axis{Lo: least, Step: 1, N: w.Len()}, w, nil)
}

// boxes counts the ways to put labelled balls into boxes with at most m each.
type boxes struct {
	tick         work.Ticker
	boxes, balls int
	choose       nat.Vec // C(N, chosen) for N up to balls, modulo the width of a weight
	chosen       int
	last, now    nat.Vec // rows of byBox
}

func newBoxes(ctx context.Context, count, balls, words int) *boxes {
	b := &boxes{tick: work.NewTicker(ctx), boxes: count, balls: balls}
	b.choose, b.last, b.now = nat.NewVec(balls+1, words), nat.NewVec(balls+1, words), nat.NewVec(balls+1, words)
	for n := range balls + 1 {
		b.choose.At(n)[0] = 1
	}
	return b
}

// atMost returns the number of ways with at most m balls in a box. m must not
// go down from call to call.
func (b *boxes) atMost(m int) (*big.Int, error) {
	if b.boxes/8 > m {
		return b.byBall(m)
	}
	for b.chosen < m {
		b.chooseMore()
	}
	return b.byBox(m)
}

// chooseMore goes on by Pascal's rule: C(N, k) = C(N-1, k) + C(N-1, k-1).
func (b *boxes) chooseMore() {
	b.chosen++
	w := b.choose.Words
	data := b.choose.Data
	copy(data[w:], data[:len(data)-w])
	clear(data[:w])
	nat.PrefixRow(data, w)
}

// byBox adds one box after the other. With E = sum of x^c/c! for c up to m,
// (E^f)' = f E^f - f x^m/m! E^(f-1), so that the numbers a_f(N) of ways for N
// balls obey a_f(N+1) = f (a_f(N) - C(N,m) a_(f-1)(N-m)).
func (b *boxes) byBox(m int) (*big.Int, error) {
	clear(b.last.Data)
	b.last.At(0)[0] = 1
	for f := 1; f <= b.boxes; f++ {
		if err := b.tick.Tick(4 * len(b.now.Data)); err != nil {
			return nil, err
		}
		if b.now.IsWord() {
			b.addBoxWord(m, nat.Limb(f))
		} else {
			b.addBox(m, nat.Limb(f))
		}
		b.last, b.now = b.now, b.last
	}
	return nat.Natural(b.last.At(b.balls)), nil
}

func (b *boxes) addBox(m int, f nat.Limb) {
	clear(b.now.At(0))
	b.now.At(0)[0] = 1
	w := b.now.Words
	for n := 0; n < b.balls; n++ {
		x := b.now.At(n + 1)
		copy(x, b.now.At(n))
		if n >= m {
			nat.AddScaled(x, b.last.At(n-m), w, b.choose.At(n), true)
		}
		nat.MulWord(x, f)
	}
}

func (b *boxes) addBoxWord(m int, f nat.Limb) {
	now, last, choose := b.now.Data, b.last.Data, b.choose.Data
	x := nat.Limb(1)
	now[0] = 1
	for n := 0; n < b.balls; n++ {
		if n >= m {
			x -= choose[n] * last[n-m]
		}
		if nat.Checking {
			nat.InsistScaledFits([]nat.Limb{0}, []nat.Limb{x}, f, "the ways to fill boxes")
		}
		x *= f
		now[n+1] = x
	}
}

// byBall adds one ball after the other: E Q' = f E' Q for Q = E^f compares to
// q(N+1) = sum over c < m of (f C(N,c) - C(N,c+1)) q(N-c).
func (b *boxes) byBall(m int) (*big.Int, error) {
	q := make([]*big.Int, b.balls+1)
	q[0] = big.NewInt(1)
	count := big.NewInt(int64(b.boxes))
	choose, next, factor, product := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	for n := 0; n < b.balls; n++ {
		sum := new(big.Int)
		choose.SetInt64(1)
		for c := 0; c < m && c <= n; c++ {
			next.Mul(choose, factor.SetInt64(int64(n-c)))
			next.Quo(next, factor.SetInt64(int64(c+1)))
			factor.Mul(count, choose)
			factor.Sub(factor, next)
			sum.Add(sum, product.Mul(factor, q[n-c]))
			choose, next = next, choose
			if err := b.tick.Tick(16 + 4*len(product.Bits())); err != nil {
				return nil, err
			}
		}
		q[n+1] = sum
	}
	return q[b.balls], nil
}

// uniqueFair counts surjections: exactly j given faces show in as many ways as
// there are maps of the dice onto them, and there are C(faces, j) choices.
func uniqueFair(ctx context.Context, faces, dice int) (*Dist, error) {
	onto, err := surjections(ctx, faces, dice)
	if err != nil {
		return nil, err
	}
	var t Tally[int]
	choose, factor := big.NewInt(1), new(big.Int)
	for j := 1; j < len(onto); j++ {
		choose.Mul(choose, factor.SetInt64(int64(faces-j+1)))
		choose.Quo(choose, factor.SetInt64(int64(j)))
		t.Add(j, weightOf(onto[j].Mul(onto[j], choose)))
	}
	return distFrom(ctx, &t, nil)
}

// surjections returns how many maps of the dice onto j faces there are, for j
// up to the smaller number of both: the j-th difference of i^dice at 0 (Stanley,
// "Enumerative Combinatorics" 1, 1.9).
func surjections(ctx context.Context, faces, dice int) ([]*big.Int, error) {
	most := min(faces, dice)
	words := upper.MulSat(int64(dice), int64(big.NewInt(int64(most)).BitLen()))/nat.LimbBits + 1
	if err := chargeRoom(ctx, int64(most)+1, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(upper.MulSat(int64(most), int64(most)/2+4), words+8)); err != nil {
		return nil, err
	}
	onto := make([]*big.Int, most+1)
	for i := range onto {
		if err := ChargeWork(ctx, 2*nat.Karatsuba(words)); err != nil {
			return nil, err
		}
		onto[i] = big.NewInt(int64(i))
		onto[i].Exp(onto[i], big.NewInt(int64(dice)), nil)
	}
	tick := work.NewTicker(ctx)
	for j := 1; j <= most; j++ {
		for i := most; i >= j; i-- {
			onto[i].Sub(onto[i], onto[i-1])
			if err := tick.Tick(4 + int(words)); err != nil {
				return nil, err
			}
		}
	}
	return onto, nil
}
