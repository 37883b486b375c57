// Package native is Starlark's own operators, which say what they refuse in the words of
// people who write recipes.
//
// Two values go in and what Starlark makes of them comes out. Where Starlark has no meaning
// for values of their types, the error says so by what the values are called, with what was
// probably meant.
package native

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Meaningless is the error of an operator that has no meaning for its operands. It names
// the operator.
type Meaningless string

func (e Meaningless) Error() string { return string(e) }

// IsMeaningless reports whether an error is that of an operator without a meaning.
func IsMeaningless(err error) bool {
	var e Meaningless
	return errors.As(err, &e)
}

// Binary is x op y, op being no comparison but in.
func Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	v, err := starlark.Binary(op, x, y)
	if err != nil && err.Error() == fmt.Sprintf("unknown binary op: %s %s %s", x.Type(), op, y.Type()) {
		return nil, Meaningless(between(op.String(), x.Type(), y.Type()))
	}
	return v, err
}

// Unary is op x.
func Unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	v, err := starlark.Unary(op, x)
	if err != nil && err.Error() == fmt.Sprintf("unknown unary op: %s %s", op, x.Type()) {
		return nil, Meaningless(fmt.Sprintf("%s has no meaning for %s", op, TypeInWords(x.Type())))
	}
	return v, err
}

// Compare is x op y for == != < <= > and >=.
func Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	ok, err := starlark.Compare(op, x, y)
	if err == nil {
		return starlark.Bool(ok), nil
	}
	if words := unordered(err.Error()); words != "" {
		return nil, Meaningless(words)
	}
	return nil, err
}

// between is about an operator between two types that has no meaning.
func between(op, x, y string) string {
	switch {
	case x == "builtin_function_or_method" && op == "%":
		return "% has no meaning for a function; the percentile die is written 1d%"
	case isCallable(x) || isCallable(y):
		return op + " has no meaning for a function; to call it, write its name with (...)"
	case op == "+" && x == "string":
		return fmt.Sprintf("a text can't be joined with %s; str(x) makes a text of any value", TypeInWords(y))
	case op == "+" && y == "string":
		return fmt.Sprintf("%s can't be joined with a text; str(x) makes a text of any value", TypeInWords(x))
	}
	message := fmt.Sprintf("%s has no meaning between %s and %s", op, TypeInWords(x), TypeInWords(y))
	if x == "IntBand" || y == "IntBand" {
		return message + "; an end of a range that is computed stands in parentheses, as in (n + 1)..6"
	}
	if strings.Contains("+ - / // %", op) {
		message += facesMeant(x, y)
	}
	return message
}

// unordered is what Starlark's comparison says of values without an order in the words of
// recipes, "" when it says something else. The values may stand anywhere in those that were
// compared: only the message tells their types.
func unordered(message string) string {
	parts, ok := strings.CutSuffix(message, " not implemented")
	types := strings.Fields(parts)
	if !ok || len(types) != 3 {
		return ""
	}
	x, op, y := types[0], types[1], types[2]
	if op != "==" && op != "!=" && (isCallable(x) || isCallable(y)) {
		return op + " has no meaning for a function; to call it, write its name with (...)"
	}
	return fmt.Sprintf("%s can't be compared with %s by %s", TypeInWords(x), TypeInWords(y), op) + facesMeant(x, y)
}

// facesMeant is what is said where a list of faces was taken for their total.
func facesMeant(x, y string) string {
	if x != "list" || y != "int" && y != "float" && y != "Number" {
		return ""
	}
	return "; a function of a pool sees the list of its faces: sum(faces) adds them up, and pool.sum().map(fn) looks at totals"
}

func isCallable(t string) bool { return t == "function" || t == "builtin_function_or_method" }
