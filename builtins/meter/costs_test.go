package meter_test

import (
	"testing"

	"dicescript/builtins/meter"

	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/starlark"
)

// Everything of Starlark's that a recipe can reach has an entry in the table, and
// the table has no other.
func TestEverythingHasACost(t *testing.T) {
	reached := map[string]bool{}
	for name, v := range starlark.Universe {
		reached[name] = v != nil
	}
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.Bytes(""), new(starlark.List), new(starlark.Dict), new(starlark.Set)} {
		for _, name := range v.AttrNames() {
			reached[v.Type()+"."+name] = true
		}
	}
	for _, members := range []starlark.StringDict{json.Module.Members, math.Module.Members} {
		module := "json."
		if members.Has("pi") {
			module = "math."
		}
		for name := range members {
			reached[module+name] = true
		}
	}
	reached["sum"] = true // ours, over what would be Starlark's
	table := meter.NewTable()
	for name := range reached {
		if !table.Has(name) {
			t.Errorf("%s has no cost", name)
		}
	}
	for _, name := range table.Names() {
		if !reached[name] {
			t.Errorf("nothing is called %s", name)
		}
	}
}
