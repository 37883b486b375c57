package builtins

import (
	"errors"
	"fmt"

	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Transformations of what a roll shows. On a pool they act on each die, before
// the dice are added up; those of totals say so.

func transformBuiltins() []builtin {
	spec := Param{Name: "spec", Doc: "results: a whole number, a list of them, a band, or a function of a result that returns whether it is one"}
	return []builtin{
		transformOn("keep", []Param{spec}, "The roll given that it shows one of these results; of a pool, each die.",
			"nothing that is left", "d(6).keep(at_least(4))", "DieRoll 4..6, mean 5.000",
			func(c call, d *dist.Dist, s dist.Set) (*dist.Dist, error) { return d.Keep(c.ctx(), s) }),
		transformOn("remove", []Param{spec}, "The roll given that it shows none of these results; of a pool, each die.",
			"nothing that is left", "d(6).remove(1)", "DieRoll 2..6, mean 4.000",
			func(c call, d *dist.Dist, s dist.Set) (*dist.Dist, error) { return d.Remove(c.ctx(), s) }),
		transformOn("convert", []Param{spec, {Name: "to", Doc: "what they count as"}},
			"These results count as another one; of a pool, on each die.",
			"", "d(6).convert([1, 2], 0).mean()", "3",
			func(c call, d *dist.Dist, s dist.Set) (*dist.Dist, error) {
				to, err := c.int(1)
				if err != nil {
					return nil, err
				}
				return d.Convert(c.ctx(), s, to)
			}),
		transformOn("ignore", []Param{spec}, "These results count as 0; of a pool, on each die.",
			"", "d(6).ignore(at_most(3)).mean()", "2.5",
			func(c call, d *dist.Dist, s dist.Set) (*dist.Dist, error) { return d.Convert(c.ctx(), s, 0) }),
		{
			name: "clamp", on: onRolls,
			params: []Param{
				{Name: "min", Doc: "lower totals count as this; None for no end", Default: "None"},
				{Name: "max", Doc: "higher totals count as this; None for no end", Default: "None"},
			},
			self:    rollParam,
			doc:     "The total, but never below min nor above max.",
			errors:  "max below min",
			example: "(d(6) - 3).clamp(0, 2)",
			result:  "DieRoll 0..2, mean 0.833",
			run:     clamp,
		},
		{
			name: "shift", on: onRolls, free: true, self: rollParam,
			params:  []Param{{Name: "delta", Doc: "what is added, a whole number"}},
			doc:     "The total plus a whole number.",
			example: "shift(d(6), 10)",
			result:  "DieRoll 11..16, mean 13.500",
			run: func(c call) (starlark.Value, error) {
				d, err := c.self()
				if err != nil {
					return nil, err
				}
				delta, err := c.int(0)
				if err != nil {
					return nil, err
				}
				return c.rolled(d.Shift(c.ctx(), delta))
			},
		},
	}
}

func transformOn(name string, params []Param, doc, errors, example, result string, change func(call, *dist.Dist, dist.Set) (*dist.Dist, error)) builtin {
	return builtin{
		name: name, on: onRolls, self: rollParam, params: params,
		doc: doc, errors: errors, example: example, result: result,
		run: func(c call) (starlark.Value, error) {
			s, err := facesThat(c, 0)
			if err != nil {
				return nil, err
			}
			v, err := c.changed(func(d *dist.Dist) (*dist.Dist, error) { return change(c, d, s) })
			if _, ok := c.recv.(*value.Pool); ok {
				err = ofEachDie(name, err)
			}
			return v, err
		},
	}
}

// ofEachDie is the error of a transformation of a pool: a spec that suits the
// total does not suit the dice.
func ofEachDie(name string, err error) error {
	if wrong := (*dist.ArgError)(nil); errors.As(err, &wrong) {
		hint := fmt.Sprintf("; of a pool %s looks at each die, sum(pool).%[1]s(...) looks at the total", name)
		return &dist.ArgError{Param: wrong.Param, Problem: wrong.Problem + hint}
	}
	return err
}

// clamp is max(min, roll) and min(max, roll). With one end only it stays that,
// so that an unlimited roll keeps its open end.
func clamp(c call) (starlark.Value, error) {
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	var ends [2]int
	for i := range ends {
		if c.given(i) {
			if ends[i], err = c.int(i); err != nil {
				return nil, err
			}
		}
	}
	low, high := ends[0], ends[1]
	switch {
	case c.given(0) && c.given(1):
		if low > high {
			return nil, c.wrong(1, "got %d, want at least min, which is %d", high, low)
		}
		return c.rolled(d.Clamp(c.ctx(), low, high))
	case c.given(0):
		return c.rolled(dist.Max(c.ctx(), d, dist.Constant(low)))
	case c.given(1):
		return c.rolled(dist.Min(c.ctx(), d, dist.Constant(high)))
	}
	return c.rolled(d, nil)
}

// changed applies a change to a roll or to each die of a pool.
func (c call) changed(change func(*dist.Dist) (*dist.Dist, error)) (starlark.Value, error) {
	if p, ok := c.recv.(*value.Pool); ok {
		return c.pooled(p.Pool().Each(change))
	}
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	return c.rolled(change(d))
}
