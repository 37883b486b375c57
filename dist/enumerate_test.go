package dist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"dicescript/dist/internal/nat"

	"pgregory.net/rapid"
)

func TestTuplesVisitTheProduct(t *testing.T) {
	dice := []*Dist{Must(Die(2)), Must(Faces(5, 5, 9))}
	var got []string
	err := Tuples(ctx, dice, func(faces []int, w Weight) error {
		got = append(got, fmt.Sprint(faces, w))
		return nil
	})
	want := []string{"[1 5] 2", "[1 9] 1", "[2 5] 2", "[2 9] 1"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestNoDiceHaveOneTuple(t *testing.T) {
	visits := 0
	err := Tuples(ctx, nil, func(faces []int, w Weight) error {
		visits++
		if len(faces) != 0 || w.String() != "1" {
			t.Errorf("got %v, %v", faces, w)
		}
		return nil
	})
	if visits != 1 || err != nil {
		t.Errorf("got %d visits, %v", visits, err)
	}
}

// A multiset of a pool comes up in as many ways as there are tuples that have
// its faces.
func TestSortedAgreesWithTuples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := []*Dist{smallDie(t), smallDie(t), smallDie(t)}
		pools := make([]*Pool, rapid.IntRange(0, 2).Draw(t, "pools"))
		var dice []*Dist
		for i := range pools {
			var own []*Dist
			for range rapid.IntRange(1, 4).Draw(t, "size") {
				own = append(own, kinds[rapid.IntRange(0, 2).Draw(t, "kind")])
			}
			pools[i] = Must(NewPool(own...))
			dice = append(dice, own...)
		}
		var want, got Tally[string]
		Must(0, Tuples(ctx, dice, func(faces []int, w Weight) error {
			var parts [][]int
			faces = slices.Clone(faces)
			for _, p := range pools {
				part := faces[:p.Size()]
				slices.Sort(part)
				parts = append(parts, part)
				faces = faces[p.Size():]
			}
			want.Add(fmt.Sprint(parts), w)
			return nil
		}))
		Must(0, Sorted(ctx, pools, func(faces [][]int, w Weight) error {
			key := fmt.Sprint(faces)
			if !got.Weight(key).IsZero() {
				t.Fatalf("%v is visited twice", faces)
			}
			if w.IsZero() {
				t.Fatalf("%v cannot happen", faces)
			}
			got.Add(key, w)
			return nil
		}))
		if got.Len() != want.Len() {
			t.Fatalf("got %d multisets, want %d", got.Len(), want.Len())
		}
		for k, w := range want.All() {
			if got.Weight(k).String() != w.String() {
				t.Fatalf("%s comes up in %v ways, want %v", k, got.Weight(k), w)
			}
		}
	})
}

// smallDie draws a die of up to four faces, some of whose weights may need
// several words.
func smallDie(t *rapid.T) *Dist {
	faces := rapid.SliceOfN(rapid.IntRange(-3, 9), 1, 4).Draw(t, "faces")
	d := Must(Faces(faces...))
	if rapid.Bool().Draw(t, "wide") {
		var tally Tally[int]
		for x, w := range d.All() {
			n, _ := NewWeight(w)
			tally.Add(x, n.Times(Weight{word: 1<<40 + nat.Limb(x+3)}))
		}
		return Must(TallyDist(ctx, &tally, 0))
	}
	return d
}

func TestSortedIsOrdered(t *testing.T) {
	var last []int
	n := 0
	Must(0, Sorted(ctx, []*Pool{Must(NewPool(Must(Die(6)), Must(Die(4)), Must(Die(6))))}, func(faces [][]int, _ Weight) error {
		if !slices.IsSorted(faces[0]) || (last != nil && slices.Compare(last, faces[0]) >= 0) {
			t.Errorf("%v after %v", faces[0], last)
		}
		last = slices.Clone(faces[0])
		n++
		return nil
	}))
	if n != 52 { // of 56 multisets of 3d6 the 4 with no die below 5 cannot happen
		t.Errorf("got %d multisets, want 52", n)
	}
}

// 100 coins have 101 multisets, not 2^100 tuples.
func TestSortedOfManyDice(t *testing.T) {
	coins := Must(Repeat(Must(Uniform(0, 1)), 100))
	var heads Tally[int]
	Must(0, Sorted(ctx, []*Pool{coins}, func(faces [][]int, w Weight) error {
		sum := 0
		for _, x := range faces[0] {
			sum += x
		}
		heads.Add(sum, w)
		return nil
	}))
	if want := Must(Must(Uniform(0, 1)).Times(ctx, 100)); !equal(Must(TallyDist(ctx, &heads, 0)), want) {
		t.Error("heads of 100 coins are not binomial")
	}
}

func TestEnumerationIsChargedFirst(t *testing.T) {
	dice := make([]*Dist, 10)
	for i := range dice {
		dice[i] = Must(Die(100))
	}
	small := WithBudget(ctx, NewBudget(Limits{Work: 1000}))
	never := func() error { t.Error("visited"); return nil }
	var limit *LimitError
	if err := Tuples(small, dice, func([]int, Weight) error { return never() }); !errors.As(err, &limit) {
		t.Errorf("got %v, want a limit error", err)
	}
	if err := Sorted(small, []*Pool{Must(NewPool(dice...))}, func([][]int, Weight) error { return never() }); !errors.As(err, &limit) {
		t.Errorf("got %v, want a limit error", err)
	}
}

func TestEnumerationStops(t *testing.T) {
	dice := []*Dist{Must(Die(1000)), Must(Die(1000))}
	stop := errors.New("enough")
	if err := Tuples(ctx, dice, func([]int, Weight) error { return stop }); err != stop {
		t.Errorf("got %v", err)
	}
	if err := Sorted(ctx, []*Pool{Must(NewPool(dice...))}, func([][]int, Weight) error { return stop }); err != stop {
		t.Errorf("got %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	n := 0
	visit := func() error {
		if n++; n == 10 {
			cancel()
		}
		return nil
	}
	if err := Tuples(cancelled, dice, func([]int, Weight) error { return visit() }); err != context.Canceled || n > 5000 {
		t.Errorf("got %v after %d visits", err, n)
	}
}

func BenchmarkTuples100x100(b *testing.B) {
	dice := []*Dist{Must(Die(100)), Must(Die(100))}
	b.ReportAllocs()
	for b.Loop() {
		var t Tally[int]
		Must(0, Tuples(ctx, dice, func(faces []int, w Weight) error {
			t.Add(max(faces[0]-faces[1], 0), w)
			return nil
		}))
	}
}

func BenchmarkSortedTwoPools5d10(b *testing.B) {
	five := Must(Repeat(Must(Die(10)), 5))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		Must(0, Sorted(ctx, []*Pool{five, five}, func([][]int, Weight) error { n++; return nil }))
		if n != 2002*2002 {
			b.Fatal(n)
		}
	}
}

func BenchmarkSortedMixed(b *testing.B) {
	p := Must(Repeat(Must(Die(6)), 4))
	for _, g := range [][2]int{{3, 8}, {2, 10}, {1, 12}} {
		p = Must(p.Join(Must(Repeat(Must(Die(g[1])), g[0]))))
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		Must(0, Sorted(ctx, []*Pool{p}, func([][]int, Weight) error { n++; return nil }))
	}
}

// Rows are the tuples, a last die at a time.
func TestRowsAreTuples(t *testing.T) {
	wide := Must(Must(Die(6)).Times(ctx, 60))
	for _, dice := range [][]*Dist{
		{Must(Die(3))},
		{Must(Die(2)), Must(Faces(5, 5, 9))},
		{Must(Die(2)), wide, Must(Faces(1, 7, 7, 8))},
		{Must(Die(3)), wide},
	} {
		var want, got []string
		if err := Tuples(ctx, dice, func(faces []int, w Weight) error {
			want = append(want, fmt.Sprint(faces, w))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		err := Rows(ctx, dice, func(faces []int, w Weight, last Row) error {
			sum := Weight{}
			for i, x := range last.Faces {
				got = append(got, fmt.Sprint(append(slices.Clone(faces), x), w.Times(last.Weight(i, i+1))))
				sum = sum.Plus(last.Weight(i, i+1))
			}
			if sum.Int().Cmp(last.Weight(0, last.Len()).Int()) != 0 {
				t.Errorf("the weights of a row add up to %v and not to %v", sum, last.Weight(0, last.Len()))
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	}
}
