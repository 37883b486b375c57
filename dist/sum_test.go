package dist

import (
	"context"
	"math/big"
	"reflect"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// To add a number is to add a roll of that one outcome: the roll, the error and what is
// charged are the same, also where outcomes are listed, single, cut off or out of range.
func TestShiftIsAddOfAConstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := drawDist(t, "d"), drawInt(t, "n")
		switch rapid.IntRange(0, 3).Draw(t, "made by") {
		case 0:
			if more, err := d.Times(ctx, 2); err == nil {
				d = more
			}
		case 1:
			d = Must(Must(Die(6)).Explode(ctx, Only(6), Unlimited))
		}
		shift, add := NewBudget(Limits{}), NewBudget(Limits{})
		got, err := d.Shift(WithBudget(ctx, shift), n)
		want, wantErr := d.Add(WithBudget(ctx, add), Constant(n))
		if !reflect.DeepEqual(err, wantErr) || shift.Used() != add.Used() {
			t.Fatalf("%v + %d: got %v for %+v, want %v for %+v", d, n, err, shift.Used(), wantErr, add.Used())
		}
		if err == nil && !Must(Same(ctx, got, want)) {
			t.Fatalf("%v + %d: got %v, want %v", d, n, got, want)
		}
	})
}

// However a pool of several kinds is summed up, the sum is that of its dice one after
// another by plain products.
func TestTotalsByAllWays(t *testing.T) {
	recurrences, windows := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		k := kinds{}
		known := map[dieKey]bool{}
		for range rapid.IntRange(2, 5).Draw(t, "kinds") {
			d := drawSmall(t, "die")
			if rapid.Bool().Draw(t, "fair") {
				d = die(rapid.IntRange(2, 40).Draw(t, "sides"))
			}
			if key := keyOf(d); d.size > 1 && !known[key] {
				known[key] = true
				k.dice, k.counts = append(k.dice, d), append(k.counts, rapid.IntRange(1, 12).Draw(t, "count"))
			}
		}
		if len(k.dice) == 0 || !k.align() {
			return
		}
		want := Constant(0)
		for i, d := range k.dice {
			bare := *d
			bare.gf = nil
			for range k.counts[i] {
				want = Must(want.Add(ctx, &bare))
				want.gf = nil
			}
		}
		var pool []*Dist
		for i, d := range k.dice {
			for range k.counts[i] {
				pool = append(pool, d)
			}
		}
		got := Must(Must(NewPool(pool...)).Total(ctx))
		hasItsGenfunc(t, "total", got)
		if !equal(got, want) {
			t.Fatalf("total of %v: got %v, want %v", pool, got, want)
		}
		if !equal(Must(k.byWindows(ctx)), want) {
			t.Fatalf("%v by windows", pool)
		}
		windows++
		if p := Must(k.power(ctx)); p != nil {
			p.first, p.total = k.firstAndTotal()
			if got := Must(p.dist(ctx, k.words)); !equal(got, want) {
				t.Fatalf("%v by one recurrence: got %v, want %v", pool, got, want)
			}
			recurrences++
		}
	})
	if recurrences == 0 || windows == 0 {
		t.Errorf("%d recurrences and %d totals by windows", recurrences, windows)
	}
}

// Sums and differences of powers have the generating function of both, whichever way they
// were multiplied.
func TestSumsOfPowers(t *testing.T) {
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) *Dist {
			d := drawSmall(t, name)
			if rapid.Bool().Draw(t, name+" fair") {
				d = die(rapid.IntRange(5, 20).Draw(t, name+" sides"))
			}
			return Must(d.Times(ctx, rapid.IntRange(1, 25).Draw(t, name+" count")))
		}
		a, b := draw("a"), draw("b")
		if rapid.Bool().Draw(t, "wider") {
			a = Must(a.Scale(ctx, rapid.IntRange(-2, 2).Draw(t, "scale")))
		}
		bareA, bareB := *a, *b
		bareA.gf, bareB.gf = nil, nil
		for name, ways := range map[string][2]*Dist{
			"sum":        {Must(a.Add(ctx, b)), Must(bareA.Add(ctx, &bareB))},
			"difference": {Must(a.Sub(ctx, b)), Must(bareA.Sub(ctx, &bareB))},
		} {
			hasItsGenfunc(t, name, ways[0])
			if !equal(ways[0], ways[1]) {
				t.Fatalf("%s of %v and %v: got %v, want %v", name, a, b, ways[0], ways[1])
			}
			if ways[0].gf != nil {
				kept++
			}
		}
	})
	if kept == 0 {
		t.Error("no generating function was kept")
	}
}

// One more die or side is never much more work.
func TestSumsHaveNoCliffs(t *testing.T) {
	work := func(f func(context.Context) error) float64 {
		b := NewBudget(Limits{})
		if err := f(WithBudget(ctx, b)); err != nil {
			t.Fatal(err)
		}
		return float64(b.Used().Work) + 500 // what is not worth to look at
	}
	symbol := Must(NewVectors(ctx, [][]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}}, []*big.Int{big.NewInt(1), big.NewInt(2), big.NewInt(1), big.NewInt(1), big.NewInt(1)}, 0))
	for name, of := range map[string]func(ctx context.Context, n int) error{
		"n d6":          func(ctx context.Context, n int) error { _, err := die(6).Times(ctx, n); return err },
		"30 dn":         func(ctx context.Context, n int) error { _, err := die(n).Times(ctx, 30); return err },
		"d2 to dn":      func(ctx context.Context, n int) error { _, err := unlike(n, 2, n+1).Total(ctx); return err },
		"n of d4 to d9": func(ctx context.Context, n int) error { _, err := unlike(n, 4, 9).Total(ctx); return err },
		"n d10 - n d12": func(ctx context.Context, n int) error { _, err := difference(ctx, n, 10, 12); return err },
		"n symbols":     func(ctx context.Context, n int) error { _, err := symbol.Times(ctx, n); return err },
		"scattered": func(ctx context.Context, n int) error {
			_, err := Must(Faces(0, 1, 1000, 1<<30)).Times(ctx, n%30)
			return err
		},
		"pairs": func(ctx context.Context, n int) error {
			_, err := CompareSorted(ctx, dice(n%9+1, 8).Multiset(), dice(n%9+1, 8).Multiset(), 100, Descending)
			return err
		},
		"long products": func(ctx context.Context, n int) error {
			a := Must(dice(4, 3*n).Highest(context.Background(), 2))
			_, err := a.Add(ctx, a)
			return err
		},
	} {
		before := work(func(ctx context.Context) error { return of(ctx, 1) })
		for n := 2; n <= 90; n++ {
			now := work(func(ctx context.Context) error { return of(ctx, n) })
			if now > 5*before {
				t.Errorf("%s: %v for %d, %v for one less", name, now, n, before)
			}
			before = now
		}
	}
}
