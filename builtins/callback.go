package builtins

import (
	"context"
	"fmt"
	"math"
	"strings"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/small"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A callback is a function of the recipe that a builtin calls many times. What
// can be done once is done once: its parameters are checked before the first
// call, and its arguments are written into one tuple.

type callback struct {
	thread  *starlark.Thread
	methods value.Methods // of what its answers make
	param   string        // what the builtin calls it: "fn"
	fn      starlark.Callable
	args    starlark.Tuple
	keeps   bool // whether fn may hold on to the tuple of its arguments

	computed small.Computation // nil when the interpreter makes all calls
	small    []small.Value     // the arguments of a computed call
	faces    []*small.Ref      // the lists among them
	room     []small.Value     // for what the calls of a row return
	filled   bool              // whether args holds what small does
	misses   int               // computed calls in a row that came to nothing
	left     bool              // whether the interpreter has made a call
	meter    *meter.Meter
}

// newCallback returns argument i of c as a function to call with n arguments;
// meaning says in an error what they are.
func newCallback(c call, i, n int, meaning string) (*callback, error) {
	fn, err := c.function(i)
	if err != nil {
		return nil, err
	}
	f, own := fn.(*starlark.Function)
	if own {
		if err := checkArity(f, c.param(i), n, meaning); err != nil {
			return nil, err
		}
	}
	// A function of the recipe copies its arguments into its frame; a builtin
	// may keep the tuple.
	cb := &callback{
		thread: c.thread, methods: c.methods(), param: c.param(i), fn: fn,
		args: make(starlark.Tuple, n), keeps: !own, meter: meter.Of(c.thread),
	}
	if own {
		cb.compute(f)
	}
	return cb, nil
}

// call calls the function.
func (cb *callback) call(args ...starlark.Value) (starlark.Value, error) {
	copy(cb.args, args)
	for i := range cb.small {
		cb.small[i] = small.Of(args[i])
	}
	r, err := cb.ask()
	if err != nil {
		return nil, err
	}
	return r.starlark(), nil
}

// context is that of the run.
func (cb *callback) context() context.Context { return runenv.Of(cb.thread).Engine() }

// interpret calls the function with what stands in args.
func (cb *callback) interpret() (starlark.Value, error) {
	args := cb.args
	if cb.keeps {
		args = append(starlark.Tuple(nil), args...)
	}
	return starlark.Call(cb.thread, cb.fn, args, nil)
}

// name is what the builtin calls the function: "fn".
func (cb *callback) name() string { return cb.param }

// where names what the function was called with, for an error.
func (cb *callback) where() string {
	if cb.computed != nil && !cb.filled {
		cb.fill()
	}
	words := make([]string, len(cb.args))
	for i, v := range cb.args {
		words[i] = value.Shorten(v.String())
	}
	return listing(words)
}

// returned says what is wrong with what the function returned.
func (cb *callback) returned(v starlark.Value, problem string) error {
	if v == starlark.None {
		return fmt.Errorf("%s: returned nothing for %s; every way through the function must end in a return with a value", cb.param, cb.where())
	}
	return fmt.Errorf("%s: returned %s for %s, %s", cb.param, value.Describe(v), cb.where(), problem)
}

// pay pays for so many calls before the first one is made.
func (cb *callback) pay(calls int64) error {
	if err := meter.Of(cb.thread).Calls(calls); err != nil {
		return fmt.Errorf("%s: it would be called %s: %w", cb.param, times(calls), err)
	}
	return nil
}

// times writes how often something happens.
func times(n int64) string {
	if n == math.MaxInt64 {
		return "more often than can be counted"
	}
	return upper.Grouped(n) + " times"
}

// checkArity compares the parameters of f with the n arguments that it will get.
func checkArity(f *starlark.Function, param string, n int, meaning string) error {
	least, most := arity(f)
	if n >= least && (n <= most || f.HasVarargs()) {
		return requiredByName(f, param, most)
	}
	takes := value.Plural(most, "argument")
	if n < least {
		takes = value.Plural(least, "argument")
	}
	if most == 0 {
		takes = "no arguments"
	}
	return argError(param, "%s takes %s, but it is given %d: %s", nameOf(f), takes, n, meaning)
}

// arity returns how many positional arguments f needs, and how many it can
// take besides a *args.
func arity(f *starlark.Function) (least, most int) {
	most = f.NumParams() - f.NumKwonlyParams()
	if f.HasVarargs() {
		most--
	}
	if f.HasKwargs() {
		most--
	}
	for i := range most {
		if f.ParamDefault(i) == nil {
			least++
		}
	}
	return least, most
}

// requiredByName refuses a parameter that can only be given by name.
func requiredByName(f *starlark.Function, param string, most int) error {
	for i := most; i < most+f.NumKwonlyParams(); i++ {
		if f.ParamDefault(i) == nil {
			name, _ := f.Param(i)
			return argError(param, "%s needs its parameter %s by name, but it is given values without names", nameOf(f), name)
		}
	}
	return nil
}

// nameOf names a function in an error.
func nameOf(f starlark.Callable) string {
	if f.Name() == "lambda" {
		return "the lambda"
	}
	return f.Name()
}

// listing joins words as a sentence does: "a, b and c".
func listing(words []string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
}

// views are what the callback sees of sorted faces, nil for everything.
func (cb *callback) views() []*dist.View {
	if cb.computed == nil {
		return nil
	}
	return cb.computed.Views()
}

// eachClass visits the multisets of pools, those together that the callback can't
// tell apart.
func (cb *callback) eachClass(pools []*dist.Pool, views []*dist.View, visit func([][]int, dist.Weight) error) error {
	ctx := cb.context()
	classes := make([]*dist.Classes, len(pools))
	calls := int64(1)
	for i, p := range pools {
		view := dist.View{All: true}
		if views[i] != nil {
			view = *views[i]
		}
		for _, c := range classes[:i] {
			if c.Are(p, view) {
				classes[i] = c
			}
		}
		if classes[i] == nil {
			var err error
			if classes[i], err = p.Classes(ctx, view); err != nil {
				return err
			}
		}
		calls = upper.MulSat(calls, classes[i].Len())
	}
	if err := cb.pay(calls); err != nil {
		return err
	}
	return dist.EachClass(ctx, classes, visit)
}

// holds calls a function that says whether something holds.
func (cb *callback) holds(args ...starlark.Value) (bool, error) {
	v, err := cb.call(args...)
	if err != nil {
		return false, err
	}
	return cb.yes(v)
}

// yes returns the answer of a function that says whether something holds.
func (cb *callback) yes(v starlark.Value) (bool, error) {
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v), nil
	case *value.Prob, *value.Roll, *value.Pool, *value.Outcomes:
		return false, cb.returned(v, "want True or False: a state is reached or it is not, there is no chance about it")
	}
	return false, cb.returned(v, "want True or False")
}
