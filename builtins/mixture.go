package builtins

import (
	"math/big"

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

func mixtureBuiltins() []builtin {
	return []builtin{
		{
			name: "mixture", free: true,
			params:  []Param{{Name: "parts", Doc: "a list of (weight, roll) or (weight, label); the chances are in proportion to the weights"}},
			doc:     "One of several rolls, or of several Outcomes and labels, chosen by chance.",
			errors:  "a negative weight; weights that are all 0; rolls and labels together",
			example: "mixture([(3, d(6)), (1, d(20))]).mean().fraction",
			result:  "21/4",
			run:     mixture,
		},
		{
			name: "either", free: true,
			params: []Param{
				{Name: "p", Doc: "the chance of the first"},
				{Name: "a", Doc: "the roll (or outcomes) with that chance"},
				{Name: "b", Doc: "the roll (or outcomes) otherwise"},
			},
			doc:     "The first roll with the given chance, the second one otherwise.",
			errors:  "a chance below 0 or above 1",
			example: "either(d(20).p_ge(11), d(8), 0).mean()",
			result:  "2.25",
			run:     either,
		},
	}
}

func mixture(c call) (starlark.Value, error) {
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, c.wrong(0, "got an empty list, want at least one (weight, roll)")
	}
	if err := c.meter().Parts(int64(len(items))); err != nil {
		return nil, err
	}
	parts := make([]mixPart, len(items))
	for i, item := range items {
		pair, ok := value.Elements(item)
		if !ok || len(pair) != 2 {
			return nil, c.wrong(0, "item %d: got %s, want (weight, roll)", i+1, value.Describe(item))
		}
		weight, bound, problem := value.RatOf(pair[0])
		if problem == "" && weight.Sign() < 0 {
			problem = "got " + value.Describe(pair[0]) + ", want at least 0"
		}
		if problem != "" {
			return nil, c.wrong(0, "the weight of item %d: %s", i+1, problem)
		}
		parts[i] = mixPart{weight, bound, pair[1]}
	}
	return c.mixed(parts, func(i int, problem string) error { return c.wrong(0, "item %d: %s", i+1, problem) })
}

func either(c call) (starlark.Value, error) {
	if num, den, ok := smallChance(c.value(0)); ok {
		a, isNumber := value.Int(c.value(1))
		b, areNumbers := value.Int(c.value(2))
		if isNumber && areNumbers {
			return c.rolled(dist.TwoPoints(c.ctx(), num, den, a, b))
		}
	}
	p, bound, err := c.chance(0)
	if err != nil {
		return nil, err
	}
	parts := []mixPart{
		{p, bound, c.value(1)},
		{new(big.Rat).Sub(exact.One, p), bound, c.value(2)},
	}
	return c.mixed(parts, func(i int, problem string) error { return c.wrong(i+1, "%s", problem) })
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
func (c call) mixed(parts []mixPart, wrong func(i int, problem string) error) (starlark.Value, error) {
	for _, p := range parts { // a whole number is a roll beside rolls and a label beside labels
		switch p.value.(type) {
		case *value.Outcomes, starlark.String, starlark.Tuple:
			return c.mixedLabels(parts, wrong)
		}
	}
	rolls := make([]dist.Part, len(parts))
	for i, p := range parts {
		d, ok, err := value.AsRoll(c.thread, p.value)
		if !ok {
			return nil, wrong(i, value.NotRoll(p.value))
		}
		if err != nil {
			return nil, err
		}
		rolls[i] = dist.Part{Weight: p.weight, WeightBound: p.bound, Roll: d}
	}
	return c.rolled(dist.Mixture(c.ctx(), rolls))
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
func (c call) mixedLabels(parts []mixPart, wrong func(i int, problem string) error) (starlark.Value, error) {
	total := new(big.Rat)
	for _, p := range parts {
		total.Add(total, p.weight)
	}
	m := value.NewMixture(c.methods(), &intern.Table{})
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
		err := m.AddLabel(c.meter(), p.weight, bound, p.value)
		if meter.Ends(err) {
			return nil, err
		}
		if err != nil {
			return nil, wrong(i, err.Error())
		}
	}
	if m.Empty() {
		return nil, argError(c.param(0), "all weights are 0, want at least one above 0")
	}
	return m.Mixed(c.ctx(), c.meter())
}
