package value

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// Errors name the function and the parameter that a user wrote.

// InFunction puts the name of a builtin before an error. An error from a callback has
// its own place in the recipe and passes as it is.
func InFunction(name string, err error) error {
	if err == nil {
		return nil
	}
	if trace := (*starlark.EvalError)(nil); errors.As(err, &trace) {
		return err
	}
	if strings.HasPrefix(err.Error(), name+": ") {
		return err // Starlark's own functions name themselves
	}
	return fmt.Errorf("%s: %w", name, err)
}
