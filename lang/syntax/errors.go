package syntax

import (
	"cmp"
	"slices"

	"dicescript/lang/notation"
)

// This file puts the mistakes of a text in order.

// MaxErrors is how many mistakes of one text are reported.
const MaxErrors = 100

// SortErrors returns mistakes in the order of their places, without repetitions
// and at most [MaxErrors] of them.
func SortErrors(errs []*notation.Error) []*notation.Error {
	slices.SortStableFunc(errs, func(a, b *notation.Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	errs = slices.CompactFunc(errs, func(a, b *notation.Error) bool {
		return a.Line == b.Line && a.Col == b.Col && a.Msg == b.Msg && a.Hint == b.Hint
	})
	return errs[:min(len(errs), MaxErrors)]
}
