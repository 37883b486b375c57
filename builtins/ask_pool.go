package builtins

import (
	"context"
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What is asked of the dice of a pool, before they are added up.

var poolParam = Param{Name: "pool", Doc: "the dice"}

func poolBuiltins() []builtin {
	count := Param{Name: "k", Doc: "how many dice", Default: "1"}
	spec := Param{Name: "spec", Doc: "faces: a whole number, a list of them, or a band"}
	return []builtin{
		keptOf("highest", count, "The total of the k highest dice.", "dice_pool(4, 6).highest(3)", "DieRoll 3..18, mean 12.245", (*dist.Pool).Highest),
		keptOf("lowest", count, "The total of the k lowest dice.", "dice_pool(2, 20).lowest()", "DieRoll 1..20, mean 7.175", (*dist.Pool).Lowest),
		keptOf("drop_highest", count, "The total without the k highest dice; at least one die stays.", "dice_pool(3, 6).drop_highest()", "DieRoll 2..12, mean 5.542", (*dist.Pool).DropHighest),
		keptOf("drop_lowest", count, "The total without the k lowest dice; at least one die stays.", "dice_pool(4, 6).drop_lowest()", "DieRoll 3..18, mean 12.245", (*dist.Pool).DropLowest),
		{
			name: "sum", on: onRolls, self: rollParam,
			doc:     "The total, as a roll.",
			example: "dice_pool(3, 6).sum()",
			result:  "DieRoll 3..18, mean 10.500",
			run: func(c call) (starlark.Value, error) {
				return rolled(c.self())
			},
		},
		rankOf("middle_of", Param{Name: "keep", Doc: "how many dice are kept, 1 up to all"},
			"The total of the middle dice; when the dice to drop are an odd number, one more is dropped from the high end.",
			"dice_pool(3, 6).middle_of(1)", "DieRoll 1..6, mean 3.500", (*dist.Pool).Middle),
		rankOf("order_stat", Param{Name: "k", Doc: "which die: 1 is the highest"},
			"The k-th highest die.", "dice_pool(3, 6).order_stat(1)", "DieRoll 1..6, mean 4.958", (*dist.Pool).OrderStat),
		{
			name: "count", on: onPools, free: true, self: poolParam, params: []Param{spec},
			doc:     "How many dice show one of these faces.",
			errors:  "an empty list",
			example: "dice_pool(10, 6).count(at_least(5)).pmf(3).fraction",
			result:  "5120/19683",
			run: func(c call) (starlark.Value, error) {
				return rolled(c.matching(0))
			},
		},
		numberOf("largest_set", "The size of the largest set of dice that show the same face.", "dice_pool(5, 6).largest_set().pmf(5).fraction", "1/1296", (*dist.Pool).LargestSet),
		{
			name: "sets", on: onPools, self: poolParam,
			params:  []Param{{Name: "width", Doc: "how many dice make a set"}},
			doc:     "How many faces show on at least that many dice.",
			errors:  "a width below 1",
			example: "dice_pool(5, 6).sets(2).pmf(2).fraction",
			result:  "175/648",
			run: func(c call) (starlark.Value, error) {
				p, err := c.pool()
				if err != nil {
					return nil, err
				}
				width, err := c.atLeast(0, 1, 1)
				if err != nil {
					return nil, err
				}
				return rolled(p.Sets(c.ctx(), width))
			},
		},
		numberOf("longest_run", "The length of the longest straight, such as 3 for 2 3 4.", "dice_pool(5, 6).longest_run().p_ge(5).fraction", "5/162", (*dist.Pool).LongestRun),
		numberOf("unique", "How many different faces show.", "dice_pool(3, 6).unique().pmf(3).fraction", "5/9", (*dist.Pool).Unique),
		numberOf("pairs", "How many pairs the dice make, each die in one pair at most.", "dice_pool(4, 6).pairs().pmf(2).fraction", "2/27", (*dist.Pool).Pairs),
		anyOf("p_any", "The chance that at least one die shows one of these faces; without a spec, 1.", "dice_pool(4, 6).p_any(6).fraction", "671/1296", true),
		anyOf("p_none", "The chance that no die shows one of these faces; without a spec, 0.", "dice_pool(4, 6).p_none(6).fraction", "625/1296", false),
		{
			name: "p_at_least", on: onPools, self: poolParam,
			params: []Param{
				{Name: "k", Doc: "how many dice"},
				{Name: "spec", Doc: "faces: a whole number, a list of them, or a band; left out, any face", Default: "None"},
			},
			doc:     "The chance that at least k dice show one of these faces; without a spec, whether the pool has k dice.",
			example: "dice_pool(4, 6).p_at_least(2, at_least(5)).fraction",
			result:  "11/27",
			run:     poolAtLeast,
		},
		{
			name: "size", on: onPools,
			doc:     "How many dice there are.",
			example: "dice_pool(4, 6).size",
			result:  "4",
			attr: func(v starlark.Value) (starlark.Value, error) {
				return starlark.MakeInt(v.(*Pool).dice.Size()), nil
			},
		},
		{
			name: "dice", on: onPools,
			doc:     "The list of the dice, each a roll.",
			example: "pool(d(6), d(8)).dice",
			result:  "[DieRoll 1..6, mean 3.500, DieRoll 1..8, mean 4.500]",
			attr:    diceList,
		},
		{
			name: "error", on: onPools,
			doc:     "How far each chance of the total may be from the truth, as a float; 0.0 when all are exact.",
			example: "dice_pool(4, 6).error",
			result:  "0.0",
			attr: func(v starlark.Value) (starlark.Value, error) {
				bound := 0.0
				for die, count := range v.(*Pool).dice.Blocks() {
					bound = addUp(bound, mulUp(die.ErrorBound(), float64(count)))
				}
				return starlark.Float(min(1, bound)), nil
			},
		},
	}
}

// pool returns the dice that a method belongs to.
func (c call) pool() (*dist.Pool, error) {
	switch v := c.recv.(type) {
	case *Pool:
		return v.dice, nil
	case *Roll:
		return nil, argError(c.def.self.Name, "got a roll, want dice that are not added up, like dice_pool(4, 6); pool(roll) makes one die of a roll")
	}
	return nil, argError(c.def.self.Name, "got %s, want dice like dice_pool(4, 6)", describe(c.recv))
}

// poolCount returns a statistic of a pool that depends on a number.
func (c call) poolCount(k int, ask keeper) (starlark.Value, error) {
	p, err := c.pool()
	if err != nil {
		return nil, err
	}
	return rolled(ask(p, c.ctx(), k))
}

func keptOf(name string, p Param, doc, example, result string, ask keeper) builtin {
	return builtin{
		name: name, on: onPools, self: poolParam, params: []Param{p},
		doc: doc, errors: "a negative k", example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			k, err := c.atLeast(0, 0, 1)
			if err != nil {
				return nil, err
			}
			return c.poolCount(k, ask)
		},
	}
}

func rankOf(name string, p Param, doc, example, result string, ask keeper) builtin {
	return builtin{
		name: name, on: onPools, free: true, self: poolParam, params: []Param{p},
		doc: doc, errors: p.Name + " below 1 or above the number of dice", example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			k, err := c.int(0)
			if err != nil {
				return nil, err
			}
			return c.poolCount(k, ask)
		},
	}
}

func numberOf(name, doc, example, result string, ask func(*dist.Pool, context.Context) (*dist.Dist, error)) builtin {
	return builtin{
		name: name, on: onPools, self: poolParam,
		doc: doc, example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			p, err := c.pool()
			if err != nil {
				return nil, err
			}
			return rolled(ask(p, c.ctx()))
		},
	}
}

// matching returns how many dice show a face of argument i.
func (c call) matching(i int) (*dist.Dist, error) {
	p, err := c.pool()
	if err != nil {
		return nil, err
	}
	s, err := c.set(i)
	if err != nil {
		return nil, err
	}
	return p.Count(c.ctx(), s)
}

func anyOf(name, doc, example, result string, any bool) builtin {
	return builtin{
		name: name, on: onPools, self: poolParam,
		params:  []Param{{Name: "spec", Doc: "faces: a whole number, a list of them, or a band; left out, any face", Default: "None"}},
		doc:     doc,
		example: example,
		result:  result,
		run: func(c call) (starlark.Value, error) {
			if !c.given(0) {
				return certain(any), nil
			}
			s, err := c.set(0)
			if err != nil {
				return nil, err
			}
			none, bound, err := c.noneIn(s)
			if err != nil {
				return nil, err
			}
			if any {
				none.Sub(one, none)
			}
			return newProb(none, bound), nil
		},
	}
}

// noneIn returns the chance that no die shows a face in s: the product over the
// dice.
func (c call) noneIn(s dist.Set) (p *big.Rat, bound float64, err error) {
	dice, err := c.pool()
	if err != nil {
		return nil, 0, err
	}
	all := exact{rat: one}
	for die, count := range dice.Blocks() {
		miss := exact{new(big.Rat).Sub(one, die.In(s)), die.ErrorBound()}
		if err := c.chargePower(miss, count); err != nil {
			return nil, 0, err
		}
		power, err := miss.power(count)
		if err != nil {
			return nil, 0, err
		}
		power.bound = min(power.bound, mulUp(miss.bound, float64(count)))
		if all, err = arithmetic(syntax.STAR, all, power); err != nil {
			return nil, 0, err
		}
	}
	return new(big.Rat).Set(all.rat), min(1, all.bound), nil
}

// certain is the chance of what is known to happen or not to.
func certain(yes bool) *Prob {
	if yes {
		return newProb(one, 0)
	}
	return newProb(new(big.Rat), 0)
}

func poolAtLeast(c call) (starlark.Value, error) {
	k, err := c.int(0)
	if err != nil {
		return nil, err
	}
	if !c.given(1) {
		p, err := c.pool()
		if err != nil {
			return nil, err
		}
		return certain(p.Size() >= k), nil
	}
	d, err := c.matching(1)
	if err != nil {
		return nil, err
	}
	return chanceOf(d, d.AtLeast(k)), nil
}

// maxListedDice is how many dice the list of a pool may have: an attribute
// can't be charged to the run.
const maxListedDice = 100_000

func diceList(v starlark.Value) (starlark.Value, error) {
	p := v.(*Pool).dice
	if p.Size() > maxListedDice {
		return nil, argError("pool", "got %d dice, want at most %d to list them", p.Size(), maxListedDice)
	}
	list := make([]starlark.Value, 0, p.Size())
	for die, count := range p.Blocks() {
		roll := NewRoll(die)
		for range count {
			list = append(list, roll)
		}
	}
	return starlark.NewList(list), nil
}
