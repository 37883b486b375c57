package compiled

import (
	"strconv"

	"dicescript/builtins/small"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Texts are made by Starlark's own formatting and methods, once it is known that
// no text comes out that is too long.

// written is str(v).
func written(m *Machine, v small.Value) small.Value {
	switch v.Kind() {
	case small.Text:
		return v
	case small.Int:
		return m.text(20, func() string { return strconv.FormatInt(v.N, 10) })
	case small.Bool, small.None:
		return m.text(5, func() string { return v.Starlark().String() })
	case small.Tuple:
		n, ok := room(v)
		if !ok {
			return small.Nothing
		}
		return m.text(n, func() string { return v.Starlark().String() })
	}
	return small.Nothing
}

// room is how many bytes a value takes as text, at most, escaped and all.
func room(v small.Value) (n int, ok bool) {
	switch v.Kind() {
	case small.Text:
		return 4*len(v.R.Text) + 2, true
	case small.Int:
		return 20, true
	case small.Bool, small.None:
		return 5, true
	case small.Tuple, small.List:
		n = 2
		for _, item := range v.R.Items {
			k, ok := room(item)
			if n += k + 2; !ok || n > maxText {
				return 0, false
			}
		}
		return n, true
	}
	return 0, false
}

// filled is text % v.
func (m *Machine) filled(text string, v small.Value) small.Value {
	n, ok := room(v)
	// A verb writes no argument twice, and a number in another base is no longer
	// than 64 digits.
	if n += len(text) + 64; !ok || n > maxText || !m.spend(4+int64(n)/8) {
		return small.Nothing
	}
	return m.hosted(starlark.Binary(syntax.PERCENT, starlark.String(text), v.Starlark()))
}

// textMethods are the methods whose result is no longer than the text, or that
// make one of a list or of arguments whose length is checked.
var textMethods = map[string]bool{
	"capitalize": true, "count": true, "endswith": true, "find": true, "format": true, "index": true,
	"isalnum": true, "isalpha": true, "isdigit": true, "islower": true, "isspace": true, "istitle": true,
	"isupper": true, "join": true, "lower": true, "lstrip": true, "partition": true,
	"removeprefix": true, "removesuffix": true, "rfind": true, "rindex": true,
	"rpartition": true, "rsplit": true, "rstrip": true, "split": true, "splitlines": true,
	"startswith": true, "strip": true, "title": true, "upper": true,
}

// textMethod is text.name(args).
func (m *Machine) textMethod(v small.Value, name string, values []small.Value, names []string) small.Value {
	if !textMethods[name] {
		return small.Nothing
	}
	n := len(v.R.Text)
	times := 1
	if name == "join" && len(values) == 1 && (values[0].Kind() == small.List || values[0].Kind() == small.Tuple) {
		times = len(values[0].R.Items) // the text stands between all items
	}
	if name == "format" {
		// A place that is named twice is filled in twice.
		times = 1 + n/2
	}
	total := n * times
	for _, a := range values {
		k, ok := room(a)
		if !ok {
			return small.Nothing
		}
		if name == "format" {
			k *= times
		}
		total += k
	}
	if total > maxText || !m.spend(4+int64(total)/8) {
		return small.Nothing
	}
	method, err := starlark.String(v.R.Text).Attr(name)
	if err != nil || method == nil {
		return small.Nothing
	}
	positional, named := starlarks(values, names)
	return m.hosted(method.(*starlark.Builtin).CallInternal(nil, positional, named))
}
