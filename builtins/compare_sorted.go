package builtins

import (
	"math"

	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Two sides compare their dice in pairs, the highest against the highest first.

func compareSortedBuiltins() []define.Builtin {
	def := define.Builtin{
		Name: "compare_sorted", Free: true,
		Params: []define.Param{
			{Name: "a", Doc: "a pool, kept dice or a hand"},
			{Name: "b", Doc: "the other side"},
			{Name: "pairs", Default: "None", Doc: "how many pairs are compared at most; without it as many as both sides have dice for"},
			{Name: "order", Default: `"descending"`, Doc: `which dice meet first: "descending" from the highest down, or "ascending" from the lowest up`},
		},
		Doc: "How many pairs a wins, ties and loses, as Outcomes of (wins, ties, losses), when the highest die of a meets the highest of b, " +
			"the second the second, and so on, as in Risk. The work grows with the dice and their faces, never with the combinations.",
		Errors:  "hands of decks with different names beside each other",
		Example: `compare_sorted(dice_pool(3, 6), dice_pool(2, 6)).pmf((2, 0, 0)).fraction`,
		Result:  "1445/3888",
	}
	def.Run = compareSorted
	return []define.Builtin{def}
}

func compareSorted(c define.Call) (starlark.Value, error) {
	const pairs, order = 2, 3
	var sides [2]*value.Multiset
	for i := range sides {
		m, err := asMultiset(c, c.Value(i))
		if err != nil {
			return nil, c.Label(i, err)
		}
		sides[i] = m
	}
	if err := showAlike(sides[:]); err != nil {
		return nil, err
	}
	most := math.MaxInt
	if v := c.Value(pairs); v != nil {
		n, ok := value.Int(v)
		if !ok {
			return nil, c.Want(pairs, "a whole number")
		}
		most = n
	}
	way, err := orderOf(c, order, dist.Descending)
	if err != nil {
		return nil, err
	}
	v, err := dist.CompareSorted(c.Context(), sides[0].Dist(), sides[1].Dist(), most, way)
	return value.VectorLabels(c.Context(), c.Meter(), c.Methods(), v, err)
}
