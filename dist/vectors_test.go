package dist

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type vectorChances map[string]*big.Rat

func chancesOfVectors(v *Vectors) vectorChances {
	c := vectorChances{}
	for p, w := range v.All() {
		c[fmt.Sprint(p)] = new(big.Rat).SetFrac(w, v.Total())
	}
	return c
}

// A plainVectors is a list of points with weights.
type plainVectors struct {
	points  [][]int
	weights []*big.Int
}

func drawVectors(t *rapid.T, places int, name string) plainVectors {
	var v plainVectors
	far := rapid.SampledFrom([]int{1, 1, 1000, 1 << 14}).Draw(t, name+" far")
	for range rapid.IntRange(1, 5).Draw(t, name) {
		var p []int
		for range places {
			p = append(p, far*rapid.IntRange(-2, 3).Draw(t, name+" place"))
		}
		v.points = append(v.points, p)
		v.weights = append(v.weights, big.NewInt(rapid.SampledFrom([]int64{1, 1, 2, 5, 1 << 40}).Draw(t, name+" weight")))
	}
	return v
}

func (v plainVectors) plus(w plainVectors) plainVectors {
	var sum plainVectors
	for i, p := range v.points {
		for j, q := range w.points {
			var r []int
			for k := range p {
				r = append(r, p[k]+q[k])
			}
			sum.points = append(sum.points, r)
			sum.weights = append(sum.weights, new(big.Int).Mul(v.weights[i], w.weights[j]))
		}
	}
	return sum
}

func (v plainVectors) chances() vectorChances {
	total := new(big.Int)
	for _, w := range v.weights {
		total.Add(total, w)
	}
	c := vectorChances{}
	for i, p := range v.points {
		key := fmt.Sprint(p)
		if c[key] == nil {
			c[key] = new(big.Rat)
		}
		c[key].Add(c[key], new(big.Rat).SetFrac(v.weights[i], total))
	}
	return c
}

func sameVectors(t *rapid.T, what string, got *Vectors, want vectorChances) {
	t.Helper()
	c := chancesOfVectors(got)
	if len(c) != len(want) {
		t.Fatalf("%s: %d vectors, want %d", what, len(c), len(want))
	}
	for p, q := range want {
		if c[p] == nil || c[p].Cmp(q) != 0 {
			t.Fatalf("%s: P(%s) = %v, want %v", what, p, c[p], q)
		}
	}
}

func TestVectorsAddPlaceByPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 3).Draw(t, "places")
		a, b := drawVectors(t, places, "a"), drawVectors(t, places, "b")
		v := Must(NewVectors(ctx, a.points, a.weights, 0))
		w := Must(NewVectors(ctx, b.points, b.weights, 0))
		sameVectors(t, "a", v, a.chances())
		sum := Must(v.Add(ctx, w))
		sameVectors(t, "a + b", sum, a.plus(b).chances())
		thrice := a.plus(a).plus(a)
		sameVectors(t, "3 a", Must(v.Times(ctx, 3)), thrice.chances())
		none := make([]int, places)
		sameVectors(t, "0 a", Must(v.Times(ctx, 0)), vectorChances{fmt.Sprint(none): big.NewRat(1, 1)})
		at := rapid.IntRange(0, places-1).Draw(t, "place")
		want := chances{}
		all := thrice.chances()
		seen := map[string]bool{}
		for _, p := range thrice.points {
			if key := fmt.Sprint(p); !seen[key] {
				seen[key] = true
				want.add(p[at], all[key])
			}
		}
		agrees(t, "item", Must(Must(v.Times(ctx, 3)).Item(ctx, at)), want)
	})
}

// The place of a sum is the sum of the places, even of a hundred dice.
func TestItemsOfManySymbolDice(t *testing.T) {
	die, one := [][]int{{0, 0}, {1, 0}, {1, 1}, {0, 2}, {2, 0}, {0, 1}}, big.NewInt(1)
	v := Must(NewVectors(ctx, die, []*big.Int{one, one, one, one, one, one}, 0))
	sum := Must(v.Times(ctx, 20))
	for i := range 2 {
		want := Must(Must(v.Item(ctx, i)).Times(ctx, 20))
		if got := Must(sum.Item(ctx, i)); !equal(got, want) {
			t.Errorf("place %d differs", i)
		}
	}
}

func TestVectorsRefuse(t *testing.T) {
	one := big.NewInt(1)
	for what, err := range map[string]error{
		"nothing":           second(NewVectors(ctx, nil, nil, 0)),
		"no places":         second(NewVectors(ctx, [][]int{{}}, []*big.Int{one}, 0)),
		"unlike lengths":    second(NewVectors(ctx, [][]int{{1}, {1, 2}}, []*big.Int{one, one}, 0)),
		"no weight":         second(NewVectors(ctx, [][]int{{1}}, []*big.Int{new(big.Int)}, 0)),
		"a negative weight": second(NewVectors(ctx, [][]int{{1}}, []*big.Int{big.NewInt(-1)}, 0)),
		"too wide":          second(NewVectors(ctx, [][]int{{0, 0}, {1 << 40, 1 << 40}}, []*big.Int{one, one}, 0)),
		"a place beyond":    second(Must(NewVectors(ctx, [][]int{{1, 2}}, []*big.Int{one}, 0)).Item(ctx, 2)),
	} {
		if err == nil {
			t.Errorf("%s is no error", what)
		}
	}
}

// Four dice of three kinds that show six symbols.
func BenchmarkSymbolDice(b *testing.B) {
	one := big.NewInt(1)
	kind := func(faces ...[]int) *Vectors {
		weights := make([]*big.Int, len(faces))
		for i := range weights {
			weights[i] = one
		}
		return Must(NewVectors(ctx, faces, weights, 0))
	}
	red := kind([]int{0, 0, 0, 0, 0, 0}, []int{1, 0, 0, 0, 0, 0}, []int{1, 0, 0, 0, 0, 0}, []int{2, 0, 0, 0, 0, 0}, []int{0, 1, 0, 0, 0, 0}, []int{0, 1, 0, 0, 0, 0}, []int{1, 1, 0, 0, 0, 0}, []int{0, 2, 0, 0, 1, 0})
	blue := kind([]int{0, 0, 0, 0, 0, 0}, []int{0, 0, 1, 0, 0, 0}, []int{0, 0, 1, 0, 0, 0}, []int{0, 0, 2, 1, 0, 0}, []int{0, 0, 0, 1, 0, 0}, []int{0, 0, 0, 1, 1, 0})
	black := kind([]int{0, 0, 0, 0, 0, 0}, []int{1, 0, 1, 0, 0, 1}, []int{0, 1, 0, 1, 0, 0}, []int{0, 0, 0, 0, 1, 1}, []int{0, 0, 0, 0, 2, 0}, []int{0, 0, 0, 0, 0, 1})
	for b.Loop() {
		sum := Must(Must(red.Times(ctx, 2)).Add(ctx, blue))
		sum = Must(sum.Add(ctx, black))
		if sum.Total().Cmp(big.NewInt(8*8*6*6)) != 0 {
			b.Fatal(sum.Total())
		}
	}
}

// The sums of many copies are those of one copy after another, also where sums of more
// copies than that would run into the next place.
func TestVectorsTimesIsRepeatedAdd(t *testing.T) {
	scattered := 0
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 3).Draw(t, "places")
		points := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(-1, 2), places, places), 2, 7).Draw(t, "points")
		weights := make([]*big.Int, len(points))
		for i := range weights {
			weights[i] = big.NewInt(rapid.SampledFrom([]int64{1, 1, 2, 5, 1 << 40}).Draw(t, "weight"))
		}
		one := Must(NewVectors(ctx, points, weights, 0))
		want := one
		for n := 2; n <= rapid.IntRange(2, 14).Draw(t, "n"); n++ {
			want = Must(want.Add(ctx, one))
			got := Must(one.Times(ctx, n))
			if !equal(got.packed, want.packed) || !slices.Equal(got.radix, want.radix) {
				t.Fatalf("%d times %v with weights %v: got %v, want %v", n, points, weights, got.packed, want.packed)
			}
			if got.packed.axis.List != nil {
				scattered++
			}
		}
	})
	if scattered == 0 {
		t.Error("no sum was scattered")
	}
}
