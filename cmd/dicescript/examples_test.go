package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"dicescript/cmd/dicescript/internal/suite"
	"dicescript/lang/notation"
)

// What the recipes of the examples print is what stands in them, and the tests
// of the rulesets pass: dicescript test.
func TestExamples(t *testing.T) {
	for _, folder := range []string{"../../examples", "../../testdata/rulesets"} {
		files, err := suite.Files([]string{folder})
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, file := range files {
			t.Run(strings.TrimPrefix(file, "../../"), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				document := notation.Literate(text)
				if document == nil && !suite.IsTestFile(file) {
					t.Skip("no recipe")
				}
				showsResults(t, document)
				var out, errs bytes.Buffer
				if code := Main(context.Background(), []string{"test", file}, strings.NewReader(""), &out, &errs); code != exitOK {
					t.Errorf("dicescript test %s: exit code %d\n%s%s", file, code, &out, &errs)
				}
			})
		}
	}
}

// showsResults wants the printed result after every program that puts something out.
func showsResults(t *testing.T, document *notation.Document) {
	if document == nil {
		return
	}
	shown := map[int]bool{}
	for _, s := range document.Segments {
		if s.Kind == notation.ResultText {
			shown[s.Of] = true
		}
	}
	for i, s := range document.Segments {
		if s.Kind == notation.ProgramCode && strings.Contains(s.Text, "output(") && !shown[i] {
			t.Errorf("line %d: the program has no result after it", s.Line)
		}
	}
}
