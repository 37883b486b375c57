// Package play goes all ways through a function that rolls, looks and rolls again: not one
// way by chance, but each with its chance.
//
// A run of the function pauses where it calls a word such as throw. What it is then, where
// its calls stand and what they still read, is a state; each answer to the word leads on to
// the next pause, which is a state again, or to the end (explore.go). Equal states are one,
// so that a play is a chain of states like any other, which dist solves: loops of any
// length are exact (solve.go).
package play
