// Package value holds the values of recipes: rolls, pools, chances, numbers,
// bands, scales, Outcomes, tables, decks and hands, with their operators,
// comparisons and the words that errors have for them.
//
// A value wraps what the engine computed: [NewRoll] puts a [dist.Dist] beside the
// [Methods] that its attributes come from, and [Roll.Dist] gives it back. What an
// operator makes has the methods of its operands, so that package value knows no
// builtin; a builtin hands in the table that it is in, see package define.
// A host makes values with the constructors of package builtins and reads them
// here: [AsRoll] takes whatever stands for a roll.
//
// The interpreter asks values only about == and < within one type. A front end
// calls [Binary], [Unary], [Compare] and [Truth] instead, with the thread of the
// run, which the work is then charged to. All values are immutable and may be
// shared between goroutines and between runs.
package value
