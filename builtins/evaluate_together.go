package builtins

import (
	"fmt"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Several pools and hands are evaluated face by face at once: the recipe is told
// how many of each show a face. What would be every combination of all dice is a
// few states again.

func jointEvaluateBuiltins() []define.Builtin {
	def := define.Builtin{
		Name: "evaluate", Free: true,
		Params: []define.Param{
			{Name: "step", Doc: "a function of the state so far, a face, and how many of each pool or hand show it, which returns the next state; " +
				"it is called for every face in order, also when nothing shows it"},
			{Name: "start", Doc: "the state before the first face: a number, text or a tuple"},
			{Name: "pools", Doc: "pools, kept dice and hands; hands of one deal are dependent, pools are not", Variadic: true},
			{Name: "finish", Default: "None", Doc: "a function of the last state that returns the result; without it the state is the result"},
			{Name: "order", Default: `"ascending"`, Doc: `which face comes first: "ascending" from low to high, or "descending"`},
		},
		Doc: "What a function makes of pools and hands that looks at how many of each show each face, one face after the other. " +
			"The work grows with the states, never with the combinations. " + answerDoc,
		Errors:  "a state that can change, such as a list; hands of decks with different names beside each other; otherwise as for map",
		Example: `evaluate(lambda left, face, green, red: left + max(0, green - red), 0, dice_pool(3, 6), dice_pool(2, 6)).pmf(3).fraction`,
		Result:  "445/1296",
	}
	def.Run = evaluateTogether
	hands := define.Builtin{
		Name: "evaluate", On: onMultisets,
		Params: []define.Param{
			{Name: "step", Doc: "a function of the state so far, a card or face, and how many there are of it, which returns the next state"},
			{Name: "start", Doc: "the state before the lowest: a number, text or a tuple"},
			{Name: "finish", Default: "None", Doc: "a function of the last state that returns the result; without it the state is the result"},
		},
		Doc:     "What a function makes of a hand or kept dice that looks at how many there are of each card or face, from low to high. " + answerDoc,
		Errors:  "a state that can change, such as a list; otherwise as for map",
		Example: `deck({"ace": 4, "other": 48}).deal(5).evaluate(lambda best, card, n: n if card == "ace" else best, 0).pmf(4).fraction`,
		Result:  "1/54145",
		Run: func(c define.Call) (starlark.Value, error) {
			m := c.Receiver.(*value.Multiset)
			return runTogether(c, 2, []*value.Multiset{m}, dist.Ascending)
		},
	}
	return []define.Builtin{def, hands}
}

func evaluateTogether(c define.Call) (starlark.Value, error) {
	const pools, finish, order = 2, 3, 4
	rest := c.Rest(pools)
	if len(rest) == 0 {
		return nil, define.ArgError("pools", "missing; write at least one pool or hand after the start: %s", c.Usage())
	}
	var sets []*value.Multiset
	for i, v := range rest {
		m, err := asMultiset(c, v)
		if err != nil {
			return nil, define.ArgError("pools", "number %d: %v", i+1, err)
		}
		sets = append(sets, m)
	}
	way, err := orderOf(c, order, dist.Ascending)
	if err != nil {
		return nil, err
	}
	return runTogether(c, finish, sets, way)
}

// orderOf returns the order that an argument names.
func orderOf(c define.Call, i int, without dist.Order) (dist.Order, error) {
	if c.Value(i) == nil {
		return without, nil
	}
	switch text, _ := starlark.AsString(c.Value(i)); text {
	case "ascending":
		return dist.Ascending, nil
	case "descending":
		return dist.Descending, nil
	}
	return without, c.Want(i, `"ascending" or "descending"`)
}

// asMultiset returns a pool, kept dice or a hand.
func asMultiset(c define.Call, v starlark.Value) (*value.Multiset, error) {
	if m, ok := v.(*value.Multiset); ok {
		return m, nil
	}
	pool, err := value.AsPool(v)
	if err != nil {
		return nil, err
	}
	if pool == nil {
		return nil, fmt.Errorf("got %s, want a pool, kept dice or a hand", value.Describe(v))
	}
	return value.NewMultiset(c.Methods(), pool.Multiset(), nil), nil
}

// runTogether runs the machine with the functions of c.
func runTogether(c define.Call, finish int, sets []*value.Multiset, order dist.Order) (starlark.Value, error) {
	if err := showAlike(sets); err != nil {
		return nil, err
	}
	m, err := callback.NewMachine(c, finish, len(sets), "the state, a face, and how many of each show it")
	if err != nil {
		return nil, err
	}
	return m.EvaluateTogether(sets, order)
}

// showAlike reports multisets whose faces have no common order.
func showAlike(sets []*value.Multiset) error {
	cards := sets[0].Cards()
	for _, m := range sets {
		if m.Cards() != cards && !(cards.AreNumbers() && m.Cards().AreNumbers()) {
			return define.ArgError("pools", "they show different things, such as %s and %s; want hands of one deck, or faces that are all whole numbers",
				value.Describe(cards.Named(firstFace(sets[0]))), value.Describe(m.Cards().Named(firstFace(m))))
		}
	}
	return nil
}

// firstFace returns a face of a multiset, which has one.
func firstFace(m *value.Multiset) int { return m.Dist().Faces()[0] }
