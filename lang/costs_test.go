package lang

import (
	"context"
	"testing"

	"dicescript/builtins"
	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// What a recipe finds without defining it has an entry in the table of costs, or is
// one of ours, and a use of each of ours pays.
func TestWhatARecipeReachesPays(t *testing.T) {
	h, err := New()
	if err != nil {
		t.Fatal(err)
	}
	table, ours := meter.NewTable(), map[string]bool{}
	for _, e := range builtins.Table() {
		ours[e.Name] = ours[e.Name] || e.Receiver == ""
	}
	for name, v := range h.globals {
		m, isModule := v.(*starlarkstruct.Module)
		if !isModule {
			if !table.Has(name) && !ours[name] {
				t.Errorf("%s has no cost", name)
			}
			continue
		}
		for member := range m.Members {
			if !table.Has(m.Name + "." + member) {
				t.Errorf("%s.%s has no cost", m.Name, member)
			}
		}
	}
	for name := range starlark.Universe {
		if !table.Has(name) {
			t.Errorf("%s has no cost", name)
		}
	}
	for _, e := range builtins.Table() {
		if e.Name == "len" {
			continue // takes no longer for larger values
		}
		p, err := h.Compile(t.Context(), "example.star", []byte(e.Example))
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(context.Background())
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
		} else if r.Usage.Steps < 2*meter.CallSteps {
			t.Errorf("%s: %s takes %d steps", e.Name, e.Example, r.Usage.Steps)
		}
	}
}
