package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestBundledRecipes holds the printed results of the examples and the facts
// about the bundled modules, as dicescript test does for a user.
func TestBundledRecipes(t *testing.T) {
	var out, errs bytes.Buffer
	code := Main(context.Background(), []string{"test", "../../testdata/rulesets", "../../examples"}, strings.NewReader(""), &out, &errs)
	if code != exitOK {
		t.Errorf("exit status %d\n%s%s", code, out.String(), errs.String())
	}
	if !strings.Contains(out.String(), " passed, 0 failed") {
		t.Errorf("nothing was tested:\n%s", out.String())
	}
}
