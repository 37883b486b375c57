// Package repl is the interactive session: what is typed is evaluated and its
// results are shown, on a terminal.
//
// The session itself is [Loop], which knows its terminal only as a [Terminal]
// and so can be driven by tests. [Open] makes the terminal of a person: liner
// for the editing of lines, behind a filter that understands pasted text.
package repl
