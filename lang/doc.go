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
// Recipes may come from strangers. They reach nothing but what the host
// gives them, and every run has [Limits]; its time is bounded by the context.
// Nothing in this package reads the environment, the clock, the network or a
// file outside the given roots.
package lang
