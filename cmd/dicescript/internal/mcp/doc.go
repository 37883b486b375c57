// Package mcp serves dicescript to assistants by the Model Context Protocol: a few
// tools that compute and explain, and the reference, cookbook and modules as resources.
//
// A tool answers with text that is meant to be read, tables as markdown. What is wrong
// with a recipe is the text of a result that is marked as an error, with its place and
// what may be written instead, so that the assistant can mend it.
package mcp
