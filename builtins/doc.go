// Package builtins gives recipes their values and functions: rolls, pools,
// bands, chances and everything that makes, changes or asks them.
//
// # The table
//
// Every function, method and attribute is one definition of package define: its name,
// the types that have it, its parameters, a sentence of documentation, an example with
// its printed result, and the Go function behind it. [Globals], [Table] and the methods
// of values are all made from the list of definitions, so that they cannot disagree. A
// function with a method twin is the same definition: the function takes first the value
// that the method belongs to. A family of definitions is a file named for the recipe's
// word: explode.go, keep.go, first_time.go.
//
// # Values
//
// The values themselves are in package value; they are immutable and may be
// shared between goroutines and between runs. A value finds its methods in the
// table because it is made with them: a call makes its values with the table that
// the builtin is in, what operators make has the methods of its operands, and a host
// whose own builtins return rolls or chances makes them with [NewRoll], [NewPool],
// [NewProb], [NewNumber] and [NewOutcomes].
//
// # How a call goes
//
// The interpreter asks a value for an attribute, which the table binds to it.
// The call binds its arguments to the parameters of the definition; the
// definition reads them as what the engine knows, has package dist compute within the
// context of the run, and wraps what comes back. Package callback asks the functions of
// the recipe, and makes one value of what they answer for all combinations.
//
// # Runs
//
// A run lends its context, its meter and its hooks to the builtins through the
// thread; see package runenv.
package builtins
