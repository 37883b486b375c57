// Starlark's own functions as recipes get them: each pays for what it does.

package lang

import (
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// addUniverse adds the functions to the globals of a host. Those of ours pay for
// themselves.
func (h *Host) addUniverse() {
	for name, v := range starlark.Universe {
		if f, ok := v.(starlark.Callable); ok && !h.globals.Has(name) {
			h.globals[name] = h.costs.Function(name, f)
		}
	}
	for name, v := range h.globals {
		if m, ok := v.(*starlarkstruct.Module); ok {
			h.globals[name] = h.paidModule(m)
		}
	}
}

// paidModule is a module whose functions pay for what they do.
func (h *Host) paidModule(m *starlarkstruct.Module) *starlarkstruct.Module {
	members := starlark.StringDict{}
	for name, v := range m.Members {
		if f, ok := v.(starlark.Callable); ok {
			v = h.costs.Function(m.Name+"."+name, f)
		}
		members[name] = v
	}
	return &starlarkstruct.Module{Name: m.Name, Members: members}
}
