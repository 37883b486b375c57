package builtins

import (
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Dice of a pool that match: how many, and the chance of enough of them.
// Without a question about faces every die counts.

func poolCountBuiltins() []builtin {
	faces := Param{Name: "spec", Doc: "the faces that match: a whole number, a list of them, or a band like at_least(5)"}
	anyFaces := Param{Name: "spec", Doc: faces.Doc + "; without it every die matches", Default: "None"}
	return []builtin{
		{
			name: "count", on: onPools, free: true, self: poolParam,
			params:  []Param{faces},
			doc:     "How many dice match: the successes of a dice pool.",
			errors:  "an empty list",
			example: "count(dice_pool(10, 6), at_least(5)).pmf(3).fraction",
			result:  "5120/19683",
			run: func(c call) (starlark.Value, error) {
				return rolled(c.matching(0))
			},
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
				return newProb(new(big.Rat).Sub(one, none.rat), none.bound), nil
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
				return newProb(none.rat, none.bound), nil
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
				return newProb(n.AtLeast(k), doubt(syntax.GE, n, k)), nil
			},
		},
	}
}

// everyDie reports whether argument i was left out, so that all dice match.
func (c call) everyDie(i int) bool {
	return !c.def.params[i].required() && !c.given(i)
}

// matching returns how many dice match argument i.
func (c call) matching(i int) (*dist.Dist, error) {
	p, err := c.pool()
	if err != nil {
		return nil, err
	}
	if c.everyDie(i) {
		return dist.Constant(p.Size()), nil
	}
	faces, err := c.set(i)
	if err != nil {
		return nil, err
	}
	return p.Count(c.ctx(), faces)
}

// noMatch returns the chance that no die matches argument i: the product over
// the dice, whose errors add up.
func (c call) noMatch(i int) (exact, error) {
	p, err := c.pool()
	if err != nil {
		return exact{}, err
	}
	if c.everyDie(i) {
		return exact{rat: new(big.Rat)}, nil
	}
	faces, err := c.set(i)
	if err != nil {
		return exact{}, err
	}
	none := exact{rat: one, bound: p.ErrorBound()}
	for die, count := range p.Kinds() {
		miss := exact{rat: new(big.Rat).Sub(one, die.In(faces))}
		if err := c.chargeDice(die, miss, count); err != nil {
			return exact{}, err
		}
		missAll, err := miss.power(count)
		if err != nil {
			return exact{}, err
		}
		none.rat = new(big.Rat).Mul(none.rat, missAll.rat)
	}
	return none, nil
}

// chargeDice charges the power of a chance that equal dice share. The number
// must stay small enough to print.
func (c call) chargeDice(die *dist.Dist, p exact, count int) error {
	if err := c.chargeLook(die); err != nil || p.bits() <= 2 {
		return err
	}
	if count > maxPowerBits || p.bits()*int64(count) > maxPowerBits {
		return argError("pool", "it has %d dice, too many for an exact chance", count)
	}
	words := p.bits()*int64(count)/64 + 1
	return dist.ChargeWork(c.ctx(), words*words)
}
