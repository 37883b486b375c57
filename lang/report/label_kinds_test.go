package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"dicescript/lang"
)

// Labels that differ are told apart in json, in csv and in text, and come back as they
// were.
func TestLabelsOfTuplesStayDistinct(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	const src = `
labels = [(1, True), (1, "True"), (1, 1), (1, "1"), (1, None), (1, "None"), (1, False), (1, "a, b"), (1, "a", "b"),
    (1, ("a", "b")), (1, "(a, b)"), (-(1 << 63), 0), ((1 << 63) - 1, 0), (str(1 << 62), 0), (1 << 62, 0), ("", 1), ((), 1), ('""', 1)]
output("x", map(lambda n: labels[n - 1], d(len(labels))))
output("n", len(labels))
`
	p, err := host.Compile(t.Context(), "recipe.star", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	outcomes := r.Outputs[0].Data.(lang.Outcomes)
	texts := map[string]bool{}
	for _, e := range outcomes.Entries {
		texts[e.Label.String()] = true
	}
	if len(texts) != 18 {
		t.Errorf("%d texts of 18 labels: %v", len(texts), texts)
	}
	var b bytes.Buffer
	if err := Render(t.Context(), &b, "json", r, Options{}); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Outputs []struct {
			PMF []struct{ Outcome json.RawMessage }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	for _, row := range read.Outputs[0].PMF {
		written[string(row.Outcome)] = true
	}
	for _, want := range []string{`[1, true]`, `[1, "True"]`, `[1, null]`, `[1, 1]`, `[1, "1"]`, `[-9223372036854775808, 0]`, `[9223372036854775807, 0]`} {
		if !written[want] {
			t.Errorf("no label %s in %v", want, written)
		}
	}
	if len(written) != 18 {
		t.Errorf("%d labels in json, want 18", len(written))
	}
	back, err := ReadJSON(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	got := back.Outputs[0].Data.(lang.Outcomes)
	for i, e := range outcomes.Entries {
		if !reflect.DeepEqual(e.Label, got.Entries[i].Label) {
			t.Errorf("%v comes back as %v", e.Label, got.Entries[i].Label)
		}
	}
}

// A whole number in a tuple has the range of an outcome.
func TestRangeOfWholeNumbersInTuples(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"(1, 1 << 63)", "(1, (2, -(1 << 63) - 1))"} {
		for _, src := range []string{"map(lambda n: %s, d(2))", "2d6.map(lambda h: %s)", "map_sorted(lambda h: %s, 2d6)", "scale().step(%s)", "prob_table([(%s, 0.5)])"} {
			_, err := host.NewSession().Eval(t.Context(), "x = "+fmt.Sprintf(src, label))
			if err == nil || !bytes.Contains([]byte(err.Error()), []byte("-2^63 to 2^63-1")) {
				t.Errorf("%s of %s: %v", src, label, err)
			}
		}
	}
}
