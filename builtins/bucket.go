package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Bucketing sorts the totals of a roll into the steps of a scale. The early
// steps are asked first, then the others, each group worst to best; the first
// step whose band holds a total has it. Every possible total must have a step.

func bucketBuiltins() []builtin {
	return []builtin{{
		name: "bucket", on: onRolls, free: true,
		self: Param{Name: "roll", Doc: "a roll, or a pool for its total"},
		params: []Param{
			{Name: "scale", Doc: "the ladder of results"},
			{Name: "spec", Variadic: true, Doc: "instead of the bands of the scale: rising cut points, each the last total of its step " +
				"and one fewer than there are steps, or a band for every step"},
		},
		doc:     "The chances that the total falls into each step of a scale.",
		errors:  "a possible total that falls into no step",
		example: `bucket(dice_pool(2, 6), scale().step("miss").step("weak hit").step("strong hit"), 6, 9).pmf("weak hit").fraction`,
		result:  "5/12",
		run:     bucket,
	}}
}

func bucket(c call) (starlark.Value, error) {
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	scale, err := c.scale(0)
	if err != nil {
		return nil, err
	}
	sets, err := c.catches(scale)
	if err != nil {
		return nil, err
	}
	order := scale.askingOrder(sets)
	if err := coversEnds(d, scale, sets, order); err != nil {
		return nil, err
	}
	over, err := dist.Classify(c.ctx(), d, scale.positions(), func(x int) (int, error) {
		for _, i := range order {
			if sets[i].Contains(x) {
				return i, nil
			}
		}
		return 0, scale.uncovered(x, sets)
	})
	if err != nil {
		return nil, err
	}
	return &Outcomes{labelSet: scale.labelSet, over: over}, nil
}

// catches returns the set of totals of every step, nil for a step that never
// catches.
func (c call) catches(scale *Scale) ([]*dist.Set, error) {
	spec := c.rest(1)
	if len(spec) == 0 {
		return scale.ownSets(), nil
	}
	if len(spec) == 1 {
		if values, isList := elements(spec[0]); isList {
			if _, isBand := AsBand(spec[0]); !isBand {
				spec = values
			}
		}
	}
	n := len(scale.steps)
	if cuts, ok := wholeNumbers(spec); ok && len(cuts) == n-1 {
		return c.cutSets(cuts)
	}
	for i, v := range spec {
		if _, problem := setOf(v); problem != "" {
			return nil, c.wrong(1, "item %d: %s", i+1, problem)
		}
	}
	if len(spec) != n {
		return nil, c.wrong(1, "got %s; the scale has %s: want %s, or %s",
			plural(len(spec), "value"), plural(n, "step"), plural(n-1, "rising cut point"), plural(n, "band"))
	}
	return c.bandSets(spec)
}

// ownSets returns the bands of the scale itself.
func (s *Scale) ownSets() []*dist.Set {
	sets := make([]*dist.Set, len(s.steps))
	for i := range s.steps {
		if s.steps[i].band != nil {
			sets[i] = &s.steps[i].set
		}
	}
	return sets
}

// cutSets returns the totals up to each cut, and above the last one.
func (c call) cutSets(cuts []int) ([]*dist.Set, error) {
	sets := make([]*dist.Set, 0, len(cuts)+1)
	for i, cut := range cuts {
		if i > 0 && cut <= cuts[i-1] {
			return nil, c.wrong(1, "got the cut point %d after %d, want them rising: each is the last total of its step", cut, cuts[i-1])
		}
		// What an earlier step caught is out of reach here, but an early step is
		// asked first and must not catch what lies below it.
		set := dist.UpTo(cut)
		if i > 0 {
			set = dist.Must(dist.Through(cuts[i-1]+1, cut))
		}
		sets = append(sets, &set)
	}
	top := dist.Everything
	if n := len(cuts); n > 0 {
		top = dist.UpTo(cuts[n-1]).Not()
	}
	return append(sets, &top), nil
}

func (c call) bandSets(spec []starlark.Value) ([]*dist.Set, error) {
	sets := make([]*dist.Set, len(spec))
	for i, v := range spec {
		set, problem := setOf(v)
		if problem != "" {
			return nil, c.wrong(1, "band %d: %s", i+1, problem)
		}
		sets[i] = &set
	}
	return sets, nil
}

// wholeNumbers returns values as whole numbers if all of them are.
func wholeNumbers(values []starlark.Value) ([]int, bool) {
	ns := make([]int, len(values))
	for i, v := range values {
		n, ok := wholeNumber(v)
		if !ok {
			return nil, false
		}
		ns[i] = n
	}
	return ns, true
}

// askingOrder returns the steps that catch anything: early ones, then the rest.
func (s *Scale) askingOrder(sets []*dist.Set) []int {
	var order []int
	for _, early := range []bool{true, false} {
		for i, st := range s.steps {
			if st.early == early && sets[i] != nil {
				order = append(order, i)
			}
		}
	}
	return order
}

// coversEnds checks that a roll without an end has a step at that end.
func coversEnds(d *dist.Dist, s *Scale, sets []*dist.Set, order []int) error {
	above, below := !d.UnboundedAbove(), !d.UnboundedBelow()
	for _, i := range order {
		above = above || !sets[i].BoundedAbove()
		below = below || !sets[i].BoundedBelow()
	}
	switch {
	case !above:
		return s.wrongBand("the roll has no highest total, but no step catches everything from some number up")
	case !below:
		return s.wrongBand("the roll has no lowest total, but no step catches everything from some number down")
	}
	return nil
}

func (s *Scale) wrongBand(problem string) error { return argError("scale", "%s", problem) }

// uncovered says that a possible total falls into no step.
func (s *Scale) uncovered(x int, sets []*dist.Set) error {
	for _, set := range sets {
		if set != nil {
			return argError("scale", "the total %d is possible, but no step catches it; the steps are %s", x, s.bandList(sets))
		}
	}
	return argError("scale", "no step has a band, so the total %d falls into none; give bands to the steps, or cut points after the scale", x)
}

// bandList shows which totals each step catches.
func (s *Scale) bandList(sets []*dist.Set) string {
	text := ""
	for i, set := range sets {
		if i > 0 {
			text += ", "
		}
		text += labelText(s.labels[i])
		if set != nil {
			text += " " + set.String()
		}
	}
	return shortList(text)
}
