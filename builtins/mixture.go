package builtins

import (
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A mixture is one of several things, chosen by chance: rolls give a roll, and
// outcomes give outcomes.

// A mixPart is one thing of a mixture with its weight.
type mixPart struct {
	weight *big.Rat
	bound  float64
	value  starlark.Value
}

func mixtureBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "mixture", Free: true,
			Params:  []define.Param{{Name: "parts", Doc: "a list of (weight, roll) or (weight, label); the chances are in proportion to the weights"}},
			Doc:     "One of several rolls, or of several Outcomes and labels, chosen by chance.",
			Errors:  "a negative weight; weights that are all 0; rolls and labels together",
			Example: "mixture([(3, d(6)), (1, d(20))]).mean().fraction",
			Result:  "21/4",
			Run:     mixture,
		},
		{
			Name: "either", Free: true,
			Params: []define.Param{
				{Name: "p", Doc: "the chance of the first"},
				{Name: "a", Doc: "the roll (or outcomes) with that chance"},
				{Name: "b", Doc: "the roll (or outcomes) otherwise"},
			},
			Doc:     "The first roll with the given chance, the second one otherwise.",
			Errors:  "a chance below 0 or above 1",
			Example: "either(d(20).p_ge(11), d(8), 0).mean()",
			Result:  "2.25",
			Run:     either,
		},
	}
}

func mixture(c define.Call) (starlark.Value, error) {
	items, err := c.List(0)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, c.Wrong(0, "got an empty list, want at least one (weight, roll)")
	}
	if err := c.Meter().Parts(int64(len(items))); err != nil {
		return nil, err
	}
	parts := make([]mixPart, len(items))
	for i, item := range items {
		pair, ok := value.Elements(item)
		if !ok || len(pair) != 2 {
			return nil, c.Wrong(0, "item %d: got %s, want (weight, roll)", i+1, value.Describe(item))
		}
		weight, bound, problem := value.RatOf(pair[0])
		if problem == "" && weight.Sign() < 0 {
			problem = "got " + value.Describe(pair[0]) + ", want at least 0"
		}
		if problem != "" {
			return nil, c.Wrong(0, "the weight of item %d: %s", i+1, problem)
		}
		parts[i] = mixPart{weight, bound, pair[1]}
	}
	return mixed(c, parts, func(i int, problem string) error { return c.Wrong(0, "item %d: %s", i+1, problem) })
}

func either(c define.Call) (starlark.Value, error) {
	if num, den, ok := smallChance(c.Value(0)); ok {
		a, isNumber := value.Int(c.Value(1))
		b, areNumbers := value.Int(c.Value(2))
		if isNumber && areNumbers {
			return c.Rolled(dist.TwoPoints(c.Context(), num, den, a, b))
		}
	}
	p, bound, err := c.Chance(0)
	if err != nil {
		return nil, err
	}
	parts := []mixPart{
		{p, bound, c.Value(1)},
		{new(big.Rat).Sub(exact.One, p), bound, c.Value(2)},
	}
	return mixed(c, parts, func(i int, problem string) error { return c.Wrong(i+1, "%s", problem) })
}

// smallChance returns a chance that is written as a small fraction.
func smallChance(v starlark.Value) (num, den uint32, ok bool) {
	text, isText := v.(starlark.String)
	if !isText {
		return 0, 0, false
	}
	num, den, ok = exact.ParseSmall(string(text))
	return num, den, ok && num <= den
}

// mixed mixes rolls, or hands over to what else is to be mixed. wrong says what
// is wrong with a part.
func mixed(c define.Call, parts []mixPart, wrong func(i int, problem string) error) (starlark.Value, error) {
	for _, p := range parts { // a whole number is a roll beside rolls and a label beside labels
		switch p.value.(type) {
		case *value.Outcomes, starlark.String, starlark.Tuple:
			return mixedLabels(c, parts, wrong)
		}
	}
	rolls := make([]dist.Part, len(parts))
	for i, p := range parts {
		d, ok, err := value.AsRoll(c.Thread, p.value)
		if !ok {
			return nil, wrong(i, value.NotRoll(p.value))
		}
		if err != nil {
			return nil, err
		}
		rolls[i] = dist.Part{Weight: p.weight, WeightBound: p.bound, Roll: d}
	}
	return c.Rolled(dist.Mixture(c.Context(), rolls))
}

// chosen are the parts of a mixture of a, with chance p, and b.
func chosen(p *big.Rat, bound float64, a, b *dist.Dist) []dist.Part {
	return []dist.Part{
		{Weight: p, WeightBound: bound, Roll: a},
		{Weight: new(big.Rat).Sub(exact.One, p), WeightBound: bound, Roll: b},
	}
}

// mixedLabels returns one of the parts by chance. Each is Outcomes or a label;
// wrong says what is wrong with a part.
func mixedLabels(c define.Call, parts []mixPart, wrong func(i int, problem string) error) (starlark.Value, error) {
	total := new(big.Rat)
	for _, p := range parts {
		total.Add(total, p.weight)
	}
	m := value.NewMixture(c.Methods(), &intern.Table{})
	for i, p := range parts {
		if p.weight.Sign() == 0 && p.bound == 0 {
			continue
		}
		bound := p.bound
		if bound > 0 && total.Sign() > 0 {
			bound = min(1, upper.Mul(bound, upper.Abs(new(big.Rat).Inv(total))))
		}
		if o, ok := p.value.(*value.Outcomes); ok {
			m.Add(p.weight, bound, o)
			continue
		}
		err := m.AddLabel(c.Meter(), p.weight, bound, p.value)
		if meter.Ends(err) {
			return nil, err
		}
		if err != nil {
			return nil, wrong(i, err.Error())
		}
	}
	if m.Empty() {
		return nil, define.ArgError(c.Param(0), "all weights are 0, want at least one above 0")
	}
	return m.Mixed(c.Context(), c.Meter())
}
