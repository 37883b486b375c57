package callback

import (
	"context"
	"fmt"
	"math"
	"strings"

	"dicescript/builtins/define"
	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A callback is a function of the recipe that a builtin calls many times. What
// can be done once is done once: its parameters are checked before the first
// call, and its arguments are written into one tuple.

// A Func is a function of the recipe that a builtin calls.
type Func struct {
	thread  *starlark.Thread
	methods value.Methods // of what its answers make
	param   string        // what the builtin calls it: "fn"
	fn      starlark.Callable
	args    []slot.Value

	computed slot.Computation // nil for a function that is none of the recipe's
	room     []slot.Value     // for what the calls of a row return
	meter    *meter.Meter
}

// New returns argument i of c as a function to call with n arguments;
// meaning says in an error what they are.
func New(c define.Call, i, n int, meaning string) (*Func, error) {
	fn, err := c.Function(i)
	if err != nil {
		return nil, err
	}
	if f, ok := fn.(signature); ok {
		if err := checkArity(f, c.Param(i), n, meaning); err != nil {
			return nil, err
		}
	}
	cb := &Func{
		thread: c.Thread, methods: c.Methods(), param: c.Param(i), fn: fn,
		args: make([]slot.Value, n), meter: meter.Of(c.Thread),
	}
	if f, ok := fn.(meter.Function); ok {
		cb.compute(f)
	}
	return cb, nil
}

// Call calls the function.
func (cb *Func) Call(args ...starlark.Value) (starlark.Value, error) {
	for i, v := range args {
		cb.set(i, v)
	}
	v, err := cb.ask()
	if err != nil {
		return nil, err
	}
	return v.Starlark(), nil
}

// context is that of the run.
func (cb *Func) context() context.Context { return runenv.Of(cb.thread).Engine() }

// Param is what the builtin calls the function: "fn".
func (cb *Func) Param() string { return cb.param }

// Where names what the function was called with, for an error.
func (cb *Func) Where() string {
	words := make([]string, len(cb.args))
	for i, v := range cb.args {
		words[i] = value.Shorten(v.Starlark().String())
	}
	return listing(words)
}

// Returned says what is wrong with what the function returned.
func (cb *Func) Returned(v starlark.Value, problem string) error {
	if v == starlark.None {
		return fmt.Errorf("%s: returned nothing for %s; every way through the function must end in a return with a value", cb.param, cb.Where())
	}
	return fmt.Errorf("%s: returned %s for %s, %s", cb.param, value.Describe(v), cb.Where(), problem)
}

// pay pays for so many calls before the first one is made.
func (cb *Func) pay(calls int64) error {
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

// listing joins words as a sentence does: "a, b and c".
func listing(words []string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
}

// Holds calls a function that says whether something holds.
func (cb *Func) Holds(args ...starlark.Value) (bool, error) {
	v, err := cb.Call(args...)
	if err != nil {
		return false, err
	}
	return cb.yes(v)
}

// yes returns the answer of a function that says whether something holds.
func (cb *Func) yes(v starlark.Value) (bool, error) {
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v), nil
	case *value.Prob, *value.Roll, *value.Pool, *value.Outcomes:
		return false, cb.Returned(v, "want True or False: a state is reached or it is not, there is no chance about it")
	}
	return false, cb.Returned(v, "want True or False")
}
