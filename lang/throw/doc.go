// Package throw really rolls what roll("...") describes, and shows the dice.
//
// It is for playing. A throw follows the exact chances: a die takes its face
// from a uniform number, without the bias of a remainder.
//
// [Expression], [Notation] and [Data] make a [Roller]: of notation, one that draws each die and tells what
// became of it, and of any other result one that draws an outcome from the whole
// distribution. A Roller takes random numbers from the source that it is given each time.
package throw
