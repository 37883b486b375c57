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
	switch key := canonical(v).(type) {
	case starlark.String:
		return index(in, &in.texts, key, v), nil
	case starlark.Int:
		if n, small := key.Int64(); small {
			return index(in, &in.ints, n, v), nil
		}
	}
	var room [keyRoom]byte
	if key, ok := appendKey(room[:0], v); ok {
		if i, known := in.plain[string(key)]; known {
			return i, nil
		}
		return index(in, &in.plain, string(key), v), nil
	}
	if i, ok, err := in.other(v); ok || err != nil {
		return i, err
	}
	return in.add(v), in.others.SetKey(v, starlark.MakeInt(len(in.Values)-1))
}

// keyRoom is room for most encodings.
const keyRoom = 64

// index returns the number of a key, a new one for v when it was not seen before.
func index[K comparable](in *Table, m *map[K]int, key K, v starlark.Value) int {
	i, known := (*m)[key]
	if known {
		return i
	}
	if *m == nil {
		*m = map[K]int{}
	}
	i = in.add(v)
	(*m)[key] = i
	return i
}

// add gives v a number.
func (in *Table) add(v starlark.Value) int {
	in.Values = append(in.Values, v)
	return len(in.Values) - 1
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
	var room [keyRoom]byte
	if key, ok := appendKey(room[:0], v); ok {
		i, ok := in.plain[string(key)]
		return i, ok, nil
	}
	return in.other(v)
}

// other returns the number of a value that has no encoding.
func (in *Table) other(v starlark.Value) (int, bool, error) {
	found, ok, err := in.others.Get(v)
	if !ok || err != nil {
		return 0, false, err
	}
	i, err := starlark.AsInt32(found)
	return i, true, err
}

// canonical replaces a number by the int that it equals, if there is one.
func canonical(v starlark.Value) starlark.Value {
	switch of := v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		return v
	case interface{ Key() starlark.Value }:
		v = of.Key()
	}
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
