package builtins

import (
	"context"
	"math/big"

	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A hand of cards and kept dice are asked what a pool is asked, card by card or face
// by face: how many match, what goes together, what they total.

// multiset returns what a method belongs to.
func (c call) multiset() (*value.Multiset, error) {
	if m, ok := c.recv.(*value.Multiset); ok {
		return m, nil
	}
	return nil, c.wrongReceiver("got %s, want a hand of cards or kept dice", value.Describe(c.recv))
}

// numbers returns what a method belongs to, whose cards must be numbers.
func (c call) numbers() (*dist.Multiset, error) {
	m, err := c.multiset()
	if err != nil {
		return nil, err
	}
	if !m.Cards().AreNumbers() {
		return nil, argError("cards", "they are no whole numbers, as %s is, so that they have no total and no order; "+
			"evaluate(step, start) and map_sorted(fn) say what they are worth", value.Describe(m.Cards().Named(0)))
	}
	return m.Dist(), nil
}

// cardSet returns argument i as a set of faces of m: what a pool understands, a
// card, a list of cards, or a function of a card.
func (c call) cardSet(m *value.Multiset, i int) (dist.Set, error) {
	if _, ok := c.value(i).(starlark.Callable); ok {
		return c.cardsThat(m, i)
	}
	if m.Cards().AreNumbers() {
		return c.set(i)
	}
	wanted := []starlark.Value{c.value(i)}
	if _, text := c.value(i).(starlark.String); !text && !m.Cards().Holds(c.value(i)) {
		var err error
		if wanted, err = c.list(i); err != nil {
			return dist.Nothing, c.want(i, "a card of the deck, a list of them or a function of a card")
		}
	}
	faces := make([]int, len(wanted))
	for k, v := range wanted {
		face, err := m.Cards().Face(v)
		if err != nil {
			return dist.Nothing, c.wrong(i, "%v", err)
		}
		faces[k] = face
	}
	return dist.Only(faces...), nil
}

// cardsThat returns the faces for which a function holds.
func (c call) cardsThat(m *value.Multiset, i int) (dist.Set, error) {
	cb, err := newCallback(c, i, 1, "a card")
	if err != nil {
		return dist.Nothing, err
	}
	var faces []int
	for _, face := range m.Dist().Faces() {
		yes, err := cb.holds(m.Cards().Named(face))
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
func (c call) matchingCards(i int) (*dist.Dist, error) {
	m, err := c.multiset()
	if err != nil {
		return nil, err
	}
	if c.omitted(i) { // all match
		return dist.Constant(m.Dist().Size()), nil
	}
	set, err := c.cardSet(m, i)
	if err != nil {
		return nil, err
	}
	return m.Dist().Count(c.ctx(), set)
}

var onMultisets = []string{"Hand", "KeptDice"}

const aceHand = `deck({14: 4, 10: 16, 5: 32}).deal(5)`

func multisetBuiltins() []builtin {
	spec := Param{Name: "spec", Doc: "what matches: as for a pool; of cards a card, a list of them, or a function of a card"}
	anyCard := Param{Name: "spec", Doc: spec.Doc + "; without it all match", Default: "None"}
	one := Param{Name: "k", Doc: "how many", Default: "1"}
	return []builtin{
		{
			name: "count", on: onMultisets, params: []Param{spec},
			doc:     "How many cards or kept dice match.",
			errors:  "a card that is not in the deck",
			example: aceHand + ".count(14).pmf(1).fraction", result: "3243/10829",
			run: func(c call) (starlark.Value, error) { return c.rolled(c.matchingCards(0)) },
		},
		chanceOfCards("p_any", "The chance that at least one matches.", aceHand+".p_any(14).fraction", "18472/54145", anyCard, 1),
		chanceOfCards("p_none", "The chance that none matches.", aceHand+".p_none(14).fraction", "35673/54145", anyCard, 0),
		{
			name: "p_at_least", on: onMultisets,
			params:  []Param{{Name: "k", Doc: "how many"}, anyCard},
			doc:     "The chance that at least k match.",
			errors:  "a card that is not in the deck",
			example: aceHand + ".p_at_least(4, 14).fraction", result: "1/54145",
			run: func(c call) (starlark.Value, error) {
				k, err := c.int(0)
				if err != nil {
					return nil, err
				}
				n, err := c.matchingCards(1)
				if err != nil {
					return nil, err
				}
				return c.newProb(n.AtLeast(k), value.ChanceBound(syntax.GE, n, k)), nil
			},
		},
		matchedCards("largest_set", "How many are in the largest set of equal ones.",
			"dice_pool(5, 6).keep_dice(high=3).largest_set().pmf(3).fraction", "631/7776", (*dist.Multiset).LargestSet),
		{
			name: "sets", on: onMultisets,
			params:  []Param{{Name: "width", Doc: "how many must be equal, at least 1"}},
			doc:     "How many sets of at least this many equal ones there are.",
			errors:  "width below 1",
			example: aceHand + ".sets(5).pmf(0).fraction", result: "21368/23205",
			run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.Sets(ctx, n) }, false),
		},
		matchedCards("unique", "How many different ones there are.", aceHand+".unique().pmf(1).fraction", "1837/23205", (*dist.Multiset).Unique),
		matchedCards("pairs", "How many pairs of equal ones can be made, using each once; four of a kind are two.",
			"dice_pool(4, 6).keep_dice(low=2).pairs().pmf(1).fraction", "11/36", (*dist.Multiset).Pairs),
		{
			name: "longest_run", on: onMultisets,
			doc:     "How many are in the longest straight of numbers that follow each other.",
			errors:  "cards that are no numbers",
			example: "deck({rank: 4 for rank in range(2, 15)}).deal(5).longest_run().pmf(5).fraction", result: "192/54145",
			run: func(c call) (starlark.Value, error) {
				m, err := c.numbers()
				if err != nil {
					return nil, err
				}
				return c.rolled(m.LongestRun(c.ctx()))
			},
		},
		{
			name: "sum", on: onMultisets,
			doc:     "What they add up to.",
			errors:  "cards that are no numbers",
			example: "dice_pool(4, 6).keep_dice(high=3).sum().mean().fraction", result: "15869/1296",
			run: func(c call) (starlark.Value, error) {
				m, err := c.numbers()
				if err != nil {
					return nil, err
				}
				return c.rolled(m.Total(c.ctx()))
			},
		},
		{
			name: "highest", on: onMultisets, params: []Param{one},
			doc:     "The total of the k highest.",
			errors:  "k below 0; cards that are no numbers",
			example: "deck([1, 2, 3]).deal(2).highest().pmf(3).fraction", result: "2/3",
			run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.Highest(ctx, n) }, true),
		},
		{
			name: "lowest", on: onMultisets, params: []Param{one},
			doc:     "The total of the k lowest.",
			errors:  "k below 0; cards that are no numbers",
			example: "deck([1, 2, 3]).deal(2).lowest().pmf(1).fraction", result: "2/3",
			run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.Lowest(ctx, n) }, true),
		},
		{
			name: "order_stat", on: onMultisets,
			params:  []Param{{Name: "k", Doc: "which one: 1 is the highest"}},
			doc:     "The k-th highest.",
			errors:  "k below 1 or above the size; cards that are no numbers",
			example: "deck([1, 2, 3]).deal(2).order_stat(2).pmf(1).fraction", result: "2/3",
			run: rankedCards(func(m *dist.Multiset, ctx context.Context, n int) (*dist.Dist, error) { return m.OrderStat(ctx, n) }, true),
		},
		{
			name: "map_sorted", on: onMultisets,
			params:  []Param{{Name: "fn", Doc: "a function of the list of cards or faces, sorted from low to high"}},
			doc:     "What a function makes of the sorted cards or kept dice. " + answerDoc,
			errors:  answerErrors,
			example: `deck(["sword", "shield", "shield"]).deal(2).map_sorted(lambda cards: cards[0] == cards[1]).fraction`, result: "1/3",
			run: sortedCards,
		},
		{
			name: "size", on: onMultisets,
			doc:     "How many cards or kept dice there are.",
			example: aceHand + ".size", result: "5",
			attr: func(c call) (starlark.Value, error) {
				return starlark.MakeInt(c.recv.(*value.Multiset).Dist().Size()), nil
			},
		},
	}
}

// chanceOfCards is a builtin about whether any match.
func chanceOfCards(name, doc, example, result string, spec Param, any int64) builtin {
	return builtin{
		name: name, on: onMultisets, params: []Param{spec}, doc: doc, example: example, result: result,
		errors: "a card that is not in the deck",
		run: func(c call) (starlark.Value, error) {
			n, err := c.matchingCards(0)
			if err != nil {
				return nil, err
			}
			p := n.AtLeast(1)
			if any == 0 {
				p = new(big.Rat).Sub(big.NewRat(1, 1), p)
			}
			return c.newProb(p, n.Bound()), nil
		},
	}
}

func matchedCards(name, doc, example, result string, match func(*dist.Multiset, context.Context) (*dist.Dist, error)) builtin {
	return builtin{
		name: name, on: onMultisets, doc: doc, example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			m, err := c.multiset()
			if err != nil {
				return nil, err
			}
			return c.rolled(match(m.Dist(), c.ctx()))
		},
	}
}

// rankedCards is a builtin whose one argument the engine checks.
func rankedCards(rank func(*dist.Multiset, context.Context, int) (*dist.Dist, error), numbers bool) func(call) (starlark.Value, error) {
	return func(c call) (starlark.Value, error) {
		m, err := c.multiset()
		if err != nil {
			return nil, err
		}
		set := m.Dist()
		if numbers {
			if set, err = c.numbers(); err != nil {
				return nil, err
			}
		}
		n, err := c.intOr(0, 1)
		if err != nil {
			return nil, err
		}
		return c.rolled(rank(set, c.ctx(), n))
	}
}

func sortedCards(c call) (starlark.Value, error) {
	m, err := c.multiset()
	if err != nil {
		return nil, err
	}
	cb, err := newCallback(c, 0, 1, "the sorted list")
	if err != nil {
		return nil, err
	}
	return cb.mapCards(m)
}
