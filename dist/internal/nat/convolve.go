package nat

import (
	"math/big"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The convolution of two rows is the product of the polynomials that have them as
// coefficients. Which way is the shortest depends on the rows: a window that moves
// along where one of them is a run of equals, every product of two for short ones, one
// product of two large integers (Kronecker substitution), or for long ones transforms.

// A Convolution is the shortest way to multiply two rows.
type Convolution struct {
	a, b  Vec // a is not the shorter
	Words int // of each result, which hold every sum of products
	run   func(work.Context) (Vec, error)
	Work  int64 // about how many word operations it takes
	Cells int64 // how many words it takes besides those of the result
}

// PlanConvolution returns the shortest way to convolve two rows, each result in the given
// number of words, which must hold every sum of products.
func PlanConvolution(a, b Vec, words int) *Convolution {
	if a.Len() < b.Len() {
		a, b = b, a
	}
	c := &Convolution{a: a, b: b, Words: words}
	if equal := EqualWeights(b); equal != nil {
		n := int64(a.Len()) + int64(b.Len()) - 1
		c.Work = upper.MulSat(n, int64(words)*int64(len(equal)+1))
		c.run = func(ctx work.Context) (Vec, error) { return convolveRun(ctx, a, b.Len(), equal, words) }
		return c
	}
	c.Work = schoolWork(a, b, words)
	c.run = func(ctx work.Context) (Vec, error) { return convolveSchool(ctx, a, b, words) }
	if w := PackedWork(int64(a.Len()), int64(b.Len()), int64(words)); w < c.Work {
		c.Work = w
		c.run = func(ctx work.Context) (Vec, error) { return convolvePacked(ctx, a, b, words) }
	}
	if c.Work < leastTransformWork {
		return c
	}
	if t := planTransform(a, b, words); t.work() < c.Work {
		c.Work, c.Cells = t.work(), t.cells()
		c.run = func(ctx work.Context) (Vec, error) { return convolveTransformed(ctx, a, b, words, t) }
	}
	return c
}

// Len returns how many results there are.
func (c *Convolution) Len() int { return c.a.Len() + c.b.Len() - 1 }

// Run returns the convolution.
func (c *Convolution) Run(ctx work.Context) (Vec, error) {
	out, err := c.run(ctx)
	if Checking && err == nil {
		insistProductMass(out, c.a, c.b, "a convolution")
	}
	return out, err
}

// EqualWeights returns the weight that all of b has, or nil when they differ.
func EqualWeights(b Vec) []Limb {
	for i := 1; i < b.Len(); i++ {
		if Cmp(b.At(0), b.At(i)) != 0 {
			return nil
		}
	}
	return b.At(0)
}

// convolveRun convolves with m equal weights c: each result is the sum of a
// window of m weights, which moves along by one addition and one subtraction.
func convolveRun(ctx work.Context, a Vec, m int, c []Limb, words int) (Vec, error) {
	n := a.Len()
	tick := work.NewTicker(ctx)
	out := NewVec(n+m-1, words)
	window := make([]Limb, words)
	for i := 0; i < n+m-1; i++ {
		if err := tick.Tick(words*len(c) + 4); err != nil {
			return Vec{}, err
		}
		if i < n {
			Add(window, Trim(a.At(i)))
		}
		if i >= m {
			Sub(window, Trim(a.At(i-m)))
		}
		if len(c) == 1 && c[0] == 1 {
			copy(out.At(i), window)
			continue
		}
		AddMul(out.At(i), window, Trim(c))
	}
	return out, nil
}

func schoolWork(a, b Vec, words int) int64 {
	cost := upper.MulSat(int64(a.Len()), int64(b.Len()))
	if words == 1 {
		return cost
	}
	return upper.MulSat(cost, int64(a.Words*b.Words+2))
}

// convolveSchool multiplies every weight with every weight.
func convolveSchool(ctx work.Context, a, b Vec, words int) (Vec, error) {
	n, m := a.Len(), b.Len()
	out := NewVec(n+m-1, words)
	tick := work.NewTicker(ctx)
	for j := 0; j < m; j++ {
		y := Trim(b.At(j))
		if len(y) == 0 {
			continue
		}
		if err := tick.Tick(n * a.Words * len(y)); err != nil {
			return Vec{}, err
		}
		if words == 1 {
			addScaledRow(out.Data[j:], a.Data, y[0])
			continue
		}
		for i := 0; i < n; i++ {
			AddMul(out.At(i+j), a.At(i), y)
		}
	}
	return out, nil
}

// addScaledRow adds m times the row x to dst, all in single words.
func addScaledRow(dst, x []Limb, m Limb) {
	dst = dst[:len(x)]
	for i, xi := range x {
		dst[i] += xi * m
	}
}

// packedBlock is how many words of an operand are multiplied at a time, so
// that the context is looked at every few milliseconds.
const packedBlock = 1 << 14

// PackedWork estimates the work of [convolvePacked] for rows of so many weights.
func PackedWork(a, b, words int64) int64 {
	n, m := upper.MulSat(a, words), upper.MulSat(b, words)
	block := min(n, m, packedBlock)
	blocks := upper.MulSat((n+block-1)/block, (m+block-1)/block)
	// Packing and unpacking copy every word a few times.
	return upper.AddSat(upper.MulSat(blocks, Karatsuba(block)), 4*upper.AddSat(n, m))
}

// convolvePacked writes the weights of each row side by side into one large
// integer, with room for the sums, and multiplies the two integers (Kronecker
// substitution); the products of the weights do not run into one another.
func convolvePacked(ctx work.Context, a, b Vec, words int) (Vec, error) {
	a, b = a.Resized(words), b.Resized(words)
	out := NewVec(a.Len()+b.Len()-1, words)
	block := max(1, min(a.Len(), b.Len(), packedBlock/words))
	product := new(big.Int)
	for i := 0; i < a.Len(); i += block {
		x := View(a.Slice(i, min(i+block, a.Len())).Data)
		for j := 0; j < b.Len(); j += block {
			if err := ctx.Err(); err != nil {
				return Vec{}, err
			}
			y := View(b.Slice(j, min(j+block, b.Len())).Data)
			Add(out.Data[(i+j)*words:], product.Mul(x, y).Bits())
		}
	}
	return out, nil
}
