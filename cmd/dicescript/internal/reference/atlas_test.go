package reference

import (
	"strings"
	"testing"
)

// What players look for leads to the page of the atlas that has it.
func TestAtlasIsFound(t *testing.T) {
	for word, page := range map[string]string{
		"glitch": "shadowrun-glitch.md", "sneak attack": "dnd-sneak-attack.md", "Sneak Attack": "dnd-sneak-attack.md",
		"degrees of success": "pathfinder2-degrees.md", "mulligan": "magic-mulligan.md", "blood bowl": "blood-bowl-run.md",
	} {
		var b strings.Builder
		if err := (Layout{}).Entry(&b, word); err != nil || !strings.Contains(b.String(), "examples/atlas/"+page) {
			t.Errorf("%s: %v\n%s", word, err, &b)
		}
	}
	if err := (Layout{}).Entry(&strings.Builder{}, "xyzzy plugh"); err == nil {
		t.Error("something is found for xyzzy plugh")
	}
}
