package dist

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The ways to convolve agree with the sum of products.
func TestConvolutionsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawVec(t, "a"), drawVec(t, "b")
		if a.len() < b.len() {
			a, b = b, a
		}
		want := make([]*big.Int, a.len()+b.len()-1)
		for k := range want {
			want[k] = new(big.Int)
		}
		for i := range a.len() {
			for j := range b.len() {
				want[i+j].Add(want[i+j], new(big.Int).Mul(natural(a.at(i)), natural(b.at(j))))
			}
		}
		words := wordsFor(new(big.Int).Mul(a.sum(), b.sum()))
		check := func(name string, got vec, err error) {
			if err != nil {
				t.Fatal(err)
			}
			if got.len() != len(want) {
				t.Fatalf("%s: %d numbers, want %d", name, got.len(), len(want))
			}
			for k := range want {
				if natural(got.at(k)).Cmp(want[k]) != 0 {
					t.Fatalf("%s: number %d is %v, want %v", name, k, natural(got.at(k)), want[k])
				}
			}
		}
		got, err := convolve(ctx, a, b, words)
		check("convolve", got, err)
		got, err = convolveSchool(ctx, a, b, words)
		check("school", got, err)
		got, err = convolvePacked(ctx, a, b, words)
		check("packed", got, err)
		if c := runOf(b); c != nil {
			run, err := convolveRun(ctx, a, b.len(), c, words)
			check("run", run, err)
		}
	})
}

func drawVec(t *rapid.T, label string) vec {
	words := rapid.IntRange(1, 3).Draw(t, label+" words")
	n := rapid.IntRange(1, 20).Draw(t, label+" n")
	v := newVec(n, words)
	top := rapid.SampledFrom([]uint64{1, 5, 1 << 63, 1<<64 - 1}).Draw(t, label+" top")
	equal := rapid.Bool().Draw(t, label+" equal")
	for i := range n {
		if i > 0 && equal {
			copy(v.at(i), v.at(0))
			continue
		}
		for j := range words {
			v.at(i)[j] = limb(rapid.Uint64Range(0, top).Draw(t, label))
		}
	}
	if v.sum().Sign() == 0 {
		v.data[0] = 1
	}
	return v.resized(wordsFor(v.sum()))
}

// A block of a packed product is smaller than long rows, so that several blocks
// come together.
func TestPackedConvolutionInBlocks(t *testing.T) {
	a, b := newVec(3*packedBlock, 1), newVec(packedBlock+5, 1)
	for i := range a.data {
		a.data[i] = limb(i%7 + 1)
	}
	for i := range b.data {
		b.data[i] = limb(i % 3)
	}
	packed := Must(convolvePacked(ctx, a, b, 1))
	school := Must(convolveSchool(ctx, a, b, 1))
	if !slices.Equal(packed.data, school.data) {
		t.Error("the packed product differs from the plain one")
	}
}
