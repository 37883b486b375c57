// Package prompt is what a prompt asks of a session beside what any host does. Package
// lang answers it, and lang/assist hands it on, see assist.Prompt.
package prompt

import (
	"context"

	"go.starlark.net/starlark"
)

// A Session is a session as a prompt sees it.
type Session interface {
	// TypeOf returns the name of the type of what a name means, "" when it means
	// nothing. It is "function" for a function of a recipe and
	// "builtin_function_or_method" for a builtin.
	TypeOf(name string) string

	// Shown returns the values that the last input showed, in order.
	Shown() []Shown

	// Name gives a value that an input showed a name, for the inputs that follow.
	Name(name string, v Shown) error

	// Refresh reads all modules again that inputs have loaded. The loaded names
	// mean what the modules define now.
	Refresh(ctx context.Context) error
}

// A Shown is the value of an expression that stood by itself in an input.
type Shown struct {
	Output int // its place among the outputs of the result
	Value  starlark.Value
}
