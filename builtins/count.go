package builtins

import (
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Dice of a pool that match: how many, and the chance of enough of them.
// Without a question about faces every die counts.

func poolCountBuiltins() []builtin {
	faces := Param{Name: "spec", Doc: "the faces that match: a whole number, a list of them, a band like at_least(5), or a function of a face"}
	anyFaces := Param{Name: "spec", Doc: faces.Doc + "; without it every die matches", Default: "None"}
	return []builtin{
		{
			name: "count", on: onPools, free: true, self: poolParam,
			params: []Param{faces,
				{Name: "again", Doc: "the faces that add one more die of the same kind, which counts and adds too, without end", Default: "None"}},
			doc:     "How many dice match: the successes of a dice pool. Where dice add dice, mean and variance stay exact.",
			errors:  "an empty list; an again of every face of a die",
			example: "count(dice_pool(5, 10), at_least(8), again=10).mean().fraction",
			result:  "5/3",
			run:     count,
		},
		{
			name: "p_any", on: onPools,
			params:  []Param{anyFaces},
			doc:     "The chance that at least one die matches.",
			errors:  "an empty list",
			example: "dice_pool(4, 6).p_any(6).fraction",
			result:  "671/1296",
			run: func(c call) (starlark.Value, error) {
				none, err := c.noMatch(0)
				if err != nil {
					return nil, err
				}
				return c.newProb(new(big.Rat).Sub(exact.One, none.Rat), none.Bound), nil
			},
		},
		{
			name: "p_none", on: onPools,
			params:  []Param{anyFaces},
			doc:     "The chance that no die matches.",
			errors:  "an empty list",
			example: "dice_pool(4, 6).p_none(6).fraction",
			result:  "625/1296",
			run: func(c call) (starlark.Value, error) {
				none, err := c.noMatch(0)
				if err != nil {
					return nil, err
				}
				return c.newProb(none.Rat, none.Bound), nil
			},
		},
		{
			name: "p_at_least", on: onPools,
			params:  []Param{{Name: "k", Doc: "how many dice"}, anyFaces},
			doc:     "The chance that at least k dice match.",
			errors:  "an empty list",
			example: "dice_pool(4, 6).p_at_least(2, 6).fraction",
			result:  "19/144",
			run: func(c call) (starlark.Value, error) {
				k, err := c.int(0)
				if err != nil {
					return nil, err
				}
				n, err := c.matching(1)
				if err != nil {
					return nil, err
				}
				return c.newProb(n.AtLeast(k), value.ChanceBound(syntax.GE, n, k)), nil
			},
		},
	}
}

func count(c call) (starlark.Value, error) {
	if !c.given(1) {
		return c.rolled(c.matching(0))
	}
	p, err := c.pool()
	if err != nil {
		return nil, err
	}
	match, err := facesThat(c, 0)
	if err != nil {
		return nil, err
	}
	again, err := facesThat(c, 1)
	if err != nil {
		return nil, err
	}
	return c.rolled(p.CountAgain(c.ctx(), match, again))
}

// matching returns how many dice match argument i.
func (c call) matching(i int) (*dist.Dist, error) {
	p, err := c.pool()
	if err != nil {
		return nil, err
	}
	if c.omitted(i) { // every die counts
		return dist.Constant(p.Size()), nil
	}
	faces, err := facesThat(c, i)
	if err != nil {
		return nil, err
	}
	return p.Count(c.ctx(), faces)
}

// noMatch returns the chance that no die matches argument i: the product over
// the dice, whose errors add up.
func (c call) noMatch(i int) (exact.Number, error) {
	p, err := c.pool()
	if err != nil {
		return exact.Number{}, err
	}
	if c.omitted(i) { // every die counts
		return exact.Number{Rat: new(big.Rat)}, nil
	}
	faces, err := facesThat(c, i)
	if err != nil {
		return exact.Number{}, err
	}
	none := exact.New(exact.One, p.Bound())
	for die, count := range p.Kinds() {
		miss := exact.Number{Rat: new(big.Rat).Sub(exact.One, die.In(faces))}
		if err := c.payDice(miss, count); err != nil {
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
func (c call) payDice(p exact.Number, count int) error {
	if p.Bits() <= 2 {
		return nil
	}
	if count > meter.MaxPowerBits || p.Bits()*int64(count) > meter.MaxPowerBits {
		return argError("pool", "it has %d dice, too many for an exact chance", count)
	}
	return c.meter().Fraction(p.Bits() * int64(count))
}
