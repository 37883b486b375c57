package examples_test

import (
	"context"
	"path/filepath"
	"testing"

	"dicescript/lang"
)

// Every page of the cookbook runs under the limits that a host has by default.
func TestCookbookFitsTheLimitsOfAHost(t *testing.T) {
	files, err := filepath.Glob("cookbook/*.md")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		program, err := host.Compile(context.Background(), file, []byte(read(t, file)))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if _, err := program.Run(context.Background()); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
