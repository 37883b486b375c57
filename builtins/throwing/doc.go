// Package throwing throws dice for real: it follows how a value was made, die by die, on a
// source of chance.
//
// In a run that is thrown every value of dice knows its [Derivation]: the builtin or the
// operator that made it, with its operands. A [Thrower] throws the operands, hands what they
// show to the same builtin, and so on down to single dice. What has no derivation, such as
// the share of time of a chain, is drawn from its distribution as a whole. Either way each
// result has exactly the chance that its distribution says.
//
// What was thrown is data: a tree of [Throw], each with its dice.
package throwing
