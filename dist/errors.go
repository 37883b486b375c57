package dist

import "fmt"

// An ArgError says what is wrong with one argument of an operation. Its text
// names the parameter but not the operation, so that a caller can put in front
// whatever name its users know the operation by.
type ArgError struct {
	Param   string // the parameter: "sides"
	Problem string // "got 0, want at least 1"
}

func (e *ArgError) Error() string { return e.Param + ": " + e.Problem }

func badArg(param, format string, args ...any) error {
	return &ArgError{Param: param, Problem: fmt.Sprintf(format, args...)}
}

// errRange is the error of an outcome that does not fit a 64-bit integer.
func errRange(param string) error {
	return badArg(param, "an outcome would leave the range -2^63..2^63-1")
}

// Must returns v and panics when err is not nil. It is for constructions that
// cannot fail, such as Must(Die(6)) in an example or a test.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
