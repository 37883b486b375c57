package dist

import (
	"context"
	"math"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// A success pool is rolled in waves. Every die of a wave that shows an even face
// or its top face is a success, and every top face adds one die of the same size
// to the next wave. The first wave is the pool itself, and there are at most so
// many waves; a top face of the last one adds nothing.
//
// The dice do not see each other, so each die of the pool is a streak of its own
// (see streak.go): with chance 1/s it counts one and goes on. Only in the mode
// OnesCancel the dice of a wave depend on each other; see onesCancel.

// A SuccessMode says what the ones of a success pool do.
type SuccessMode int

const (
	Baseline   SuccessMode = iota // nothing
	OnesCancel                    // a wave in which any die shows 1 adds no dice; its successes count
	OnesRemove                    // each 1 of any wave takes one success off the final count
	Implode                       // each 1 of any wave rolls one penalty die of the same size, which adds no dice; an odd result takes one success off
)

var successModes = []string{"baseline", "ones_cancel", "ones_remove", "implode"}

// String returns the name of the mode in scripts: "ones_cancel".
func (m SuccessMode) String() string { return successModes[m] }

// SuccessModes returns all modes in order.
func SuccessModes() []SuccessMode { return []SuccessMode{Baseline, OnesCancel, OnesRemove, Implode} }

// SuccessPool returns the number of successes of a pool of count dice with the
// given sides, in at most so many waves, which may be [Unlimited]. The number is
// never below 0, and a pool of no dice has none. A die with one side shows its
// top face and a 1 at once. It is an error when unlimited waves can never end.
// Cost: a power of a polynomial with as many terms as there are waves; in the
// mode OnesCancel two for each wave.
func SuccessPool(ctx context.Context, count, sides int, mode SuccessMode, waves int) (*Dist, error) {
	switch {
	case count < 0:
		return nil, badArg("count", "got %d, want at least 0", count)
	case sides < 1:
		return nil, badArg("sides", "got %d, want at least 1", sides)
	case mode < Baseline || mode > Implode:
		return nil, badArg("mode", "got %d, want one of the modes", int(mode))
	case waves < 1 && waves != Unlimited:
		return nil, badArg("waves", "got %d, want at least 1, or none", waves)
	case count == 0:
		return Constant(0), nil
	}
	p := successPool{successDie: newSuccessDie(sides), count: count, waves: waves}
	if mode == OnesCancel {
		return p.onesCancel(ctx)
	}
	if waves == Unlimited && sides == 1 {
		return nil, badArg("waves", "every die shows its top face, so unlimited waves can never end")
	}
	return p.independent(ctx, mode)
}

// A successDie counts the faces of a die by what they do.
type successDie struct {
	sides *big.Int
	even  *big.Int // even faces below the top one
	blank *big.Int // faces that do nothing at all: odd, neither 1 nor the top one
	one   bool     // whether 1 is the top face too
}

func newSuccessDie(sides int) successDie {
	even := (sides - 1) / 2
	return successDie{
		sides: big.NewInt(int64(sides)),
		even:  big.NewInt(int64(even)),
		blank: big.NewInt(int64(max(0, sides-2-even))),
		one:   sides == 1,
	}
}

type successPool struct {
	successDie
	count, waves int
}

// independent adds up the dice of the pool, each with its streak.
func (p successPool) independent(ctx context.Context, mode SuccessMode) (*Dist, error) {
	extra := p.waves
	if extra != Unlimited {
		extra--
	}
	die, err := p.streak(mode).sum(ctx, extra)
	if err != nil {
		return nil, err
	}
	all, err := die.Times(ctx, p.count)
	if err != nil || mode == Baseline {
		return all, err
	}
	return all.Clamp(ctx, 0, math.MaxInt)
}

// streak returns what one die does: it goes on with its top face.
func (p successPool) streak(mode SuccessMode) streak {
	// A 1 is worth nothing, or takes a success off in so many of so many cases.
	off, of := big.NewInt(0), big.NewInt(1)
	switch mode {
	case OnesRemove:
		off = big.NewInt(1)
	case Implode:
		of = p.sides
		off = new(big.Int).Add(p.sides, big.NewInt(1))
		off.Rsh(off, 1)
	}
	keep := new(big.Int).Sub(of, off)
	if p.one {
		return streak{p: big.NewRat(1, 1), on: Must(Weighted(context.Background(), []int{0, 1}, []*big.Int{off, keep}))}
	}
	blank := new(big.Int).Mul(p.blank, of)
	return streak{
		p:    new(big.Rat).SetFrac(big.NewInt(1), p.sides),
		on:   Constant(1),
		stop: Must(Weighted(context.Background(), []int{-1, 0, 1}, []*big.Int{off, blank.Add(blank, keep), new(big.Int).Mul(p.even, of)})),
	}
}

// onesCancel sums over the first wave j in which a 1 shows. Up to then the dice
// do not see each other. A die of the pool that has shown no 1 has stopped
// before wave j, or it is in wave j, after j-1 top faces; write N_j(z) for its
// generating function when wave j shows no 1 on it either, and A_j(z) when wave
// j may show anything. Among n dice some 1 shows first in wave j as
// A_j(z)^n - N_j(z)^n, and none in all w waves as N_w(z)^n.
//
// Without a limit it is cut after the wave after which the chance of another one
// is below the cut.
func (p successPool) onesCancel(ctx context.Context) (*Dist, error) {
	if p.one {
		return Constant(p.count), nil // the first wave shows a 1
	}
	waves, t := p.waves, (*tail)(nil)
	if waves == Unlimited {
		waves, t = p.cutWaves()
	}
	sum := signedSum{count: p.count}
	if err := wouldFit(ctx, upper.MulSat(upper.MulSat(int64(waves), int64(waves)), int64(p.count))); err != nil {
		return nil, err
	}
	for j := 1; j <= waves; j++ {
		if err := sum.add(ctx, p.untilWave(j, true), 1); err != nil {
			return nil, err
		}
		if j == waves {
			break // what shows no 1 in the last wave either counts too
		}
		if err := sum.add(ctx, p.untilWave(j, false), -1); err != nil {
			return nil, err
		}
	}
	rows, err := commonRows(ctx, sum.factors, sum.powers)
	if err != nil {
		return nil, err
	}
	return overlay(ctx, rows, t)
}

// cutWaves returns how many waves are looked at when there is no limit, and the
// tail of what is left out. After w waves a die goes on with chance s^-w; what is
// left out is at most one unlimited streak for each die that does.
func (p successPool) cutWaves() (int, *tail) {
	c := p.streak(Baseline)
	n := upper.Int(p.count)
	waves, left := 1, upper.Mul(n, upper.Pow(c.p, 1))
	for ; left >= math.Ldexp(1, -cutBits); waves++ {
		left = upper.Mul(n, upper.Pow(c.p, waves+1))
	}
	_, m2 := c.moments()
	t := rootTail(left, upper.Mul(n, upper.Sqrt(upper.Mul(upper.Pow(c.p, waves), upper.Abs(m2)))))
	t.above = true
	return waves, t
}

// A signedSum adds and subtracts powers of generating functions.
type signedSum struct {
	count   int
	powers  []*Dist
	factors []*big.Rat
}

func (s *signedSum) add(ctx context.Context, die partialDie, sign int64) error {
	if err := ChargeWork(ctx, upper.MulSat(int64(len(die.weights)), int64(nat.WordsFor(die.total)))); err != nil {
		return err
	}
	power, err := die.dist().withDenominator(die.streak).Times(ctx, s.count)
	if err != nil {
		return err
	}
	words := upper.MulSat(int64(nat.WordsFor(die.total)), int64(s.count))
	if err := ChargeWork(ctx, upper.MulSat(words, words)); err != nil {
		return err
	}
	factor := powRat(die.chance(), s.count)
	s.powers = append(s.powers, power)
	s.factors = append(s.factors, factor.Mul(factor, big.NewRat(sign, 1)))
	return nil
}

// A partialDie holds the ways, out of total, in which one die has 0, 1, 2, ...
// successes and meets a condition.
type partialDie struct {
	weights []*big.Int
	total   *big.Int
	streak  streak
}

func (d partialDie) dist() *Dist {
	faces := make([]int, len(d.weights))
	for i := range faces {
		faces[i] = i
	}
	return Must(Weighted(context.Background(), faces, d.weights))
}

// chance is the chance of the condition.
func (d partialDie) chance() *big.Rat {
	sum := new(big.Int)
	for _, w := range d.weights {
		sum.Add(sum, w)
	}
	return new(big.Rat).SetFrac(sum, d.total)
}

// untilWave returns the successes of one die of the pool in its first j waves on
// condition that it shows no 1 in the waves before j, nor in wave j unless ones
// is set.
func (p successPool) untilWave(j int, ones bool) partialDie {
	weights := make([]*big.Int, j+1)
	for i := range weights {
		weights[i] = new(big.Int)
	}
	// Over the total s^j: i top faces and then a blank or an even face, in s^(j-1-i) ways.
	ways := new(big.Int).Exp(p.sides, big.NewInt(int64(j-1)), nil)
	total := new(big.Int).Mul(ways, p.sides)
	product := new(big.Int)
	for i := 0; i < j; i++ {
		weights[i].Add(weights[i], product.Mul(ways, p.blank))
		weights[i+1].Add(weights[i+1], product.Mul(ways, p.even))
		ways.Quo(ways, p.sides)
	}
	weights[j].Add(weights[j], big.NewInt(1)) // the top face in wave j
	if ones {
		weights[j-1].Add(weights[j-1], big.NewInt(1))
	}
	return partialDie{weights: weights, total: total, streak: p.streak(Baseline)}
}
