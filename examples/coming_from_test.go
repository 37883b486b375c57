package examples_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dicescript/lang"
)

// A row of a table with three columns: what was written elsewhere, what is
// written here, and what it gives.
var row = regexp.MustCompile("(?m)^\\| .* \\| `([^|`]+)` \\| ([^|]+) \\|$")

// What stands in the tables for those who come from other tools is true.
func TestComingFrom(t *testing.T) {
	files, err := filepath.Glob("coming-from-*.md")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text := read(t, file)
		rows := row.FindAllStringSubmatch(text, -1)
		lines := regexp.MustCompile(`(?m)^\|`).FindAllString(text, -1)
		headers := regexp.MustCompile(`(?m)^\|---.*$`).FindAllString(text, -1)
		if len(rows) < 20 || len(rows)+2*len(headers) != len(lines) {
			t.Errorf("%s: %d rows are read of %d lines in %d tables", file, len(rows), len(lines), len(headers))
		}
		for _, r := range rows {
			got, err := given(host, r[1])
			if err != nil {
				t.Errorf("%s: %s: %v", file, r[1], err)
			} else if got != r[2] {
				t.Errorf("%s: %s gives %s, not %s", file, r[1], got, r[2])
			}
		}
	}
}

// given says briefly what an expression gives: of a roll the least, the
// greatest and the mean, of a chance and a number the exact value.
func given(host *lang.Host, expression string) (string, error) {
	program, err := host.Compile(context.Background(), "row.star", []byte("output('it', "+expression+")"))
	if err != nil {
		return "", err
	}
	result, err := program.Run(context.Background())
	if err != nil {
		return "", err
	}
	switch data := result.Outputs[0].Data.(type) {
	case lang.Roll:
		most := fmt.Sprint(data.Dist.Max())
		if data.Dist.UnboundedAbove() {
			most = ""
		}
		return fmt.Sprintf("%d..%s, mean %s", data.Dist.Min(), most, data.Dist.Mean().RatString()), nil
	case lang.Prob:
		return data.Value.RatString(), nil
	case lang.Number:
		return data.Value.RatString(), nil
	case lang.Outcomes:
		var labels []string
		for _, l := range data.Entries {
			labels = append(labels, fmt.Sprintf("%s %s", l.Label, l.Value.RatString()))
		}
		return strings.Join(labels, ", "), nil
	default:
		return "", fmt.Errorf("it is %T", data)
	}
}
