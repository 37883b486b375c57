package dist

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The oracle looks at every roll of every die and at every order of the cards,
// as plain lists.

// A drawnSet is a multiset with the list that stands for it in a full roll.
type drawnSet struct {
	set  *Multiset
	kept func(all [][]int) []int // from the faces of the pools and hands
}

// A drawnTable is independent pools and one deck, from which hands are dealt.
type drawnTable struct {
	pools []*Pool
	deck  *Deck
	sizes []int
	sets  []drawnSet
}

func drawTable(t *rapid.T) *drawnTable {
	x := &drawnTable{}
	var sources []*Multiset
	for i := range rapid.IntRange(0, 2).Draw(t, "pools") {
		p := drawLikePool(t, fmt.Sprint("pool ", i))
		x.pools = append(x.pools, p)
		sources = append(sources, p.Multiset())
	}
	if len(sources) == 0 || rapid.Bool().Draw(t, "cards too") {
		x.deck = drawDeck(t)
		left := x.deck.Size()
		for i := range rapid.IntRange(1, 2).Draw(t, "hands") {
			n := rapid.IntRange(0, min(2, left)).Draw(t, fmt.Sprint("hand ", i))
			left -= n
			x.sizes = append(x.sizes, n)
		}
		deal := Must(x.deck.Deal(x.sizes...))
		for i := range x.sizes {
			sources = append(sources, deal.Hand(i))
		}
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "asked") {
		at := rapid.IntRange(0, len(sources)-1).Draw(t, fmt.Sprint("which ", i))
		m := sources[at]
		if m.pool != nil && slices.ContainsFunc(x.sets, func(s drawnSet) bool { return s.set.pool == m.pool }) {
			continue // it would be other dice
		}
		from, to := 1, m.Size()
		if m.Size() > 0 && rapid.Bool().Draw(t, "kept") {
			from = rapid.IntRange(1, m.Size()).Draw(t, "from")
			to = rapid.IntRange(from-1, m.Size()).Draw(t, "to")
		}
		x.sets = append(x.sets, drawnSet{Must(m.kept(from, to)), func(all [][]int) []int {
			sorted := slices.Clone(all[at])
			slices.Sort(sorted)
			slices.Reverse(sorted)
			return sorted[from-1 : to]
		}})
	}
	return x
}

// drawLikePool draws a pool some of whose dice differ only in a few faces.
func drawLikePool(t *rapid.T, name string) *Pool {
	kinds := []*Dist{die(2), die(3), die(4), Must(Faces(1, 2, 6)), Must(Faces(0, 2, 3)), Must(Faces(3, 4, 4)), Constant(2), Must(Faces(-1, 1<<40))}
	var dice []*Dist
	for i := range rapid.IntRange(1, 3).Draw(t, name+" size") {
		if rapid.IntRange(0, 5).Draw(t, name+" odd") == 0 {
			dice = append(dice, drawDie(t, fmt.Sprint(name, " die ", i)))
			continue
		}
		dice = append(dice, rapid.SampledFrom(kinds).Draw(t, fmt.Sprint(name, " die ", i)))
	}
	return Must(NewPool(dice...))
}

func drawDeck(t *rapid.T) *Deck {
	cards := rapid.SliceOfNDistinct(rapid.IntRange(-2, 6), 1, 4, rapid.ID[int]).Draw(t, "cards")
	counts := make([]int, len(cards))
	for i := range counts {
		counts[i] = rapid.IntRange(0, 2).Draw(t, "copies")
	}
	return Must(NewDeck(cards, counts))
}

// each visits every full roll with its weight: the faces of the pools, then of
// the hands.
func (x *drawnTable) each(visit func(all [][]int, w *big.Int)) {
	var faces []*Dist
	for _, p := range x.pools {
		faces = append(faces, Must(p.Dice(ctx))...)
	}
	deals := [][]int{nil}
	if x.deck != nil {
		n := 0
		for _, k := range x.sizes {
			n += k
		}
		deals = drawsOf(x.deck.list(), n)
	}
	Must(0, Tuples(ctx, faces, func(rolled []int, w Weight) error {
		for _, dealt := range deals {
			var all [][]int
			rest := rolled
			for _, p := range x.pools {
				all = append(all, rest[:p.size])
				rest = rest[p.size:]
			}
			for _, k := range x.sizes {
				all = append(all, dealt[:k])
				dealt = dealt[k:]
			}
			visit(all, w.Int())
		}
		return nil
	}))
}

// list returns every single card.
func (d *Deck) list() []int {
	var cards []int
	for i, x := range d.faces {
		for range d.counts[i] {
			cards = append(cards, x)
		}
	}
	return cards
}

// drawsOf returns all sequences of n different cards.
func drawsOf(cards []int, n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, x := range cards {
		rest := slices.Delete(slices.Clone(cards), i, i+1)
		for _, more := range drawsOf(rest, n-1) {
			all = append(all, append([]int{x}, more...))
		}
	}
	return all
}

// A seenRow is what a rule that remembers everything has seen.
func seenRow(s string, face int, counts []int) (string, error) {
	return s + fmt.Sprint(face, counts, ";"), nil
}

func TestEvaluateTogetherIsEveryRoll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTable(t)
		order := rapid.SampledFrom([]Order{Ascending, Descending}).Draw(t, "order")
		var sets []*Multiset
		for _, s := range x.sets {
			sets = append(sets, s.set)
		}
		got, err := EvaluateTogether(ctx, sets, order, "", seenRow)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]*big.Rat{}
		total := new(big.Int)
		x.each(func(_ [][]int, w *big.Int) { total.Add(total, w) })
		faces := facesOfSets(sets)
		if order == Descending {
			slices.Reverse(faces)
		}
		x.each(func(all [][]int, w *big.Int) {
			seen := ""
			for _, face := range faces {
				counts := make([]int, len(x.sets))
				for i, s := range x.sets {
					for _, y := range s.kept(all) {
						if y == face {
							counts[i]++
						}
					}
				}
				seen, _ = seenRow(seen, face, counts)
			}
			if want[seen] == nil {
				want[seen] = new(big.Rat)
			}
			want[seen].Add(want[seen], new(big.Rat).SetFrac(w, total))
		})
		if got.Len() != len(want) {
			t.Fatalf("%d states, want %d", got.Len(), len(want))
		}
		sum := got.Total().Int()
		for s, w := range got.All() {
			if p := new(big.Rat).SetFrac(w.Int(), sum); want[s] == nil || p.Cmp(want[s]) != 0 {
				t.Fatalf("P(%s) = %v, want %v", s, p, want[s])
			}
		}
	})
}

// facesOfSets returns all faces that the machine visits, ascending.
func facesOfSets(sets []*Multiset) []int {
	var faces []int
	for _, m := range sets {
		if m.deal != nil {
			faces = append(faces, m.deal.deck.faces...)
			continue
		}
		for d := range m.pool.Kinds() {
			faces = append(faces, d.Outcomes()...)
		}
	}
	slices.Sort(faces)
	return slices.Compact(faces)
}

func TestEvaluateTogetherAgreesWithEvaluate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var dice []*Dist
		for i := range rapid.IntRange(1, 9).Draw(t, "dice") {
			dice = append(dice, die(rapid.SampledFrom([]int{4, 6, 8, 12}).Draw(t, fmt.Sprint("die ", i))))
		}
		p := Must(NewPool(dice...))
		step := func(s, face, count int) (int, error) { return (s*7 + face*count) % 101, nil }
		want := Must(Evaluate(ctx, p, 1, step))
		got := Must(EvaluateTogether(ctx, []*Multiset{p.Multiset()}, Ascending, 1, func(s, face int, counts []int) (int, error) {
			return step(s, face, counts[0])
		}))
		if got.Len() != want.Len() {
			t.Fatalf("%d states, want %d", got.Len(), want.Len())
		}
		for s, w := range want.All() {
			if got.Weight(s).Int().Cmp(w.Int()) != 0 {
				t.Fatalf("weight of %d is %v, want %v", s, got.Weight(s), w)
			}
		}
	})
}

// A red die cancels a green one that shows the same face.
func unmatched(left, _ int, counts []int) (int, error) {
	return left + max(0, counts[0]-counts[1]), nil
}

func mixedTen() *Pool {
	return joinedPools(dice(3, 6), dice(3, 8), dice(2, 10), dice(2, 12))
}

func TestTwoMixedPoolsHaveAsManyWaysAsTheirDice(t *testing.T) {
	p := mixedTen()
	got := Must(EvaluateTogether(ctx, []*Multiset{p.Multiset(), p.Multiset()}, Ascending, 0, unmatched))
	total := Must(p.total(ctx))
	if got.Total().Int().Cmp(new(big.Int).Mul(total, total)) != 0 {
		t.Fatalf("%v ways", got.Total())
	}
	// Two equal pools have as many dice left as each other, in whatever order
	// the faces are seen.
	back := Must(EvaluateTogether(ctx, []*Multiset{p.Multiset(), p.Multiset()}, Descending, 0, func(left, _ int, counts []int) (int, error) {
		return left + max(0, counts[1]-counts[0]), nil
	}))
	for s, w := range got.All() {
		if back.Weight(s).Int().Cmp(w.Int()) != 0 {
			t.Fatalf("%d left: %v and %v ways", s, w, back.Weight(s))
		}
	}
}

// The mean of what is left adds up over the faces, for each of which the numbers
// of dice that show it are known by themselves.
func TestMeanOfUnmatchedDiceAddsUpOverTheFaces(t *testing.T) {
	p := mixedTen()
	want := new(big.Rat)
	for face := 1; face <= 12; face++ {
		n := Must(p.Count(ctx, Only(face)))
		more := Must(Must(n.Sub(ctx, n)).Clamp(ctx, 0, 10))
		want.Add(want, more.Mean())
	}
	if got := Must(unmatchedOfTen()).Mean(); got.Cmp(want) != 0 {
		t.Errorf("mean %v, want %v", got, want)
	}
}

// unmatchedOfTen is how many of ten mixed green dice are left beside ten red
// ones like them.
func unmatchedOfTen() (*Dist, error) {
	p := mixedTen()
	left, err := EvaluateTogether(ctx, []*Multiset{p.Multiset(), p.Multiset()}, Ascending, 0, unmatched)
	if err != nil {
		return nil, err
	}
	return TallyDist(ctx, left, 0)
}

// A riskState is how many attackers wait for defenders (or, below 0, the other
// way round), and how many pairs the attacker has won.
type riskState struct{ ahead, won int }

// risk pairs the best dice of both sides with each other, the second best, and
// so on; a tie is the defender's. The faces come in descending order.
func risk(s riskState, _ int, counts []int) (riskState, error) {
	s.won += max(0, min(s.ahead, counts[1]))
	s.ahead += counts[0] - counts[1]
	return s, nil
}

func TestRiskThreeAgainstTwo(t *testing.T) {
	// The well-known table: of 7776 rolls the attacker wins both 2890 times,
	// one each 2611, the defender both 2275.
	got := Must(EvaluateTogether(ctx, []*Multiset{Must(dice(3, 6).Multiset().KeepHighest(2)), dice(2, 6).Multiset()}, Descending, riskState{}, risk))
	for won, want := range []int64{2275, 2611, 2890} {
		if w := got.Weight(riskState{won: won}); w.Int().Int64() != want {
			t.Errorf("the attacker wins %d in %v ways, want %d", won, w, want)
		}
	}
}

func TestRiskOfTwelveAgainstElevenAddsUp(t *testing.T) {
	got := Must(EvaluateTogether(ctx, []*Multiset{dice(12, 6).Multiset(), dice(11, 6).Multiset()}, Descending, riskState{}, risk))
	if want := new(big.Int).Exp(big.NewInt(6), big.NewInt(23), nil); got.Total().Int().Cmp(want) != 0 {
		t.Fatalf("%v ways, want %v", got.Total(), want)
	}
	for s := range got.All() {
		if s.ahead != 1 {
			t.Fatalf("%d dice are left over", s.ahead)
		}
	}
}

// allAtLeast returns the chance that the best of the first multiset is at least
// that of the second, the second best too, and so on.
func allAtLeast(sets ...*Multiset) *big.Rat {
	got := Must(EvaluateTogether(ctx, sets, Descending, 0, func(ahead, _ int, counts []int) (int, error) {
		if ahead < 0 {
			return -1, nil
		}
		return max(-1, ahead+counts[0]-counts[1]), nil
	}))
	return new(big.Rat).SetFrac(got.Weight(0).Int(), got.Total().Int())
}

func TestArraysOfScores(t *testing.T) {
	score := Must(dice(4, 6).DropLowest(ctx, 1))
	single := Must(Repeat(score, 1)).Multiset()
	c := Must(Compare(ctx, score, score))
	if got, want := allAtLeast(single, single), new(big.Rat).Add(c.Greater, c.Equal); got.Cmp(want) != 0 {
		t.Errorf("one score: %v, want %v", got, want)
	}
	// Of two sorted arrays of n, drawn alike and without ties, the first is at
	// least as good in all places with chance 1/(n+1) (the ballot theorem); ties
	// make it more.
	six := Must(Repeat(score, 6)).Multiset()
	if p := allAtLeast(six, six); p.Cmp(big.NewRat(1, 7)) <= 0 || p.Cmp(big.NewRat(1, 3)) >= 0 {
		t.Errorf("six scores: %v", p.FloatString(6))
	}
	wide := Must(Repeat(die(2000), 6)).Multiset()
	if off := new(big.Rat).Sub(allAtLeast(wide, wide), big.NewRat(1, 7)); off.Sign() < 0 || off.Cmp(big.NewRat(1, 100)) > 0 {
		t.Errorf("hardly any ties: off by %v", off.FloatString(6))
	}
}

func TestEvaluateTogetherEndsInTheErrorsOfStepAndBudget(t *testing.T) {
	stop := errors.New("stop")
	sets := []*Multiset{dice(5, 6).Multiset(), dice(5, 8).Multiset()}
	if _, err := EvaluateTogether(ctx, sets, Ascending, 0, func(int, int, []int) (int, error) { return 0, stop }); err != stop {
		t.Errorf("got %v", err)
	}
	for _, limits := range []Limits{{Work: 1000}, {Cells: 500}} {
		_, err := EvaluateTogether(WithBudget(ctx, NewBudget(limits)), sets, Ascending, 0, unmatched)
		if limit := (*LimitError)(nil); !errors.As(err, &limit) {
			t.Errorf("%+v: got %v", limits, err)
		}
	}
	huge := []*Multiset{dice(MaxDice, 6).Multiset(), dice(MaxDice, 6).Multiset()}
	if _, err := EvaluateTogether(WithBudget(ctx, NewBudget(Limits{Work: 1 << 30, Cells: 1 << 24})), huge, Ascending, 0, unmatched); err == nil {
		t.Error("two million dice are no error")
	}
	if got := Must(EvaluateTogether(ctx, nil, Ascending, "start", seenRow)); got.Weight("start") != (Weight{word: 1}) {
		t.Error("no multisets have no faces")
	}
}

func BenchmarkEvaluateTogether(b *testing.B) {
	b.Run("risk_12_11", func(b *testing.B) {
		for b.Loop() {
			got, err := EvaluateTogether(ctx, []*Multiset{dice(12, 6).Multiset(), dice(11, 6).Multiset()}, Descending, riskState{}, risk)
			if err != nil || got.Len() != 12 {
				b.Fatal(got.Len(), err)
			}
		}
	})
	b.Run("six_scores", func(b *testing.B) {
		p := Must(Repeat(Must(dice(4, 6).DropLowest(ctx, 1)), 6))
		for b.Loop() {
			if p := allAtLeast(p.Multiset(), p.Multiset()); p.Cmp(big.NewRat(1, 7)) < 0 {
				b.Fatal(p)
			}
		}
	})
}
