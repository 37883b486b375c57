package lang_test

import (
	"bytes"
	"testing"

	"dicescript/lang"
	"dicescript/lang/report"
	"dicescript/testdata/conformance"
)

// The values of expressions are those of plain enumeration.
func TestConformance(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	cases := conformance.Cases()
	if len(cases) < 400 {
		t.Fatalf("there are %d cases", len(cases))
	}
	for _, c := range cases {
		result, err := host.NewSession().Eval(t.Context(), c.Text)
		if err != nil {
			t.Errorf("%s: %v", c.Text, err)
			continue
		}
		var b bytes.Buffer
		if err := report.Render(t.Context(), &b, "json", result, report.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := c.Compare(b.Bytes()); err != nil {
			t.Error(err)
		}
	}
}
