package meter

import "go.starlark.net/starlark"

// A value may stand for another one where it is the key of a dict or an element of a set,
// so that what a recipe takes for the same is found there.

// Keyed is a value that stands for another one as a key.
type Keyed interface {
	starlark.Value
	Key() starlark.Value
}

// KeyOf is what v is as a key. It looks at all of v, which is paid for before.
func KeyOf(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case starlark.Int, starlark.String:
	case starlark.Tuple:
		if hasKeyed(v) {
			parts := make(starlark.Tuple, len(v))
			for i, part := range v {
				parts[i] = KeyOf(part)
			}
			return parts
		}
	case Keyed:
		return v.Key()
	}
	return v
}

// hasKeyed reports whether there is a value in a tuple that stands for another one.
func hasKeyed(of starlark.Tuple) bool {
	for _, v := range of {
		switch v := v.(type) {
		case starlark.Int, starlark.String:
		case starlark.Tuple:
			if hasKeyed(v) {
				return true
			}
		case Keyed:
			return true
		}
	}
	return false
}

// byKey has a method of a dict or set look for what its first argument is as a key.
func byKey(c *call) {
	if len(c.args) > 0 && hasKeyed(c.args[:1]) {
		c.args = append(starlark.Tuple{KeyOf(c.args[0])}, c.args[1:]...)
	}
}
