package rewrite

import (
	"cmp"
	"fmt"
	"slices"

	"dicescript/lang/notation"
)

// This file holds what all mistakes that are found before a run look like.

// A Diagnostic is a mistake in the text of a recipe.
type Diagnostic struct {
	Line, Col int // from 1, columns in runes
	Msg       string
	Hint      string // what to do about it, or ""
}

func (d Diagnostic) String() string {
	s := fmt.Sprintf("%d:%d: %s", d.Line, d.Col, d.Msg)
	if d.Hint != "" {
		s += " (" + d.Hint + ")"
	}
	return s
}

// maxDiagnostics are shown of one text; nobody reads more.
const maxDiagnostics = 100

// ordered sorts diagnostics by position and drops repetitions.
func ordered(ds []Diagnostic) []Diagnostic {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	ds = slices.Compact(ds)
	return ds[:min(len(ds), maxDiagnostics)]
}

func fromNotation(errs []*notation.Error) []Diagnostic {
	var ds []Diagnostic
	for _, e := range errs {
		ds = append(ds, Diagnostic{Line: e.Line, Col: e.Col, Msg: e.Msg})
	}
	return ds
}
