package reference

import "dicescript/builtins"

// starlarkNames are the names of Starlark's own functions that the table of
// builtins does not have.
func starlarkNames() []string {
	taken := map[string]bool{}
	for _, t := range topics() {
		taken[t.Name] = taken[t.Name] || t.free
	}
	var names []string
	for _, e := range builtins.Starlark() {
		if !taken[e.Name] {
			names = append(names, e.Name)
		}
	}
	return names
}

// starlarkEntry describes one of Starlark's own functions.
func starlarkEntry(name string) (builtins.Entry, bool) {
	for _, e := range builtins.Starlark() {
		if e.Name == name {
			return e, true
		}
	}
	return builtins.Entry{}, false
}
