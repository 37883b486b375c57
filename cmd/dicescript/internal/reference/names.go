package reference

import (
	"slices"
	"strings"
)

// The names that can be asked about, for those who type them.

// A Name is one of them, with what it is about.
type Name struct{ Name, About string }

// Beginning are the names that begin as given. Those with a dot, methods of a
// type and functions of a module, are offered once the dot or all before it is
// there.
func Beginning(begun string) []Name {
	before, _, dotted := strings.Cut(begun, ".")
	var found []Name
	add := func(name, about string) {
		n := Name{name, summary(about)}
		if strings.HasPrefix(name, begun) && !slices.Contains(found, n) {
			found = append(found, n)
		}
	}
	for _, t := range topics() {
		add(t.Name, t.Doc)
		for _, receiver := range t.on {
			if dotted || begun == receiver {
				add(receiver+"."+t.Name, t.Doc)
			}
		}
	}
	add("notation", "Dice literals, ranges and roll(\"...\")")
	for _, name := range Modules() {
		m, err := Bundled(name)
		if err != nil {
			continue
		}
		add(name, m.doc)
		module := strings.TrimSuffix(name, ".star")
		for _, f := range m.functions {
			if before == module && dotted {
				add(module+"."+f.Name, f.Doc)
			}
		}
	}
	for _, name := range starlarkNames() {
		e, _ := starlarkEntry(name)
		add(name, e.Doc)
	}
	slices.SortFunc(found, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(found, func(a, b Name) bool { return a.Name == b.Name })
}
