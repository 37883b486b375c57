package builtins

import (
	"fmt"
	"math"
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A callback is a function of the recipe that a builtin calls many times. What
// can be done once is done once: its parameters are checked before the first
// call, and its arguments are written into one tuple.

type callback struct {
	thread *starlark.Thread
	param  string // what the builtin calls it: "fn"
	fn     starlark.Callable
	args   starlark.Tuple
	keeps  bool // whether fn may hold on to the tuple of its arguments
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
	return &callback{
		thread: c.thread, param: c.param(i), fn: fn,
		args: make(starlark.Tuple, n), keeps: !own,
	}, nil
}

// call calls the function with what stands in args.
func (cb *callback) call() (starlark.Value, error) {
	args := cb.args
	if cb.keeps {
		args = append(starlark.Tuple(nil), args...)
	}
	cb.thread.Steps += callbackSteps
	return starlark.Call(cb.thread, cb.fn, args, nil)
}

// callbackSteps is what it takes to call a function, besides the steps in it.
const callbackSteps = 8

// where names what the function was called with, for an error.
func (cb *callback) where() string {
	words := make([]string, len(cb.args))
	for i, v := range cb.args {
		words[i] = shorten(v.String())
	}
	return listing(words)
}

// returned says what is wrong with what the function returned.
func (cb *callback) returned(v starlark.Value, problem string) error {
	if v == starlark.None {
		return fmt.Errorf("%s: returned nothing for %s; every way through the function must end in a return with a value", cb.param, cb.where())
	}
	return fmt.Errorf("%s: returned %s for %s, %s", cb.param, describe(v), cb.where(), problem)
}

// callCost is what one call of a function is charged, in basic operations of
// the engine. The interpreter counts its own steps besides.
const callCost = 64

// chargeCalls charges so many calls before the first one is made.
func (cb *callback) chargeCalls(calls int64) error {
	work := int64(math.MaxInt64)
	if calls <= math.MaxInt64/callCost {
		work = calls * callCost
	}
	if err := dist.ChargeWork(EnvOf(cb.thread).context(), work); err != nil {
		return fmt.Errorf("%s: it would be called %s: %w", cb.param, times(calls), err)
	}
	return nil
}

// times writes how often something happens.
func times(n int64) string {
	if n == math.MaxInt64 {
		return "more often than can be counted"
	}
	return grouped(n) + " times"
}

// grouped writes n with its thousands apart: 99 900 001.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// product multiplies counts; what is too large becomes the largest integer.
func product(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}

// checkArity compares the parameters of f with the n arguments that it will get.
func checkArity(f *starlark.Function, param string, n int, meaning string) error {
	least, most := arity(f)
	if n >= least && (n <= most || f.HasVarargs()) {
		return requiredByName(f, param, most)
	}
	takes := plural(most, "argument")
	if n < least {
		takes = plural(least, "argument")
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
