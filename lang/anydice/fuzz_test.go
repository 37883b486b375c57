package anydice

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"dicescript/dist"
)

// Whatever the text, a run ends with outputs whose chances add up to one, or
// with an error that has a place in the text; and it does so twice.
func FuzzRun(f *testing.F) {
	for _, c := range fixedCases(f) {
		f.Add(c.Program)
	}
	tight := dist.Limits{Work: 20_000_000, Cells: 50_000, Outcomes: 5_000}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := runLimited(text, tight)
		second, again := runLimited(text, tight)
		if (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Fatalf("got %v and then %v", err, again)
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+strings.Count(text, "\n") || e.Column < 1 {
				t.Fatalf("got %#v", err)
			}
			return
		}
		for i, o := range first.Outputs {
			if pmf(o.Roll) != pmf(second.Outputs[i].Roll) || o.Title != second.Outputs[i].Title {
				t.Fatalf("got two results of output %d", i)
			}
			if o.Roll == nil {
				continue
			}
			sum := new(big.Int)
			for _, w := range o.Roll.All() {
				sum.Add(sum, w)
			}
			if sum.Cmp(o.Roll.Total()) != 0 {
				t.Fatalf("output %d: chances do not add up to one", i)
			}
		}
	})
}
