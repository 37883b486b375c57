package report_test

import (
	"strings"
	"testing"

	"dicescript/lang/report"

	"pgregory.net/rapid"
)

func TestFit(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{
		{"short", 10, "short"},
		{"any length stays as it is", 0, "any length stays as it is"},
		{"one two three", 7, "one two\nthree"},
		{"  one two three", 9, "  one two\n  three"},
		{"would need 99 900 001 outcomes", 20, "would need\n99 900 001 outcomes"},
		{"the limit is 5 000 000: use less", 16, "the limit is\n5 000 000: use\nless"},
		{"a chance of 16.7 % here", 14, "a chance of\n16.7 % here"},
		{"the 3 dice", 5, "the 3\ndice"},
		{"4131215/20155392 is long", 8, "4131215/20155392\nis long"},
		{"one\ntwo three", 5, "one\ntwo\nthree"},
		{"漢字 漢字", 5, "漢字\n漢字"},
		{"a  b", 3, "a\nb"},
	} {
		if got := report.Fit(test.text, test.columns); got != test.want {
			t.Errorf("%q in %d columns:\n got %q\nwant %q", test.text, test.columns, got, test.want)
		}
	}
}

// Whatever the width, no word is lost or broken, and a line that is too long holds
// nothing that could stand on the next one.
func TestFitKeepsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "of", "dice", "1", "000", "23", "%", "outcomes,", "1/6"}), 1, 20).Draw(t, "words")
		columns := rapid.IntRange(1, 40).Draw(t, "columns")
		text := strings.Join(words, " ")
		got := report.Fit(text, columns)
		if strings.Join(strings.Fields(got), " ") != text {
			t.Fatalf("%q became %q", text, got)
		}
		for _, line := range strings.Split(got, "\n") {
			if len(line) <= columns {
				continue
			}
			for _, word := range strings.Fields(line)[1:] {
				if word != "000" && word != "%" {
					t.Fatalf("%q in %d columns: %q is too long", text, columns, line)
				}
			}
		}
	})
}
