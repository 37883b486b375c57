package slot

import (
	"go.starlark.net/starlark"
)

// A Computation calls a function of the recipe with slots. It belongs to one goroutine.
type Computation interface {
	// Call calls the function. The error is that of starlark.Call.
	Call(args []Value) (Value, error)
	// Row calls the function for one face after the other as its last argument, as long
	// as out has room, and puts there what it returns. n calls have come to something;
	// the error is that of the one after them.
	Row(args []Value, faces []int, out []Value) (n int, err error)
	// IsPure reports whether the function does nothing but compute its value, so that it
	// may be called more or less often.
	IsPure() bool
	// Keeps reports whether the function may keep or change a list that it is given.
	Keeps() bool
	// Fork returns the same computation for a thread of another goroutine, nil where
	// calls must be made one after the other.
	Fork(thread *starlark.Thread) Forked
}

// A Forked computation makes calls beside the run that waits for it. Whatever error it
// comes to, the run makes that call again.
type Forked interface {
	Computation
	// Begin opens a fresh account, that of the thread's run.
	Begin()
	// Spent returns how many nodes it has gone through since, how many of the steps of
	// its thread are those, and how deep calls have nested.
	Spent() (nodes, steps int64, depth int)
}

// A Payer takes over what a forked computation has spent.
type Payer interface {
	// Pay pays for so many nodes, and notes how deep calls have nested.
	Pay(nodes int64, depth int) error
}
