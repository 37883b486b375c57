package dist_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"dicescript/dist"

	"pgregory.net/rapid"
)

// seen is what a view shows of sorted faces, by its definition.
func seen(v dist.View, faces []int) string {
	out := ""
	for _, p := range v.Places {
		if p < 0 {
			p += len(faces)
		}
		if p >= 0 && p < len(faces) {
			out += fmt.Sprint(faces[p], " ")
		} else {
			out += "- "
		}
	}
	if v.Sum {
		sum := 0
		for _, x := range faces {
			sum += x
		}
		out += fmt.Sprint("sum ", sum, " ")
	}
	for _, set := range v.Counts {
		n := 0
		for _, x := range faces {
			if set.Contains(x) {
				n++
			}
		}
		out += fmt.Sprint("count ", n, " ")
	}
	return out
}

// Classes are what Sorted visits, put together by what is seen: with the first
// multiset of each, in the order of Sorted, and with the sum of the weights.
func TestClassesAgainstSorted(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		var pools []*dist.Pool
		var views []dist.View
		for range rapid.IntRange(1, 2).Draw(t, "pools") {
			pools = append(pools, viewedPool(t))
			views = append(views, dist.View{
				Places: rapid.SliceOfN(rapid.IntRange(-5, 4), 0, 3).Draw(t, "places"),
				Sum:    rapid.Bool().Draw(t, "sum"),
				Counts: rapid.SliceOfN(rapid.Custom(viewedSet), 0, 2).Draw(t, "counts"),
			})
		}
		type class struct {
			faces  string
			weight *big.Int
		}
		var want []class
		index := map[string]int{}
		err := dist.Sorted(ctx, pools, func(faces [][]int, w dist.Weight) error {
			key := ""
			for i, list := range faces {
				key += seen(views[i], list) + "/"
			}
			i, known := index[key]
			if !known {
				i = len(want)
				index[key] = i
				want = append(want, class{fmt.Sprint(faces), new(big.Int)})
			}
			want[i].weight.Add(want[i].weight, w.Int())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var classes []*dist.Classes
		for i, p := range pools {
			c, err := p.Classes(ctx, views[i])
			if err != nil {
				t.Fatal(err)
			}
			if !c.Are(p, views[i]) {
				t.Fatal("they are not those of their own pool")
			}
			classes = append(classes, c)
		}
		var got []class
		err = dist.EachClass(ctx, classes, func(faces [][]int, w dist.Weight) error {
			got = append(got, class{fmt.Sprint(faces), w.Int()})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, want, func(a, b class) bool { return a.faces == b.faces && a.weight.Cmp(b.weight) == 0 }) {
			t.Fatalf("%v of %v:\ngot  %v\nwant %v", views, pools, got, want)
		}
	})
}

func viewedPool(t *rapid.T) *dist.Pool {
	var dice []*dist.Dist
	one := func() *dist.Dist {
		faces := rapid.SliceOfN(rapid.IntRange(-2, 4), 1, 4).Draw(t, "faces")
		return dist.Must(dist.Faces(faces...))
	}
	if rapid.Bool().Draw(t, "equal") {
		return dist.Must(dist.Repeat(one(), rapid.IntRange(1, 4).Draw(t, "count")))
	}
	for range rapid.IntRange(1, 3).Draw(t, "dice") {
		dice = append(dice, one())
	}
	return dist.Must(dist.NewPool(dice...))
}

func viewedSet(t *rapid.T) dist.Set {
	x := rapid.IntRange(-2, 4).Draw(t, "bound")
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return dist.From(x)
	case 1:
		return dist.UpTo(x)
	case 2:
		return dist.Only(x, x+2)
	}
	return dist.Only(x).Not()
}

// The best two of 5d10 are one of 55 pairs.
func TestClassesOfTheBestTwo(t *testing.T) {
	p := dist.Must(dist.Repeat(dist.Must(dist.Die(10)), 5))
	c, err := p.Classes(context.Background(), dist.View{Places: []int{-1, -2}})
	if err != nil || c.Len() != 55 {
		t.Errorf("got %d classes and %v, want 55", c.Len(), err)
	}
}

func BenchmarkClasses(b *testing.B) {
	p := dist.Must(dist.Repeat(dist.Must(dist.Die(10)), 5))
	for b.Loop() {
		if _, err := p.Classes(context.Background(), dist.View{Places: []int{-1, -2}}); err != nil {
			b.Fatal(err)
		}
	}
}
