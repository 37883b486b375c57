package eval

import (
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
)

// A snapshot of a function is the function as it is now: what the recipe assigns or changes
// later does not change what the snapshot computes.

// Snapshot returns a copy of v, of a list, a tuple or a function, that nothing changes
// which happens later. What cannot change is shared.
func Snapshot(v starlark.Value) starlark.Value {
	return (&branching{modules: map[*Module]*Module{}}).value(v)
}

// module returns the copy of a function's module, in which the globals are copied that the
// function may use.
func (c *branching) module(f *Function) *Module {
	copied := c.modules[f.module]
	if copied == nil {
		copied = &Module{file: f.module.file, given: f.module.given, globals: append([]*slot.Value(nil), f.module.globals...)}
		c.modules[f.module] = copied
	}
	for i := range f.def.effects().globals {
		from := f.module.globals[i]
		if copied.globals[i] != from {
			continue // which is copied, or was made for a function before
		}
		own := new(slot.Value)
		copied.globals[i] = own
		*own = c.slot(*from)
	}
	return copied
}
