package reference

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"dicescript/lang"
)

// Every example on the page of notation is an expression that has a value.
func TestNotationPage(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	apart := regexp.MustCompile(` {2,}`)
	examples := 0
	for _, line := range strings.Split(notationPage, "\n") {
		text, ok := strings.CutPrefix(line, "    ")
		if !ok || strings.HasPrefix(text, " ") {
			continue
		}
		parts := apart.Split(text, -1)
		if len(parts) < 2 {
			t.Errorf("%q: want an example and what it means", line)
		}
		for _, x := range parts[:len(parts)-1] {
			examples++
			if _, err := host.NewSession().Eval(context.Background(), x); err != nil {
				t.Errorf("%s: %v", x, err)
			}
		}
	}
	if examples < 25 {
		t.Errorf("got %d examples", examples)
	}
	for i, line := range strings.Split(notationPage, "\n") {
		if len([]rune(line)) > 85 {
			t.Errorf("line %d has %d columns", i+1, len([]rune(line)))
		}
	}
}

func TestMentions(t *testing.T) {
	for word, want := range map[string]string{
		"advantage": "notation", "reroll": "notation", "explode": "notation", "Poisson": "", "": "", "(": "",
	} {
		hits := mentions(word)
		found := want == "" && len(hits) == 0
		for _, h := range hits {
			found = found || h.name == want
		}
		if !found {
			t.Errorf("%q: got %v, want %q", word, hits, want)
		}
	}
}
