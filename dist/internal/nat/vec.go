package nat

import (
	"math/big"
	"math/bits"

	"dicescript/dist/internal/work"
)

// A Vec is a row of naturals that all have the same number of limbs, side by
// side in one slice. One limb each is the machine-word fast path.
type Vec struct {
	Words int
	Data  []Limb
}

func NewVec(n, words int) Vec { return Vec{Words: words, Data: make([]Limb, n*words)} }

func (v Vec) Len() int { return len(v.Data) / v.Words }

func (v Vec) At(i int) []Limb { return v.Data[i*v.Words : (i+1)*v.Words] }

// IsWord says whether every number is one machine word.
func (v Vec) IsWord() bool { return v.Words == 1 }

func (v Vec) Slice(from, to int) Vec {
	return Vec{Words: v.Words, Data: v.Data[from*v.Words : to*v.Words]}
}

// Sum returns the sum of all numbers.
func (v Vec) Sum() *big.Int {
	acc := make([]Limb, v.Words+1)
	for i, n := 0, v.Len(); i < n; i++ {
		Add(acc, v.At(i))
	}
	return Natural(acc)
}

// Resized returns v with another number of limbs each, which must hold them.
func (v Vec) Resized(words int) Vec {
	if words == v.Words {
		return v
	}
	n := v.Len()
	out := NewVec(n, words)
	keep := min(words, v.Words)
	for i := 0; i < n; i++ {
		if Checking {
			Insist(IsZero(v.At(i)[keep:]), "a narrower row")
		}
		copy(out.At(i), v.At(i)[:keep])
	}
	return out
}

// Content returns the greatest common divisor of all numbers, zero when all
// are zero. It starts from a number of the fewest words, often one at an end of
// the distribution, and stops as soon as the divisor is one.
func (v Vec) Content(tick *work.Ticker) (*big.Int, error) {
	g := new(big.Int)
	if start := v.shortest(); start >= 0 {
		g.Set(View(Trim(v.At(start))))
	}
	for i, n := 0, v.Len(); i < n; i++ {
		x := Trim(v.At(i))
		if err := tick.Tick(DivisionWork * len(x)); err != nil {
			return nil, err
		}
		switch {
		case g.IsInt64() && g.Int64() == 1:
			return g, nil
		case len(x) == 0:
		case len(g.Bits()) == 1:
			m := uint(g.Bits()[0])
			g.SetUint64(uint64(GCD(m, ModWord(x, m))))
		default:
			g.GCD(nil, nil, g, View(x))
			if err := tick.Err(); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// fewWords is how many words are gone through at once.
const fewWords = 64

// CoprimeWords returns the sum of a few numbers of a word each that have no common
// divisor. ok is false for all other numbers, and where the sum is no word.
func (v Vec) CoprimeWords() (sum uint64, ok bool) {
	if v.Words != 1 || len(v.Data) > fewWords {
		return 0, false
	}
	g, total := uint(0), uint(0)
	for _, x := range v.Data {
		var carry uint
		if total, carry = bits.Add(total, uint(x), 0); carry != 0 {
			return 0, false
		}
		if g != 1 {
			g = GCD(g, uint(x))
		}
	}
	return uint64(total), g == 1
}

// ContentWork is what the first greatest common divisor takes; those that follow
// are soon of one word.
func (v Vec) ContentWork() int64 {
	if v.IsWord() {
		return 0
	}
	words := int64(1)
	if start := v.shortest(); start >= 0 {
		words = int64(len(Trim(v.At(start))))
	}
	return ReductionWork(words)
}

// DivisionWork is what dividing a word takes in operations on words.
const DivisionWork = 8

// shortest returns the index of a positive number of the fewest words, or -1.
func (v Vec) shortest() int {
	best, words := -1, v.Words+1
	for i, n := 0, v.Len(); i < n && words > 1; i++ {
		if k := len(Trim(v.At(i))); k > 0 && k < words {
			best, words = i, k
		}
	}
	return best
}

// ModWord returns x modulo m.
func ModWord(x []Limb, m uint) uint {
	var r uint
	for i := len(x) - 1; i >= 0; i-- {
		_, r = bits.Div(r, uint(x[i]), m)
	}
	return r
}

// Divided returns every number divided by g, which must divide them all.
func (v Vec) Divided(g *big.Int, tick *work.Ticker) (Vec, error) {
	n := v.Len()
	out := NewVec(n, v.Words)
	q := new(big.Int)
	each := DivisionWork * v.Words * len(g.Bits())
	for i := 0; i < n; i++ {
		if err := tick.Tick(each); err != nil {
			return Vec{}, err
		}
		PutInt(out.At(i), q.Quo(View(v.At(i)), g))
	}
	return out, nil
}

// Reversed returns the numbers in reverse order.
func (v Vec) Reversed(tick *work.Ticker) (Vec, error) {
	n := v.Len()
	out := NewVec(n, v.Words)
	for i := 0; i < n; i++ {
		if err := tick.Tick(v.Words); err != nil {
			return Vec{}, err
		}
		copy(out.At(n-1-i), v.At(i))
	}
	return out, nil
}

// IsSymmetric reports whether the weights read the same from both ends.
func (v Vec) IsSymmetric() bool {
	for i, j := 0, v.Len()-1; i < j; i, j = i+1, j-1 {
		if Cmp(v.At(i), v.At(j)) != 0 {
			return false
		}
	}
	return true
}
