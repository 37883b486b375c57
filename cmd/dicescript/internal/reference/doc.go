// Package reference writes the documentation of the language for people, from
// the one table of builtins and the doc strings of modules: as text for a
// terminal and as one markdown page.
package reference
