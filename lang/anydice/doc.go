// Package anydice runs AnyDice programs with exact results.
//
// [Compile] reads the text once; [Program.Run] runs it, any number of times and
// from any number of goroutines. A run gives its outputs in order, each a title
// and an exact distribution, or the first error.
//
// The language has three kinds of values: numbers, sequences of numbers, and
// dice. Variables are dynamically scoped, and a function that is given a die
// where it wants a number or a sequence runs once for each roll of it. The
// distributions are those of package dist.
//
// Nothing is sampled. Chances are exact fractions as long as those stay of a
// reasonable length; a program whose fractions double in length at every pass
// has them rounded to some 2000 bits, with a certified bound on the error.
package anydice
