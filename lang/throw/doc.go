// Package throw is real throws as data: every die, what became of it, and what it decided.
//
// [dicescript/lang.Program.Throw] throws the outputs of a recipe once, and
// [dicescript/lang.Session.Throw] an expression. Both take a [Source] of chance: a [Seed],
// which always throws the same, on every machine, or the bits of an [io.Reader]. What comes
// back is a [Record], which is the same in Go, in JSON and in TypeScript; package report
// writes it for people.
//
// A throw follows the exact chances: each die takes its face from a uniform number, without
// the bias of a remainder. A record that has a seed can be thrown again and compared by
// anybody who has the recipe, and [Commitment] is what a player can show before the throw
// without giving the seed away.
package throw
