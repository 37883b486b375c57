package native_test

import (
	"testing"

	"dicescript/builtins/native"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What Starlark has no meaning for is said by what the values are called; its other errors
// are its own.
func TestBinaryInWords(t *testing.T) {
	list := starlark.NewList([]starlark.Value{starlark.MakeInt(1)})
	for _, c := range []struct {
		op      syntax.Token
		x, y    starlark.Value
		message string
		without bool // a meaning
	}{
		{syntax.PLUS, starlark.MakeInt(1), starlark.String("a"), "a whole number can't be joined with a text; str(x) makes a text of any value", true},
		{syntax.PLUS, starlark.String("a"), starlark.None, "a text can't be joined with None; str(x) makes a text of any value", true},
		{syntax.MINUS, starlark.MakeInt(1), starlark.None, "- has no meaning between a whole number and None", true},
		{syntax.SLASHSLASH, list, starlark.MakeInt(2), "// has no meaning between a list and a whole number; a function of a pool sees the list of its faces: sum(faces) adds them up, and pool.sum().map(fn) looks at totals", true},
		{syntax.PIPE, list, starlark.MakeInt(2), "| has no meaning between a list and a whole number", true},
		{syntax.PERCENT, starlark.Universe["len"], starlark.MakeInt(2), "% has no meaning for a function; the percentile die is written 1d%", true},
		{syntax.IN, starlark.MakeInt(1), starlark.MakeInt(2), "in has no meaning between a whole number and a whole number", true},
		{syntax.SLASHSLASH, starlark.MakeInt(1), starlark.MakeInt(0), "floored division by zero", false},
	} {
		_, err := native.Binary(c.op, c.x, c.y)
		if err == nil || err.Error() != c.message || native.IsMeaningless(err) != c.without {
			t.Errorf("%s %s %s: got %v, want %s", c.x, c.op, c.y, err, c.message)
		}
	}
	if v, err := native.Binary(syntax.PLUS, starlark.MakeInt(1), starlark.MakeInt(2)); err != nil || v != starlark.MakeInt(3) {
		t.Errorf("1 + 2: got %v, %v", v, err)
	}
}

// Values without an order may stand in others.
func TestCompareInWords(t *testing.T) {
	one, text := starlark.Value(starlark.MakeInt(1)), starlark.Value(starlark.String("a"))
	for _, c := range []struct {
		x, y    starlark.Value
		message string
	}{
		{one, text, "a whole number can't be compared with a text by <"},
		{starlark.Tuple{one}, starlark.Tuple{text}, "a whole number can't be compared with a text by <"},
		{starlark.Universe["len"], one, "< has no meaning for a function; to call it, write its name with (...)"},
	} {
		if _, err := native.Compare(syntax.LT, c.x, c.y); err == nil || err.Error() != c.message || !native.IsMeaningless(err) {
			t.Errorf("%s < %s: got %v, want %s", c.x, c.y, err, c.message)
		}
	}
	if _, err := native.Unary(syntax.MINUS, text); err == nil || err.Error() != "- has no meaning for a text" {
		t.Errorf("got %v", err)
	}
}
