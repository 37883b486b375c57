package builtins

import (
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Throws of cards: the hands of one deal are dealt together, card by card.

// dealt returns hands as hands of one deal, in a run that is thrown. A weight says how much
// more likely one card is drawn than another; nil for all alike.
func dealt(c define.Call, hands []starlark.Value, sizes []int, weights []*big.Int) {
	deck := c.Receiver.(*value.Deck)
	deal := throwing.NewDeal(c.Thread, func() string { return throwing.Call("deal", deck, c.Arguments()) })
	if deal == nil {
		return
	}
	for i, hand := range hands {
		hands[i] = deal.Hand(hand, i)
	}
	deal.Together = func(t *throwing.Thrower) ([]starlark.Value, error) {
		faces, counts := deck.Dist().Cards()
		thrown := make([]starlark.Value, len(sizes))
		for i, n := range sizes {
			var own []int
			var dice []*throwing.Die
			for range n {
				k := drawnCard(t, counts, weights)
				counts[k]--
				own, dice = append(own, faces[k]), append(dice, throwing.CardOf(deck.Cards(), faces[k]))
				if err := t.Spend(); err != nil {
					return nil, err
				}
			}
			t.Add(dice)
			hand, err := t.Hand(hands[i].(*value.Multiset), own, dice)
			if err != nil {
				return nil, err
			}
			thrown[i] = hand
		}
		return thrown, nil
	}
}

// drawnCard draws one of the cards that are left.
func drawnCard(t *throwing.Thrower, counts []int, weights []*big.Int) int {
	all, total := make([]*big.Int, len(counts)), new(big.Int)
	for i, n := range counts {
		all[i] = big.NewInt(int64(n))
		if weights != nil {
			all[i].Mul(all[i], weights[i])
		}
		total.Add(total, all[i])
	}
	return t.Pick(all, total)
}
