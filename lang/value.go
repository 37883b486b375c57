// Values of Go as recipes see them: what is large is read where it is, an element at a
// time, and can't be changed.

package lang

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A giver makes values for one run.
type giver struct {
	halt   func(*Error)                      // ends the run; nil before there is one
	fields map[reflect.Type]map[string][]int // of structs, by the names of their attributes
}

func newGiver() *giver { return &giver{fields: map[reflect.Type]map[string][]int{}} }

// checkValue refuses what could never be a value of a recipe, or has a part that could
// not. It freezes what is one already.
func checkValue(v any) error {
	if v == nil {
		return nil
	}
	if own, ok := v.(starlark.Value); ok {
		own.Freeze()
		return nil
	}
	return usable(reflect.TypeOf(v), map[reflect.Type]bool{})
}

// value makes a value of v.
func (g *giver) value(v any) (starlark.Value, error) {
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
	case Roll:
		return g.value(v.Dist)
	case Number:
		return orNone(v.Value != nil, func() starlark.Value { return builtins.NewNumber(v.Value, v.Bound) }), nil
	case Prob:
		if v.Value == nil {
			return starlark.None, nil
		}
		p, err := builtins.NewProb(v.Value, v.Bound)
		return p, err
	case json.Number:
		if n, ok := fromJSON(v); ok {
			return n, nil
		}
		return nil, fmt.Errorf("got %q, want a number", v.String())
	}
	return g.reflected(reflect.ValueOf(v))
}

func orNone(there bool, value func() starlark.Value) starlark.Value {
	if !there {
		return starlark.None
	}
	return value()
}

// reflected makes a value of what is none of the types with a name of their own.
func (g *giver) reflected(r reflect.Value) (starlark.Value, error) {
	if text, ok, err := asMarshalled(r); ok {
		return text, err
	}
	switch r.Kind() {
	case reflect.Slice:
		if r.IsNil() {
			return starlark.None, nil
		}
		return &givenList{g, r}, nil
	case reflect.Array:
		return &givenList{g, r}, nil
	case reflect.Map:
		if r.IsNil() {
			return starlark.None, nil
		}
		return &givenDict{giver: g, of: r}, nil
	case reflect.Struct:
		return &record{g, r, g.attributes(r.Type())}, nil
	case reflect.Pointer:
		if r.IsNil() {
			return starlark.None, nil
		}
		return g.value(r.Elem().Interface())
	}
	if v, ok := fromGo(r.Interface()); ok {
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
	reflect.TypeFor[Roll](), reflect.TypeFor[Prob](), reflect.TypeFor[Number](),
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

// attributes are the fields of a struct by the names that recipes say.
func (g *giver) attributes(t reflect.Type) map[string][]int {
	if fields, ok := g.fields[t]; ok {
		return fields
	}
	fields := map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		if name := attributeName(f); name != "" {
			fields[name] = f.Index
		}
	}
	g.fields[t] = fields
	return fields
}

// attributeName is what recipes call a field, "" when they can't see it.
func attributeName(f reflect.StructField) string {
	tag := f.Tag.Get("dice")
	switch {
	case !f.IsExported() || tag == "-" || f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
		return ""
	case tag != "":
		return tag
	}
	return snakeCase(f.Name)
}

// snakeCase writes HitDice as hit_dice, and HPMax as hp_max.
func snakeCase(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		begins := unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) && runes[i-1] != '_' || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// A givenList is a slice of the host.
type givenList struct {
	giver *giver
	of    reflect.Value
}

var (
	_ starlark.Sequence  = (*givenList)(nil)
	_ starlark.Container = (*givenList)(nil)
	_ starlark.Sliceable = (*givenList)(nil)
)

func (l *givenList) String() string        { return fmt.Sprintf("<a list of %d from the host>", l.of.Len()) }
func (l *givenList) Type() string          { return "read_only_list" }
func (l *givenList) Freeze()               {}
func (l *givenList) Truth() starlark.Bool  { return l.of.Len() > 0 }
func (l *givenList) Hash() (uint32, error) { return 0, errors.New("unhashable: read_only_list") }
func (l *givenList) Len() int              { return l.of.Len() }

// Index returns an element.
func (l *givenList) Index(i int) starlark.Value {
	return l.giver.must(l.of.Index(i))
}

// Has reports whether an element equals v.
func (l *givenList) Has(v starlark.Value) (bool, error) {
	for i := range l.of.Len() {
		if same, err := starlark.Equal(l.Index(i), v); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// Slice returns some of the elements, as a list of the recipe when they are not in a row.
func (l *givenList) Slice(start, end, step int) starlark.Value {
	if step == 1 && (l.of.Kind() == reflect.Slice || l.of.CanAddr()) {
		return &givenList{l.giver, l.of.Slice(start, end)}
	}
	var some []starlark.Value
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		some = append(some, l.Index(i))
	}
	return starlark.NewList(some)
}

// Iterate goes through the elements.
func (l *givenList) Iterate() starlark.Iterator { return &givenIterator{at: l.Index, n: l.of.Len()} }

// A givenIterator goes through what has places.
type givenIterator struct {
	at   func(int) starlark.Value
	next int
	n    int
}

func (it *givenIterator) Next(p *starlark.Value) bool {
	if it.next == it.n {
		return false
	}
	*p = it.at(it.next)
	it.next++
	return true
}

func (it *givenIterator) Done() {}

// must makes a value of an element. One that recipes can't have ends the run where it
// was asked for: the interpreter has no error for that.
func (g *giver) must(r reflect.Value) starlark.Value {
	v, err := g.value(r.Interface())
	if err != nil {
		g.halt(inputError("an element of a value of the host: %s", err))
		return starlark.None
	}
	return v
}

// A givenDict is a map of the host.
type givenDict struct {
	giver *giver
	of    reflect.Value
	keys  []reflect.Value // in order, once they have been asked for
}

var (
	_ starlark.IterableMapping = (*givenDict)(nil)
	_ starlark.Sequence        = (*givenDict)(nil)
	_ starlark.HasAttrs        = (*givenDict)(nil)
)

func (d *givenDict) String() string        { return fmt.Sprintf("<a dict of %d from the host>", d.of.Len()) }
func (d *givenDict) Type() string          { return "read_only_dict" }
func (d *givenDict) Freeze()               {}
func (d *givenDict) Truth() starlark.Bool  { return d.of.Len() > 0 }
func (d *givenDict) Hash() (uint32, error) { return 0, errors.New("unhashable: read_only_dict") }
func (d *givenDict) Len() int              { return d.of.Len() }

// Get returns the value of a key.
func (d *givenDict) Get(key starlark.Value) (v starlark.Value, found bool, err error) {
	k, ok := keyOf(key, d.of.Type().Key())
	if !ok {
		return nil, false, nil
	}
	e := d.of.MapIndex(k)
	if !e.IsValid() {
		return nil, false, nil
	}
	v, err = d.giver.value(e.Interface())
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
func (d *givenDict) sorted() []reflect.Value {
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

func (d *givenDict) key(i int) starlark.Value   { return d.giver.must(d.sorted()[i]) }
func (d *givenDict) value(i int) starlark.Value { return d.giver.must(d.of.MapIndex(d.sorted()[i])) }
func (d *givenDict) item(i int) starlark.Value  { return starlark.Tuple{d.key(i), d.value(i)} }

// Iterate goes through the keys.
func (d *givenDict) Iterate() starlark.Iterator { return &givenIterator{at: d.key, n: d.of.Len()} }

// Items are the entries, for what makes a dict of this one.
func (d *givenDict) Items() []starlark.Tuple {
	items := make([]starlark.Tuple, d.of.Len())
	for i := range items {
		items[i] = d.item(i).(starlark.Tuple)
	}
	return items
}

// AttrNames are the methods of a dict that only read.
func (d *givenDict) AttrNames() []string { return []string{"get", "items", "keys", "values"} }

// Attr returns a method.
func (d *givenDict) Attr(name string) (starlark.Value, error) {
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

func (d *givenDict) get(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
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
func (d *givenDict) listing(name string, of func(int) starlark.Value) starlark.Value {
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

// A record is a struct of the host.
type record struct {
	giver  *giver
	of     reflect.Value
	fields map[string][]int
}

var _ starlark.HasAttrs = (*record)(nil)

func (r *record) String() string        { return "record(" + strings.Join(r.AttrNames(), ", ") + ")" }
func (r *record) Type() string          { return "record" }
func (r *record) Freeze()               {}
func (r *record) Truth() starlark.Bool  { return true }
func (r *record) Hash() (uint32, error) { return 0, errors.New("unhashable: record") }

// AttrNames are the names of the fields.
func (r *record) AttrNames() []string {
	names := make([]string, 0, len(r.fields))
	for name := range r.fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Attr returns a field. One of a struct that is embedded by a nil pointer is None.
func (r *record) Attr(name string) (starlark.Value, error) {
	index, ok := r.fields[name]
	if !ok {
		return nil, nil
	}
	f, err := r.of.FieldByIndexErr(index)
	if err != nil {
		return starlark.None, nil
	}
	return r.giver.value(f.Interface())
}

// CompareSameType says that values of the host are not compared: it would take a look at
// all that they hold.
func (r *record) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return false, fmt.Errorf("records are not compared; compare their fields")
}
