// Package assist answers what prompts, editors and web pages ask about a text
// while it is being written: how a word may go on, what a name means, how a
// function is called, where a name is defined and used, what is wrong.
//
// [Assistant.Analyze] reads a recipe, a module or a literate document once, and
// the [Document] answers any number of questions about places in it. A text that
// does not parse is mended first, one line at a time, until the rest of it does;
// in the lines that were taken out, and at a cursor after an unfinished word, the
// tokens are asked instead of the tree. What a name means is looked up in the
// scopes around the place, then in the modules that the text loads, then in the
// host. [Assistant.AnalyzeInput] does the same for an input of a session, whose
// names are known by their values.
//
// For editors there is more: what a text consists of ([Document.Folds],
// [Document.Marks], [Document.Outputs]), what an error suggests as an edit
// ([Document.Fixes]), names across files ([Document.Global], [Document.UsesOf],
// [Document.RenameLoaded]), and answers between two keys ([Document.Typed]).
//
// The recipe is never run. Modules are compiled, and the dice under the cursor
// of [Document.Hover] are computed within small limits.
//
// Positions are those of package lang: lines and columns count from 1, columns
// in runes. [Document.UTF16] and [Document.FromUTF16] turn them into those of the
// Language Server Protocol and of JavaScript.
package assist
