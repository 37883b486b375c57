package builtins

import (
	"fmt"
	"math/big"
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Dice that are made from numbers, and pools of them.

func diceBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "d", Free: true,
			Params:  []define.Param{{Name: "sides", Doc: "how many sides the die has"}},
			Doc:     "A fair die that shows 1 up to its number of sides.",
			Errors:  "sides below 1",
			Slip:    diceOfTwo,
			Example: "d(6)",
			Result:  "DieRoll 1..6, mean 3.500",
			Run: func(c define.Call) (starlark.Value, error) {
				sides, err := c.Int(0)
				if err != nil {
					return nil, err
				}
				return made(c, sides, func() (*dist.Dist, error) { return dist.Die(sides) })
			},
		},
		{
			Name: "die_faces", Free: true,
			Params:  []define.Param{{Name: "faces", Doc: "a list of faces, or a dict from faces to their weights; a face is a whole number, or for symbol dice a tuple of them"}},
			Doc:     "A die with faces of your own; a face that is listed twice is twice as likely. Faces that are tuples make a symbol die: Outcomes, which add place by place.",
			Errors:  "no faces; a face that is neither a whole number nor a tuple of them; tuples of several lengths; a negative weight",
			Example: "die_faces([1, 1, 2, 3])",
			Result:  "DieRoll 1..3, mean 1.750",
			Run:     dieFaces,
		},
		{
			Name: "constant", Free: true,
			Params:  []define.Param{{Name: "n", Doc: "the total"}},
			Doc:     "A roll that always totals the same. Totals and faces are whole numbers from -2^63 to 2^63-1.",
			Example: "constant(7)",
			Result:  "DieRoll 7",
			Run: func(c define.Call) (starlark.Value, error) {
				n, err := c.Int(0)
				return c.Rolled(dist.Constant(n), err)
			},
		},
		{
			Name: "uniform", Free: true,
			Params: []define.Param{
				{Name: "lo", Doc: "the lowest total"},
				{Name: "hi", Doc: "the highest total"},
			},
			Doc:     "Every whole number from lo to hi, all equally likely.",
			Errors:  "hi below lo",
			Example: "uniform(0, 9)",
			Result:  "DieRoll 0..9, mean 4.500",
			Run:     uniform,
		},
		{
			Name: "dice_pool", Free: true,
			Params: []define.Param{
				{Name: "count", Doc: "how many dice"},
				{Name: "sides", Doc: "how many sides each of them has"},
			},
			Doc:     "Several fair dice that are not added up yet.",
			Errors:  "count or sides below 1; more than a million dice",
			Example: "dice_pool(4, 6)",
			Result:  "DicePool 4d6",
			Run: func(c define.Call) (starlark.Value, error) {
				if text := severalDice(c.Value(1), c.Value(0)); text != "" && value.IsDice(c.Value(0)) {
					return nil, c.Wrong(0, "got a roll, want how many dice there are; so many of it are %s", text)
				}
				if text := severalDice(c.Value(0), c.Value(1)); text != "" && value.IsDice(c.Value(1)) {
					return nil, c.Wrong(1, "got a roll, want how many sides each die has; so many of it are %s", text)
				}
				return c.Pooled(equalDice(c))
			},
		},
		{
			Name: "pool", Free: true,
			Params:  []define.Param{{Name: "rolls", Doc: "the dice, each a roll; a pool stands for all of its dice", Variadic: true}},
			Doc:     "Any independent dice together, not added up yet.",
			Errors:  "no dice; more than a million",
			Example: "pool(d(6), d(8))",
			Result:  "DicePool 1d6 + 1d8",
			Run:     poolOf,
		},
	}
}

// diceOfTwo is about d(4, 6).
func diceOfTwo(args starlark.Tuple) string {
	if len(args) != 2 {
		return ""
	}
	text := severalDice(args[0], args[1])
	if text == "" {
		return ""
	}
	return fmt.Sprintf("got two numbers, want the sides of one die; so many dice are written %s, or dice_pool(%s, %s)", text, args[0], args[1])
}

// made charges a table of so many outcomes, makes it and returns the roll.
func made(c define.Call, outcomes int, build func() (*dist.Dist, error)) (starlark.Value, error) {
	if err := meter.Faces(c.Context(), outcomes); err != nil {
		return nil, err
	}
	return c.Rolled(build())
}

func dieFaces(c define.Call) (starlark.Value, error) {
	if weights, ok := c.Value(0).(*starlark.Dict); ok {
		return weightedFaces(c, weights)
	}
	values, ok := value.Elements(c.Value(0))
	if !ok {
		if b, isBand := c.Value(0).(*value.Band); isBand {
			return nil, c.Wrong(0, "got %s, which has no end, want a list of whole numbers", b)
		}
		return nil, c.Want(0, "a list of whole numbers, or a dict {face: weight}")
	}
	if hasTuple(values) {
		weights := make([]*big.Int, len(values))
		for i := range weights {
			weights[i] = big.NewInt(1)
		}
		return symbolDie(c, values, weights)
	}
	faces := make([]int, len(values))
	for i, v := range values {
		if faces[i], ok = value.Int(v); !ok {
			return nil, c.Wrong(0, "item %d of the list: %s", i+1, value.NotInt(v))
		}
	}
	return made(c, len(faces), func() (*dist.Dist, error) { return dist.Faces(faces...) })
}

// weightedFaces makes a die of a dict {face: weight}.
func weightedFaces(c define.Call, dict *starlark.Dict) (starlark.Value, error) {
	var faces []int
	var weights []*big.Rat
	symbols := hasTuple(dict.Keys())
	for _, item := range dict.Items() {
		face, ok := value.Int(item[0])
		if !ok && !symbols {
			return nil, c.Wrong(0, "%s", value.NotInt(item[0]))
		}
		w, bound, problem := value.RatOf(item[1])
		switch {
		case problem != "":
			return nil, c.Wrong(0, "the weight of face %s: %s", value.Shorten(item[0].String()), problem)
		case bound > 0:
			return nil, c.Wrong(0, "the weight of face %s: it comes from an unlimited roll and is not exact; mixture takes such weights", value.Shorten(item[0].String()))
		case w.Sign() < 0:
			return nil, c.Wrong(0, "the weight of face %s: got %s, want at least 0", value.Shorten(item[0].String()), value.Describe(item[1]))
		}
		faces, weights = append(faces, face), append(weights, w)
	}
	if len(faces) == 0 {
		return nil, c.Wrong(0, "got none, want at least one")
	}
	if !slices.ContainsFunc(weights, func(w *big.Rat) bool { return w.Sign() > 0 }) {
		return nil, c.Wrong(0, "all weights are 0, want at least one above 0")
	}
	if symbols {
		return symbolDie(c, dict.Keys(), overOneDenominator(weights))
	}
	return made(c, len(faces), func() (*dist.Dist, error) { return dist.Weighted(c.Context(), faces, overOneDenominator(weights)) })
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

func uniform(c define.Call) (starlark.Value, error) {
	lo, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	hi, err := c.Int(1)
	if err != nil {
		return nil, err
	}
	size := hi - lo + 1
	if hi > lo && size <= 0 {
		size = hi // too many to count; the constructor says so
	}
	return made(c, size, func() (*dist.Dist, error) { return dist.Uniform(lo, hi) })
}

// equalDice returns the dice of the parameters count and sides, which come first.
func equalDice(c define.Call) (*dist.Pool, error) {
	count, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	sides, err := c.Int(1)
	if err != nil {
		return nil, err
	}
	if err := meter.Faces(c.Context(), sides); err != nil {
		return nil, err
	}
	die, err := dist.Die(sides)
	if err != nil {
		return nil, err
	}
	return dist.Repeat(die, count)
}

func poolOf(c define.Call) (starlark.Value, error) {
	rolls := c.Rest(0)
	if len(rolls) == 1 {
		if list, ok := value.Elements(rolls[0]); ok {
			rolls = list
		}
	}
	if len(rolls) == 0 {
		return nil, c.Wrong(0, "got none, want at least one roll")
	}
	return c.Pooled(joined(c, rolls))
}

// joined puts the dice of rolls and pools together in order.
func joined(c define.Call, rolls []starlark.Value) (*dist.Pool, error) {
	var pools []*dist.Pool
	var dice []*dist.Dist
	flush := func() error {
		if len(dice) == 0 {
			return c.Context().Err()
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
		if problem := value.NotDice(v); problem != "" {
			return nil, numberInPool(c, rolls, i, problem)
		}
		d, ok, err := value.AsRoll(c.Thread, v)
		if !ok {
			return nil, c.Wrong(0, "item %d: %s", i+1, value.NotRoll(v))
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
	return joinAll(c, pools)
}

// numberInPool is about a number among dice: of two things it may have been how many dice of
// the other there are.
func numberInPool(c define.Call, rolls []starlark.Value, i int, problem string) error {
	if i == 0 && len(rolls) == 2 {
		if text := severalDice(rolls[0], rolls[1]); text != "" {
			return c.Wrong(0, "%s is a number, not a die; so many dice are written %s", value.Describe(rolls[0]), text)
		}
	}
	return c.Wrong(0, "%s", problem)
}

// severalDice is how so many dice are written, when that is known of a number and one fair
// die or its sides.
func severalDice(count, die starlark.Value) string {
	n, ok := value.Int(count)
	sides := value.FairSides(die)
	if s, whole := value.Int(die); whole {
		sides = s
	}
	if !ok || n < 1 || n > maxSpelled || sides < 1 || sides > maxSpelled {
		return ""
	}
	if n == 1 {
		return fmt.Sprintf("d%d", sides)
	}
	return fmt.Sprintf("%dd%d", n, sides)
}

// maxSpelled is the greatest number that is spelled out as dice notation.
const maxSpelled = 1000

// diceAtOnce is how many dice are put together between two looks at the context.
const diceAtOnce = 1 << 12

// joinAll joins neighbours first, so that long pools meet long ones.
func joinAll(c define.Call, pools []*dist.Pool) (*dist.Pool, error) {
	for len(pools) > 1 {
		var next []*dist.Pool
		for i := 0; i < len(pools); i += 2 {
			if i+1 == len(pools) {
				next = append(next, pools[i])
				break
			}
			if err := c.Context().Err(); err != nil {
				return nil, err
			}
			p, err := pools[i].Join(pools[i+1])
			if err != nil {
				return nil, err
			}
			next = append(next, p)
		}
		pools = next
	}
	return pools[0], nil
}
