package report

import "testing"

// Labels that a picture has no room for still tell their rows apart.
func TestDistinctLabels(t *testing.T) {
	for _, labels := range [][]string{
		{"the sword of the old king breaks at once", "the shield of the old king breaks at once", "hit"},
		{"a very long beginning of a label and then one more end", "a very long beginning of a label and then two more ends", "a very long beginning of a label and then three of an end"},
		{"1234567890123456789012345678901234567890A1234567890", "1234567890123456789012345678901234567890B1234567890"},
		{"漢字漢字漢字漢字漢字漢字漢字漢字あ漢字漢字漢字漢字", "漢字漢字漢字漢字漢字漢字漢字漢字い漢字漢字漢字漢字"},
		{"same", "same"},
	} {
		for _, width := range []int{26, 12, 5} {
			seen := map[string]string{}
			for i, short := range distinct(labels, width) {
				if narrow.StringWidth(short) > width {
					t.Errorf("%q takes more than %d columns", short, width)
				}
				if other, taken := seen[short]; taken && other != labels[i] && width > 5 {
					t.Errorf("%q stands for %q and %q", short, other, labels[i])
				}
				seen[short] = labels[i]
			}
		}
	}
}
