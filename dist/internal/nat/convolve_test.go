package nat

import (
	"context"
	"math/big"
	"slices"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// The ways to convolve agree with the sum of products.
func TestConvolutionsAgree(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawVec(t, "a"), drawVec(t, "b")
		if a.Len() < b.Len() {
			a, b = b, a
		}
		want := make([]*big.Int, a.Len()+b.Len()-1)
		for k := range want {
			want[k] = new(big.Int)
		}
		for i := range a.Len() {
			for j := range b.Len() {
				want[i+j].Add(want[i+j], new(big.Int).Mul(Natural(a.At(i)), Natural(b.At(j))))
			}
		}
		words := WordsFor(new(big.Int).Mul(a.Sum(), b.Sum()))
		check := func(name string, got Vec, err error) {
			if err != nil {
				t.Fatal(err)
			}
			if got.Len() != len(want) {
				t.Fatalf("%s: %d numbers, want %d", name, got.Len(), len(want))
			}
			for k := range want {
				if Natural(got.At(k)).Cmp(want[k]) != 0 {
					t.Fatalf("%s: number %d is %v, want %v", name, k, Natural(got.At(k)), want[k])
				}
			}
		}
		got, err := PlanConvolution(a, b, words).Run(ctx)
		check("convolve", got, err)
		got, err = convolveSchool(ctx, a, b, words)
		check("school", got, err)
		got, err = convolvePacked(ctx, a, b, words)
		check("packed", got, err)
		for _, limbs := range []bool{false, true} {
			plan := planTransform(a, b, words)
			if plan.limbs = plan.limbs || limbs; plan.limbs {
				plan.primes, plan.k = 3, limbsOrder(a, b, words)
			}
			got, err = convolveTransformed(ctx, a, b, words, plan)
			check("transformed", got, err)
		}
		if c := EqualWeights(b); c != nil {
			run, err := convolveRun(ctx, a, b.Len(), c, words)
			check("run", run, err)
		}
	})
}

func drawVec(t *rapid.T, label string) Vec {
	words := rapid.IntRange(1, 3).Draw(t, label+" words")
	n := rapid.IntRange(1, 20).Draw(t, label+" n")
	v := NewVec(n, words)
	top := rapid.SampledFrom([]uint64{1, 5, 1 << 63, 1<<64 - 1}).Draw(t, label+" top")
	equal := rapid.Bool().Draw(t, label+" equal")
	for i := range n {
		if i > 0 && equal {
			copy(v.At(i), v.At(0))
			continue
		}
		for j := range words {
			v.At(i)[j] = Limb(rapid.Uint64Range(0, top).Draw(t, label))
		}
	}
	if v.Sum().Sign() == 0 {
		v.Data[0] = 1
	}
	return v.Resized(WordsFor(v.Sum()))
}

// A block of a packed product is smaller than long rows, so that several blocks
// come together.
func TestPackedConvolutionInBlocks(t *testing.T) {
	ctx := context.Background()
	a, b := NewVec(3*packedBlock, 1), NewVec(packedBlock+5, 1)
	for i := range a.Data {
		a.Data[i] = Limb(i%7 + 1)
	}
	for i := range b.Data {
		b.Data[i] = Limb(i % 3)
	}
	packed, err := convolvePacked(ctx, a, b, 1)
	if err != nil {
		t.Fatal(err)
	}
	school, err := convolveSchool(ctx, a, b, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(packed.Data, school.Data) {
		t.Error("the packed product differs from the plain one")
	}
}
