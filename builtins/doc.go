// Package builtins gives recipes their values and functions: rolls, pools,
// bands, chances and everything that makes, changes or asks them.
//
// # The table
//
// Every function, method and attribute is one definition: its name, the types
// that have it, its parameters, a sentence of documentation, an example with
// its printed result, and the Go function behind it. [Globals], [Table] and the
// methods of values are all made from the list of definitions, so that they
// cannot disagree. A function with a method twin is the same definition: the
// function takes first the value that the method belongs to.
//
// # Values
//
// [Roll], [Pool], [Band], [Prob] and [Number] are immutable; they may be shared
// between goroutines and between runs. The exported constructors and accessors
// are for hosts whose own builtins take or return rolls.
//
// # Runs
//
// A run lends its context, its budget and its hooks to the builtins through the
// thread; see [Env].
package builtins
