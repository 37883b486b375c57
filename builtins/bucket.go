package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Bucketing sorts the totals of a roll into the steps of a scale. The early
// steps are asked first, then the others, each group worst to best; the first
// step whose band holds a total has it. Every possible total must have a step.

func bucketBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "bucket", On: onRolls, Free: true,
		Self: define.Param{Name: "roll", Also: []string{"dist"}, Doc: "a roll, or a pool for its total"},
		Params: []define.Param{
			{Name: "scale", Doc: "the ladder of results"},
			{Name: "spec", Variadic: true, Doc: "instead of the bands of the scale: rising cut points, each the last total of its step " +
				"and one fewer than there are steps, or a band for every step"},
		},
		Doc:     "The chances that the total falls into each step of a scale.",
		Errors:  "a possible total that falls into no step",
		Example: `bucket(dice_pool(2, 6), scale().step("miss").step("weak hit").step("strong hit"), 6, 9).pmf("weak hit").fraction`,
		Result:  "5/12",
		Run:     bucket,
	}}
}

func bucket(c define.Call) (starlark.Value, error) {
	d, err := c.Self()
	if err != nil {
		return nil, err
	}
	scale, err := scaleOf(c, 0)
	if err != nil {
		return nil, err
	}
	sets, err := catches(c, scale)
	if err != nil {
		return nil, err
	}
	order := askingOrder(scale, sets)
	if err := coversEnds(d, scale, sets, order); err != nil {
		return nil, err
	}
	over, err := dist.Classify(c.Context(), d, scale.Set().Positions(), func(x int) (int, error) {
		for _, i := range order {
			if sets[i].Contains(x) {
				return i, nil
			}
		}
		return 0, uncovered(scale, x, sets)
	})
	if err != nil {
		return nil, err
	}
	return value.NewOutcomes(c.Methods(), scale.Set(), over), nil
}

// catches returns the set of totals of every step, nil for a step that never
// catches.
func catches(c define.Call, scale *value.Scale) ([]*dist.Set, error) {
	spec := c.Rest(1)
	if len(spec) == 0 {
		return ownSets(scale), nil
	}
	if len(spec) == 1 {
		if values, isList := value.Elements(spec[0]); isList {
			if _, isBand := value.AsBand(spec[0]); !isBand {
				spec = values
			}
		}
	}
	n := len(scale.Steps())
	if cuts, ok := wholeNumbers(spec); ok && len(cuts) == n-1 {
		return cutSets(c, cuts)
	}
	for i, v := range spec {
		if _, problem := value.SetOf(v); problem != "" {
			return nil, c.Wrong(1, "item %d: %s", i+1, problem)
		}
	}
	if len(spec) != n {
		return nil, c.Wrong(1, "got %s; the scale has %s: want %s, or %s",
			value.Plural(len(spec), "value"), value.Plural(n, "step"), value.Plural(n-1, "rising cut point"), value.Plural(n, "band"))
	}
	return bandSets(c, spec)
}

// ownSets returns the bands of the scale itself.
func ownSets(s *value.Scale) []*dist.Set {
	sets := make([]*dist.Set, len(s.Steps()))
	for i := range s.Steps() {
		if s.Steps()[i].Band != nil {
			sets[i] = &s.Steps()[i].Set
		}
	}
	return sets
}

// cutSets returns the totals up to each cut, and above the last one.
func cutSets(c define.Call, cuts []int) ([]*dist.Set, error) {
	sets := make([]*dist.Set, 0, len(cuts)+1)
	for i, cut := range cuts {
		if i > 0 && cut <= cuts[i-1] {
			return nil, c.Wrong(1, "got the cut point %d after %d, want them rising: each is the last total of its step", cut, cuts[i-1])
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

func bandSets(c define.Call, spec []starlark.Value) ([]*dist.Set, error) {
	sets := make([]*dist.Set, len(spec))
	for i, v := range spec {
		set, problem := value.SetOf(v)
		if problem != "" {
			return nil, c.Wrong(1, "band %d: %s", i+1, problem)
		}
		sets[i] = &set
	}
	return sets, nil
}

// wholeNumbers returns values as whole numbers if all of them are.
func wholeNumbers(values []starlark.Value) ([]int, bool) {
	ns := make([]int, len(values))
	for i, v := range values {
		n, ok := value.Int(v)
		if !ok {
			return nil, false
		}
		ns[i] = n
	}
	return ns, true
}

// askingOrder returns the steps that catch anything: early ones, then the rest.
func askingOrder(s *value.Scale, sets []*dist.Set) []int {
	var order []int
	for _, early := range []bool{true, false} {
		for i, st := range s.Steps() {
			if st.Early == early && sets[i] != nil {
				order = append(order, i)
			}
		}
	}
	return order
}

// coversEnds checks that a roll without an end has a step at that end.
func coversEnds(d *dist.Dist, s *value.Scale, sets []*dist.Set, order []int) error {
	above, below := !d.UnboundedAbove(), !d.UnboundedBelow()
	for _, i := range order {
		above = above || !sets[i].BoundedAbove()
		below = below || !sets[i].BoundedBelow()
	}
	switch {
	case !above:
		return wrongBand("the roll has no highest total, but no step catches everything from some number up")
	case !below:
		return wrongBand("the roll has no lowest total, but no step catches everything from some number down")
	}
	return nil
}

func wrongBand(problem string) error { return define.ArgError("scale", "%s", problem) }

// uncovered says that a possible total falls into no step.
func uncovered(s *value.Scale, x int, sets []*dist.Set) error {
	for _, set := range sets {
		if set != nil {
			return define.ArgError("scale", "the total %d is possible, but no step catches it; the steps are %s", x, bandList(s, sets))
		}
	}
	return define.ArgError("scale", "no step has a band, so the total %d falls into none; give bands to the steps, or cut points after the scale", x)
}

// bandList shows which totals each step catches.
func bandList(s *value.Scale, sets []*dist.Set) string {
	text := ""
	for i, set := range sets {
		if i > 0 {
			text += ", "
		}
		text += value.LabelText(s.Set().Label(i))
		if set != nil {
			text += " " + set.String()
		}
	}
	return value.ShortList(text)
}
