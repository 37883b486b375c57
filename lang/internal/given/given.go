// Package given makes values of a recipe of values of Go, and the other way round what is
// a bool, a number or a string.
//
// A value of Go is checked by its type before a run ([Check]). A [Giver] then makes a value
// for one run of it: dice and numbers are copied or shared, and what is large, a slice, a
// map or a struct, becomes a value that reads it where it is, an element at a time, and
// can't be changed. An element that no recipe could have shows when it is asked for, and
// ends the run.
package given

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"dicescript/builtins"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A Giver makes values for one run.
type Giver struct {
	Halt   func(error) // ends the run; nil before there is one
	own    Own
	fields map[reflect.Type]map[string][]int // of structs, by the names of their attributes
}

// Own makes values of the structs of a host that are no records, and says which are.
type Own func(v any) (made starlark.Value, ok bool, err error)

// New returns a giver to which own may be nil.
func New(own Own) *Giver { return &Giver{own: own, fields: map[reflect.Type]map[string][]int{}} }

// Check refuses what could never be a value of a recipe, or has a part that could
// not. It freezes what is one already.
func Check(v any) error {
	if v == nil {
		return nil
	}
	if own, ok := v.(starlark.Value); ok {
		own.Freeze()
		return nil
	}
	return usable(reflect.TypeOf(v), map[reflect.Type]bool{})
}

// Value makes a value of v.
func (g *Giver) Value(v any) (starlark.Value, error) {
	switch v := v.(type) {
	case nil:
		return starlark.None, nil
	case starlark.Value:
		return v, nil
	case *dist.Dist:
		return orNone(v != nil, func() starlark.Value { return builtins.NewRoll(v) }), nil
	case *dist.Pool:
		return orNone(v != nil, func() starlark.Value { return builtins.NewPool(v) }), nil
	case *big.Rat:
		return orNone(v != nil, func() starlark.Value { return builtins.NewNumber(v, 0) }), nil
	case *big.Int:
		return orNone(v != nil, func() starlark.Value { return starlark.MakeBigInt(v) }), nil
	case json.Number:
		if n, ok := number(v); ok {
			return n, nil
		}
		return nil, fmt.Errorf("got %q, want a number", v.String())
	}
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Struct && g.own != nil {
		if v, ok, err := g.own(v); ok {
			return v, err
		}
	}
	return g.reflected(r)
}

func orNone(there bool, value func() starlark.Value) starlark.Value {
	if !there {
		return starlark.None
	}
	return value()
}

// reflected makes a value of what is none of the types with a name of their own.
func (g *Giver) reflected(r reflect.Value) (starlark.Value, error) {
	if text, ok, err := asMarshalled(r); ok {
		return text, err
	}
	switch r.Kind() {
	case reflect.Slice:
		if r.IsNil() {
			return starlark.None, nil
		}
		return &List{g, r}, nil
	case reflect.Array:
		return &List{g, r}, nil
	case reflect.Map:
		if r.IsNil() {
			return starlark.None, nil
		}
		return &Dict{giver: g, of: r}, nil
	case reflect.Struct:
		return &Record{g, r, g.attributes(r.Type())}, nil
	case reflect.Pointer:
		if r.IsNil() {
			return starlark.None, nil
		}
		return g.Value(r.Elem().Interface())
	}
	if v, ok := Simple(r.Interface()); ok {
		return v, nil
	}
	return nil, refusal(r.Type())
}

// asMarshalled is the text of a struct that is written as text, such as a time.
func asMarshalled(r reflect.Value) (v starlark.Value, ok bool, err error) {
	if !isText(r.Type()) {
		return nil, false, nil
	}
	text, err := r.Interface().(encoding.TextMarshaler).MarshalText()
	return starlark.String(text), true, err
}

var marshaler = reflect.TypeFor[encoding.TextMarshaler]()

// isText reports whether values of a type are texts although they are structs or arrays.
func isText(t reflect.Type) bool {
	return (t.Kind() == reflect.Struct || t.Kind() == reflect.Array) && t.Implements(marshaler)
}

func refusal(t reflect.Type) error {
	return fmt.Errorf("got a %s, want a roll, a number, a bool, a string, a slice, a map or a struct of such", t)
}

var plainTypes = []reflect.Type{
	reflect.TypeFor[*dist.Dist](), reflect.TypeFor[*dist.Pool](), reflect.TypeFor[*big.Rat](), reflect.TypeFor[*big.Int](),
}

// usable refuses a type of which no value could be made for a recipe. What an interface
// holds shows later.
func usable(t reflect.Type, seen map[reflect.Type]bool) error {
	if seen[t] || slices.Contains(plainTypes, t) || t.Implements(reflect.TypeFor[starlark.Value]()) || isText(t) {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Invalid:
		return refusal(t)
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return usable(t.Elem(), seen)
	case reflect.Map:
		if !isKey(t.Key().Kind()) {
			return fmt.Errorf("got a %s, want a map whose keys are strings, integers or bools", t)
		}
		return usable(t.Elem(), seen)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if attributeName(f) == "" {
				continue
			}
			if err := usable(f.Type, seen); err != nil {
				return fmt.Errorf("%s: %w; the tag dice:\"-\" leaves it out", f.Name, err)
			}
		}
	}
	return nil
}

func isKey(k reflect.Kind) bool {
	return k == reflect.String || k == reflect.Bool || k >= reflect.Int && k <= reflect.Uintptr
}

// must makes a value of an element. One that recipes can't have ends the run where it
// was asked for: the interpreter has no error for that.
func (g *Giver) must(r reflect.Value) starlark.Value {
	v, err := g.Value(r.Interface())
	if err != nil {
		g.Halt(fmt.Errorf("an element of a value of the host: %w", err))
		return starlark.None
	}
	return v
}
