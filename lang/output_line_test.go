package lang_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"dicescript/lang"
)

// An output belongs to the top-level code that was running, wherever the call
// of output stands.
func TestOutputsKnowTheirLine(t *testing.T) {
	document := strings.Join([]string{
		"# Lines", "", "```", "def show(title, x):", "    output(title, x)", "", "bonus = param(\"bonus\", 5, help = \"of the attack\")",
		"show(\"first\", 1)", "```", "", "Prose.", "", "```dice",
		"for n in 1..2:", "    output(\"loop %d\" % n, n)",
		"d(6).map(lambda x: show(\"callback\", x) or x) if bonus > 100 else show(", "    \"second\",", "    2,", ")",
		"load(\"rolemaster.star\", \"beats\")", "output(beats(", "    111))", "```", "",
	}, "\n")
	p, err := newHost(t).Compile(context.Background(), "lines.md", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		title string
		line  int
	}{{"first", 8}, {"loop 1", 15}, {"loop 2", 15}, {"second", 16}, {"output_4", 21}}
	if len(r.Outputs) != len(want) {
		t.Fatalf("%d outputs, want %d", len(r.Outputs), len(want))
	}
	for i, w := range want {
		if o := r.Outputs[i]; o.Title != w.title || o.Line != w.line {
			t.Errorf("output %d is %q of line %d, want %q of line %d", i, o.Title, o.Line, w.title, w.line)
		}
	}
	if want := (lang.ParamValue{Name: "bonus", Value: 5, Help: "of the attack", Line: 7, Type: "int", Default: 5}); len(r.Params) != 1 || !reflect.DeepEqual(r.Params[0], want) {
		t.Errorf("params are %+v, want %+v", r.Params, want)
	}
}
