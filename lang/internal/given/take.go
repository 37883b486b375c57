// Values of a recipe as values of Go: what a function of the host is given.

package given

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"dicescript/builtins/meter"
	"dicescript/builtins/native"
	"dicescript/builtins/suggest"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A Taker makes values of Go for one call of a function.
type Taker struct {
	Thread *starlark.Thread
	Data   func(starlark.Value) (any, error) // a value as a result holds it
	Plain  func(starlark.Value) (any, error) // a value as part of a list in a result
}

// An unfit value is not what a function wants. The error is in the words of a recipe: "got
// a roll, want text in quotes".
type unfit string

func (e unfit) Error() string { return string(e) }

func wanted(v starlark.Value, want string) error {
	return unfit("got " + value.Describe(v) + ", want " + want)
}

// Take sets to, which can be set and is of a type that [Takes], to a value of a recipe.
func (t Taker) Take(v starlark.Value, to reflect.Value) error {
	if v == starlark.None && isNillable(to.Kind()) {
		to.SetZero()
		return nil
	}
	of, own := original(v)
	if of.Type().AssignableTo(to.Type()) && (own || to.Type() != anyType) {
		to.Set(of)
		return nil
	}
	switch to.Interface().(type) {
	case *dist.Dist:
		d, ok, err := value.AsRoll(t.Thread, v)
		if !ok {
			return unfit(value.NotRoll(v))
		}
		return set(to, d, err)
	case *dist.Pool:
		return dice(v, to)
	case *big.Rat:
		r, err := exactly(v)
		return set(to, r, err)
	case *big.Int:
		if n, ok := v.(starlark.Int); ok {
			return set(to, n.BigInt(), nil)
		}
		return unfit(value.NotInt(v))
	}
	return t.kind(v, to)
}

// dice takes dice that are kept apart; a roll is one die.
func dice(v starlark.Value, to reflect.Value) error {
	switch v := v.(type) {
	case *value.Pool:
		return set(to, v.Pool(), nil)
	case *value.Roll:
		p, err := dist.NewPool(v.Dist())
		return set(to, p, err)
	}
	return wanted(v, "dice like 4d6")
}

func set(to reflect.Value, v any, err error) error {
	if err == nil {
		to.Set(reflect.ValueOf(v))
	}
	return err
}

var anyType = reflect.TypeFor[any]()

// original is what a value was made of when the host has given it, and otherwise the value
// itself.
func original(v starlark.Value) (of reflect.Value, given bool) {
	switch v := v.(type) {
	case *List:
		return v.of, true
	case *Dict:
		return v.of, true
	case *Record:
		return v.of, true
	}
	return reflect.ValueOf(v), false
}

func isNillable(k reflect.Kind) bool {
	return k == reflect.Pointer || k == reflect.Slice || k == reflect.Map || k == reflect.Interface
}

// exactly is a number without an error.
func exactly(v starlark.Value) (*big.Rat, error) {
	r, bound, err := bounded(v)
	if err == nil && bound > 0 {
		return nil, unfit(fmt.Sprintf("got %s, which is known to within %g only, want an exact number", value.Describe(v), bound))
	}
	return r, err
}

// bounded is a number with its error. Text is none, even where it reads like one.
func bounded(v starlark.Value) (*big.Rat, float64, error) {
	if _, isText := v.(starlark.String); isText {
		return nil, 0, wanted(v, "a number")
	}
	r, bound, problem := value.RatOf(v)
	if problem != "" {
		return nil, 0, unfit(problem)
	}
	return new(big.Rat).Set(r), bound, nil
}

// kind takes a value of a type that has a name of its own in Go, or none.
func (t Taker) kind(v starlark.Value, to reflect.Value) error {
	if text := unmarshaler(to); text != nil {
		s, ok := v.(starlark.String)
		if !ok {
			return wanted(v, "text in quotes")
		}
		if err := text.UnmarshalText([]byte(s)); err != nil {
			return unfit(fmt.Sprintf("got %s: %v", value.Describe(v), err))
		}
		return nil
	}
	switch {
	case to.Kind() == reflect.Bool:
		if b, ok := v.(starlark.Bool); ok {
			to.SetBool(bool(b))
			return nil
		}
		return wanted(v, "True or False")
	case to.Kind() == reflect.String:
		if s, ok := v.(starlark.String); ok {
			to.SetString(string(s))
			return nil
		}
		return wanted(v, "text in quotes")
	case to.CanInt() || to.CanUint():
		return whole(v, to)
	case to.CanFloat():
		r, _, err := bounded(v)
		if err == nil {
			f, _ := r.Float64()
			to.SetFloat(f)
		}
		return err
	}
	switch to.Kind() {
	case reflect.Slice, reflect.Array:
		return t.list(v, to)
	case reflect.Map:
		return t.mapped(v, to)
	case reflect.Pointer:
		p := reflect.New(to.Type().Elem())
		if err := t.Take(v, p.Elem()); err != nil {
			return err
		}
		to.Set(p)
		return nil
	}
	return t.data(v, to)
}

// unmarshaler reads what is written as text, such as a time.
func unmarshaler(to reflect.Value) encoding.TextUnmarshaler {
	if !isText(to.Type()) {
		return nil
	}
	u, _ := to.Addr().Interface().(encoding.TextUnmarshaler)
	return u
}

// whole takes a whole number that fits.
func whole(v starlark.Value, to reflect.Value) error {
	n, ok := v.(starlark.Int)
	if !ok {
		return unfit(value.NotInt(v))
	}
	if i, ok := n.Int64(); ok && to.CanInt() && !to.OverflowInt(i) {
		to.SetInt(i)
		return nil
	}
	if u, ok := n.Uint64(); ok && to.CanUint() && !to.OverflowUint(u) {
		to.SetUint(u)
		return nil
	}
	unused := 64 - to.Type().Bits()
	if to.CanUint() {
		return wanted(v, fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)>>unused))
	}
	return wanted(v, fmt.Sprintf("a whole number from %d to %d", math.MinInt64>>unused, math.MaxInt64>>unused))
}

// list takes the elements of a list.
func (t Taker) list(v starlark.Value, to reflect.Value) error {
	if _, isDict := v.(starlark.IterableMapping); isDict {
		return wanted(v, "a list")
	}
	values, ok := value.Elements(v)
	if !ok {
		return wanted(v, "a list")
	}
	if to.Kind() == reflect.Array && to.Len() != len(values) {
		return unfit(fmt.Sprintf("got a list of %d, want %s", len(values), value.Plural(to.Len(), "element")))
	}
	if err := meter.Of(t.Thread).List(int64(len(values))); err != nil {
		return err
	}
	made := to
	if to.Kind() == reflect.Slice {
		made = reflect.MakeSlice(to.Type(), len(values), len(values))
	}
	for i, x := range values {
		if err := t.Take(x, made.Index(i)); err != nil {
			return within(fmt.Sprintf("element %d", i), err)
		}
	}
	to.Set(made)
	return nil
}

// within says where in a value another is that does not suit. What ends the run passes.
func within(place string, err error) error {
	var u unfit
	if !errors.As(err, &u) {
		return err
	}
	return unfit(place + ": " + string(u))
}

// entries are those of a dict, of the recipe or of the host.
func (t Taker) entries(v starlark.Value) ([]starlark.Tuple, error) {
	dict, ok := v.(starlark.IterableMapping)
	if !ok {
		return nil, wanted(v, "a dict")
	}
	if err := meter.Of(t.Thread).List(meter.LengthOf(v)); err != nil {
		return nil, err
	}
	return dict.Items(), nil
}

func (t Taker) mapped(v starlark.Value, to reflect.Value) error {
	items, err := t.entries(v)
	if err != nil {
		return err
	}
	made := reflect.MakeMap(to.Type())
	for _, item := range items {
		key, x := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if err := t.Take(item[0], key); err != nil {
			return within("a key", err)
		}
		if err := t.Take(item[1], x); err != nil {
			return within(value.Describe(item[0]), err)
		}
		made.SetMapIndex(key, x)
	}
	to.Set(made)
	return nil
}

// data takes what is held as a result holds it, and a struct of the host from a dict with
// the names of its fields; a field that the dict does not have stays zero.
func (t Taker) data(v starlark.Value, to reflect.Value) error {
	if dict, ok := v.(starlark.IterableMapping); ok && to.Kind() == reflect.Struct {
		return t.fields(dict, to)
	}
	as := t.Data
	if to.Type() == anyType {
		as = t.Plain
	}
	d, err := as(v)
	if err != nil {
		return err
	}
	if d == nil || !reflect.TypeOf(d).AssignableTo(to.Type()) {
		return wanted(v, nameOf(to.Type()))
	}
	to.Set(reflect.ValueOf(d))
	return nil
}

// nameOf is what a type of the host is called in an error.
func nameOf(t reflect.Type) string {
	if d, ok := reflect.Zero(t).Interface().(interface{ Kind() string }); ok {
		return native.TypeInWords(d.Kind())
	}
	return "a dict with the keys " + value.ShortList(strings.Join(names(t), ", "))
}

func (t Taker) fields(dict starlark.IterableMapping, to reflect.Value) error {
	items, err := t.entries(dict)
	if err != nil {
		return err
	}
	fields := Fields(to.Type())
	for _, item := range items {
		name, ok := item[0].(starlark.String)
		index, known := fields[string(name)]
		if !ok || !known {
			return unfit(fmt.Sprintf("there is no field %s%s; write some of %s", value.Describe(item[0]), suggest.DidYouMean(suggest.Among(string(name), names(to.Type()))), value.ShortList(strings.Join(names(to.Type()), ", "))))
		}
		f, err := to.FieldByIndexErr(index)
		if err != nil {
			continue // of a struct that is embedded by a nil pointer
		}
		if err := t.Take(item[1], f); err != nil {
			return within(string(name), err)
		}
	}
	return nil
}

// names are the fields of a struct as recipes say them, sorted.
func names(t reflect.Type) []string {
	var names []string
	for name := range Fields(t) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var valueType = reflect.TypeFor[starlark.Value]()

// Takes refuses a type of which no value of a recipe can be made.
func Takes(t reflect.Type) error { return takes(t, map[reflect.Type]bool{}) }

func takes(t reflect.Type, seen map[reflect.Type]bool) error {
	if seen[t] || t == anyType || slices.Contains(plainTypes, t) || t.Implements(valueType) || isText(t) && reflect.PointerTo(t).Implements(unmarshalerType) || isData(t) {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return takes(t.Elem(), seen)
	case reflect.Map:
		if !isKey(t.Key().Kind()) {
			return fmt.Errorf("%s is no type that a recipe can give: the keys of a map are strings, integers or bools", t)
		}
		return takes(t.Elem(), seen)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if attributeName(f) == "" {
				continue
			}
			if err := takes(f.Type, seen); err != nil {
				return fmt.Errorf("%s: %w; the tag dice:\"-\" leaves it out", f.Name, err)
			}
		}
		return nil
	}
	if k := t.Kind(); k == reflect.Bool || k == reflect.String || reflect.Int <= k && k <= reflect.Float64 {
		return nil
	}
	return fmt.Errorf("%s is no type that a recipe can give", t)
}

var unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()

// isData reports whether a type is one of those that a result is made of.
func isData(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return t.Kind() == reflect.Interface && t.NumMethod() == 1 && t.Method(0).Name == "Kind"
	}
	_, ok := reflect.Zero(t).Interface().(interface{ Kind() string })
	return ok
}

// Gives refuses a type of which no value for a recipe can be made.
func Gives(t reflect.Type) error { return usable(t, map[reflect.Type]bool{}) }
