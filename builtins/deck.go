package builtins

import (
	"fmt"
	"math/big"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A deck of cards deals hands: several cards without putting any back.

var onDecks = []string{"Deck"}

func deckBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "deck", Free: true,
			Params:  []define.Param{{Name: "cards", Doc: "a list of cards, or a dict that says how many of each card there are; a card is a whole number, text or a tuple such as (rank, suit)"}},
			Doc:     "A deck of cards, from which deal(n) deals a hand.",
			Errors:  "a card that is neither a whole number nor text nor a tuple of these; a negative number of cards",
			Example: `deck([(rank, suit) for rank in range(2, 15) for suit in "CDHS".elems()]).size`,
			Result:  "52",
			Run:     makeDeck,
		},
		{
			Name: "deal", On: onDecks,
			Params: []define.Param{
				{Name: "n", Doc: "how many cards"},
				{Name: "more", Doc: "how many cards for each further hand", Variadic: true},
			},
			Doc: "A hand of n cards, dealt without putting any back; with several numbers a list of hands of one deal, " +
				"which evaluate asks together.",
			Errors:  "more cards than the deck has",
			Example: `deck({"ace": 4, "other": 48}).deal(5).p_any("ace").fraction`,
			Result:  "18472/54145",
			Run:     dealHands,
		},
		{
			Name: "deal_weighted", On: onDecks,
			Params: []define.Param{
				{Name: "n", Doc: "how many cards"},
				{Name: "weights", Doc: "a dict that gives each card a weight, or a function of a card that does; a whole number of at least 0"},
			},
			Doc: "A hand of n cards that are drawn one by one, each with a chance in proportion to its weight among those that " +
				"are left (Wallenius).",
			Errors:  "fewer than n cards of positive weight; a card without a weight",
			Example: `deck({"small": 10, "large": 2}).deal_weighted(2, {"small": 1, "large": 3}).p_none("large").fraction`,
			Result:  "3/8",
			Run:     dealWeighted,
		},
		{
			Name: "size", On: onDecks,
			Doc:     "How many cards the deck has.",
			Example: `deck({"ace": 4, "other": 48}).size`,
			Result:  "52",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.MakeInt(c.Receiver.(*value.Deck).Dist().Size()), nil
			},
		},
	}
}

func makeDeck(c define.Call) (starlark.Value, error) {
	var in intern.Table
	var counts []int
	add := func(card starlark.Value, n int) error {
		if err := value.CheckLabel(c.Meter(), card); err != nil {
			return c.Label(0, fmt.Errorf("a card: %w", err))
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
	if dict, ok := c.Value(0).(*starlark.Dict); ok {
		for _, item := range dict.Items() {
			n, ok := value.Int(item[1])
			if !ok || n < 0 || n > 1<<40 {
				return nil, c.Wrong(0, "got %s for the card %s, want how many there are", value.Describe(item[1]), value.Describe(item[0]))
			}
			if err := add(item[0], n); err != nil {
				return nil, err
			}
		}
	} else {
		cards, err := c.List(0)
		if err != nil {
			return nil, c.Want(0, `a list of cards or a dict such as {"ace": 4, "other": 48}`)
		}
		for _, v := range cards {
			if err := add(v, 1); err != nil {
				return nil, err
			}
		}
	}
	if len(counts) == 0 {
		return nil, c.Wrong(0, "got none, want at least one card")
	}
	d, err := value.NewDeck(c.Methods(), in.Values, counts)
	if err != nil {
		return nil, err
	}
	if d.Dist().Size() == 0 {
		return nil, c.Wrong(0, "got 0 of every card, want at least one card")
	}
	return d, nil
}

func dealHands(c define.Call) (starlark.Value, error) {
	d := c.Receiver.(*value.Deck)
	sizes := make([]int, 1+len(c.Rest(1)))
	for i := range sizes {
		var err error
		if sizes[i], err = c.Int(i); err != nil {
			return nil, err
		}
	}
	deal, err := d.Dist().Deal(sizes...)
	if err != nil {
		return nil, err
	}
	hands := make([]starlark.Value, deal.Hands())
	for i := range hands {
		hands[i] = value.NewMultiset(c.Methods(), deal.Hand(i), d.Cards())
	}
	dealt(c, hands, sizes, nil)
	if len(hands) == 1 {
		return hands[0], nil
	}
	return frozenList(hands), nil
}

func dealWeighted(c define.Call) (starlark.Value, error) {
	d := c.Receiver.(*value.Deck)
	n, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	weight, err := cardWeights(c)
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
			return nil, c.Wrong(1, "got %s for the card %s, want a whole number of at least 0", value.Describe(v), value.Describe(card))
		}
		weights[i] = w.BigInt()
	}
	deal, err := d.Dist().DealWeighted(n, weights)
	if err != nil {
		return nil, err
	}
	hands := []starlark.Value{value.NewMultiset(c.Methods(), deal.Hand(0), d.Cards())}
	dealt(c, hands, []int{n}, weights)
	return hands[0], nil
}

// cardWeights returns what gives a card its weight: a dict or a function.
func cardWeights(c define.Call) (func(card starlark.Value) (starlark.Value, error), error) {
	if dict, ok := c.Value(1).(*starlark.Dict); ok {
		return func(card starlark.Value) (starlark.Value, error) {
			v, found, err := dict.Get(card)
			if err == nil && !found {
				err = c.Wrong(1, "the card %s has no weight", value.Describe(card))
			}
			return v, err
		}, nil
	}
	if _, ok := c.Value(1).(starlark.Callable); !ok {
		return nil, c.Want(1, "a dict of weights or a function of a card")
	}
	cb, err := callback.New(c, 1, 1, "a card")
	if err != nil {
		return nil, err
	}
	return func(card starlark.Value) (starlark.Value, error) { return cb.Call(card) }, nil
}
