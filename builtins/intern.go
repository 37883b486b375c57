package builtins

import (
	"go.starlark.net/starlark"
)

// Recipes name states and labels by values of their own, and the engine knows
// only whole numbers. An interner gives every distinct value a number, in order
// of first appearance.

// An interner tells values apart as Starlark's == does: 1 and 1.0 are one value.
type interner struct {
	values []starlark.Value
	texts  map[starlark.String]int
	ints   map[int64]int
	others starlark.Dict // of everything else, to an Int
}

// index returns the number of v, a new one when v was not seen before. It is an
// error when v is not hashable.
func (in *interner) index(v starlark.Value) (int, error) {
	if i, ok, err := in.find(v); ok || err != nil {
		return i, err
	}
	i := len(in.values)
	in.values = append(in.values, v)
	switch key := canonical(v).(type) {
	case starlark.String:
		if in.texts == nil {
			in.texts = map[starlark.String]int{}
		}
		in.texts[key] = i
	case starlark.Int:
		if n, small := key.Int64(); small {
			if in.ints == nil {
				in.ints = map[int64]int{}
			}
			in.ints[n] = i
			break
		}
		return i, in.others.SetKey(key, starlark.MakeInt(i))
	default:
		return i, in.others.SetKey(key, starlark.MakeInt(i))
	}
	return i, nil
}

// find returns the number of a value that was seen before.
func (in *interner) find(v starlark.Value) (int, bool, error) {
	switch key := canonical(v).(type) {
	case starlark.String:
		i, ok := in.texts[key]
		return i, ok, nil
	case starlark.Int:
		if n, small := key.Int64(); small {
			i, ok := in.ints[n]
			return i, ok, nil
		}
		return in.findOther(key)
	default:
		return in.findOther(key)
	}
}

func (in *interner) findOther(v starlark.Value) (int, bool, error) {
	found, ok, err := in.others.Get(v)
	if !ok || err != nil {
		return 0, false, err
	}
	i, err := starlark.AsInt32(found)
	return i, true, err
}

// canonical replaces a float by the int that it equals, if there is one.
func canonical(v starlark.Value) starlark.Value {
	f, ok := v.(starlark.Float)
	if !ok {
		return v
	}
	n, err := starlark.NumberToInt(f)
	if err != nil || n.Float() != f {
		return v
	}
	return n
}
