package builtins

import (
	"math/big"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Dice of a pool that match: how many, and the chance of enough of them.
// Without a question about faces every die counts.

func poolCountBuiltins() []define.Builtin {
	faces := define.Param{Name: "spec", Doc: "the faces that match: a whole number, a list of them, a band like at_least(5), or a function of a face"}
	anyFaces := define.Param{Name: "spec", Doc: faces.Doc + "; without it every die matches", Default: "None"}
	return []define.Builtin{
		{
			Name: "count", On: onPools, Free: true, Self: poolParam,
			Params: []define.Param{faces,
				{Name: "again", Doc: "the faces that add one more die of the same kind, which counts and adds too, without end", Default: "None"}},
			Doc:     "How many dice match: the successes of a dice pool. Where dice add dice, mean and variance stay exact.",
			Errors:  "an empty list; an again of every face of a die",
			Slip:    countOfChance,
			Example: "count(dice_pool(5, 10), at_least(8), again=10).mean().fraction",
			Result:  "5/3",
			Run:     count,
		},
		{
			Name: "p_any", On: onPools,
			Params:  []define.Param{anyFaces},
			Doc:     "The chance that at least one die matches.",
			Errors:  "an empty list",
			Example: "dice_pool(4, 6).p_any(6).fraction",
			Result:  "671/1296",
			Run: func(c define.Call) (starlark.Value, error) {
				none, err := noMatch(c, 0)
				if err != nil {
					return nil, err
				}
				return c.NewProb(new(big.Rat).Sub(exact.One, none.Rat), none.Bound), nil
			},
		},
		{
			Name: "p_none", On: onPools,
			Params:  []define.Param{anyFaces},
			Doc:     "The chance that no die matches.",
			Errors:  "an empty list",
			Example: "dice_pool(4, 6).p_none(6).fraction",
			Result:  "625/1296",
			Run: func(c define.Call) (starlark.Value, error) {
				none, err := noMatch(c, 0)
				if err != nil {
					return nil, err
				}
				return c.NewProb(none.Rat, none.Bound), nil
			},
		},
		{
			Name: "p_at_least", On: onPools,
			Params:  []define.Param{{Name: "k", Doc: "how many dice"}, anyFaces},
			Doc:     "The chance that at least k dice match.",
			Errors:  "an empty list",
			Example: "dice_pool(4, 6).p_at_least(2, 6).fraction",
			Result:  "19/144",
			Run: func(c define.Call) (starlark.Value, error) {
				k, err := c.Int(0)
				if err != nil {
					return nil, err
				}
				n, err := matchingDice(c, 1)
				if err != nil {
					return nil, err
				}
				return c.NewProb(n.AtLeast(k), value.ChanceBound(syntax.GE, n, k)), nil
			},
		},
	}
}

// countOfChance is about count(5d6 >= 5).
func countOfChance(args starlark.Tuple) string {
	if len(args) == 0 {
		return ""
	}
	if _, ok := args[0].(*value.Prob); !ok {
		return ""
	}
	return "got a chance: a comparison of a pool is about its total; count(5d6, 5..) counts the dice that show 5 or more"
}

func count(c define.Call) (starlark.Value, error) {
	if !c.Given(1) {
		return c.Rolled(matchingDice(c, 0))
	}
	p, err := dicePool(c)
	if err != nil {
		return nil, err
	}
	match, err := callback.Faces(c, 0)
	if err != nil {
		return nil, err
	}
	again, err := callback.Faces(c, 1)
	if err != nil {
		return nil, err
	}
	return c.Rolled(p.CountAgain(c.Context(), match, again))
}

// matchingDice returns how many dice match argument i.
func matchingDice(c define.Call, i int) (*dist.Dist, error) {
	p, err := dicePool(c)
	if err != nil {
		return nil, err
	}
	if c.Omitted(i) { // every die counts
		return dist.Constant(p.Size()), nil
	}
	faces, err := callback.Faces(c, i)
	if err != nil {
		return nil, err
	}
	return p.Count(c.Context(), faces)
}

// noMatch returns the chance that no die matches argument i: the product over
// the dice, whose errors add up.
func noMatch(c define.Call, i int) (exact.Number, error) {
	p, err := dicePool(c)
	if err != nil {
		return exact.Number{}, err
	}
	if c.Omitted(i) { // every die counts
		return exact.Number{Rat: new(big.Rat)}, nil
	}
	faces, err := callback.Faces(c, i)
	if err != nil {
		return exact.Number{}, err
	}
	none := exact.New(exact.One, p.Bound())
	for die, count := range p.Kinds() {
		miss := exact.Number{Rat: new(big.Rat).Sub(exact.One, die.In(faces))}
		if err := payDice(c, miss, count); err != nil {
			return exact.Number{}, err
		}
		missAll, err := miss.Power(count)
		if err != nil {
			return exact.Number{}, err
		}
		none.Rat = new(big.Rat).Mul(none.Rat, missAll.Rat)
	}
	return none, nil
}

// payDice pays for the power of a chance that equal dice share. The number must
// stay small enough to print.
func payDice(c define.Call, p exact.Number, count int) error {
	if p.Bits() <= 2 {
		return nil
	}
	if count > meter.MaxPowerBits || p.Bits()*int64(count) > meter.MaxPowerBits {
		return define.ArgError("pool", "it has %d dice, too many for an exact chance", count)
	}
	return c.Meter().Fraction(p.Bits() * int64(count))
}
