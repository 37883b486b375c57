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
	for _, w := range v.Within {
		p := w.Place
		if p < 0 {
			p += len(faces)
		}
		if p >= 0 && p < len(faces) {
			out += fmt.Sprint(w.Set.Contains(faces[p]), " ")
		}
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
		var sets []*dist.Multiset
		for _, p := range pools {
			sets = append(sets, p.Multiset())
		}
		classes, err := dist.ClassesOf(ctx, sets, views, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []class
		err = classes.Each(ctx, func(faces [][]int, w dist.Weight) error {
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

// drawnMultiset draws a pool of any mixture, kept dice of one, or a hand of cards.
func drawnMultiset(t *rapid.T) *dist.Multiset {
	var m *dist.Multiset
	if rapid.IntRange(0, 2).Draw(t, "hand") == 0 {
		cards := rapid.SliceOfNDistinct(rapid.IntRange(-2, 6), 1, 4, rapid.ID[int]).Draw(t, "cards")
		counts := make([]int, len(cards))
		for i := range counts {
			counts[i] = rapid.IntRange(1, 3).Draw(t, "copies")
		}
		deck := dist.Must(dist.NewDeck(cards, counts))
		m = dist.Must(deck.Deal(rapid.IntRange(0, min(4, deck.Size())).Draw(t, "cards dealt"))).Hand(0)
	} else {
		m = viewedPool(t).Multiset()
	}
	switch {
	case m.Size() > 0 && rapid.IntRange(0, 2).Draw(t, "kept") == 0:
		return dist.Must(m.KeepHighest(rapid.IntRange(1, m.Size()).Draw(t, "highest")))
	}
	return m
}

// What classes of any multisets are, also when places of several are compared.
func TestClassesAreWhatLooksTheSame(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		var sets []*dist.Multiset
		var views []dist.View
		for range rapid.IntRange(1, 3).Draw(t, "sets") {
			m := drawnMultiset(t)
			v := dist.View{
				Places: rapid.SliceOfN(rapid.IntRange(-5, 4), 0, 2).Draw(t, "places"),
				Sum:    rapid.Bool().Draw(t, "sum"),
				Counts: rapid.SliceOfN(rapid.Custom(viewedSet), 0, 1).Draw(t, "counts"),
				All:    rapid.IntRange(0, 9).Draw(t, "all") == 0,
			}
			for range rapid.IntRange(0, 2).Draw(t, "within") {
				v.Within = append(v.Within, dist.PlaceIn{Place: rapid.IntRange(-5, 4).Draw(t, "place"), Set: viewedSet(t)})
			}
			sets, views = append(sets, m), append(views, v)
		}
		var pairs []dist.PlacePair
		everyFace := slices.ContainsFunc(views, func(v dist.View) bool { return v.All })
		for range rapid.IntRange(0, 3).Draw(t, "pairs") {
			if everyFace {
				break // what is beside is then seen altogether too
			}
			r := dist.PlacePair{Set: rapid.IntRange(0, len(sets)-1).Draw(t, "set"), Other: rapid.IntRange(0, len(sets)-1).Draw(t, "other"), Equal: rapid.Bool().Draw(t, "equal")}
			if sets[r.Set].Size() == 0 || sets[r.Other].Size() == 0 {
				continue
			}
			r.Place = rapid.IntRange(-sets[r.Set].Size(), sets[r.Set].Size()-1).Draw(t, "place")
			r.OtherPlace = rapid.IntRange(0, sets[r.Other].Size()-1).Draw(t, "other place")
			pairs = append(pairs, r)
		}
		type class struct {
			faces  string
			weight *big.Int
		}
		var want []class
		index := map[string]int{}
		visited := map[string]bool{}
		var each func(all [][]int, w *big.Int)
		each = func(all [][]int, w *big.Int) {
			if i := len(all); i < len(sets) {
				err := sets[i].Sorted(ctx, func(faces []int, v dist.Weight) error {
					each(append(all[:i:i], slices.Clone(faces)), new(big.Int).Mul(w, v.Int()))
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if visited[fmt.Sprint(all)] {
				t.Fatalf("%v is visited twice", all)
			}
			visited[fmt.Sprint(all)] = true
			key := ""
			for i, list := range all {
				key += seen(views[i], list) + "/"
				if views[i].All {
					key += fmt.Sprint(list)
				}
			}
			for _, r := range pairs {
				x, y := at(all[r.Set], r.Place), at(all[r.Other], r.OtherPlace)
				key += fmt.Sprint(" ", x == y && r.Equal || x < y && !r.Equal)
			}
			i, known := index[key]
			if !known {
				i = len(want)
				index[key] = i
				want = append(want, class{fmt.Sprint(all), new(big.Int)})
			}
			want[i].weight.Add(want[i].weight, w)
		}
		each(nil, big.NewInt(1))
		classes, err := dist.ClassesOf(ctx, sets, views, pairs)
		if err != nil {
			t.Fatal(err)
		}
		var got []class
		err = classes.Each(ctx, func(faces [][]int, w dist.Weight) error {
			got = append(got, class{fmt.Sprint(faces), w.Int()})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, want, func(a, b class) bool { return a.faces == b.faces && a.weight.Cmp(b.weight) == 0 }) {
			t.Fatalf("%v %v:\ngot  %v\nwant %v", views, pairs, got, want)
		}
	})
}

func at(faces []int, place int) int {
	if place < 0 {
		place += len(faces)
	}
	return faces[place]
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
	c, err := dist.ClassesOf(context.Background(), []*dist.Multiset{p.Multiset()}, []dist.View{{Places: []int{-1, -2}}}, nil)
	if err != nil || c.Len() != 55 {
		t.Errorf("got %d classes and %v, want 55", c.Len(), err)
	}
}

func BenchmarkClasses(b *testing.B) {
	p := dist.Must(dist.Repeat(dist.Must(dist.Die(10)), 5))
	for b.Loop() {
		if _, err := dist.ClassesOf(context.Background(), []*dist.Multiset{p.Multiset()}, []dist.View{{Places: []int{-1, -2}}}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
