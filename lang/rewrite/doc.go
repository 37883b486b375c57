// Package rewrite makes of a syntax tree a Starlark program that keeps the
// promises of dicescript: comparisons of rolls are chances, a
// chance is no condition, a builtin's name may be reused, and no arithmetic
// grows beyond its budget.
//
// A tree that syntax.Parse has read goes through [Rewrite], which replaces
// literals, comparisons, conditions, arithmetic and what else is paid for by internal operators;
// [Code.Program] resolves its names and compiles it; [Code.Predeclare] lends a
// run the operators. When the program gets to one, it receives the operands as
// values, pays for what it is about to make, and asks the run's [Hooks] what the
// operation means for them. Where it means nothing, the error says so in the words of
// recipes.
//
// # Internal operators
//
// An operator is a predeclared value with a name that no recipe can contain
// (see [Internal]). a < b becomes (LT | a) | b, two binary operations that
// the interpreter dispatches to the operator, and not a call LT(a, b): it costs
// half as much, adds no frame to a backtrace, and an error has the position
// of the author's own operator. With a written-out operand, as in a < 3, there is
// an operator for that operand, and one operation: LT3 | a.
//
// The operands are evaluated once, in the order in which they are written.
//
// The package knows no rolls: what a comparison of rolls means is for Hooks.
package rewrite
