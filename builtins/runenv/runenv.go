// Package runenv holds what a run lends to the builtins: its context, its meter, and
// the hooks that only a host can provide. It travels with the thread:
//
//	runenv.Set(thread, &runenv.Env{Context: ctx, Meter: m})
//	env := runenv.Of(thread)
//
// The engine works within [Env.Engine], so that its work is charged to the run
// and ends when the run does.
package runenv

import (
	"context"

	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// An Env belongs to one run. It is not shared between goroutines.
type Env struct {
	// Context carries the deadline of the run and the budget of its engine work.
	Context context.Context
	// Meter is what the run pays with.
	Meter *meter.Meter
	// Host is what only a host can do; it is nil where there is none.
	Host Host

	Playing int // plays that run: calls of [Player.Run] in each other

	Thrown bool   // whether values remember how they were made, so that they can be thrown
	File   string // of the recipe, where they are

	id   *ID
	paid map[Shared]bool // what other runs worked out and this one has paid for

	run   *Env           // beside which this one works, nil for a run itself
	found map[Shared]any // what was worked out beside the run
}

// A Host lends a run what the builtins can't do by themselves.
type Host interface {
	// Output records a result.
	Output(title string, titled bool, v starlark.Value) error
	// Param returns the value that the host set for a parameter.
	Param(name string) (starlark.Value, bool)
	// Notation evaluates dice notation for roll("...").
	Notation(thread *starlark.Thread, text string) (starlark.Value, error)
	// Table evaluates what a virtual tabletop writes, for roll("...", dialect="...").
	Table(dialect, text string, inputs map[string]int) (starlark.Value, error)
	// Compute returns a function of the recipe as one that a builtin calls. It looks at
	// nothing but the thread and the function.
	Compute(thread *starlark.Thread, fn meter.Function) slot.Computation
	// Snapshot returns a copy of a list, a tuple or a function that nothing changes which
	// the recipe does later.
	Snapshot(v starlark.Value) starlark.Value
	// Play returns a player; isWord says which builtins it waits for.
	Play(thread *starlark.Thread, isWord func(starlark.Value) bool) (Player, error)
}

// A Player plays a function of the recipe: it runs until it calls a word such as throw,
// waits for the answer, and can be put aside and gone on with from there more than once.
type Player interface {
	// Begin plays a function from its beginning, with copies of arguments.
	Begin(fn starlark.Callable, args []starlark.Value) error
	// Run goes on until the function returns, or waits for the answer to a word.
	Run() (paused bool, err error)
	// Word is the builtin that it waits for, and how many arguments it was given.
	Word() (word starlark.Value, args int)
	// Argument returns one of them by its place or name, nil when it was not given.
	Argument(i int, name string) starlark.Value
	// Answer gives the answer.
	Answer(v starlark.Value)
	// Fail is an error of the word, at its place.
	Fail(err error) error
	// Value is what the function has returned.
	Value() starlark.Value
	// Line is the line that it has come to.
	Line() int
	// Variables are those that are read after what it waits for, the innermost call's last.
	Variables() []Variable
	// Depth is how many calls are open.
	Depth() int
	// Key tells the play as it waits from others, until it is asked again; then Save puts
	// it aside, and Load takes it up again: for the last time it is not copied.
	Key() []byte
	Save() any
	Load(play any, last bool)
	// Explain makes errors of the function say more.
	Explain(explain func(error) error)
	// Close lets go of what is kept from being changed.
	Close()
}

// A Variable is one of a function that is played.
type Variable struct {
	Name  string
	Value starlark.Value
}

// An ID tells runs apart without keeping anything of them alive.
type ID struct{ _ byte }

const envKey = "dicescript.env"

// Set lends env to everything that thread runs.
func Set(thread *starlark.Thread, env *Env) { thread.SetLocal(envKey, env) }

// Of returns what the run of thread has lent to it; it is nil only for a
// thread that no run of package lang has made. A host's own builtin hands
// [Env.Engine] to the functions of dist: their work is then charged to the run,
// and ends when the run does.
func Of(thread *starlark.Thread) *Env {
	if thread == nil {
		return nil
	}
	env, _ := thread.Local(envKey).(*Env)
	return env
}

// Engine returns the context in which the engine works for the run. Without a
// run there is still a limit for every single operation.
func (env *Env) Engine() context.Context {
	if env == nil || env.Context == nil {
		return dist.WithBudget(context.Background(), dist.NewBudget(detachedLimits))
	}
	return env.Context
}

// detachedLimits bounds one operation that no run pays for, such as an operator
// that the interpreter applies by itself.
var detachedLimits = dist.Limits{Work: 1 << 31, Cells: 1 << 26, Outcomes: 1 << 22}

// Pays returns what the run pays with, nil without a run.
func (env *Env) Pays() *meter.Meter {
	if env == nil {
		return nil
	}
	return env.Meter
}

// ID returns the identity of the run, nil without one.
func (env *Env) ID() *ID {
	if env == nil {
		return nil
	}
	if env.id == nil {
		env.id = new(ID)
	}
	return env.id
}

// Paid reports whether the run has paid for something that another run worked out.
func (env *Env) Paid(thing Shared) bool {
	return env.paid[thing] || env.run != nil && env.run.paid[thing]
}

// IsOf reports whether a run of some identity is this one, or the one that this one
// works beside.
func (env *Env) IsOf(id *ID) bool {
	return id == env.ID() || env.run != nil && id == env.run.ID()
}

// NotePaid notes that the run has paid for something that another run worked out.
func (env *Env) NotePaid(thing Shared) {
	if env == nil {
		return
	}
	if env.paid == nil {
		env.paid = map[Shared]bool{}
	}
	env.paid[thing] = true
}

// LookAt looks at the context of a run for some of the elements of a long list,
// given their places.
func LookAt(thread *starlark.Thread, place int) error {
	const elementsAtOnce = 1 << 13
	if place%elementsAtOnce != 0 {
		return nil
	}
	return Of(thread).Engine().Err()
}
