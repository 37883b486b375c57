package intern

import (
	encoding "encoding/binary"
	"math"

	"go.starlark.net/starlark"
)

// Recipes name states and labels by values of their own, and the engine knows
// only whole numbers. A table gives every distinct value a number, in order
// of first appearance.

// A Table numbers values, and tells them apart as Starlark's == does: 1 and 1.0 are one value.
type Table struct {
	Values []starlark.Value
	texts  map[starlark.String]int
	ints   map[int64]int
	plain  map[string]int // of tuples and other numbers, by their encoding
	others starlark.Dict  // of everything else, to an Int
}

// Index returns the number of v, a new one when v was not seen before. It is an
// error when v is not hashable.
func (in *Table) Index(v starlark.Value) (int, error) {
	if i, ok, err := in.Find(v); ok || err != nil {
		return i, err
	}
	i := len(in.Values)
	in.Values = append(in.Values, v)
	switch key := canonical(v).(type) {
	case starlark.String:
		put(&in.texts, key, i)
		return i, nil
	case starlark.Int:
		if n, small := key.Int64(); small {
			put(&in.ints, n, i)
			return i, nil
		}
	}
	if key, ok := appendKey(nil, v); ok {
		put(&in.plain, string(key), i)
		return i, nil
	}
	return i, in.others.SetKey(v, starlark.MakeInt(i))
}

func put[K comparable](m *map[K]int, key K, i int) {
	if *m == nil {
		*m = map[K]int{}
	}
	(*m)[key] = i
}

// Find returns the number of a value that was seen before.
func (in *Table) Find(v starlark.Value) (int, bool, error) {
	switch key := canonical(v).(type) {
	case starlark.String:
		i, ok := in.texts[key]
		return i, ok, nil
	case starlark.Int:
		if n, small := key.Int64(); small {
			i, ok := in.ints[n]
			return i, ok, nil
		}
	}
	if key, ok := appendKey(nil, v); ok {
		i, ok := in.plain[string(key)]
		return i, ok, nil
	}
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

// appendKey appends an encoding of v in which equal values are equal and others
// differ; ok is false for what has none. Go's maps can't be made slow by keys
// that a recipe has chosen for their hashes, as Starlark's dicts can.
func appendKey(b []byte, v starlark.Value) (key []byte, ok bool) {
	text := func(tag byte, s string) ([]byte, bool) {
		b = encoding.AppendUvarint(append(b, tag), uint64(len(s)))
		return append(b, s...), true
	}
	switch v := canonical(v).(type) {
	case starlark.NoneType:
		return append(b, 'n'), true
	case starlark.Bool:
		if v {
			return append(b, 't'), true
		}
		return append(b, 'f'), true
	case starlark.Int:
		if n, small := v.Int64(); small {
			return encoding.AppendVarint(append(b, 'i'), n), true
		}
		return text('I', string(v.BigInt().Append(nil, 62)))
	case starlark.Float:
		return encoding.LittleEndian.AppendUint64(append(b, 'r'), math.Float64bits(float64(v))), true
	case starlark.String:
		return text('s', string(v))
	case starlark.Bytes:
		return text('b', string(v))
	case starlark.Tuple:
		b = encoding.AppendUvarint(append(b, '('), uint64(len(v)))
		for _, item := range v {
			if b, ok = appendKey(b, item); !ok {
				return nil, false
			}
		}
		return b, true
	}
	return nil, false
}
