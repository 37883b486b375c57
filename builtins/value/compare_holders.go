package value

import (
	"errors"

	"dicescript/builtins/native"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Lists, tuples and dicts are compared by what they hold. Starlark takes an exact number
// and an equal one of another type for different, so that what holds one is compared
// here.

// nested is how deep values that hold each other are compared, as by Starlark.
const nested = 10

var errTooNested = errors.New("comparison exceeded maximum recursion depth")

// holdsNumber reports whether a list, tuple or dict holds a chance or a number.
func holdsNumber(v starlark.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	holds := func(v starlark.Value) bool { return isNumber(v) || holdsNumber(v, depth-1) }
	switch v := v.(type) {
	case *starlark.List:
		for i := range v.Len() {
			if holds(v.Index(i)) {
				return true
			}
		}
	case starlark.Tuple:
		for _, part := range v {
			if holds(part) {
				return true
			}
		}
	case *starlark.Dict:
		for _, part := range v.Entries() {
			if holds(part) {
				return true
			}
		}
	}
	return false
}

// compareHolders is x op y where a value that they hold is a chance or a number.
func compareHolders(op syntax.Token, x, y starlark.Value, depth int) (bool, error) {
	if depth < 1 {
		return false, errTooNested
	}
	if isNumber(x) || isNumber(y) {
		v, err := compareNumbers(op, x, y)
		return v == starlark.True, err
	}
	a, ok1 := row(x)
	b, ok2 := row(y)
	if ok1 && ok2 && x.Type() == y.Type() {
		return compareRows(op, a, b, depth)
	}
	d, ok1 := x.(*starlark.Dict)
	e, ok2 := y.(*starlark.Dict)
	if ok1 && ok2 && (op == syntax.EQL || op == syntax.NEQ) {
		same, err := sameDicts(d, e, depth)
		return same == (op == syntax.EQL), err
	}
	v, err := native.Compare(op, x, y)
	return v == starlark.True, err
}

// row returns the elements of a list or tuple.
func row(v starlark.Value) (starlark.Indexable, bool) {
	switch v := v.(type) {
	case *starlark.List:
		return v, true
	case starlark.Tuple:
		return v, true
	}
	return nil, false
}

// compareRows compares two lists by the first elements that differ, and else by length.
func compareRows(op syntax.Token, x, y starlark.Indexable, depth int) (bool, error) {
	if x.Len() != y.Len() && (op == syntax.EQL || op == syntax.NEQ) {
		return op == syntax.NEQ, nil
	}
	for i := range min(x.Len(), y.Len()) {
		same, err := compareHolders(syntax.EQL, x.Index(i), y.Index(i), depth-1)
		switch {
		case err != nil:
			return false, err
		case same:
			continue
		case op == syntax.EQL || op == syntax.NEQ:
			return op == syntax.NEQ, nil
		}
		return compareHolders(op, x.Index(i), y.Index(i), depth-1)
	}
	return starlark.Compare(op, starlark.MakeInt(x.Len()), starlark.MakeInt(y.Len()))
}

// sameDicts reports whether two dicts have the same keys with the same values.
func sameDicts(x, y *starlark.Dict, depth int) (bool, error) {
	if x.Len() != y.Len() {
		return false, nil
	}
	for key, v := range x.Entries() {
		w, found, err := y.Get(key)
		if !found || err != nil {
			return false, err
		}
		same, err := compareHolders(syntax.EQL, v, w, depth-1)
		if !same || err != nil {
			return false, err
		}
	}
	return true, nil
}
