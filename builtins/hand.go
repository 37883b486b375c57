package builtins

import (
	"context"
	"math/big"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A hand of cards and kept dice are asked what a pool is asked, card by card or face
// by face: how many match, what goes together, what they total.

// multisetOf returns what a method belongs to.
func multisetOf(c define.Call) (*value.Multiset, error) {
	if m, ok := c.Receiver.(*value.Multiset); ok {
		return m, nil
	}
	return nil, c.WrongReceiver("got %s, want a hand of cards or kept dice", value.Describe(c.Receiver))
}

// numbersOf returns what a method belongs to, whose cards must be numbers.
func numbersOf(c define.Call) (*dist.Multiset, error) {
	m, err := multisetOf(c)
	if err != nil {
		return nil, err
	}
	if !m.Cards().AreNumbers() {
		return nil, define.ArgError("cards", "they are no whole numbers, as %s is, so that they have no total and no order; "+
			"evaluate(step, start) and map_sorted(fn) say what they are worth", value.Describe(m.Cards().Named(0)))
	}
	return m.Dist(), nil
}

// cardSet returns argument i as a set of faces of m: what a pool understands, a
// card, a list of cards, or a function of a card.
func cardSet(c define.Call, m *value.Multiset, i int) (dist.Set, error) {
	if _, ok := c.Value(i).(starlark.Callable); ok {
		return cardsThat(c, m, i)
	}
	if m.Cards().AreNumbers() {
		return c.Set(i)
	}
	wanted := []starlark.Value{c.Value(i)}
	if _, text := c.Value(i).(starlark.String); !text && !m.Cards().Holds(c.Value(i)) {
		var err error
		if wanted, err = c.List(i); err != nil {
			return dist.Nothing, c.Want(i, "a card of the deck, a list of them or a function of a card")
		}
	}
	faces := make([]int, len(wanted))
	for k, v := range wanted {
		face, err := m.Cards().Face(v)
		if err != nil {
			return dist.Nothing, c.Wrong(i, "%v", err)
		}
		faces[k] = face
	}
	return dist.Only(faces...), nil
}

// cardsThat returns the faces for which a function holds.
func cardsThat(c define.Call, m *value.Multiset, i int) (dist.Set, error) {
	cb, err := callback.New(c, i, 1, "a card")
	if err != nil {
		return dist.Nothing, err
	}
	var faces []int
	for _, face := range m.Dist().Faces() {
		yes, err := cb.Holds(m.Cards().Named(face))
		if err != nil {
			return dist.Nothing, err
		}
		if yes {
			faces = append(faces, face)
		}
	}
	return dist.Only(faces...), nil
}

// matchingCards returns how many match argument i; without it all do.
func matchingCards(c define.Call, i int) (*dist.Dist, error) {
	m, err := multisetOf(c)
	if err != nil {
		return nil, err
	}
	if c.Omitted(i) { // all match
		return dist.Constant(m.Dist().Size()), nil
	}
	set, err := cardSet(c, m, i)
	if err != nil {
		return nil, err
	}
	return m.Dist().Count(c.Context(), set)
}

var onMultisets = []string{"Hand", "KeptDice"}

const aceHand = `deck({14: 4, 10: 16, 5: 32}).deal(5)`

func multisetBuiltins() []define.Builtin {
	spec := define.Param{Name: "spec", Doc: "what matches: as for a pool; of cards a card, a list of them, or a function of a card"}
	anyCard := define.Param{Name: "spec", Doc: spec.Doc + "; without it all match", Default: "None"}
	one := define.Param{Name: "k", Doc: "how many", Default: "1"}
	return []define.Builtin{
		{
			Name: "count", On: onMultisets, Params: []define.Param{spec},
			Doc:     "How many cards or kept dice match.",
			Errors:  "a card that is not in the deck",
			Example: aceHand + ".count(14).pmf(1).fraction", Result: "3243/10829",
			Run: func(c define.Call) (starlark.Value, error) { return c.Rolled(matchingCards(c, 0)) },
		},
		chanceOfCards("p_any", "The chance that at least one matches.", aceHand+".p_any(14).fraction", "18472/54145", anyCard, 1),
		chanceOfCards("p_none", "The chance that none matches.", aceHand+".p_none(14).fraction", "35673/54145", anyCard, 0),
		{
			Name: "p_at_least", On: onMultisets,
			Params:  []define.Param{{Name: "k", Doc: "how many"}, anyCard},
			Doc:     "The chance that at least k match.",
			Errors:  "a card that is not in the deck",
			Example: aceHand + ".p_at_least(4, 14).fraction", Result: "1/54145",
			Run: func(c define.Call) (starlark.Value, error) {
				k, err := c.Int(0)
				if err != nil {
					return nil, err
				}
				n, err := matchingCards(c, 1)
				if err != nil {
					return nil, err
				}
				return c.NewProb(n.AtLeast(k), value.ChanceBound(syntax.GE, n, k)), nil
			},
		},
		matchedCards("largest_set", "How many are in the largest set of equal ones.",
			"dice_pool(5, 6).keep_dice(high=3).largest_set().pmf(3).fraction", "631/7776", (*dist.Multiset).LargestSet),
		{
			Name: "sets", On: onMultisets,
			Params:  []define.Param{{Name: "width", Doc: "how many must be equal, at least 1"}},
			Doc:     "How many sets of at least this many equal ones there are.",
			Errors:  "width below 1",
			Example: aceHand + ".sets(5).pmf(0).fraction", Result: "21368/23205",
			Run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.Sets(ctx, n) }, false),
		},
		matchedCards("unique", "How many different ones there are.", aceHand+".unique().pmf(1).fraction", "1837/23205", (*dist.Multiset).Unique),
		matchedCards("pairs", "How many pairs of equal ones can be made, using each once; four of a kind are two.",
			"dice_pool(4, 6).keep_dice(low=2).pairs().pmf(1).fraction", "11/36", (*dist.Multiset).Pairs),
		{
			Name: "longest_run", On: onMultisets,
			Doc:     "How many are in the longest straight of numbers that follow each other.",
			Errors:  "cards that are no numbers",
			Example: "deck({rank: 4 for rank in range(2, 15)}).deal(5).longest_run().pmf(5).fraction", Result: "192/54145",
			Run: func(c define.Call) (starlark.Value, error) {
				m, err := numbersOf(c)
				if err != nil {
					return nil, err
				}
				return c.Rolled(m.LongestRun(c.Context()))
			},
		},
		{
			Name: "sum", On: onMultisets,
			Doc:     "What they add up to.",
			Errors:  "cards that are no numbers",
			Example: "dice_pool(4, 6).keep_dice(high=3).sum().mean().fraction", Result: "15869/1296",
			Run: func(c define.Call) (starlark.Value, error) {
				m, err := numbersOf(c)
				if err != nil {
					return nil, err
				}
				return c.Rolled(m.Total(c.Context()))
			},
		},
		{
			Name: "highest", On: onMultisets, Params: []define.Param{one},
			Doc:     "The total of the k highest.",
			Errors:  "k below 0; cards that are no numbers",
			Example: "deck([1, 2, 3]).deal(2).highest().pmf(3).fraction", Result: "2/3",
			Run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.Highest(ctx, n) }, true),
		},
		{
			Name: "lowest", On: onMultisets, Params: []define.Param{one},
			Doc:     "The total of the k lowest.",
			Errors:  "k below 0; cards that are no numbers",
			Example: "deck([1, 2, 3]).deal(2).lowest().pmf(1).fraction", Result: "2/3",
			Run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.Lowest(ctx, n) }, true),
		},
		{
			Name: "order_stat", On: onMultisets,
			Params:  []define.Param{{Name: "k", Doc: "which one: 1 is the highest"}},
			Doc:     "The k-th highest.",
			Errors:  "k below 1 or above the size; cards that are no numbers",
			Example: "deck([1, 2, 3]).deal(2).order_stat(2).pmf(1).fraction", Result: "2/3",
			Run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.OrderStat(ctx, n) }, true),
		},
		{
			Name: "map_sorted", On: onMultisets,
			Params:  []define.Param{{Name: "fn", Doc: "a function of the list of cards or faces, sorted from low to high"}},
			Doc:     "What a function makes of the sorted cards or kept dice. " + answerDoc,
			Errors:  answerErrors,
			Example: `deck(["sword", "shield", "shield"]).deal(2).map_sorted(lambda cards: cards[0] == cards[1]).fraction`, Result: "1/3",
			Run: sortedCards,
		},
		{
			Name: "size", On: onMultisets,
			Doc:     "How many cards or kept dice there are.",
			Example: aceHand + ".size", Result: "5",
			Attr: func(c define.Call) (starlark.Value, error) {
				return starlark.MakeInt(c.Receiver.(*value.Multiset).Dist().Size()), nil
			},
		},
	}
}

// chanceOfCards is a builtin about whether any match.
func chanceOfCards(name, doc, example, result string, spec define.Param, any int64) define.Builtin {
	return define.Builtin{
		Name: name, On: onMultisets, Params: []define.Param{spec}, Doc: doc, Example: example, Result: result,
		Errors: "a card that is not in the deck",
		Run: func(c define.Call) (starlark.Value, error) {
			n, err := matchingCards(c, 0)
			if err != nil {
				return nil, err
			}
			p := n.AtLeast(1)
			if any == 0 {
				p = new(big.Rat).Sub(big.NewRat(1, 1), p)
			}
			return c.NewProb(p, n.Bound()), nil
		},
	}
}

func matchedCards(name, doc, example, result string, match func(*dist.Multiset, context.Context) (*dist.Dist, error)) define.Builtin {
	return define.Builtin{
		Name: name, On: onMultisets, Doc: doc, Example: example, Result: result,
		Run: func(c define.Call) (starlark.Value, error) {
			m, err := multisetOf(c)
			if err != nil {
				return nil, err
			}
			return c.Rolled(match(m.Dist(), c.Context()))
		},
	}
}

// rankedCards is a builtin whose one argument the engine checks.
func rankedCards(rank func(*dist.Multiset, context.Context, int) (*dist.Dist, error), numbers bool) func(define.Call) (starlark.Value, error) {
	return func(c define.Call) (starlark.Value, error) {
		m, err := multisetOf(c)
		if err != nil {
			return nil, err
		}
		set := m.Dist()
		if numbers {
			if set, err = numbersOf(c); err != nil {
				return nil, err
			}
		}
		n, err := c.IntOr(0, 1)
		if err != nil {
			return nil, err
		}
		return c.Rolled(rank(set, c.Context(), n))
	}
}

func sortedCards(c define.Call) (starlark.Value, error) {
	m, err := multisetOf(c)
	if err != nil {
		return nil, err
	}
	cb, err := callback.New(c, 0, 1, "the sorted list")
	if err != nil {
		return nil, err
	}
	return cb.MapCards(m)
}
