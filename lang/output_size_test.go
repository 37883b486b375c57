package lang_test

import (
	"bytes"
	"errors"
	"testing"

	"dicescript/lang/report"
)

// A roll of thousands of dice is an output as any other: its table is short. Formats that
// write its exact chances, of thousands of digits each, have their own limit.
func TestOutputOfThousandsOfDice(t *testing.T) {
	p, err := newHost(t).Compile(t.Context(), "recipe.star", []byte(`output("x", 3000d6)`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "markdown", "html", "svg"} {
		var b bytes.Buffer
		if err := report.Render(t.Context(), &b, format, r, report.Options{}); err != nil || b.Len() > 1<<20 {
			t.Errorf("%s: %d bytes, %v", format, b.Len(), err)
		}
	}
	for _, format := range []string{"json", "csv"} {
		var b bytes.Buffer
		var long *report.LimitError
		if err := report.Render(t.Context(), &b, format, r, report.Options{}); !errors.As(err, &long) || b.Len() > report.DefaultLimit {
			t.Errorf("%s: %d bytes, %v, want the limit", format, b.Len(), err)
		}
		b.Reset()
		if err := report.Render(t.Context(), &b, format, r, report.Options{Fractions: report.NoFractions}); format == "json" && (err != nil || b.Len() > 4<<20) {
			t.Errorf("%s without fractions: %d bytes, %v", format, b.Len(), err)
		}
	}
}
