// Package door holds what programs and assistants may ask of dicescript, as calls
// with typed parameters and results: the methods of rpc, and what the tools of mcp
// stand on. An error of the recipe is part of a result; the error of a call says that
// its parameters are invalid.
package door
