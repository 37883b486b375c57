package dist

import (
	"math/big"
	"slices"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// Every combination of faces is sorted and compared pair by pair.
func TestCompareSortedByEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sides [2][]*Dist
		for i, name := range []string{"a", "b"} {
			for range rapid.IntRange(1, 3).Draw(t, name+" dice") {
				sides[i] = append(sides[i], drawSmall(t, name))
			}
		}
		pairs := rapid.IntRange(0, 4).Draw(t, "pairs")
		order := rapid.SampledFrom([]Order{Ascending, Descending}).Draw(t, "order")
		want := map[[3]int]*big.Rat{}
		eachCombination(sides[0], nil, big.NewRat(1, 1), func(x []int, p *big.Rat) {
			eachCombination(sides[1], nil, p, func(y []int, p *big.Rat) {
				a, b := slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
				if order == Descending {
					slices.Reverse(a)
					slices.Reverse(b)
				}
				var r [3]int
				for i := range min(pairs, len(a), len(b)) {
					switch {
					case a[i] > b[i]:
						r[0]++
					case a[i] == b[i]:
						r[1]++
					default:
						r[2]++
					}
				}
				if want[r] == nil {
					want[r] = new(big.Rat)
				}
				want[r].Add(want[r], p)
			})
		})
		p, q := Must(NewPool(sides[0]...)), Must(NewPool(sides[1]...))
		got := Must(CompareSorted(ctx, p.Multiset(), q.Multiset(), pairs, order))
		if got.Len() != len(want) {
			t.Fatalf("%d results, want %d", got.Len(), len(want))
		}
		for v, w := range got.All() {
			chance := new(big.Rat).SetFrac(w, got.Total())
			if e := want[[3]int(v)]; e == nil || e.Cmp(chance) != 0 {
				t.Fatalf("%v: got %v, want %v", v, chance, e)
			}
		}
	})
}

// eachCombination visits every combination of faces with its chance.
func eachCombination(dice []*Dist, faces []int, p *big.Rat, visit func([]int, *big.Rat)) {
	if len(dice) == 0 {
		visit(faces, p)
		return
	}
	for x, w := range dice[0].All() {
		q := new(big.Rat).SetFrac(w, dice[0].Total())
		eachCombination(dice[1:], append(slices.Clone(faces), x), q.Mul(q, p), visit)
	}
}

// Risk: three dice against two, and the cards of one deck.
func TestCompareSortedOfRiskAndCards(t *testing.T) {
	v := Must(CompareSorted(ctx, dice(3, 6).Multiset(), dice(2, 6).Multiset(), 9, Descending))
	if got := Must(v.Item(ctx, 0)).PMF(2); got.Cmp(big.NewRat(2890, 7776)) != 0 {
		t.Errorf("the attacker takes two with chance %v", got)
	}
	deal := Must(ranksOf52().Deal(1, 1))
	v = Must(CompareSorted(ctx, deal.Hand(0), deal.Hand(1), 1, Descending))
	if got := Must(v.Item(ctx, 1)).PMF(1); got.Cmp(big.NewRat(3, 51)) != 0 {
		t.Errorf("two cards of one deck are of one rank with chance %v", got)
	}
	if _, err := CompareSorted(ctx, deal.Hand(0), deal.Hand(1), -1, Descending); err == nil {
		t.Error("fewer than no pairs are no error")
	}
}
