// Maps as recipes see them.

package given

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
)

// A Dict is a map of the host.
type Dict struct {
	giver *Giver
	of    reflect.Value
	keys  []reflect.Value // in order, once they have been asked for
}

var (
	_ starlark.IterableMapping = (*Dict)(nil)
	_ starlark.Sequence        = (*Dict)(nil)
	_ starlark.HasAttrs        = (*Dict)(nil)
)

func (d *Dict) String() string        { return fmt.Sprintf("<a dict of %d from the host>", d.of.Len()) }
func (d *Dict) Type() string          { return "read_only_dict" }
func (d *Dict) Freeze()               {}
func (d *Dict) Truth() starlark.Bool  { return d.of.Len() > 0 }
func (d *Dict) Hash() (uint32, error) { return 0, errors.New("unhashable: read_only_dict") }
func (d *Dict) Len() int              { return d.of.Len() }

// Get returns the value of a key.
func (d *Dict) Get(key starlark.Value) (v starlark.Value, found bool, err error) {
	k, ok := keyOf(key, d.of.Type().Key())
	if !ok {
		return nil, false, nil
	}
	e := d.of.MapIndex(k)
	if !e.IsValid() {
		return nil, false, nil
	}
	v, err = d.giver.Value(e.Interface())
	return v, err == nil, err
}

// keyOf is a value of the recipe as a key of a map.
func keyOf(key starlark.Value, t reflect.Type) (reflect.Value, bool) {
	k := reflect.New(t).Elem()
	switch key := key.(type) {
	case starlark.String:
		if t.Kind() == reflect.String {
			k.SetString(string(key))
			return k, true
		}
	case starlark.Bool:
		if t.Kind() == reflect.Bool {
			k.SetBool(bool(key))
			return k, true
		}
	case starlark.Int:
		if n, ok := key.Int64(); ok && k.CanInt() && !k.OverflowInt(n) {
			k.SetInt(n)
			return k, true
		}
		if n, ok := key.Uint64(); ok && k.CanUint() && !k.OverflowUint(n) {
			k.SetUint(n)
			return k, true
		}
	}
	return k, false
}

// sorted are the keys in order.
func (d *Dict) sorted() []reflect.Value {
	if d.keys == nil {
		d.keys = d.of.MapKeys()
		slices.SortFunc(d.keys, func(a, b reflect.Value) int {
			switch {
			case a.Kind() == reflect.String:
				return cmp.Compare(a.String(), b.String())
			case a.CanInt():
				return cmp.Compare(a.Int(), b.Int())
			case a.CanUint():
				return cmp.Compare(a.Uint(), b.Uint())
			case a.Bool() == b.Bool():
				return 0
			case b.Bool():
				return -1
			}
			return 1
		})
	}
	return d.keys
}

func (d *Dict) key(i int) starlark.Value   { return d.giver.must(d.sorted()[i]) }
func (d *Dict) value(i int) starlark.Value { return d.giver.must(d.of.MapIndex(d.sorted()[i])) }
func (d *Dict) item(i int) starlark.Value  { return starlark.Tuple{d.key(i), d.value(i)} }

// Iterate goes through the keys.
func (d *Dict) Iterate() starlark.Iterator { return &iterator{at: d.key, n: d.of.Len()} }

// Items are the entries, for what makes a dict of this one.
func (d *Dict) Items() []starlark.Tuple {
	items := make([]starlark.Tuple, d.of.Len())
	for i := range items {
		items[i] = d.item(i).(starlark.Tuple)
	}
	return items
}

// AttrNames are the methods of a dict that only read.
func (d *Dict) AttrNames() []string { return []string{"get", "items", "keys", "values"} }

// Attr returns a method.
func (d *Dict) Attr(name string) (starlark.Value, error) {
	switch name {
	case "get":
		return starlark.NewBuiltin(name, d.get).BindReceiver(d), nil
	case "keys":
		return d.listing(name, d.key), nil
	case "values":
		return d.listing(name, d.value), nil
	case "items":
		return d.listing(name, d.item), nil
	}
	return nil, nil
}

func (d *Dict) get(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var key starlark.Value
	var otherwise starlark.Value = starlark.None
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &key, &otherwise); err != nil {
		return nil, err
	}
	v, found, err := d.Get(key)
	if err != nil || !found {
		return otherwise, err
	}
	return v, nil
}

// listing is a method that lists something of each entry.
func (d *Dict) listing(name string, of func(int) starlark.Value) starlark.Value {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
			return nil, err
		}
		m := meter.Of(thread)
		if err := m.List(int64(d.of.Len())); err != nil {
			return nil, err
		}
		list := make([]starlark.Value, d.of.Len())
		for i := range list {
			list[i] = of(i)
		}
		made := starlark.NewList(list)
		return made, m.Made(made)
	}).BindReceiver(d)
}
