package dist

import (
	"context"
	"math/big"
	"math/bits"
)

// A vec is a row of naturals that all have the same number of limbs, side by
// side in one slice. One limb each is the machine-word fast path.
type vec struct {
	words int
	data  []limb
}

func newVec(n, words int) vec { return vec{words: words, data: make([]limb, n*words)} }

func (v vec) len() int { return len(v.data) / v.words }

func (v vec) at(i int) []limb { return v.data[i*v.words : (i+1)*v.words] }

// isWord says whether every number is one machine word.
func (v vec) isWord() bool { return v.words == 1 }

func (v vec) slice(from, to int) vec {
	return vec{words: v.words, data: v.data[from*v.words : to*v.words]}
}

// sum returns the sum of all numbers.
func (v vec) sum() *big.Int {
	acc := make([]limb, v.words+1)
	for i, n := 0, v.len(); i < n; i++ {
		addLimbs(acc, v.at(i))
	}
	return natural(acc)
}

// resized returns v with another number of limbs each, which must hold them.
func (v vec) resized(words int) vec {
	if words == v.words {
		return v
	}
	n := v.len()
	out := newVec(n, words)
	keep := min(words, v.words)
	for i := 0; i < n; i++ {
		copy(out.at(i), v.at(i)[:keep])
	}
	return out
}

// primitive returns the numbers divided by their greatest common divisor, in as
// few words as their sum allows, and the sum.
func (v vec) primitive(ctx context.Context) (vec, *big.Int, error) {
	tick := newTicker(ctx)
	g, err := v.content(&tick)
	if err != nil {
		return vec{}, nil, err
	}
	if !g.IsInt64() || g.Int64() != 1 {
		if v, err = v.divided(g, &tick); err != nil {
			return vec{}, nil, err
		}
	}
	total := v.sum()
	return v.resized(wordsFor(total)), total, ctx.Err()
}

// content returns the greatest common divisor of all numbers, zero when all
// are zero. It starts from a number of the fewest words, often one at an end of
// the distribution, and stops as soon as the divisor is one.
func (v vec) content(tick *ticker) (*big.Int, error) {
	g := new(big.Int)
	if start := v.shortest(); start >= 0 {
		g.Set(view(trim(v.at(start))))
	}
	for i, n := 0, v.len(); i < n; i++ {
		x := trim(v.at(i))
		if err := tick.tick(divisionWork * len(x)); err != nil {
			return nil, err
		}
		switch {
		case g.IsInt64() && g.Int64() == 1:
			return g, nil
		case len(x) == 0:
		case len(g.Bits()) == 1:
			m := uint(g.Bits()[0])
			g.SetUint64(uint64(gcdUint(m, modWord(x, m))))
		default:
			g.GCD(nil, nil, g, view(x))
			if err := tick.ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// divisionWork is what dividing a word takes in operations on words.
const divisionWork = 8

// shortest returns the index of a positive number of the fewest words, or -1.
func (v vec) shortest() int {
	best, words := -1, v.words+1
	for i, n := 0, v.len(); i < n && words > 1; i++ {
		if k := len(trim(v.at(i))); k > 0 && k < words {
			best, words = i, k
		}
	}
	return best
}

// modWord returns x modulo m.
func modWord(x []limb, m uint) uint {
	var r uint
	for i := len(x) - 1; i >= 0; i-- {
		_, r = bits.Div(r, uint(x[i]), m)
	}
	return r
}

// divided returns every number divided by g, which must divide them all.
func (v vec) divided(g *big.Int, tick *ticker) (vec, error) {
	n := v.len()
	out := newVec(n, v.words)
	q := new(big.Int)
	each := divisionWork * v.words * len(g.Bits())
	for i := 0; i < n; i++ {
		if err := tick.tick(each); err != nil {
			return vec{}, err
		}
		putInt(out.at(i), q.Quo(view(v.at(i)), g))
	}
	return out, nil
}

// reversed returns the numbers in reverse order.
func (v vec) reversed(tick *ticker) (vec, error) {
	n := v.len()
	out := newVec(n, v.words)
	for i := 0; i < n; i++ {
		if err := tick.tick(v.words); err != nil {
			return vec{}, err
		}
		copy(out.at(n-1-i), v.at(i))
	}
	return out, nil
}
