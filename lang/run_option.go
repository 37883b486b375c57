// What a host may choose about one run: the inputs of the recipe, what the run may
// spend, and who gets what it prints.

package lang

import (
	"context"
	"slices"

	"dicescript/builtins"
	"dicescript/lang/internal/given"

	"go.starlark.net/starlark"
)

// A RunOption is a choice about one run. A nil RunOption changes nothing.
type RunOption func(*runOptions)

type runOptions struct {
	inputs map[string]any
	order  []string // of the inputs as they were given
	limits *Limits  // nil for those of the host
	print  func(ctx context.Context, text string)
	values starlark.StringDict // of names
	giver  *given.Giver
	unfit  *Error // why the options can't be
	thrown bool   // whether values remember how they were made
}

// WithInput sets an input of the recipe, see [Program.Params]. The value is a Go
// bool, string, integer or float of any size, a *big.Int or a json.Number; where
// the recipe wants a whole number, a float that is whole will do, since that is
// what package encoding/json makes of one. Text as a person typed it goes through
// [Param.Parse] first.
//
// A name that is no input of the recipe, and a value that does not suit, fail
// the run before it begins, with an [Error] of [KindInput]. An input that is set
// twice has the last value.
func WithInput(name string, value any) RunOption {
	return func(o *runOptions) {
		if _, ok := o.inputs[name]; !ok {
			o.order = append(o.order, name)
		}
		if o.inputs == nil {
			o.inputs = map[string]any{}
		}
		o.inputs[name] = value
	}
}

// WithInputs sets several inputs.
func WithInputs(values map[string]any) RunOption {
	return func(o *runOptions) {
		names := make([]string, 0, len(values))
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			WithInput(name, values[name])(o)
		}
	}
}

// WithRunLimits bounds this run instead of the limits of the host, so that one
// [Program] serves several tiers. A zero field is what the host has, so that a tier
// says what is different: WithRunLimits(lang.Limits{Steps: 100_000}). A run may be
// given more than the host gives; SourceBytes and Loads count when a text is compiled,
// and are the host's but for a [Session], which compiles as it runs.
//
// A limit below [Unlimited] fails the run before it begins, with an [Error] of
// [KindInput].
func WithRunLimits(l Limits) RunOption {
	return func(o *runOptions) {
		if err := checkLimits(l); err != nil {
			o.refuse(inputError("%s", err))
			return
		}
		o.limits = &l
	}
}

// WithRunPrint sets what receives the text of each print of this run, instead of the
// function that [WithPrint] gave the host. It is called from the goroutine of the run.
// A nil function fails the run before it begins, with an [Error] of [KindInput].
func WithRunPrint(print func(ctx context.Context, text string)) RunOption {
	return func(o *runOptions) {
		if print == nil {
			o.refuse(inputError("print: got nil, want a function"))
			return
		}
		o.print = print
	}
}

// WithValue gives a name that recipes use a value in this run; the host has declared
// the name with [WithNames], or given it a value for all runs with [WithBuiltins]. A
// session needs no declaration. A nil pointer, map or slice is None, and otherwise
//
//	*dist.Dist, *dist.Pool     is a roll, or dice, and so is [Roll]
//	*big.Rat                   is a number; [Prob] and [Number] are what they are
//	bool, integers, *big.Int, floats, strings, json.Number are themselves
//	slices and arrays          are lists that can only be read
//	maps                       are dicts that can only be read, in the order of their keys;
//	                           the keys are strings, integers or bools
//	structs, pointers to them  have their exported fields as attributes: HitDice is hit_dice,
//	                           or what the tag dice:"hd" says, and dice:"-" leaves one out
//	starlark.Value             is itself, frozen
//
// and so are their elements and fields. Nothing is copied: an element is read when the
// recipe asks for it, which takes some 100 ns. So the value may not be changed while the
// run goes on; runs that go on at once may read the same. A map is sorted when the recipe
// first goes through it.
//
// A name that is not declared, and a value of another type, fail the run before it begins,
// with an [Error] of [KindInput]; what hides in an interface fails the recipe where it
// asks for it.
func WithValue(name string, v any) RunOption {
	unfit := given.Check(v)
	return func(o *runOptions) {
		if o.values == nil {
			o.values, o.giver = starlark.StringDict{}, given.New(ownData)
		}
		value, err := starlark.Value(starlark.None), unfit
		if err == nil {
			value, err = o.giver.Value(v)
		}
		if err != nil {
			o.refuse(inputError("%s: %s", name, err))
			return
		}
		o.values[name] = value
	}
}

// ownData makes values of the data that a result is made of.
func ownData(v any) (made starlark.Value, ok bool, err error) {
	switch v := v.(type) {
	case Roll:
		if v.Dist != nil {
			return builtins.NewRoll(v.Dist), true, nil
		}
	case Number:
		if v.Value != nil {
			return builtins.NewNumber(v.Value, v.Bound), true, nil
		}
	case Prob:
		if v.Value != nil {
			made, err = builtins.NewProb(v.Value, v.Bound)
			return made, true, err
		}
	default:
		return nil, false, nil
	}
	return starlark.None, true, nil
}

// refuse notes the first reason why the options can't be.
func (o *runOptions) refuse(e *Error) {
	if o.unfit == nil {
		o.unfit = e
	}
}

// limitsOf are the limits of a run of a host.
func (o *runOptions) limitsOf(h *Host) Limits {
	if o.limits == nil {
		return h.limits
	}
	return o.limits.Over(h.limits)
}

func newRunOptions(opts []RunOption) runOptions {
	if len(opts) == 0 {
		return runOptions{}
	}
	var o runOptions
	for _, f := range opts {
		if f != nil {
			f(&o)
		}
	}
	return o
}
