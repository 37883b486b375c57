package lang_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"dicescript/lang"
)

var updateSlips = flag.Bool("update-slips", false, "write what slips get into testdata/slips/slips.txt")

const slipsFile = "../testdata/slips/slips.txt"

// Slips of beginners get what stands beside them: the place and the message, or the kind of
// the result, its mean or chance, and its notes.
func TestSlips(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(slipsFile)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "# ") {
			fmt.Fprintln(&out, line)
			continue
		}
		slip, want, _ := strings.Cut(line, "\t")
		got := slipped(host, strings.ReplaceAll(slip, `\n`, "\n"))
		if got != want && !*updateSlips {
			t.Errorf("%s\n got %s\nwant %s", slip, got, want)
		}
		fmt.Fprintf(&out, "%s\t%s\n", slip, got)
	}
	if *updateSlips {
		if err := os.WriteFile(slipsFile, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// slipped is what an input gets, on one line.
func slipped(host *lang.Host, input string) string {
	r, err := host.NewSession().Eval(context.Background(), input)
	if err != nil {
		e := lang.Errors(err)[0]
		text := fmt.Sprintf("error %d:%d: %s", e.Position.Line, e.Position.Column, e.Message)
		for _, f := range e.Fixes {
			text += fmt.Sprintf(" [%d:%d-%d %s]", f.Line, f.Column, f.EndColumn, f.Text)
		}
		return text
	}
	var parts []string
	for _, o := range r.Outputs {
		parts = append(parts, resultOf(o))
	}
	for _, n := range r.Notes {
		parts = append(parts, "note: "+n)
	}
	return strings.Join(parts, "; ")
}

// resultOf is a result in a few words.
func resultOf(o lang.Output) string {
	text := fmt.Sprint(o.Data)
	if roll, ok := o.Data.(lang.Roll); ok {
		text = fmt.Sprintf("%d..%d, mean %s", roll.Dist.Min(), roll.Dist.Max(), roll.Dist.Mean().FloatString(3))
	}
	if len(text) > 120 {
		text = text[:120] + "..."
	}
	return o.Kind() + " " + strings.ReplaceAll(text, "\n", " ")
}
