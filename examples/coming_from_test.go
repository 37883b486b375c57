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
// written here, and what it gives. In a cell | is written \|.
var row = regexp.MustCompile("(?m)^\\| (.*) \\| `((?:[^|`]|\\\\\\|)+)` \\| ([^|]+) \\|$")

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
		if len(rows) < 15 || len(rows)+2*len(headers) != len(lines) {
			t.Errorf("%s: %d rows are read of %d lines in %d tables", file, len(rows), len(lines), len(headers))
		}
		for _, r := range rows {
			got, err := given(host, "row.star", "output('it', "+unescaped(r[2])+")")
			if err != nil {
				t.Errorf("%s: %s: %v", file, r[2], err)
			} else if got != r[3] {
				t.Errorf("%s: %s gives %s, not %s", file, r[2], got, r[3])
			}
			switch file {
			case "coming-from-anydice.md":
				checkThere(t, host, r[1], r[3])
			case "coming-from-playground.md": // whose recipes run as they are
				got, err := given(host, "row.star", "output('it', "+strings.Trim(r[1], "`")+")")
				if err != nil || got != r[3] {
					t.Errorf("%s: %s gives %s, not %s (%v)", file, r[1], got, r[3], err)
				}
			}
		}
	}
}

func unescaped(cell string) string { return strings.ReplaceAll(cell, `\|`, "|") }

var code = regexp.MustCompile("`([^`]+)`")

// checkThere runs a cell of AnyDice, whose last piece is what is put out. There a
// chance is the mean of a die that shows 0 or 1.
func checkThere(t *testing.T, host *lang.Host, cell, want string) {
	t.Helper()
	pieces := code.FindAllStringSubmatch(unescaped(cell), -1)
	if len(pieces) == 0 { // there is no such thing there
		return
	}
	var program strings.Builder
	for _, p := range pieces[:len(pieces)-1] {
		program.WriteString(p[1] + "\n")
	}
	program.WriteString("output " + pieces[len(pieces)-1][1])
	got, err := given(host, "row.anydice", program.String())
	if !strings.Contains(want, "..") {
		want = "0..1, mean " + want
	}
	if err != nil || got != want {
		t.Errorf("in AnyDice %s gives %s, not %s (%v)", cell, got, want, err)
	}
}

// given says briefly what the output of a program is: of a roll the least, the
// greatest and the mean, of a chance and a number the exact value.
func given(host *lang.Host, name, source string) (string, error) {
	program, err := host.Compile(context.Background(), name, []byte(source))
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
