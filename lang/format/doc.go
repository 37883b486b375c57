// Package format writes recipes in the usual style of Starlark, that of
// buildifier: four spaces for a block, one around operators, double quotes, a
// blank line around functions. What is put on several lines stays on several.
//
// The printer is that of github.com/bazelbuild/buildtools, which knows neither
// dice nor ranges nor while. It is given names of the same width in their place
// (as package notation does for the parser), and the literals are put back where
// the names have come to stand.
//
// A text is formatted or left alone: what comes out is read again, and when it
// does not mean the same, or has lost a comment, there is an error instead.
package format
