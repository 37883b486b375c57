package builtins

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// An environment is what a run lends to the builtins: its context and budget,
// and the hooks that only a host can provide.

// An Env belongs to one run. It is not shared between goroutines.
type Env struct {
	// Context carries the deadline of the run and the budget of its engine work.
	Context context.Context
	// Output records a result. It is nil in a module.
	Output func(title string, titled bool, v starlark.Value) error
	// Param returns the value that the host set for a parameter.
	Param func(name string) (starlark.Value, bool)
	// Notation evaluates dice notation for roll("...").
	Notation func(thread *starlark.Thread, text string) (starlark.Value, error)

	token   *payer
	charged map[*Pool]bool // shared pools whose total this run has paid for
}

const envKey = "dicescript.env"

// SetEnv lends env to everything that thread runs.
func SetEnv(thread *starlark.Thread, env *Env) { thread.SetLocal(envKey, env) }

// lookAt looks at the context of a run for some of the elements of a long list,
// given their places.
func lookAt(thread *starlark.Thread, place int) error {
	const elementsAtOnce = 1 << 13
	if place%elementsAtOnce != 0 {
		return nil
	}
	return EnvOf(thread).context().Err()
}

// EnvOf returns what the run of thread has lent to it; it is nil only for a
// thread that no run of package lang has made. A host's own builtin hands its
// Context to the functions of dist: their work is then charged to the run, and
// ends when the run does.
func EnvOf(thread *starlark.Thread) *Env {
	if thread == nil {
		return nil
	}
	env, _ := thread.Local(envKey).(*Env)
	return env
}

// context returns the context of the run. Without a run there is still a limit
// for every single operation.
func (env *Env) context() context.Context {
	if env == nil || env.Context == nil {
		return dist.WithBudget(context.Background(), dist.NewBudget(detachedLimits))
	}
	return env.Context
}

// detachedLimits bounds one operation that no run pays for, such as an operator
// that the interpreter applies by itself.
var detachedLimits = dist.Limits{Work: 1 << 31, Cells: 1 << 26, Outcomes: 1 << 22}

// fail puts the name of a builtin before an error. An error from a callback has
// its own place in the recipe and passes as it is.
func fail(name string, err error) error {
	if err == nil {
		return nil
	}
	if trace := (*starlark.EvalError)(nil); errors.As(err, &trace) {
		return err
	}
	if strings.HasPrefix(err.Error(), name+": ") {
		return err // Starlark's own functions name themselves
	}
	return fmt.Errorf("%s: %w", name, err)
}

// argError says what is wrong with one argument.
func argError(param, format string, args ...any) error {
	return &dist.ArgError{Param: param, Problem: fmt.Sprintf(format, args...)}
}
