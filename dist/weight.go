package dist

import (
	"math/big"
	"math/bits"

	"dicescript/dist/internal/nat"
)

// A weight of a combination of dice is the product of the weights of its faces.
// Nearly always that is one machine word; when it is not, it is a big integer,
// and nobody who counts with weights has to know.

// A Weight is an exact natural number: how often something happens among all
// equally likely ways. It is immutable, and the zero Weight is zero.
type Weight struct {
	word nat.Limb
	wide *big.Int // the value when it does not fit a word; then word is 0
}

// NewWeight returns n as a weight. It is an error when n is negative.
func NewWeight(n *big.Int) (Weight, error) {
	if n.Sign() < 0 {
		return Weight{}, badArg("weight", "got %v, want at least 0", n)
	}
	return weightOf(n), nil
}

// weightOf returns a natural as a weight and does not hold on to it.
func weightOf(n *big.Int) Weight {
	if nat.Checking {
		nat.Insist(n.Sign() >= 0, "a weight")
	}
	switch words := n.Bits(); len(words) {
	case 0:
		return Weight{}
	case 1:
		return Weight{word: words[0]}
	}
	return Weight{wide: new(big.Int).Set(n)}
}

// weightOfLimbs returns a natural in limbs as a weight.
func weightOfLimbs(x []nat.Limb) Weight {
	x = nat.Trim(x)
	switch len(x) {
	case 0:
		return Weight{}
	case 1:
		return Weight{word: x[0]}
	}
	return Weight{wide: nat.Natural(x)}
}

// Int returns the weight as a fresh big integer.
func (w Weight) Int() *big.Int {
	if w.wide != nil {
		return new(big.Int).Set(w.wide)
	}
	return new(big.Int).SetUint64(uint64(w.word))
}

// IsZero reports whether the weight is zero.
func (w Weight) IsZero() bool { return w.wide == nil && w.word == 0 }

// Times returns the product of two weights. Cost: one multiplication, without
// an allocation when the product fits a machine word.
func (w Weight) Times(v Weight) Weight {
	if w.wide == nil && v.wide == nil {
		if hi, lo := bits.Mul(uint(w.word), uint(v.word)); hi == 0 {
			return Weight{word: nat.Limb(lo)}
		}
	}
	if w == (Weight{word: 1}) {
		return v
	}
	if v == (Weight{word: 1}) || w.IsZero() {
		return w
	}
	if v.IsZero() {
		return v
	}
	product := new(big.Int)
	return Weight{wide: product.Mul(w.shared(), v.shared())}
}

// Plus returns the sum of two weights. To add up many, use a [Tally].
func (w Weight) Plus(v Weight) Weight {
	if w.wide == nil && v.wide == nil {
		if sum, carry := bits.Add(uint(w.word), uint(v.word), 0); carry == 0 {
			return Weight{word: nat.Limb(sum)}
		}
	}
	sum := new(big.Int)
	return Weight{wide: sum.Add(w.shared(), v.shared())}
}

// Float64 returns the weight as the nearest float64, +Inf where it is too large.
func (w Weight) Float64() float64 {
	if w.wide == nil {
		return float64(w.word)
	}
	f, _ := new(big.Float).SetInt(w.wide).Float64()
	return f
}

// String writes the weight in decimal.
func (w Weight) String() string { return w.shared().String() }

// shared returns the weight as a big integer that must not be changed.
func (w Weight) shared() *big.Int {
	if w.wide != nil {
		return w.wide
	}
	return new(big.Int).SetUint64(uint64(w.word))
}

// words is how many limbs the weight takes.
func (w Weight) words() int {
	if w.wide == nil {
		return 1
	}
	return len(w.wide.Bits())
}

// put writes the weight, which must fit, into dst.
func (w Weight) put(dst []nat.Limb) {
	if w.wide != nil {
		nat.PutInt(dst, w.wide)
		return
	}
	clear(dst)
	dst[0] = w.word
}
