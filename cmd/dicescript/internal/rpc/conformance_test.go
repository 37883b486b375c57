package rpc

import (
	"testing"

	"dicescript/testdata/conformance"
)

func TestConformance(t *testing.T) {
	c := start(t, quick())
	for _, x := range conformance.Cases() {
		r := c.ask("eval", `{"expression": `+quoted(x.Text)+`}`)
		if r.Error != nil {
			t.Errorf("%s: %+v", x.Text, r.Error)
			continue
		}
		if err := x.Compare(r.Result); err != nil {
			t.Error(err)
		}
	}
}
