// Package eval executes recipes: top level, functions, callbacks of builtins, modules and
// sessions. go.starlark.net scans, parses and resolves, and has the values, their methods
// and the thread that builtins are given; what executes stands here.
//
// # From text to closures
//
// [Compile] resolves the names of a tree and makes a [File], which is immutable and shared.
// A [Module] is a file with its globals in one run; the globals of a session are places
// that its inputs share. Each def, each lambda and each top level is a definition
// (function.go), compiled when it is first called (compile.go): a statement becomes a stmt,
// which does something and returns the place of the next one in the body, and an
// expression becomes an expr, which returns a value. Bodies are flat, so that a call can
// be stepped; expressions are nested. What is known before (a number that is written out,
// a variable that has a value for certain) makes a shorter closure; what is not plain goes
// to operate.go. A chain a + b + ... is one node that loops, so that it needs no stack.
//
// # Values
//
// A variable is a [slot.Value]: a whole number of a machine word lies open in it, all else
// is the value of Starlark, a list the library's own list. Two values are never seen by a
// recipe: failed, after which the machine has an error, and unset, of a variable before it
// has a value. Code asks for the whole number first (V is nil), and for the others where it
// has none; so an error costs nothing on the way of numbers.
//
// # Frames
//
// A call takes a frame (frame.go) from the machine's free ones, sets its parameters
// (bind.go; a mistake in them is the caller's) and pushes it by starlark.Call. To the
// thread the frame is the callable that is called, and its Position is the place that a
// node has written into it, before a call or with an error: backtraces, profiles and hosts
// read the thread as ever. Each call counts against the limit of depth and, by the depth
// of its expressions, against a budget of Go's stack. A variable that functions inside use
// is a cell, one for each activation. Locks of iteration are given back at the end of a
// call, also after a panic.
//
// # Charging
//
// A statement pays for its nodes before it is executed, a loop and a comprehension for each
// round: fuel, a count that goes down. When it has run out the machine writes steps, one
// for some nodes, into the thread and has the run look at its limits and the time. What
// makes something pays for it before, by a function of the meter.
//
// # Errors and meanings
//
// A node that fails says so in the words of recipes and returns failed; starlark.Call makes
// the backtrace. What a comparison, a condition or arithmetic of values that are not plain
// means the run tells ([Hooks]). A builtin whose name a file uses for something else is
// what the global holds before its assignment has run. Words of the library's own methods
// are put into others by whoever shows the error.
//
// # Builtins that call functions
//
// A builtin calls a function by its [slot.Computation] (callback.go): with slots, and for
// the faces of a die in one frame that is pushed once. What a function may do besides
// computing its value is read off its text (effects.go); from that follows what it sees of
// sorted faces (projection.go), whether it may be handed the same list again, and whether
// it can be forked (fork.go) to be called side by side: on a machine of its own, with
// copies of what it has captured, and an account that the run takes over in the order of
// the calls.
//
// # To add a node
//
// Give the expression or statement a case in compiler.expr or compiler.stmt, and compile
// its parts with expr, condition, passing (a value that is not kept) or target, in the
// order in which they are evaluated. The closure checks each part for failed, pays with the
// meter for what it makes, and fails at the place of the operator. What effects.go has to
// know of it is told there.
package eval
