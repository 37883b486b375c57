package builtins

import (
	"fmt"
	"math/big"

	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A deck of cards deals hands: several cards without putting any back.

var onDecks = []string{"Deck"}

func deckBuiltins() []builtin {
	return []builtin{
		{
			name: "deck", free: true,
			params:  []Param{{Name: "cards", Doc: "a list of cards, or a dict that says how many of each card there are; a card is a whole number, text or a tuple such as (rank, suit)"}},
			doc:     "A deck of cards, from which deal(n) deals a hand.",
			errors:  "a card that is neither a whole number nor text nor a tuple of these; a negative number of cards",
			example: `deck([(rank, suit) for rank in range(2, 15) for suit in "CDHS".elems()]).size`,
			result:  "52",
			run:     makeDeck,
		},
		{
			name: "deal", on: onDecks,
			params: []Param{
				{Name: "n", Doc: "how many cards"},
				{Name: "more", Doc: "how many cards for each further hand", Variadic: true},
			},
			doc: "A hand of n cards, dealt without putting any back; with several numbers a list of hands of one deal, " +
				"which evaluate asks together.",
			errors:  "more cards than the deck has",
			example: `deck({"ace": 4, "other": 48}).deal(5).p_any("ace").fraction`,
			result:  "18472/54145",
			run:     dealHands,
		},
		{
			name: "deal_weighted", on: onDecks,
			params: []Param{
				{Name: "n", Doc: "how many cards"},
				{Name: "weights", Doc: "a dict that gives each card a weight, or a function of a card that does; a whole number of at least 0"},
			},
			doc: "A hand of n cards that are drawn one by one, each with a chance in proportion to its weight among those that " +
				"are left (Wallenius).",
			errors:  "fewer than n cards of positive weight; a card without a weight",
			example: `deck({"small": 10, "large": 2}).deal_weighted(2, {"small": 1, "large": 3}).p_none("large").fraction`,
			result:  "3/8",
			run:     dealWeighted,
		},
		{
			name: "size", on: onDecks,
			doc:     "How many cards the deck has.",
			example: `deck({"ace": 4, "other": 48}).size`,
			result:  "52",
			attr: func(c call) (starlark.Value, error) {
				return starlark.MakeInt(c.recv.(*value.Deck).Dist().Size()), nil
			},
		},
	}
}

func makeDeck(c call) (starlark.Value, error) {
	var in intern.Table
	var counts []int
	add := func(card starlark.Value, n int) error {
		if err := value.CheckLabel(c.meter(), card); err != nil {
			return c.label(0, fmt.Errorf("a card: %w", err))
		}
		i, err := in.Index(card)
		if err != nil {
			return err
		}
		if i == len(counts) {
			counts = append(counts, 0)
		}
		counts[i] += n
		return nil
	}
	if dict, ok := c.value(0).(*starlark.Dict); ok {
		for _, item := range dict.Items() {
			n, ok := value.Int(item[1])
			if !ok || n < 0 || n > 1<<40 {
				return nil, c.wrong(0, "got %s for the card %s, want how many there are", value.Describe(item[1]), value.Describe(item[0]))
			}
			if err := add(item[0], n); err != nil {
				return nil, err
			}
		}
	} else {
		cards, err := c.list(0)
		if err != nil {
			return nil, c.want(0, `a list of cards or a dict such as {"ace": 4, "other": 48}`)
		}
		for _, v := range cards {
			if err := add(v, 1); err != nil {
				return nil, err
			}
		}
	}
	if len(counts) == 0 {
		return nil, c.wrong(0, "got none, want at least one card")
	}
	d, err := value.NewDeck(c.methods(), in.Values, counts)
	if err != nil {
		return nil, err
	}
	if d.Dist().Size() == 0 {
		return nil, c.wrong(0, "got 0 of every card, want at least one card")
	}
	return d, nil
}

func dealHands(c call) (starlark.Value, error) {
	d := c.recv.(*value.Deck)
	sizes := make([]int, 1+len(c.rest(1)))
	for i := range sizes {
		var err error
		if sizes[i], err = c.int(i); err != nil {
			return nil, err
		}
	}
	deal, err := d.Dist().Deal(sizes...)
	if err != nil {
		return nil, err
	}
	hands := make([]starlark.Value, deal.Hands())
	for i := range hands {
		hands[i] = value.NewMultiset(c.methods(), deal.Hand(i), d.Cards())
	}
	if len(hands) == 1 {
		return hands[0], nil
	}
	return frozenList(hands), nil
}

func dealWeighted(c call) (starlark.Value, error) {
	d := c.recv.(*value.Deck)
	n, err := c.int(0)
	if err != nil {
		return nil, err
	}
	weight, err := c.cardWeights()
	if err != nil {
		return nil, err
	}
	faces, _ := d.Dist().Cards()
	weights := make([]*big.Int, len(faces))
	for i, face := range faces {
		card := d.Cards().Named(face)
		v, err := weight(card)
		if err != nil {
			return nil, err
		}
		w, ok := v.(starlark.Int)
		if !ok || w.Sign() < 0 {
			return nil, c.wrong(1, "got %s for the card %s, want a whole number of at least 0", value.Describe(v), value.Describe(card))
		}
		weights[i] = w.BigInt()
	}
	deal, err := d.Dist().DealWeighted(n, weights)
	if err != nil {
		return nil, err
	}
	return value.NewMultiset(c.methods(), deal.Hand(0), d.Cards()), nil
}

// cardWeights returns what gives a card its weight: a dict or a function.
func (c call) cardWeights() (func(card starlark.Value) (starlark.Value, error), error) {
	if dict, ok := c.value(1).(*starlark.Dict); ok {
		return func(card starlark.Value) (starlark.Value, error) {
			v, found, err := dict.Get(card)
			if err == nil && !found {
				err = c.wrong(1, "the card %s has no weight", value.Describe(card))
			}
			return v, err
		}, nil
	}
	if _, ok := c.value(1).(starlark.Callable); !ok {
		return nil, c.want(1, "a dict of weights or a function of a card")
	}
	cb, err := newCallback(c, 1, 1, "a card")
	if err != nil {
		return nil, err
	}
	return func(card starlark.Value) (starlark.Value, error) { return cb.call(card) }, nil
}
