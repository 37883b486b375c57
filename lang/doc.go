// Package lang runs dice recipes: it is the door for programs that embed
// dicescript.
//
// A [Host] says what exists for recipes: modules, extra builtins, limits. It
// compiles a text into a [Program], which can be run many times and from any
// number of goroutines; each run gives a [Result], exact data that
// lang/report renders.
//
//	host, err := lang.New()
//	program, err := host.Compile(ctx, "attack.star", source)
//	result, err := program.Run(ctx, lang.WithInput("bonus", 5))
//	hit, err := lang.Get[*big.Rat](result, "hit")
//
// # Errors
//
// Every error of a text or a run is an [Error], or [ErrorList] when a text has several
// mistakes; [Errors] makes a slice of either. Its Kind says whose turn it is:
// the author's for [KindSyntax], [KindName], [KindModule] and [KindRuntime], whoever
// set the inputs for [KindInput], and the host's for [KindInternal]. What was too
// much is [KindLimit] or [KindDeadline], and what the host itself stopped is
// [KindCancelled]. A run that fails still returns what it had recorded.
//
// # Goroutines
//
// A [Host], its programs and their results are shared by any number of goroutines.
// A [Session] is for one at a time. The files, builtins and print function that a
// host is given are used by all runs at once. A run that calls a function of its
// recipe very often does so on several processors, as many as GOMAXPROCS allows up to
// eight; what comes out and what it costs is the same on one. Builtins of the host
// are called from the goroutine of the run.
//
// # Strangers
//
// Recipes may come from strangers. They reach nothing but what the host
// gives them, and every run has [Limits]; its time is bounded by the context.
//
// # What limits cannot hold
//
// Limits count what a recipe asks for; they do not measure what the machine
// spends on it. A run looks at its context before every operation that may take
// long and within the loops of the engine, and so does a rendering; under the
// default limits a run of the worst recipes that we know ended within a tenth of
// a second of its deadline. What go.starlark.net cannot be held to:
//
//   - One operation on the largest text, list, dict or fraction that a value may
//     be is not interrupted. It takes up to a tenth of a second: json of half a
//     million values, the pairs of a list of a million, two dicts of some
//     thousand keys that collide. No limit makes it longer: builtins/meter/caps.go.
//   - Memory is bounded by Bytes and Cells, and the process may hold more than is in
//     use until it is collected as garbage. Recipes that collect lists, dicts,
//     texts and states without end took 190 to 580 MB under the defaults.
//   - Reading the longest source takes up to a tenth of a second, and so does each
//     later step of a compilation; between them it looks at the context.
//   - The host's own builtins, print function and files take their own time. They
//     get the context of the run.
//
// Where that is not good enough, run recipes in a process with hard limits of
// memory and processor time: package lang/isolate, or dicescript run --isolate.
//
// # What is stable
//
// CHANGELOG.md says, in one table for all of dicescript, what others can build on
// and what may still change.
//
// Nothing in this package reads the environment, the clock, the network or a
// file outside the given roots.
package lang
