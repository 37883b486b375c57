package suggest

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"output", "keep_highest", "keep_lowest", "explode", "mean", "median", "d", "pool", "p_ge", "p_gt", "Hit"}
	for name, want := range map[string]string{
		"ouptut":      "output", // swapped
		"Output":      "output",
		"keephighest": "keep_highest",
		"explodes":    "explode",
		"maen":        "mean",
		"pol":         "pool",
		"hit":         "Hit",
		"p_gr":        "p_ge", // as near as p_gt: alphabetical
		"xyz":         "",
		"":            "",
		"output":      "",
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
			if x, y := distance(a, b, 1<<30), distance(b, a, 1<<30); x != y {
				t.Errorf("distance(%q, %q) = %d, the other way %d", a, b, x, y)
			}
		}
	}
}
