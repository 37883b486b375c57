package reference

import (
	"maps"
	"slices"
)

// Starlark's own functions, which recipes have too, in a line each.
var universe = map[string][2]string{
	"all":       {"all(x)", "Whether every element is true."},
	"any":       {"any(x)", "Whether some element is true."},
	"bool":      {"bool(x)", "x as True or False; a roll or a chance is neither."},
	"bytes":     {"bytes(x)", "Bytes, from a text or a list of numbers."},
	"chr":       {"chr(n)", "The character with a Unicode number."},
	"dict":      {"dict(pairs)", "A table of keys and values, from pairs or by name."},
	"dir":       {"dir(x)", "The names of the methods and attributes of a value."},
	"enumerate": {"enumerate(x, start=0)", "Pairs of a counting number and each element."},
	"fail":      {"fail(message)", "Ends the recipe with an error."},
	"getattr":   {"getattr(x, name, default)", "A method or attribute by its name."},
	"hasattr":   {"hasattr(x, name)", "Whether a value has a method or attribute."},
	"hash":      {"hash(text)", "A number made of a text."},
	"len":       {"len(x)", "How many elements a list, text or dict has."},
	"list":      {"list(x)", "A list of the elements."},
	"ord":       {"ord(text)", "The Unicode number of a character."},
	"print":     {"print(*args)", "Writes to standard error, for looking into a recipe."},
	"range":     {"range(start, stop, step=1)", "Whole numbers from start up to, not with, stop."},
	"repr":      {"repr(x)", "A value as a recipe would write it."},
	"reversed":  {"reversed(x)", "A list of the elements, last first."},
	"set":       {"set(x)", "The different elements."},
	"sorted":    {"sorted(x, key=None, reverse=False)", "A list of the elements in order."},
	"str":       {"str(x)", "A value as text."},
	"tuple":     {"tuple(x)", "The elements as an unchangeable list."},
	"type":      {"type(x)", "The name of the type of a value, such as \"DieRoll\"."},
	"zip":       {"zip(*lists)", "Tuples of the first elements, the second ones, and so on."},
	"json":      {"json.encode(x), json.decode(text), json.indent(text)", "Values as JSON text and back."},
	"math":      {"math.sqrt(x), math.floor(x), math.ceil(x), math.log(x), ...", "Functions of floats."},
}

func universeNames() []string {
	taken := map[string]bool{}
	for _, t := range topics() {
		taken[t.Name] = taken[t.Name] || t.free
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(universe)) {
		if !taken[name] {
			names = append(names, name)
		}
	}
	return names
}
