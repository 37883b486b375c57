package builtins

import (
	"math/big"
	"slices"

	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Dice that are made from numbers, and pools of them.

func diceBuiltins() []builtin {
	return []builtin{
		{
			name: "d", free: true,
			params:  []Param{{Name: "sides", Doc: "how many sides the die has"}},
			doc:     "A fair die that shows 1 up to its number of sides.",
			errors:  "sides below 1",
			example: "d(6)",
			result:  "DieRoll 1..6, mean 3.500",
			run: func(c call) (starlark.Value, error) {
				sides, err := c.int(0)
				if err != nil {
					return nil, err
				}
				return c.made(sides, func() (*dist.Dist, error) { return dist.Die(sides) })
			},
		},
		{
			name: "die_faces", free: true,
			params:  []Param{{Name: "faces", Doc: "a list of faces, or a dict from faces to their weights; a face is a whole number, or for symbol dice a tuple of them"}},
			doc:     "A die with faces of your own; a face that is listed twice is twice as likely. Faces that are tuples make a symbol die: Outcomes, which add place by place.",
			errors:  "no faces; a face that is neither a whole number nor a tuple of them; tuples of several lengths; a negative weight",
			example: "die_faces([1, 1, 2, 3])",
			result:  "DieRoll 1..3, mean 1.750",
			run:     dieFaces,
		},
		{
			name: "constant", free: true,
			params:  []Param{{Name: "n", Doc: "the total"}},
			doc:     "A roll that always totals the same.",
			example: "constant(7)",
			result:  "DieRoll 7",
			run: func(c call) (starlark.Value, error) {
				n, err := c.int(0)
				return c.rolled(dist.Constant(n), err)
			},
		},
		{
			name: "uniform", free: true,
			params: []Param{
				{Name: "lo", Doc: "the lowest total"},
				{Name: "hi", Doc: "the highest total"},
			},
			doc:     "Every whole number from lo to hi, all equally likely.",
			errors:  "hi below lo",
			example: "uniform(0, 9)",
			result:  "DieRoll 0..9, mean 4.500",
			run:     uniform,
		},
		{
			name: "dice_pool", free: true,
			params: []Param{
				{Name: "count", Doc: "how many dice"},
				{Name: "sides", Doc: "how many sides each of them has"},
			},
			doc:     "Several fair dice that are not added up yet.",
			errors:  "count or sides below 1",
			example: "dice_pool(4, 6)",
			result:  "DicePool 4d6",
			run: func(c call) (starlark.Value, error) {
				return c.pooled(c.equalDice())
			},
		},
		{
			name: "pool", free: true,
			params:  []Param{{Name: "rolls", Doc: "the dice, each a roll; a pool stands for all of its dice", Variadic: true}},
			doc:     "Any independent dice together, not added up yet.",
			errors:  "no dice",
			example: "pool(d(6), d(8))",
			result:  "DicePool 1d6 + 1d8",
			run:     poolOf,
		},
	}
}

// made charges a table of so many outcomes, makes it and returns the roll.
func (c call) made(outcomes int, build func() (*dist.Dist, error)) (starlark.Value, error) {
	if err := meter.Faces(c.ctx(), outcomes); err != nil {
		return nil, err
	}
	return c.rolled(build())
}

func dieFaces(c call) (starlark.Value, error) {
	if weights, ok := c.value(0).(*starlark.Dict); ok {
		return c.weightedFaces(weights)
	}
	values, ok := value.Elements(c.value(0))
	if !ok {
		if b, isBand := c.value(0).(*value.Band); isBand {
			return nil, c.wrong(0, "got %s, which has no end, want a list of whole numbers", b)
		}
		return nil, c.want(0, "a list of whole numbers, or a dict {face: weight}")
	}
	if hasTuple(values) {
		weights := make([]*big.Int, len(values))
		for i := range weights {
			weights[i] = big.NewInt(1)
		}
		return c.symbolDie(values, weights)
	}
	faces := make([]int, len(values))
	for i, v := range values {
		if faces[i], ok = value.Int(v); !ok {
			return nil, c.wrong(0, "item %d of the list: %s", i+1, value.NotInt(v))
		}
	}
	return c.made(len(faces), func() (*dist.Dist, error) { return dist.Faces(faces...) })
}

// weightedFaces makes a die of a dict {face: weight}.
func (c call) weightedFaces(dict *starlark.Dict) (starlark.Value, error) {
	var faces []int
	var weights []*big.Rat
	symbols := hasTuple(dict.Keys())
	for _, item := range dict.Items() {
		face, ok := value.Int(item[0])
		if !ok && !symbols {
			return nil, c.wrong(0, "%s", value.NotInt(item[0]))
		}
		w, bound, problem := value.RatOf(item[1])
		switch {
		case problem != "":
			return nil, c.wrong(0, "the weight of face %s: %s", value.Shorten(item[0].String()), problem)
		case bound > 0:
			return nil, c.wrong(0, "the weight of face %s: it comes from an unlimited roll and is not exact; mixture takes such weights", value.Shorten(item[0].String()))
		case w.Sign() < 0:
			return nil, c.wrong(0, "the weight of face %s: got %s, want at least 0", value.Shorten(item[0].String()), value.Describe(item[1]))
		}
		faces, weights = append(faces, face), append(weights, w)
	}
	if len(faces) == 0 {
		return nil, c.wrong(0, "got none, want at least one")
	}
	if !slices.ContainsFunc(weights, func(w *big.Rat) bool { return w.Sign() > 0 }) {
		return nil, c.wrong(0, "all weights are 0, want at least one above 0")
	}
	if symbols {
		return c.symbolDie(dict.Keys(), overOneDenominator(weights))
	}
	return c.made(len(faces), func() (*dist.Dist, error) { return dist.Weighted(c.ctx(), faces, overOneDenominator(weights)) })
}

// overOneDenominator multiplies fractions by their common denominator.
func overOneDenominator(rs []*big.Rat) []*big.Int {
	common := big.NewInt(1)
	for _, r := range rs {
		g := new(big.Int).GCD(nil, nil, common, r.Denom())
		common.Mul(common, g.Quo(r.Denom(), g))
	}
	whole := make([]*big.Int, len(rs))
	for i, r := range rs {
		n := new(big.Int).Quo(common, r.Denom())
		whole[i] = n.Mul(n, r.Num())
	}
	return whole
}

func uniform(c call) (starlark.Value, error) {
	lo, err := c.int(0)
	if err != nil {
		return nil, err
	}
	hi, err := c.int(1)
	if err != nil {
		return nil, err
	}
	size := hi - lo + 1
	if hi > lo && size <= 0 {
		size = hi // too many to count; the constructor says so
	}
	return c.made(size, func() (*dist.Dist, error) { return dist.Uniform(lo, hi) })
}

// equalDice returns the dice of the parameters count and sides, which come first.
func (c call) equalDice() (*dist.Pool, error) {
	count, err := c.int(0)
	if err != nil {
		return nil, err
	}
	sides, err := c.int(1)
	if err != nil {
		return nil, err
	}
	if err := meter.Faces(c.ctx(), sides); err != nil {
		return nil, err
	}
	die, err := dist.Die(sides)
	if err != nil {
		return nil, err
	}
	return dist.Repeat(die, count)
}

func poolOf(c call) (starlark.Value, error) {
	rolls := c.rest(0)
	if len(rolls) == 1 {
		if list, ok := value.Elements(rolls[0]); ok {
			rolls = list
		}
	}
	if len(rolls) == 0 {
		return nil, c.wrong(0, "got none, want at least one roll")
	}
	return c.pooled(joined(c, rolls))
}

// joined puts the dice of rolls and pools together in order.
func joined(c call, rolls []starlark.Value) (*dist.Pool, error) {
	var pools []*dist.Pool
	var dice []*dist.Dist
	flush := func() error {
		if len(dice) == 0 {
			return c.ctx().Err()
		}
		pools = append(pools, dist.Must(dist.NewPool(dice...)))
		dice = nil
		return nil
	}
	for i, v := range rolls {
		if p, ok := v.(*value.Pool); ok {
			if err := flush(); err != nil {
				return nil, err
			}
			pools = append(pools, p.Pool())
			continue
		}
		d, ok, err := value.AsRoll(c.thread, v)
		if !ok {
			return nil, c.wrong(0, "item %d: %s", i+1, value.NotRoll(v))
		}
		if err != nil {
			return nil, err
		}
		if dice = append(dice, d); len(dice) < diceAtOnce {
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return c.joinAll(pools)
}

// diceAtOnce is how many dice are put together between two looks at the context.
const diceAtOnce = 1 << 12

// joinAll joins neighbours first, so that long pools meet long ones.
func (c call) joinAll(pools []*dist.Pool) (*dist.Pool, error) {
	for len(pools) > 1 {
		var next []*dist.Pool
		for i := 0; i < len(pools); i += 2 {
			if i+1 == len(pools) {
				next = append(next, pools[i])
				break
			}
			if err := c.ctx().Err(); err != nil {
				return nil, err
			}
			p, err := value.Join(pools[i], pools[i+1])
			if err != nil {
				return nil, err
			}
			next = append(next, p)
		}
		pools = next
	}
	return pools[0], nil
}
