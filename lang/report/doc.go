// Package report renders the results of a run: as markdown, text for a
// terminal, json, csv, a self-contained html page, or svg charts.
//
// Every renderer works from the exact values of a [lang.Result]; a number is
// rounded once, half up, where it is printed. Folding of long tables happens in
// an exact layer that the renderers share, so a band has the same limits and
// the same chance in all of them.
//
// A result may be rendered from many goroutines at once. A nil result has no
// outputs, as when a recipe could not even be compiled.
//
// # How a result flows through it
//
// Each format begins with a sheet: the outputs, the options, and what all tables of the
// result share, such as one common denominator. For each output the sheet makes a table,
// whose rows are exact values with a label: a plan folds what is long into bands first. A
// writer goes through the rows and prints a cell when it comes to it, so that no more
// than one row is text at a time. Chances become percentages, fractions and counts in
// package numeral; charts take the same rows in html, svg and png.
// [Weave] puts the tables of a literate recipe below the code that made them. All of it
// goes through one bounded writer, which ends the rendering at its limit or deadline.
package report
