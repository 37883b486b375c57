package lang_test

import (
	"errors"
	"strings"
	"testing"

	"dicescript/lang"
)

// What a function writes out in one expression is bounded, since every call makes room
// for it; a table that a person has written is within the bound, and one that belongs to
// the file has none.
func TestElementsWrittenOut(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat("1,", n) + "]" }
	table := func(n int) string { return "[" + strings.Repeat("(1, 2, 'x', [3, 4]),", n) + "]" }
	const most, word = 6000, "more than 6000 elements"
	h := newHost(t)
	for _, c := range []struct {
		name, src string
		line, col int // 0 for a recipe that is fine
	}{
		{"a table of a file", "x = " + list(100_000), 0, 0},
		{"a table of rows of a file", "x = " + table(10_000), 0, 0},
		{"a table of a function", "def f():\n    return " + table(5000) + "\nx = f()", 0, 0},
		{"as much as there may be", "def f():\n    return " + list(most) + "\nx = f()", 0, 0},
		{"many lists one after the other", "def f():\n" + strings.Repeat("    x = "+list(5000)+"\n", 20), 0, 0},
		{"a list of lists", "def f():\n    return [" + strings.Repeat(list(5000)+",", 20) + "]\n", 0, 0},
		{"a list", "def f():\n    return " + list(most+1), 2, 12},
		{"a tuple", "def f():\n    x = (" + strings.Repeat("1,", most+1) + ")", 2, 10},
		{"a lambda", "f = lambda: " + list(most+1), 1, 13},
		{"arguments", "def f():\n    return max(" + strings.Repeat("1,", most+1) + "2)", 2, 15},
		{"the last of a long list", "def f():\n    return [" + strings.Repeat("1,", most-10) + list(11) + "]", 2, 0},
		{"a function in a function", "def f():\n    def g():\n        return " + list(most+1) + "\n    return g", 3, 16},
		{"a condition", "def f():\n    if 1 in " + list(most+1) + ":\n        pass", 2, 13},
	} {
		src := c.src + "\n"
		_, compiled := h.Compile(t.Context(), "recipe.star", []byte(src))
		_, evaluated := h.NewSession().Eval(t.Context(), src)
		for _, err := range []error{compiled, evaluated} {
			if c.line == 0 {
				if err != nil {
					t.Errorf("%s: %.300s", c.name, err)
				}
				continue
			}
			e := new(lang.Error)
			if !errors.As(err, &e) || e.Kind != lang.KindSyntax || !strings.Contains(e.Message, word) || e.Position.Line != c.line || c.col > 0 && e.Position.Column != c.col {
				t.Errorf("%s: %.300v at %v", c.name, err, e.Position)
			}
		}
	}
}
