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
// Every error of a text or a run is an [Error], or [Errors] when a text has several
// mistakes; [All] makes a slice of either. Its Kind says whose turn it is:
// the author's for [KindSyntax], [KindName], [KindModule] and [KindRuntime], whoever
// set the inputs for [KindInput], and the host's for [KindInternal]. What was too
// much is [KindLimit] or [KindDeadline], and what the host itself stopped is
// [KindCancelled]. A run that fails still returns what it had recorded.
//
// # Goroutines
//
// A [Host], its programs and their results are shared by any number of goroutines.
// A [Session] is for one at a time. The files, builtins and print function that a
// host is given are used by all runs at once.
//
// # Strangers
//
// Recipes may come from strangers. They reach nothing but what the host
// gives them, and every run has [Limits]; its time is bounded by the context.
//
// # What limits cannot hold
//
// Limits count what a recipe asks for; they do not measure what the machine
// spends on it. Some costs of the interpreter are only bounded by the steps that
// lead to them: the memory of values collected one by one, the hash of nested
// tuples, the operator |=. A single operation on very large numbers is not
// interrupted, so that a deadline may be overrun by its length. Where that is not
// good enough, run recipes in a process with hard limits of memory and
// processor time; see lang/isolate.
//
// # What is stable
//
// Recipes, the exported names of this package, of lang/report, dist and builtins,
// and the shapes of json and csv results are what others build on. The texts of
// errors and the layout of text tables may still get better; everything under an
// internal folder and lang/rewrite and lang/notation is for the language's own use.
//
// Nothing in this package reads the environment, the clock, the network or a
// file outside the given roots.
package lang
