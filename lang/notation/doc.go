// Package notation reads the text of dice: literals such as 4d6kh3 and 5..6
// inside a program, literate documents, and the notation of roll("...").
//
// It turns text into data and knows nothing of values or of running anything.
//
//   - [Scan] finds the dice and range literals of a program and hides each
//     behind an identifier of the same width, so that a Starlark parser can
//     read the rest and every position stays the author's own.
//   - [Tokens] is the tokenizer below it.
//   - [Literate] takes a document apart into prose, programs and results.
//   - [ParseRoll] reads the notation that virtual tabletops share.
//
// All positions count lines from 1 and columns from 1 in runes.
package notation
