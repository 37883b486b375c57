package runenv

import (
	"errors"

	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
)

// A run may have parts of its work done beside it, by other goroutines, while it waits
// for them. Each part has an account of its own. What it comes to is taken into the run
// when the run would have come to the same by itself.

// A Shared value is worked out at most once, by whichever run comes to it first, and
// paid for once by each run.
type Shared interface {
	// PaidBy reports whether a run has paid for it.
	PaidBy(env *Env) bool
	// Take takes what another goroutine has found for it while the run waited, which the
	// run has paid for.
	Take(env *Env, found any)
}

// Beside returns what a part of the run works with that pays with m. The run has been
// asked for its identity before.
func (env *Env) Beside(m *meter.Meter) *Env {
	return &Env{Context: m.Context(), Meter: m, Host: besideHost{env.Host}, run: env}
}

// A besideHost is the host of a part: it can only call functions.
type besideHost struct{ Host }

var errBeside = errors.New("this can't be done beside the run")

func (besideHost) Output(string, bool, starlark.Value) error { return errBeside }
func (besideHost) Param(string) (starlark.Value, bool)       { return nil, false }
func (besideHost) Notation(*starlark.Thread, string) (starlark.Value, error) {
	return nil, errBeside
}
func (besideHost) Table(string, string, map[string]int) (starlark.Value, error) {
	return nil, errBeside
}

// IsBeside reports whether env is that of a part that is worked out beside its run.
func (env *Env) IsBeside() bool { return env != nil && env.run != nil }

// Found notes what a part has found for a shared value, and has paid for.
func (env *Env) Found(thing Shared, found any) {
	if env.found == nil {
		env.found = map[Shared]any{}
	}
	env.found[thing] = found
}

// FoundFor returns what a part has found for a shared value, nil for nothing.
func (env *Env) FoundFor(thing Shared) any {
	if !env.IsBeside() {
		return nil
	}
	return env.found[thing]
}

// PaidTwice reports whether the run has paid in the meantime for something that the part
// has paid for too.
func (env *Env) PaidTwice() bool {
	for thing := range env.found {
		if thing.PaidBy(env.run) {
			return true
		}
	}
	for thing := range env.paid {
		if thing.PaidBy(env.run) {
			return true
		}
	}
	return false
}

// Settle gives the run what the part has paid for.
func (env *Env) Settle() {
	for thing, found := range env.found {
		thing.Take(env.run, found)
	}
	for thing := range env.paid {
		env.run.NotePaid(thing)
	}
}
