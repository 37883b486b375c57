package mcp

import (
	"testing"

	"dicescript/testdata/conformance"
)

func TestConformance(t *testing.T) {
	s := connect(t)
	for _, x := range conformance.Cases() {
		text, isError := call(t, s, "odds", `{"format": "json", "expression": `+quoted(x.Text)+`}`)
		if isError {
			t.Errorf("%s: %s", x.Text, text)
			continue
		}
		if err := x.Compare([]byte(text)); err != nil {
			t.Error(err)
		}
	}
}
