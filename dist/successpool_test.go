package dist

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// The procedure, die by die: the joint chances of what a pool of so many dice
// counts in the waves that are left.

type wavePool struct {
	sides int
	mode  SuccessMode
}

// one is what one die does in a wave.
type waveFace struct{ successes, added, ones int }

func (w wavePool) face(x int) waveFace {
	var f waveFace
	if x%2 == 0 || x == w.sides {
		f.successes++
	}
	if x == w.sides {
		f.added++
	}
	if x == 1 {
		f.ones++
	}
	return f
}

// count is the successes less what the ones take off, not yet held at 0.
func (w wavePool) count(dice, waves int) chances {
	if dice == 0 || waves == 0 {
		return sure(0)
	}
	out := chances{}
	p := powRat(big.NewRat(1, int64(w.sides)), dice)
	faces := make([]int, dice)
	for {
		var sum waveFace
		for _, i := range faces {
			f := w.face(i + 1)
			sum.successes += f.successes
			sum.added += f.added
			sum.ones += f.ones
		}
		if w.mode == OnesCancel && sum.ones > 0 {
			sum.added = 0
		}
		rest := w.count(sum.added, waves-1)
		for y, q := range w.taken(sum.ones).plus(rest) {
			out.add(sum.successes+y, new(big.Rat).Mul(p, q))
		}
		i := 0
		for ; i < dice && faces[i] == w.sides-1; i++ {
			faces[i] = 0
		}
		if i == dice {
			return out
		}
		faces[i]++
	}
}

// taken is what so many ones take off.
func (w wavePool) taken(ones int) chances {
	out := sure(0)
	for range ones {
		switch w.mode {
		case OnesRemove:
			out = out.plus(sure(-1))
		case Implode:
			penalty := chances{}
			for x := 1; x <= w.sides; x++ {
				penalty.add(-(x % 2), big.NewRat(1, int64(w.sides)))
			}
			out = out.plus(penalty)
		}
	}
	return out
}

func (w wavePool) successes(dice, waves int) chances {
	return w.count(dice, waves).then(func(x int) chances { return sure(max(0, x)) })
}

func TestSuccessPoolIsTheProcedure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := wavePool{
			sides: rapid.IntRange(1, 6).Draw(t, "sides"),
			mode:  rapid.SampledFrom(SuccessModes()).Draw(t, "mode"),
		}
		dice, waves := rapid.IntRange(0, 3).Draw(t, "dice"), rapid.IntRange(1, 4).Draw(t, "waves")
		what := fmt.Sprintf("%d d%d, %v, %d waves", dice, w.sides, w.mode, waves)
		agrees(t, what, Must(SuccessPool(ctx, dice, w.sides, w.mode, waves)), w.successes(dice, waves))
	})
}

// One d6: 2, 4 or 6 succeed and a 6 goes on, so the mean is 1/2 + 1/6 of itself.
func TestSuccessesOfUnlimitedWaves(t *testing.T) {
	if m := Must(SuccessPool(ctx, 5, 6, Baseline, Unlimited)).Mean(); m.Cmp(big.NewRat(3, 1)) != 0 {
		t.Errorf("mean of five dice is %v", m)
	}
	for _, mode := range SuccessModes() {
		for _, sides := range []int{2, 3, 6, 10} {
			got := Must(SuccessPool(ctx, 4, sides, mode, Unlimited))
			deep := Must(SuccessPool(ctx, 4, sides, mode, 110))
			within(t, got, deep, math.Ldexp(4, -110))
			m, err := got.Moments(ctx)
			if err != nil {
				t.Fatal(err)
			}
			off, _ := new(big.Rat).Sub(m.Mean, deep.Mean()).Float64()
			if math.Abs(off) > m.MeanBound+1e-30 || m.MeanBound > 1e-20 {
				t.Errorf("%v, d%d: the mean is off by %g of %g", mode, sides, off, m.MeanBound)
			}
			if got.Bound() == 0 || got.Bound() >= math.Ldexp(4, -80) {
				t.Errorf("%v, d%d: error %g", mode, sides, got.Bound())
			}
		}
	}
}

func TestSuccessesOfOneSidedDice(t *testing.T) {
	for mode, want := range map[SuccessMode]int{Baseline: 15, OnesCancel: 3, OnesRemove: 0, Implode: 0} {
		if d := Must(SuccessPool(ctx, 3, 1, mode, 5)); !equal(d, Constant(want)) {
			t.Errorf("%v: from %d to %d, want %d", mode, d.Min(), d.Max(), want)
		}
	}
}
