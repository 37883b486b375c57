// Package syntax turns the text of a recipe into a syntax tree.
//
// [Parse] has notation.Scan hide the dice and range literals behind names of
// the same width, gives the rest to the Starlark parser, and bounds how deep
// the tree may be ([Children] lists the parts of every node). Since nothing
// moves, every position in the tree is one of the author's text.
//
// A text that does not parse is divided into its top-level statements, and
// each is parsed alone, so that every one of them reports its first mistake:
// a *notation.Error, in plain words, at the token that does not fit.
//
// [Lines] finds the text of a position, and [DocString] what a file or a
// function says about itself. What a tree means is for package rewrite.
package syntax
