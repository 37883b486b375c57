package value

import (
	"go.starlark.net/starlark"
)

// A value does not know the functions that are asked of it: it is made with the
// methods of all values, and hands them on to what comes of it.

// Methods are the methods and attributes of values. They never change.
type Methods interface {
	// Attr returns the method or attribute of v with a name, nil when it has none.
	Attr(v starlark.Value, name string) (starlark.Value, error)
	// AttrNames returns the names that v has, in alphabetical order.
	AttrNames(v starlark.Value) []string
}

// made is what every value with methods has in common.
type made struct {
	methods Methods
	from    Derivation // nil outside of a run that is thrown
}

func (m made) with() Methods { return m.methods }

// methodsOf returns what the first of several values that has methods was made
// with.
func methodsOf(values ...starlark.Value) Methods {
	for _, v := range values {
		if v, ok := v.(interface{ with() Methods }); ok {
			return v.with()
		}
	}
	return nil
}
