package suggest

import (
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	names := []string{"output", "keep_highest", "keep_lowest", "explode", "mean", "median", "d", "pool", "p_ge", "p_gt", "Hit"}
	for name, want := range map[string]string{
		"ouptut":       "output", // swapped
		"Output":       "output",
		"keephighest":  "keep_highest",
		"explodes":     "explode",
		"maen":         "mean",
		"pol":          "pool",
		"hit":          "Hit",
		"p_gr":         "p_ge", // as near as p_gt: alphabetical
		"xyz":          "",
		"":             "",
		"output":       "",
		"drop_highest": "", // keep_highest is the contrary
		"keep_higest":  "keep_highest",
	} {
		if got := Among(name, names); got != want {
			t.Errorf("Among(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestDistanceIsSymmetric checks that a misspelling is as far from its word as the
// word from it.
func TestDistanceIsSymmetric(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "mean", "maen", "median", "keep_lowest", "KeepLowest"}
	for _, a := range words {
		for _, b := range words {
			if x, y := newMeasure(a).distance(b, 1<<30), newMeasure(b).distance(a, 1<<30); x != y {
				t.Errorf("distance(%q, %q) = %d, the other way %d", a, b, x, y)
			}
		}
	}
}

// wholeDistance is distance by its definition, row by row.
func wholeDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		for j := range d[i] {
			switch {
			case i == 0 && j == 0:
				continue
			case i == 0:
				d[i][j] = d[i][j-1] + gap(y[j-1])
				continue
			case j == 0:
				d[i][j] = d[i-1][j] + gap(x[i-1])
				continue
			}
			d[i][j] = min(d[i-1][j-1]+change(x[i-1], y[j-1]), d[i-1][j]+gap(x[i-1]), d[i][j-1]+gap(y[j-1]))
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] && x[i-1] != y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+letter)
			}
		}
	}
	return d[len(x)][len(y)]
}

// What is left out of the way changes no distance that is close enough.
func TestDistanceIsTheWholeOne(t *testing.T) {
	word := rapid.StringMatching(`[abB_]{0,9}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, enough := word.Draw(t, "a"), word.Draw(t, "b"), rapid.IntRange(0, 20).Draw(t, "enough")
		got, want := newMeasure(a).distance(b, enough), wholeDistance(a, b)
		if got != want && (got <= enough || want <= enough) {
			t.Fatalf("%q and %q within %d: %d, want %d", a, b, enough, got, want)
		}
	})
}
