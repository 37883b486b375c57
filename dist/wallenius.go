package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Cards that are drawn one by one, each with a chance in proportion to its
// weight among those that are left, follow Wallenius' noncentral hypergeometric
// distribution. How many cards of each weight are drawn is a small process, in
// which draw after draw only these numbers matter; among cards of one weight all
// are equally likely. (Wallenius, "Biased Sampling", 1963; Fog, "Calculation
// Methods for Wallenius' Noncentral Hypergeometric Distribution", 2008.)

// A bias is the weights of the cards of a deck.
type bias struct {
	weights []*big.Int // of the classes, distinct
	class   []int      // by kind of card
	sizes   []int      // cards of each class
}

// DealWeighted returns the deal of one hand of n cards, drawn one by one. A card
// is drawn with a chance in proportion to its weight; weights[i] is that of each
// card of the i-th kind in [Deck.Cards]. It is an error when a weight is negative
// and when there are not n cards of positive weight.
//
// Cost of what is asked of the hand: as for a plain deal, times the ways in
// which the cards of the hand can be of different weights.
func (d *Deck) DealWeighted(n int, weights []*big.Int) (*Deal, error) {
	if len(weights) != len(d.faces) {
		return nil, badArg("weights", "got %d for %d kinds of cards", len(weights), len(d.faces))
	}
	deal, err := d.Deal(n)
	if err != nil {
		return nil, err
	}
	b := &bias{class: make([]int, len(weights))}
	index := map[string]int{}
	drawn := 0
	for i, w := range weights {
		if w.Sign() < 0 {
			return nil, badArg("weights", "got %v for the card %d, want at least 0", w, d.faces[i])
		}
		key := string(w.Bytes())
		c, ok := index[key]
		if !ok {
			c = len(b.weights)
			index[key] = c
			b.weights = append(b.weights, w)
			b.sizes = append(b.sizes, 0)
		}
		b.class[i] = c
		b.sizes[c] += d.counts[i]
		if w.Sign() > 0 {
			drawn += d.counts[i]
		}
	}
	if n > drawn {
		return nil, badArg("n", "got %d where %d cards have a positive weight", n, drawn)
	}
	deal.biased = b
	return deal, nil
}

// drawn returns the distribution of how many cards of each class are among n, as
// numbers in mixed radix.
func (b *bias) drawn(ctx context.Context, n int) (*Outcomes[int], error) {
	return Iterate(ctx, 0, func(s int) (*Outcomes[int], error) {
		var t Tally[int]
		stride, rest := 1, s
		for c, size := range b.sizes {
			radix := min(n, size) + 1
			have := rest % radix
			rest /= radix
			if size > have && have < n && b.weights[c].Sign() > 0 {
				t.Add(s+stride, weightOf(new(big.Int).Mul(b.weights[c], big.NewInt(int64(size-have)))))
			}
			stride *= radix
		}
		return outcomesFrom(ctx, &t, 0, false)
	}, n)
}

// lattice draws the hand: as a deal with one hand for each class, whose sizes are
// themselves drawn.
func (b *bias) lattice(ctx context.Context, deal *Deal, facets []facet, ranked bool) (*lattice, error) {
	deck, n := deal.deck, deal.sizes[0]
	nodes, words := int64(1), int64(0)
	for _, size := range b.sizes {
		nodes = upper.MulSat(nodes, int64(min(n, size))+1)
		words = upper.AddSat(words, chooseWords(size, min(n, size)))
	}
	if err := indexable(ctx, upper.MulSat(nodes, edgeCells)); err != nil {
		return nil, err
	}
	if err := chargeRoom(ctx, upper.MulSat(nodes, int64(len(deck.faces))+1), 1); err != nil {
		return nil, err
	}
	drawn, err := b.drawn(ctx, n)
	if err != nil {
		return nil, err
	}
	d := newDrawing(ctx, facets, ranked, []int{n})
	d.descending = true
	if err := b.begin(d, drawn, int(nodes), words); err != nil {
		return nil, err
	}
	for i := len(deck.faces) - 1; i >= 0; i-- {
		y, err := b.layer(d, b.class[i], deck.counts[i], n)
		if err != nil {
			return nil, err
		}
		d.faces = append(d.faces, deck.faces[i])
		d.layers = append(d.layers, y)
		d.nodes = append(d.nodes, int(nodes))
	}
	return d.finish(), nil
}

// begin gives the nodes of the first level their weights. The ways to choose the
// cards of the classes multiply along the paths, so the chance of a node is
// divided by them, over one common denominator.
func (b *bias) begin(d *drawing, drawn *Outcomes[int], nodes int, words int64) error {
	d.nodes = append(d.nodes, nodes)
	d.first = make([]Weight, nodes)
	common := big.NewInt(1)
	ways := map[int]*big.Int{}
	for s := range drawn.All() {
		product, rest := big.NewInt(1), s
		for _, size := range b.sizes {
			radix := min(d.sizes[0], size) + 1
			product.Mul(product, new(big.Int).Binomial(int64(size), int64(rest%radix)))
			rest /= radix
		}
		ways[s] = product
		if err := chargeProduct(d.ctx, upper.AddSat(words, int64(nat.WordsFor(common)))); err != nil {
			return err
		}
		common = nat.LCM(common, product)
	}
	each := upper.AddSat(int64(nat.WordsFor(common)), int64(drawn.w.Words))
	if err := chargeWeights(d.ctx, int64(drawn.Len()), each); err != nil {
		return err
	}
	if err := ChargeWork(d.ctx, upper.MulSat(int64(drawn.Len()), upper.MulSat(each, each))); err != nil {
		return err
	}
	for s, w := range drawn.All() {
		w.Mul(w, new(big.Int).Quo(common, ways[s]))
		d.first[s] = weightOf(w)
	}
	d.total = common.Mul(common, drawn.total)
	return nil
}

// layer draws how many cards of a kind are in the hand.
func (b *bias) layer(d *drawing, class, cards, n int) (*layer, error) {
	nodes, stride := d.nodes[0], 1
	for _, size := range b.sizes[:class] {
		stride *= min(n, size) + 1
	}
	radix := min(n, b.sizes[class]) + 1
	if err := d.begin(int64(nodes), upper.MulSat(int64(nodes), int64(min(cards, n))+1)); err != nil {
		return nil, err
	}
	left, shows := []int{0}, []int{0}
	factor := new(big.Int)
	tick := work.NewTicker(d.ctx)
	for u := range nodes {
		left[0] = 0
		rest := u
		for _, size := range b.sizes {
			left[0] += rest % (min(n, size) + 1)
			rest /= min(n, size) + 1
		}
		ways := big.NewInt(1)
		for c := 0; c <= min(cards, u/stride%radix); c++ {
			shows[0] = c
			d.edge(u-c*stride, left, shows, weightOf(ways))
			ways.Mul(ways, factor.SetInt64(int64(cards-c)))
			ways.Quo(ways, factor.SetInt64(int64(c+1)))
		}
		if err := tick.Tick(64); err != nil {
			return nil, err
		}
		if err := d.endNode(); err != nil {
			return nil, err
		}
	}
	return d.endLayer(nodes), nil
}
