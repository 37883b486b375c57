package dist

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A deck is cards, some of which may be alike. Of a deal only matters how many
// cards of each kind are in each hand, and of m cards of a kind so many go to
// the hands in m! / (c_1! ... c_h! (m-c_1-...-c_h)!) ways: the multivariate
// hypergeometric distribution, one kind at a time; see lattice.go.

// A Deck is an immutable multiset of cards. A card is an int; cards of other
// names are told apart by their numbers.
type Deck struct {
	faces  []int // ascending
	counts []int
	size   int
}

// NewDeck returns the deck that holds the i-th card counts[i] times. It is an
// error when a card stands there twice, when a count is negative and when there
// are more than [MaxDice] cards.
func NewDeck(cards, counts []int) (*Deck, error) {
	if len(cards) != len(counts) {
		return nil, badArg("counts", "got %d for %d cards", len(counts), len(cards))
	}
	order := make([]int, len(cards))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(cards[i], cards[j]) })
	d := &Deck{}
	for k, i := range order {
		if k > 0 && cards[order[k-1]] == cards[i] {
			return nil, badArg("cards", "%d stands there twice", cards[i])
		}
		if counts[i] < 0 || counts[i] > MaxDice-d.size {
			return nil, badArg("counts", "got %d for the card %d, want from 0 to %s in all", counts[i], cards[i], upper.Grouped(MaxDice))
		}
		if counts[i] == 0 {
			continue
		}
		d.faces = append(d.faces, cards[i])
		d.counts = append(d.counts, counts[i])
		d.size += counts[i]
	}
	return d, nil
}

// Size returns the number of cards.
func (d *Deck) Size() int { return d.size }

// Kinds returns how many distinct cards there are.
func (d *Deck) Kinds() int { return len(d.faces) }

// Cards returns the distinct cards, ascending, and how many there are of each.
func (d *Deck) Cards() (cards, counts []int) { return slices.Clone(d.faces), slices.Clone(d.counts) }

// Without returns the deck without some of its cards, each of which is taken off
// once for each time it is named.
func (d *Deck) Without(cards ...int) (*Deck, error) {
	counts := slices.Clone(d.counts)
	for _, c := range cards {
		i, ok := slices.BinarySearch(d.faces, c)
		if !ok || counts[i] == 0 {
			return nil, badArg("cards", "no card %d is left", c)
		}
		counts[i]--
	}
	return NewDeck(d.faces, counts)
}

// ends returns the lowest and the highest card, 0 of an empty deck.
func (d *Deck) ends() (lo, hi int) {
	if len(d.faces) == 0 {
		return 0, 0
	}
	return d.faces[0], d.faces[len(d.faces)-1]
}

// A Deal is hands of cards that are dealt from one deck, without putting any
// back.
type Deal struct {
	deck   *Deck
	sizes  []int
	biased *bias // nil when every card is as likely as any other
}

// Deal returns the deal of a hand of each of the sizes. It is an error when a
// size is negative and when the deck has not enough cards.
func (d *Deck) Deal(sizes ...int) (*Deal, error) {
	left := d.size
	for _, n := range sizes {
		if n < 0 {
			return nil, badArg("n", "got %d, want at least 0", n)
		}
		if n > left {
			return nil, badArg("n", "got %d where %d of %d cards are left", n, left, d.size)
		}
		left -= n
	}
	if len(sizes) == 0 {
		return nil, badArg("n", "got no hand, want at least one")
	}
	return &Deal{deck: d, sizes: slices.Clone(sizes)}, nil
}

// Hands returns how many hands there are.
func (d *Deal) Hands() int { return len(d.sizes) }

// Hand returns a hand, the first of which is 0. It panics when there is no such
// hand.
func (d *Deal) Hand(i int) *Multiset {
	return &Multiset{deal: d, hand: i, from: 1, to: d.sizes[i]}
}

// count returns how many of n cards are in a set: hypergeometric.
func (d *Deck) count(ctx context.Context, s Set, n int) (*Dist, error) {
	if err := ChargeWork(ctx, upper.MulSat(int64(len(d.faces)), lookWork)); err != nil {
		return nil, err
	}
	hits := 0
	for i, x := range d.faces {
		if s.Contains(x) {
			hits += d.counts[i]
		}
	}
	lo, hi := max(0, n-(d.size-hits)), min(n, hits)
	words := chooseWords(d.size, n)
	if err := chargeRoom(ctx, int64(hi-lo)+1, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(hi-lo)+1, upper.MulSat(4, upper.MulSat(words, words)))); err != nil {
		return nil, err
	}
	var t Tally[int]
	// From C(h, k) C(m, n-k) to the next: times (h-k)(n-k) over (k+1)(m-n+k+1).
	w := new(big.Int).Binomial(int64(hits), int64(lo))
	w.Mul(w, new(big.Int).Binomial(int64(d.size-hits), int64(n-lo)))
	factor := new(big.Int)
	tick := work.NewTicker(ctx)
	for k := lo; k <= hi; k++ {
		if err := tick.Tick(int(4 * words)); err != nil {
			return nil, err
		}
		t.Add(k, weightOf(w))
		for _, f := range []int{hits - k, n - k} {
			w.Mul(w, factor.SetInt64(int64(f)))
		}
		for _, f := range []int{k + 1, d.size - hits - n + k + 1} {
			w.Quo(w, factor.SetInt64(int64(f)))
		}
	}
	return distFrom(ctx, &t, nil)
}

// chooseWords bounds the words of C(n, k).
func chooseWords(n, k int) int64 {
	k = min(k, n-k)
	bits := min(int64(n), upper.MulSat(int64(k), int64(big.NewInt(int64(n)).BitLen())))
	return bits/nat.LimbBits + 1
}

// dealLattice draws the hands of a deal that the facets ask about. Which of the
// other cards lie in other hands makes no difference to them.
func dealLattice(ctx context.Context, deck *Deck, sizes []int, facets []facet, ranked bool) (*lattice, error) {
	d := newDrawing(ctx, facets, ranked, sizes)
	d.descending = true
	nodes, dealt := int64(1), 0
	for _, n := range sizes {
		nodes = upper.MulSat(nodes, int64(n)+1)
		dealt += n
	}
	if err := indexable(ctx, upper.MulSat(nodes, edgeCells)); err != nil {
		return nil, err
	}
	if err := chargeRoom(ctx, upper.MulSat(nodes, int64(len(deck.faces))+1), 1); err != nil {
		return nil, err
	}
	words := upper.MulSat(int64(len(sizes)), chooseWords(deck.size, dealt))
	if err := chargeProduct(ctx, words); err != nil {
		return nil, err
	}
	d.total = big.NewInt(1)
	left := deck.size
	for _, n := range sizes {
		d.total.Mul(d.total, new(big.Int).Binomial(int64(left), int64(n)))
		left -= n
	}
	d.first = make([]Weight, nodes)
	d.first[nodes-1] = Weight{word: 1}
	d.nodes = append(d.nodes, int(nodes))
	layer := dealing{drawing: d, above: 0, below: deck.size, dealt: dealt}
	for i := len(deck.faces) - 1; i >= 0; i-- {
		layer.cards = deck.counts[i]
		layer.below -= layer.cards
		y, err := layer.draw(int(nodes))
		if err != nil {
			return nil, err
		}
		layer.above += layer.cards
		d.faces = append(d.faces, deck.faces[i])
		d.layers = append(d.layers, y)
		d.nodes = append(d.nodes, int(nodes))
	}
	return d.finish(), nil
}

// A dealing draws how the cards of one kind go to the hands.
type dealing struct {
	*drawing
	cards        int // of the kind
	above, below int // cards of the kinds before and after
	dealt        int // cards in all hands
	left, shows  []int
}

// draw draws the edges of the nodes that paths can go through: what is dealt
// fits into the cards before, and what is left into those to come.
func (d *dealing) draw(nodes int) (*layer, error) {
	key := fmt.Sprint(d.cards, min(d.above, d.dealt), min(d.below, d.dealt))
	if y := d.shared[key]; y != nil {
		return y, nil
	}
	if err := d.begin(int64(nodes), 0); err != nil {
		return nil, err
	}
	d.left, d.shows = make([]int, len(d.sizes)), make([]int, len(d.sizes))
	for u := range nodes {
		rest, left := u, 0
		for i, n := range d.sizes {
			d.left[i] = rest % (n + 1)
			left += d.left[i]
			rest /= n + 1
		}
		if d.dealt-left <= d.above && left <= d.cards+d.below {
			d.deal(0, 1, u, d.cards, left-d.below, Weight{word: 1})
		}
		if err := d.endNode(); err != nil {
			return nil, err
		}
	}
	y := d.endLayer(nodes)
	d.shared[key] = y
	return y, nil
}

// deal deals cards of the kind to the hands from hand on, at least so many.
func (d *dealing) deal(hand, stride, to, cards, least int, w Weight) {
	if hand == len(d.left) {
		if least <= 0 {
			d.edge(to, d.left, d.shows, w)
		}
		return
	}
	if d.failed != nil {
		return
	}
	rest := 0 // the most that later hands can take
	for _, n := range d.left[hand+1:] {
		rest += n
	}
	ways, factor := big.NewInt(1), new(big.Int)
	for c := 0; c <= min(cards, d.left[hand]); c++ {
		d.shows[hand] = c
		if least-c <= rest {
			d.deal(hand+1, stride*(d.sizes[hand]+1), to-c*stride, cards-c, least-c, w.Times(weightOf(ways)))
		}
		ways.Mul(ways, factor.SetInt64(int64(cards-c)))
		ways.Quo(ways, factor.SetInt64(int64(c+1)))
	}
	d.shows[hand] = 0
}
