package small

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A Computation runs a function of the recipe by itself. It belongs to one run.
type Computation interface {
	// Call returns what the function returns, or false where the interpreter has
	// to make the call from its start; and how many steps it took, in any case.
	Call(args []Value) (v Value, steps int64, ok bool)
	// Row calls the function for one face after the other as its last argument, as
	// long as out has room, and puts there what it returns. It may end early: n
	// calls have come to something, and ok is false where the interpreter has to make
	// the one after them. All of them together took so many steps.
	Row(args []Value, faces []int, out []Value) (n int, steps int64, ok bool)
	// Fork returns the same computation for another goroutine, nil when there is none.
	// What takes dice or builtins it does in the run of a thread of that goroutine, see
	// package runenv, and leaves it to the interpreter when thread is nil.
	Fork(thread *starlark.Thread) Computation
	// Views says for each parameter what the function sees of a sorted list of
	// faces, nil for one of which it may see everything. It is nil when the function
	// sees everything, or when each call of it may be noticed.
	Views() []*dist.View
	// Renew is called when the interpreter has made a call, which may have changed
	// what the function has captured. It reports whether the function can go on.
	Renew() bool
}
