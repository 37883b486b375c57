package dist

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A pokerHand is what matters of the cards seen so far, rank by rank and suit by
// suit within a rank.
type pokerHand struct {
	suit         int // 0 when no card is seen, suit + 1, or mixed
	now          int // cards of the rank that is going on
	best, second int // of the ranks before
	low, run     int // the straight that is going on; run is -1 when there is none
}

const mixedSuits = 5

// poker sees the cards 4*rank + suit, with ranks from 0, the two, to 12, the ace.
func poker(h pokerHand, card, count int) (pokerHand, error) {
	rank, suit := card/4, card%4
	if suit == 0 {
		h = h.endRank()
	}
	if count == 0 {
		return h, nil
	}
	switch {
	case h.now > 0:
		h.low, h.run = 0, -1
	case h.run == 0:
		h.low, h.run = rank, 1
	case h.run > 0 && (rank == h.low+h.run || rank == 12 && h.low == 0 && h.run == 4):
		h.run++
	default:
		h.low, h.run = 0, -1
	}
	h.now++
	switch h.suit {
	case 0:
		h.suit = suit + 1
	case suit + 1:
	default:
		h.suit = mixedSuits
	}
	return h, nil
}

func (h pokerHand) endRank() pokerHand {
	if h.now > h.best {
		h.best, h.second = h.now, h.best
	} else {
		h.second = max(h.second, h.now)
	}
	h.now = 0
	return h
}

func (h pokerHand) name() string {
	h = h.endRank()
	flush, straight := h.suit != mixedSuits, h.run == 5
	switch {
	case flush && straight && h.low == 8:
		return "royal flush"
	case flush && straight:
		return "straight flush"
	case h.best == 4:
		return "four of a kind"
	case h.best == 3 && h.second == 2:
		return "full house"
	case flush:
		return "flush"
	case straight:
		return "straight"
	case h.best == 3:
		return "three of a kind"
	case h.best == 2 && h.second == 2:
		return "two pairs"
	case h.best == 2:
		return "one pair"
	}
	return "high card"
}

func deckOf52() *Deck {
	cards, counts := make([]int, 52), make([]int, 52)
	for i := range cards {
		cards[i], counts[i] = i, 1
	}
	return Must(NewDeck(cards, counts))
}

// ranksOf52 is the deck of thirteen ranks in four suits that do not matter.
func ranksOf52() *Deck {
	cards, counts := make([]int, 13), make([]int, 13)
	for i := range cards {
		cards[i], counts[i] = i+2, 4
	}
	return Must(NewDeck(cards, counts))
}

func pokerTable() (map[string]string, error) {
	hand := Must(deckOf52().Deal(5)).Hand(0)
	got, err := EvaluateTogether(ctx, []*Multiset{hand}, Ascending, pokerHand{}, func(h pokerHand, card int, counts []int) (pokerHand, error) {
		return poker(h, card, counts[0])
	})
	if err != nil {
		return nil, err
	}
	var t Tally[string]
	for h, w := range got.All() {
		t.Add(h.name(), w)
	}
	table := map[string]string{}
	for name, w := range t.All() {
		table[name] = w.String()
	}
	return table, nil
}

// The frequencies that every book on poker prints.
var pokerHands = map[string]string{
	"royal flush": "4", "straight flush": "36", "four of a kind": "624", "full house": "3744", "flush": "5108",
	"straight": "10200", "three of a kind": "54912", "two pairs": "123552", "one pair": "1098240", "high card": "1302540",
}

func TestPokerHands(t *testing.T) {
	got, err := pokerTable()
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(pokerHands) {
		t.Errorf("got %v", got)
	}
}

func TestAcesInFiveCards(t *testing.T) {
	aces := Must(Must(ranksOf52().Deal(5)).Hand(0).Count(ctx, Only(14)))
	for k, want := range []string{"35673/54145", "3243/10829", "2162/54145", "94/54145", "1/54145"} {
		if got := aces.PMF(k); got.Cmp(ratOf(t, want)) != 0 {
			t.Errorf("P(%d aces) = %v, want %v", k, got, want)
		}
	}
	if got := aces.Mean(); got.Cmp(big.NewRat(5, 13)) != 0 {
		t.Errorf("mean %v, want 5/13", got)
	}
}

// The first of 4 aces in a shuffled deck of 52 comes, on average, as card
// 53/5: the aces divide the others into five parts that are alike.
func TestFirstAce(t *testing.T) {
	mean := new(big.Rat)
	for n := range 52 {
		none := Must(Must(ranksOf52().Deal(n)).Hand(0).Count(ctx, Only(14))).PMF(0)
		mean.Add(mean, none) // the first ace comes after more than n cards
	}
	if mean.Cmp(big.NewRat(53, 5)) != 0 {
		t.Errorf("got %v, want 53/5", mean)
	}
}

// At bridge, all four hands are asked together: each has an ace in
// 13^4 / C(52,4) = 2197/20825 of the deals.
func TestAnAceInEveryHand(t *testing.T) {
	others := Must(NewDeck([]int{0, 1}, []int{48, 4}))
	deal := Must(others.Deal(13, 13, 13, 13))
	var hands []*Multiset
	for i := range deal.Hands() {
		hands = append(hands, deal.Hand(i))
	}
	got := Must(EvaluateTogether(ctx, hands, Ascending, true, func(_ bool, card int, counts []int) (bool, error) {
		return slices.Max(counts) == 1, nil
	}))
	if p := new(big.Rat).SetFrac(got.Weight(true).Int(), got.Total().Int()); p.Cmp(big.NewRat(2197, 20825)) != 0 {
		t.Errorf("got %v", p)
	}
}

// A multiset is asked what its sorted lists are asked one by one.
func TestMultisetsAgreeWithTheirLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTable(t)
		s := x.sets[0]
		lists := [][]int{}
		var weights []*big.Int
		x.each(func(all [][]int, w *big.Int) {
			lists, weights = append(lists, slices.Clone(s.kept(all))), append(weights, w)
		})
		set := drawSet(t, "set", Must(Faces(-2, 1, 3, 6)))
		width := rapid.IntRange(1, 3).Draw(t, "width")
		k := rapid.IntRange(0, 4).Draw(t, "k")
		rank := rapid.IntRange(1, max(1, s.set.Size())).Draw(t, "rank")
		for _, q := range []struct {
			name string
			ask  func() (*Dist, error)
			of   func(high []int) int // of the faces, highest first
		}{
			{"Total", func() (*Dist, error) { return s.set.Total(ctx) }, func(l []int) int { return sumInts(l) }},
			{"Highest", func() (*Dist, error) { return s.set.Highest(ctx, k) }, func(l []int) int { return sumInts(l[:min(k, len(l))]) }},
			{"Lowest", func() (*Dist, error) { return s.set.Lowest(ctx, k) }, func(l []int) int { return sumInts(l[max(0, len(l)-k):]) }},
			{"OrderStat", func() (*Dist, error) { return s.set.OrderStat(ctx, rank) }, func(l []int) int { return l[rank-1] }},
			{"Count", func() (*Dist, error) { return s.set.Count(ctx, set) }, func(l []int) int { return len(l) - len(slices.DeleteFunc(slices.Clone(l), set.Contains)) }},
			{"LargestSet", func() (*Dist, error) { return s.set.LargestSet(ctx) }, func(l []int) int { return slices.Max(append(countsOf(l), 0)) }},
			{"Sets", func() (*Dist, error) { return s.set.Sets(ctx, width) }, func(l []int) int {
				return len(slices.DeleteFunc(countsOf(l), func(c int) bool { return c < width }))
			}},
			{"Unique", func() (*Dist, error) { return s.set.Unique(ctx) }, func(l []int) int { return len(countsOf(l)) }},
			{"Pairs", func() (*Dist, error) { return s.set.Pairs(ctx) }, func(l []int) int {
				n := 0
				for _, c := range countsOf(l) {
					n += c / 2
				}
				return n
			}},
			{"LongestRun", func() (*Dist, error) { return s.set.LongestRun(ctx) }, longestOf},
			{"Sorted", func() (*Dist, error) {
				var tally Tally[int]
				err := s.set.Sorted(ctx, func(faces []int, w Weight) error {
					if !slices.IsSorted(faces) || len(faces) != s.set.Size() {
						t.Fatalf("faces %v", faces)
					}
					tally.Add(hashOf(faces), w)
					return nil
				})
				if err != nil {
					return nil, err
				}
				return TallyDist(ctx, &tally, 0)
			}, func(l []int) int { slices.Sort(l); return hashOf(l) }},
		} {
			if q.name == "OrderStat" && s.set.Size() == 0 {
				continue
			}
			got, err := q.ask()
			if err != nil {
				t.Fatalf("%s: %v", q.name, err)
			}
			total, want := new(big.Int), chances{}
			for _, w := range weights {
				total.Add(total, w)
			}
			for i, l := range lists {
				want.add(q.of(slices.Clone(l)), new(big.Rat).SetFrac(weights[i], total))
			}
			agrees(t, q.name, got, want)
		}
	})
}

func sumInts(xs []int) int {
	sum := 0
	for _, x := range xs {
		sum += x
	}
	return sum
}

// countsOf returns how often each face of a list shows.
func countsOf(l []int) []int {
	counts := map[int]int{}
	for _, x := range l {
		counts[x]++
	}
	var out []int
	for _, c := range counts {
		out = append(out, c)
	}
	return out
}

func longestOf(l []int) int {
	best := 0
	for _, x := range l {
		n := 0
		for slices.Contains(l, x+n) {
			n++
		}
		best = max(best, n)
	}
	return best
}

func hashOf(l []int) int {
	h := 17
	for _, x := range l {
		h = h*1_000_003 + x
	}
	return h
}

// wallenius is the definition: card after card, each in proportion to its weight
// among those that are left.
func wallenius(cards []int, weight func(card int) int64, n int, p *big.Rat, visit func(hand []int, p *big.Rat), hand []int) {
	if n == 0 {
		visit(hand, p)
		return
	}
	sum := int64(0)
	for _, x := range cards {
		sum += weight(x)
	}
	for i, x := range cards {
		if w := weight(x); w > 0 {
			rest := slices.Delete(slices.Clone(cards), i, i+1)
			wallenius(rest, weight, n-1, new(big.Rat).Mul(p, big.NewRat(w, sum)), visit, append(slices.Clone(hand), x))
		}
	}
}

func TestDealWeightedDrawsCardAfterCard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deck := drawDeck(t)
		kinds, counts := deck.Cards()
		weights, of, most := make([]*big.Int, len(kinds)), map[int]int64{}, 0
		for i := range kinds {
			w := rapid.SampledFrom([]int64{0, 1, 1, 2, 3, 10}).Draw(t, "weight")
			weights[i], of[kinds[i]] = big.NewInt(w), w
			if w > 0 {
				most += counts[i]
			}
		}
		n := rapid.IntRange(0, min(4, most)).Draw(t, "n")
		hand := Must(deck.DealWeighted(n, weights)).Hand(0)
		set := drawSet(t, "set", Must(Faces(-2, 1, 3, 6)))
		hits := chances{}
		want := map[string]*big.Rat{}
		wallenius(deck.list(), func(x int) int64 { return of[x] }, n, big.NewRat(1, 1), func(h []int, p *big.Rat) {
			hits.add(len(h)-len(slices.DeleteFunc(slices.Clone(h), set.Contains)), p)
			slices.Sort(h)
			key := fmt.Sprint(h)
			if want[key] == nil {
				want[key] = new(big.Rat)
			}
			want[key].Add(want[key], p)
		}, nil)
		agrees(t, "count", Must(hand.Count(ctx, set)), hits)
		var got Tally[string]
		Must(0, hand.Sorted(ctx, func(faces []int, w Weight) error { got.Add(fmt.Sprint(faces), w); return nil }))
		total := got.Total().Int()
		for h, p := range want {
			if q := new(big.Rat).SetFrac(got.Weight(h).Int(), total); q.Cmp(p) != 0 {
				t.Fatalf("P(%s) = %v, want %v", h, q, p)
			}
		}
		if got.Len() != len(want) {
			t.Fatalf("%d hands, want %d", got.Len(), len(want))
		}
	})
}

func TestDecksRefuseWhatTheyDoNotHold(t *testing.T) {
	deck := ranksOf52()
	for what, err := range map[string]error{
		"a card twice":         second(NewDeck([]int{1, 1}, []int{1, 1})),
		"fewer counts":         second(NewDeck([]int{1, 2}, []int{1})),
		"a negative count":     second(NewDeck([]int{1}, []int{-1})),
		"53 cards":             second(deck.Deal(53)),
		"53 cards in all":      second(deck.Deal(50, 3)),
		"a negative hand":      second(deck.Deal(-1)),
		"no hand":              second(deck.Deal()),
		"a card that is gone":  second(deck.Without(2, 2, 2, 2, 2)),
		"a negative weight":    second(Must(NewDeck([]int{1}, []int{3})).DealWeighted(1, []*big.Int{big.NewInt(-1)})),
		"nothing to be drawn":  second(Must(NewDeck([]int{1}, []int{3})).DealWeighted(1, []*big.Int{new(big.Int)})),
		"weights of no cards":  second(deck.DealWeighted(1, nil)),
		"ranks beyond a hand":  second(Must(deck.Deal(5)).Hand(0).kept(1, 6)),
		"ranks before a hand":  second(Must(deck.Deal(5)).Hand(0).kept(0, 3)),
		"the sixth of 5 cards": second(Must(deck.Deal(5)).Hand(0).OrderStat(ctx, 6)),
	} {
		if arg := (*ArgError)(nil); !errors.As(err, &arg) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	without := Must(deck.Without(14, 14))
	if without.Size() != 50 {
		t.Errorf("%d cards are left", without.Size())
	}
}

func BenchmarkDeck(b *testing.B) {
	b.Run("straight_in_five", func(b *testing.B) {
		for b.Loop() {
			run, err := Must(ranksOf52().Deal(5)).Hand(0).LongestRun(ctx)
			if err != nil || run.PMF(5).Cmp(big.NewRat(9*1024, 2598960)) != 0 {
				b.Fatal(run, err)
			}
		}
	})
	b.Run("poker", func(b *testing.B) {
		for b.Loop() {
			got, err := pokerTable()
			if err != nil || got["flush"] != "5108" {
				b.Fatal(got, err)
			}
		}
	})
}
